#pragma once
// The plan: what a person decided about a model. A plain value: an edit makes a new plan, undo goes
// back to the old one, a file holds one (`.shardplan.json`).

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "propagation/propagate.h"

namespace shardwright::plan {

/// One decision about one or more tensors.
struct Annotation {
    /// A value's name, or a glob (`*`, `?`) on names and display paths ("layer_*/attention/wq").
    std::string target;
    /// Short form over the plan's mesh: `[data, -, model]`, `?` = open dimension.
    std::string sharding;
    friend bool operator==(const Annotation&, const Annotation&) = default;
};

/// Everything that is saved. Later annotations win over earlier ones on the same value.
struct Plan {
    std::string model;           ///< path of the model file, as given; for messages and reopening
    std::string structure_hash;  ///< of the model when saved ("" = not yet)
    std::string mesh;            ///< `data=4,model=2`; "" = the module's own mesh
    std::vector<Annotation> annotations;
    bool ignore_file_annotations = false;
    propagation::Policy policy = propagation::Policy::kGspmd;
    bool policy_given = false;  ///< false: default
    int allow_inputs = -1;      ///< -1 = the default for the module, else 0 / 1
    int allow_outputs = -1;
    std::int64_t random_seed =
        -1;  ///< >= 0: random shardings on every value instead of propagation
    std::string chip = "TPU v5e";
    friend bool operator==(const Plan&, const Plan&) = default;

    /// Sets or replaces the annotation of exactly this target; an empty sharding removes it.
    void set(const std::string& target, const std::string& sharding);
};

std::string to_json(const Plan& plan);
/// `file` is for messages. Unknown keys are errors naming the known ones.
Result<Plan> from_json(std::string_view text, const std::string& file);
Result<Plan> read_plan(const std::string& path);
/// Atomic: temporary file beside it, then rename.
Status write_plan(const Plan& plan, const std::string& path);

}  // namespace shardwright::plan
