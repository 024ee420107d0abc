#pragma once
// Reductions with one simple combiner, at memory speed; shared by reduce, windows and collectives.

#include <cstddef>
#include <cstdint>

#include "exec/elementwise.h"
#include "exec/kernel.h"

namespace shardwright::exec {

/// A commutative combiner on one element type, computed in the type's compute type (f32 for bf16
/// and f16; f64 for all floats when asked), so that narrow partials round once, at the end.
struct Combiner {
    ElementFunction function = nullptr;
    ElementFunction load_function = nullptr;  ///< converts storage to compute type, or null
    ElementFunction store_function = nullptr;
    ElementParameters parameters;
    ir::ElementType storage{}, compute{};

    static Combiner of(ir::OpKind kind, ir::ElementType type, bool accumulate_f64);
    std::size_t storage_bytes() const {
        return static_cast<std::size_t>(ir::storage_bytes(storage));
    }
    std::size_t compute_bytes() const {
        return static_cast<std::size_t>(ir::storage_bytes(compute));
    }
    bool same_form() const { return storage == compute; }
    /// Storage form to compute form and back, `count` elements.
    void load(const std::byte* in, std::byte* out, std::size_t count) const;
    void store(const std::byte* in, std::byte* out, std::size_t count) const;
    /// acc = combine(acc, values), both in compute form.
    void apply(std::byte* acc, const std::byte* values, std::size_t count) const {
        const std::byte* in[] = {acc, values};
        function(in, acc, count, parameters);
    }
    /// acc (compute form) = combine(acc, values in storage form).
    void accumulate(std::byte* acc, const std::byte* values, std::size_t count) const;
};

}  // namespace shardwright::exec
