#pragma once
// What the families of shape inference share: the operation seen, and its usual complaints.
// Private to core/ir.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ir/infer.h"

namespace shardwright::ir::inference {

using Types = std::vector<TensorType>;
using Inferred = Result<Types>;

/// 64-bit arithmetic that remembers an overflow instead of making one.
struct Checked {
    std::int64_t value = 0;
    bool overflow = false;
    Checked(std::int64_t v) : value(v) {}
    friend Checked operator+(Checked a, Checked b) {
        a.overflow |= b.overflow | __builtin_add_overflow(a.value, b.value, &a.value);
        return a;
    }
    friend Checked operator-(Checked a, Checked b) {
        a.overflow |= b.overflow | __builtin_sub_overflow(a.value, b.value, &a.value);
        return a;
    }
    friend Checked operator*(Checked a, Checked b) {
        a.overflow |= b.overflow | __builtin_mul_overflow(a.value, b.value, &a.value);
        return a;
    }
};

/// The operation under inference.
struct Context {
    const Module& module;
    const OpSignature& op;
    std::span<const TensorType> stated;

    std::size_t operand_count() const { return op.operands.size(); }
    const TensorType& operand(std::size_t i) const { return module.type(op.operands[i]); }
    template <class A>
    const A* attributes_if() const {
        return std::get_if<A>(&op.attributes);
    }
    std::string_view op_name() const { return name(op.kind); }
};

/// The attributes as A, or the complaint that they are missing.
template <class A>
Result<const A*> need_attributes(const Context& c) {
    if (const A* a = c.attributes_if<A>()) return a;
    return bad_input(fmt::format("{} lacks its attributes", c.op_name()));
}
Status need_operands(const Context& c, std::size_t count);
Status need_operands_at_least(const Context& c, std::size_t count);
Status need_regions(const Context& c, std::size_t count);
/// The one type the file states for an operation that cannot do without.
Result<TensorType> need_stated(const Context& c);
/// `dim` lies in [0, rank).
Status need_dim(const Context& c, std::int64_t dim, std::size_t rank, std::string_view what);
/// All in [0, rank), none twice.
Status need_unique_dims(const Context& c, std::span<const std::int64_t> dims, std::size_t rank,
                        std::string_view what);
Status need_sorted(const Context& c, std::span<const std::int64_t> dims, std::string_view what);
/// One entry a dimension.
Status need_entries(const Context& c, std::size_t entries, std::size_t rank, std::string_view what);
Status need_element(const Context& c, bool allowed, std::size_t operand, std::string_view expected);
Status need_scalar(const Context& c, std::size_t operand);
/// A scalar integer operand (an index).
Status need_scalar_index(const Context& c, std::size_t operand);
Status need_same_type(const Context& c, std::size_t a, std::size_t b);
Status need_same_dims(const Context& c, const TensorType& a, const TensorType& b,
                      std::string_view what);

/// Types of what region `i` returns; a complaint when it has no terminator.
Inferred region_results(const Context& c, std::size_t i);
/// Region `i` takes exactly these types.
Status need_region_arguments(const Context& c, std::size_t i, std::span<const TensorType> types);
/// Region `i` is a combiner of `n` values: (a…, b…) -> (r…), all scalars, a = b = r in type.
/// Returns the element types.
Result<std::vector<ElementType>> combiner_elements(const Context& c, std::size_t i, std::size_t n);

inline bool contains(std::span<const std::int64_t> list, std::int64_t v) {
    return std::find(list.begin(), list.end(), v) != list.end();
}
inline std::string text(std::span<const std::int64_t> list) {
    return fmt::format("[{}]", fmt::join(list, ", "));
}
inline std::string text(const Dims& list) {
    return text(view(list));
}

/// One dimension of a window's result; a complaint on an overflow.
Result<std::int64_t> windowed_size(const Context& c, std::int64_t size, std::int64_t window,
                                   std::int64_t stride, std::int64_t base_dilation,
                                   std::int64_t window_dilation, std::int64_t low,
                                   std::int64_t high);

// The families, by file.
Inferred elementwise(const Context& c);  // infer_elementwise.cpp
Inferred map(const Context& c);
Inferred made_from_nothing(const Context& c);  // infer_source.cpp: constant, iota, rng, ids
Inferred movement(const Context& c);           // infer_shape.cpp: reshape, slice, pad, …
Inferred gather(const Context& c);             // infer_gather.cpp
Inferred scatter(const Context& c);
Inferred dot_general(const Context& c);  // infer_contraction.cpp
Inferred convolution(const Context& c);
Inferred reduce(const Context& c);  // infer_reduce.cpp
Inferred reduce_window(const Context& c);
Inferred select_and_scatter(const Context& c);
Inferred sort(const Context& c);
Inferred top_k(const Context& c);
Inferred linear_algebra(
    const Context& c);                  // infer_linear.cpp: cholesky, triangular_solve, fft, norms
Inferred control(const Context& c);     // infer_control.cpp
Inferred collective(const Context& c);  // infer_collective.cpp
Inferred manual_computation(const Context& c);

}  // namespace shardwright::ir::inference
