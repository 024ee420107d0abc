#pragma once
// Edits of one tensor's sharding, as the studio makes them: an axis on a dimension, or off it. Pure
// functions from plan to plan, so that undo is the old plan.

#include <cstdint>
#include <string>

#include "plan/derive.h"

namespace shardwright::plan {

enum class Verdict : std::uint8_t {
    kAccept,
    kWarn,    ///< allowed, but `reason` should be read: the dimension is padded
    kRefuse,  ///< not allowed: `reason` says why
};
struct EditCheck {
    Verdict verdict = Verdict::kAccept;
    std::string reason;  ///< one sentence for people
};

/// May axis `axis` of the derived state's mesh shard dimension `dim` of `value`?
///     "data already shards dim 0 of this tensor"       refused
///     "512 is not a multiple of 3: 1 element of padding a device at most"  warned
EditCheck check_axis(const Derived& derived, ir::ValueId value, std::size_t dim, std::size_t axis);

/// The plan with the axis put behind the axes that the user gave the dimension. Dimensions that
/// nobody annotated stay open (`?`), so that propagation may still fill them.
///     value f32[512,2048], no annotation, axis "model" on dim 1: annotation `[?, model]`
Plan with_axis(const Model& model, const Derived& derived, const Plan& plan, ir::ValueId value,
               std::size_t dim, std::size_t axis);
/// The plan with the dimension's axes taken away: what the user put there goes; a dimension that
/// was inferred is closed (`-`), so that it stays whole.
Plan with_dim_cleared(const Model& model, const Derived& derived, const Plan& plan,
                      ir::ValueId value, std::size_t dim);
/// The plan without the user's annotation of this value.
Plan without_annotation(const Model& model, const Plan& plan, ir::ValueId value);
/// The plan with the value's present sharding as its annotation, all dimensions closed.
Plan with_pin(const Model& model, const Derived& derived, const Plan& plan, ir::ValueId value);

/// The plan on `mesh`, with the axis called `name` taken out of every annotation.
///     {mesh "data=2,model=4", w: "[data+model, ?]"} without "model" -> {"data=2", w: "[data, ?]"}
Plan without_axis(const Plan& plan, const std::string& name, const std::string& mesh);

/// Does the plan itself (not the file) annotate the value, by name?
bool is_pinned(const Model& model, const Plan& plan, ir::ValueId value);

}  // namespace shardwright::plan
