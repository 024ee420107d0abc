#include "partition/emitter.h"

#include <cassert>

namespace shardwright::partition {

using ir::ElementType;

void Emitter::set_region(RegionId region) {
    region_ = region;
    axis_indices_.clear();
    s32_constants_.clear();
}

OpId Emitter::op(OpKind kind, std::span<const ValueId> operands,
                 std::span<const TensorType> results, Attributes attributes,
                 std::span<const RegionId> regions) {
    InlineVector<ir::TypeId, 4> types;
    for (const TensorType& t : results) types.push_back(program_.intern_type(t));
    const OpId id =
        program_.add_op(region_, kind, operands, view(types), std::move(attributes), regions);
    program_.set_scope(id, stamp.scope);
    program_.set_line(id, stamp.line);
    program_.set_origin(id, stamp.origin);
    return id;
}

ValueId Emitter::one(OpKind kind, std::initializer_list<ValueId> operands, const TensorType& result,
                     Attributes attributes) {
    return program_.result(
        op(kind, {operands.begin(), operands.size()}, {&result, 1}, std::move(attributes)));
}

ValueId Emitter::constant(ir::Literal literal) {
    const TensorType type = literal.type;
    const ir::LiteralId id = program_.add_literal(std::move(literal));
    return one(OpKind::kConstant, {}, type, ir::ConstantAttributes{id});
}

ValueId Emitter::splat(const TensorType& type, double value) {
    return constant(ir::Literal::splat_of(type, value));
}

ValueId Emitter::s32(std::int64_t value) {
    ValueId& made = s32_constants_[value];
    if (!made.valid()) made = constant(ir::Literal::splat_of_int({ElementType::kS32, {}}, value));
    return made;
}

ValueId Emitter::convert(ValueId v, ElementType element) {
    TensorType to = type(v);
    if (to.element == element) return v;
    to.element = element;
    return one(OpKind::kConvert, {v}, to);
}

ValueId Emitter::broadcast(ValueId v, const TensorType& to, Dims dims) {
    return one(OpKind::kBroadcastInDim, {v}, to, ir::DimsAttributes{std::move(dims)});
}

ValueId Emitter::axis_index(const AxisList& axes) {
    for (const auto& [made_for, value] : axis_indices_)
        if (made_for == axes) return value;
    const ValueId value =
        one(OpKind::kAxisIndex, {}, TensorType{ElementType::kS32, {}}, collective(axes));
    axis_indices_.emplace_back(axes, value);
    return value;
}

ValueId Emitter::position(const AxisList& axes, std::int64_t factor, std::int64_t offset) {
    const TensorType scalar{ElementType::kS32, {}};
    if (axes.empty() || factor == 0) return s32(offset);
    ValueId v = axis_index(axes);
    if (factor != 1) v = one(OpKind::kMultiply, {v, s32(factor)}, scalar);
    if (offset != 0) v = one(OpKind::kAdd, {v, s32(offset)}, scalar);
    return v;
}

ValueId Emitter::slice(ValueId v, std::size_t dim, std::int64_t begin, std::int64_t end) {
    TensorType to = type(v);
    if (begin == 0 && end == to.dims[dim]) return v;
    ir::SliceAttributes a;
    a.start.assign(to.rank(), 0);
    a.limit = to.dims;
    a.strides.assign(to.rank(), 1);
    a.start[dim] = begin;
    a.limit[dim] = end;
    to.dims[dim] = end - begin;
    return one(OpKind::kSlice, {v}, to, std::move(a));
}

ValueId Emitter::pad_to(ValueId v, std::size_t dim, std::int64_t size) {
    TensorType to = type(v);
    if (size <= to.dims[dim]) return v;
    ir::PadAttributes a;
    a.low.assign(to.rank(), 0);
    a.high.assign(to.rank(), 0);
    a.interior.assign(to.rank(), 0);
    a.high[dim] = size - to.dims[dim];
    to.dims[dim] = size;
    const ValueId zero = splat(TensorType{to.element, {}}, 0);
    return one(OpKind::kPad, {v, zero}, to, std::move(a));
}

ValueId Emitter::resize(ValueId v, std::size_t dim, std::int64_t size) {
    return size < type(v).dims[dim] ? slice(v, dim, 0, size) : pad_to(v, dim, size);
}

ValueId Emitter::dynamic_slice(ValueId v, std::size_t dim, ValueId start, std::int64_t size) {
    TensorType to = type(v);
    to.dims[dim] = size;
    InlineVector<ValueId, 7> operands{v};
    for (std::size_t d = 0; d < to.rank(); ++d) operands.push_back(d == dim ? start : s32(0));
    ir::DynamicSliceAttributes a{to.dims};
    return program_.result(op(OpKind::kDynamicSlice, view(operands), {&to, 1}, std::move(a)));
}

ValueId Emitter::concatenate(std::span<const ValueId> values, std::size_t dim) {
    if (values.size() == 1) return values.front();
    TensorType to = type(values.front());
    to.dims[dim] = 0;
    for (const ValueId v : values) to.dims[dim] += type(v).dims[dim];
    return program_.result(op(OpKind::kConcatenate, values, {&to, 1},
                              ir::DimAttributes{static_cast<std::int64_t>(dim)}));
}

ValueId Emitter::mask_padding(ValueId v, std::size_t dim, const AxisList& axes, std::int64_t size,
                              ValueId fill) {
    const TensorType whole = type(v);
    const std::int64_t block = whole.dims[dim];
    const TensorType line{ElementType::kS32, {block}};
    const TensorType flags{ElementType::kBool, {block}};
    const TensorType mask{ElementType::kBool, whole.dims};
    const ValueId local = one(OpKind::kIota, {}, line, ir::DimAttributes{0});
    // local index < size - position  <=>  global index < size
    const ValueId left = one(OpKind::kSubtract, {s32(size), position(axes, block)},
                             TensorType{ElementType::kS32, {}});
    const ValueId inside =
        one(OpKind::kCompare, {local, broadcast(left, line, {})}, flags,
            ir::CompareAttributes{ir::Direction::kLt, ir::CompareType::kDefault});
    const ValueId keep = broadcast(inside, mask, {static_cast<std::int64_t>(dim)});
    return one(OpKind::kSelect, {keep, v, broadcast(fill, whole, {})}, whole);
}

ir::CollectiveAttributes Emitter::collective(const AxisList& axes) const {
    ir::CollectiveAttributes a;
    a.axes = axes;
    a.mesh = mesh_;
    a.cause = stamp.cause;
    return a;
}

ValueId Emitter::all_gather(ValueId v, std::size_t dim, const AxisList& axes) {
    ir::CollectiveAttributes a = collective(axes);
    a.dim = static_cast<std::int64_t>(dim);
    TensorType to = type(v);
    to.dims[dim] *= mesh::product(axes);
    return one(OpKind::kAllGather, {v}, to, std::move(a));
}

ValueId Emitter::all_reduce(ValueId v, const AxisList& axes, Reduction kind) {
    ir::CollectiveAttributes a = collective(axes);
    a.reduction = kind;
    return one(OpKind::kAllReduce, {v}, TensorType(type(v)), std::move(a));
}

ValueId Emitter::reduce_scatter(ValueId v, std::size_t dim, const AxisList& axes, Reduction kind) {
    ir::CollectiveAttributes a = collective(axes);
    a.dim = static_cast<std::int64_t>(dim);
    a.reduction = kind;
    TensorType to = type(v);
    assert(to.dims[dim] % mesh::product(axes) == 0);
    to.dims[dim] /= mesh::product(axes);
    return one(OpKind::kReduceScatter, {v}, to, std::move(a));
}

ValueId Emitter::all_to_all(ValueId v, std::size_t split, std::size_t concat,
                            const AxisList& axes) {
    ir::CollectiveAttributes a = collective(axes);
    a.dim = static_cast<std::int64_t>(split);
    a.concat_dim = static_cast<std::int64_t>(concat);
    const std::int64_t n = mesh::product(axes);
    TensorType to = type(v);
    assert(to.dims[split] % n == 0);
    to.dims[split] /= n;
    to.dims[concat] *= n;
    return one(OpKind::kAllToAll, {v}, to, std::move(a));
}

ValueId Emitter::shift(ValueId v, const AxisList& axes, std::int64_t by) {
    ir::CollectiveAttributes a = collective(axes);
    a.shift = by;
    return one(OpKind::kCollectivePermute, {v}, TensorType(type(v)), std::move(a));
}

ValueId Emitter::permute(ValueId v, const AxisList& from, const AxisList& to) {
    ir::CollectiveAttributes a = collective(to);
    a.permute_to = from;
    return one(OpKind::kCollectivePermute, {v}, TensorType(type(v)), std::move(a));
}

}  // namespace shardwright::partition
