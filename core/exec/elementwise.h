#pragma once
// Elementwise kernels: one function an operation and compute type, working on flat arrays. They
// serve whole tensors, blocks of fused chains, and (with count 1) the scalar regions of reductions.

#include <cstddef>
#include <cstdint>
#include <optional>

#include "ir/module.h"

namespace shardwright::exec {

/// What a kernel may want to know beside its arrays.
struct ElementParameters {
    int bits = 0;  ///< integer width of the operand, for s2, s4, u2, u4
    std::int32_t exponent_bits = 0, mantissa_bits = 0;  ///< reduce_precision
    ir::Direction direction = ir::Direction::kEq;
    ir::ElementType in = ir::ElementType::kF32, out = ir::ElementType::kF32;
};

using ElementFunction = void (*)(const std::byte* const* in, std::byte* out, std::size_t count,
                                 const ElementParameters& parameters);

/// A resolved elementwise operation.
/// Example: for `stablehlo.add` on bf16, `function` adds f32 arrays and the adapters widen operands
/// and round results block by block.
struct Elementwise {
    ElementFunction function = nullptr;
    ElementParameters parameters;
    int arity = 1;
    ir::ElementType in[3] = {};  ///< storage types
    ir::ElementType out = ir::ElementType::kF32;
    bool widens = false;          ///< narrow float operands are widened before `function`
    bool narrows = false;         ///< its f32 results are rounded to `out`
    bool scalar_operand[3] = {};  ///< clamp's bounds, select's predicate: one element for all

    /// Elements of a block: what the adapters' stack buffers hold.
    static constexpr std::size_t kBlock = 1024;
    /// Runs over `count` elements on this thread. `in` and `out` may be the same array when their
    /// elements have one size.
    void run(const std::byte* const* in, std::byte* out, std::size_t count) const;
};

/// The kernel of an elementwise operation of the module; nothing for kinds that are not elementwise
/// here (map, copy) or types that the operation does not have.
std::optional<Elementwise> find_elementwise(const ir::Module& module, ir::OpId op);

// --- the families, for find_elementwise alone
// ------------------------------------------------------
/// `type` is a compute type. Null when the family does not know the operation.
ElementFunction float_function(ir::OpKind kind, ir::ElementType type);
ElementFunction integer_function(ir::OpKind kind, ir::ElementType type);
ElementFunction complex_function(ir::OpKind kind, ir::ElementType type);
ElementFunction convert_function(ir::ElementType from, ir::ElementType to);
ElementFunction compare_function(ir::ElementType type, ir::CompareType order);
ElementFunction select_function(int bytes);
ElementFunction copy_function(int bytes);

}  // namespace shardwright::exec
