#pragma once
// Builds operations at the end of a region, with types inferred.

#include <initializer_list>
#include <span>
#include <vector>

#include "ir/infer.h"
#include "ir/module.h"

namespace shardwright::ir {

/// Appends operations to the current region. Its own mistakes are assertions (`add` and the short
/// forms); readers of outside text use `try_add`, which returns a diagnostic.
class Builder {
  public:
    explicit Builder(Module& module) : module_(module) {}
    Module& module() { return module_; }

    // --- where -----------------------------------------------------------------------------------
    RegionId region() const { return region_; }
    void set_region(RegionId region) { region_ = region; }
    void set_scope(std::string_view scope) { scope_ = module_.intern(scope); }
    void set_scope(NameId scope) { scope_ = scope; }
    NameId scope() const { return scope_; }
    void set_line(std::uint32_t line) { line_ = line; }
    void set_origin(OpId origin) { origin_ = origin; }

    /// Starts a function: makes its body with these argument types and goes there.
    RegionId begin_function(std::string_view name, std::span<const TensorType> arguments);
    /// A region with arguments of these types, not yet owned by an operation.
    RegionId make_region(std::span<const TensorType> arguments);

    // --- any operation
    // -----------------------------------------------------------------------------
    Result<OpId> try_add(OpKind kind, std::span<const ValueId> operands, Attributes attributes = {},
                         std::span<const TensorType> stated = {},
                         std::span<const RegionId> regions = {});
    OpId add_op(OpKind kind, std::span<const ValueId> operands, Attributes attributes = {},
                std::span<const TensorType> stated = {}, std::span<const RegionId> regions = {});
    ValueId add(OpKind kind, std::initializer_list<ValueId> operands, Attributes attributes = {});
    ValueId add(OpKind kind, std::initializer_list<ValueId> operands, Attributes attributes,
                const TensorType& stated);
    OpId ret(std::span<const ValueId> values);

    // --- short forms
    // -------------------------------------------------------------------------------
    ValueId constant(Literal literal);
    ValueId splat(const TensorType& type, double value);
    ValueId scalar(ElementType type, double value);
    ValueId iota(const TensorType& type, std::int64_t dim);
    ValueId convert(ValueId v, ElementType type);
    ValueId reshape(ValueId v, std::span<const std::int64_t> dims);
    ValueId broadcast(ValueId v, const TensorType& type, std::span<const std::int64_t> dims);
    ValueId transpose(ValueId v, std::span<const std::int64_t> permutation);
    ValueId compare(ValueId a, ValueId b, Direction direction);
    ValueId select(ValueId predicate, ValueId on_true, ValueId on_false);
    ValueId dot(ValueId lhs, ValueId rhs, DotAttributes attributes, ElementType result);
    ValueId slice(ValueId v, const SliceAttributes& attributes);
    ValueId concatenate(std::span<const ValueId> values, std::int64_t dim);
    /// Reduce with a one-operation region (`combiner` = kAdd, kMaximum, …) and the identity given.
    ValueId reduce(ValueId v, ValueId init, std::span<const std::int64_t> dims, OpKind combiner);
    /// A region `(a, b) -> combiner(a, b)` on scalars of `type`.
    RegionId combiner_region(OpKind combiner, ElementType type);

    const TensorType& type(ValueId v) const { return module_.type(v); }

  private:
    Module& module_;
    RegionId region_;
    NameId scope_{0};
    std::uint32_t line_ = 0;
    OpId origin_;
};

/// The combiner of a region `(a, b) -> op(a, b)` of one operation, if it is one of the commutative
/// ones with a known identity (add, multiply, maximum, minimum, and, or, xor).
std::optional<OpKind> simple_combiner(const Module& module, RegionId region);
/// Its reduction and back.
Reduction to_reduction(OpKind combiner);
OpKind to_combiner(Reduction reduction);
/// The combiner's identity as a splat of `type` (add 0, multiply 1, maximum -inf or lowest, …).
Literal identity_literal(OpKind combiner, const TensorType& type);

}  // namespace shardwright::ir
