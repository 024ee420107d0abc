// gather over sharded looked-up dimensions and scatter into sharded ones or from sharded updates:
// indices are made local, what lies on other devices is masked or skipped, partials are combined.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "ir/builder.h"
#include "partition/partitioner.h"

namespace shardwright::partition {

using ir::ElementType;

namespace {

constexpr std::int64_t kFar = std::int64_t{1} << 30;  // outside of every dimension

/// One number for each index component, spread over a tensor of indices.
ValueId spread(Emitter& emit, std::span<const ValueId> components, const TensorType& indices,
               std::int64_t vector_dim) {
    const auto d = static_cast<std::size_t>(vector_dim);
    if (d >= indices.rank() || components.size() == 1)
        return emit.broadcast(components.front(), indices, {});
    InlineVector<ValueId, 6> pieces;
    for (const ValueId v : components)
        pieces.push_back(emit.broadcast(v, TensorType{indices.element, {1}}, {}));
    return emit.broadcast(emit.concatenate(view(pieces), 0), indices, {vector_dim});
}

ValueId number(Emitter& emit, ElementType element, std::int64_t value) {
    return emit.constant(ir::Literal::splat_of_int(TensorType{element, {}}, value));
}

}  // namespace

ValueId Partitioner::index_offsets(const Layout& operand, const Dims& local, const Dims& map,
                                   const TensorType& indices, std::int64_t vector_dim) {
    InlineVector<ValueId, 6> offsets;
    for (const std::int64_t dim : map) {
        const auto d = static_cast<std::size_t>(dim);
        offsets.push_back(
            emit_.convert(emit_.position(operand.dims[d], local[d]), indices.element));
    }
    return spread(emit_, view(offsets), indices, vector_dim);
}

void Partitioner::gather(OpId id, const Choice& c) {
    const rules::Rule& rule = rules_.of(id);
    const auto& a = source_.attributes<ir::GatherAttributes>(id);
    const Layout layout = tensor_layout(rule, c.assignment, 0);
    const Dims& whole = source_.type(source_.operand(id, 0)).dims;
    const ValueId operand = get(source_.operand(id, 0), layout, id);
    const Dims local = emit_.type(operand).dims;
    ValueId indices = get(source_.operand(id, 1), tensor_layout(rule, c.assignment, 1), id);

    // Clamped in their own type as the whole gather would, then counted from this device's block.
    const TensorType given = emit_.type(indices);
    InlineVector<ValueId, 6> tops, bounds;
    for (const std::int64_t dim : a.start_index_map) {
        const auto d = static_cast<std::size_t>(dim);
        tops.push_back(number(emit_, given.element, whole[d] - a.slice_sizes[d]));
        bounds.push_back(emit_.s32(layout.dims[d].empty() ? kFar : local[d]));
    }
    const ValueId zero = number(emit_, given.element, 0);
    indices = emit_.one(OpKind::kMinimum,
                        {indices, spread(emit_, view(tops), given, a.index_vector_dim)}, given);
    indices = emit_.one(OpKind::kMaximum, {indices, emit_.broadcast(zero, given, {})}, given);
    indices = emit_.convert(indices, ElementType::kS32);
    const TensorType type = emit_.type(indices);
    const ValueId offsets =
        index_offsets(layout, local, a.start_index_map, type, a.index_vector_dim);
    indices = emit_.one(OpKind::kSubtract, {indices, offsets}, type);

    const Layout made = result_layout(id, c.assignment, 0, c.partial);
    const TensorType result = local_type(source_.type(source_.result(id)), made);
    ValueId value =
        emit_.one(OpKind::kGather, {operand, indices}, result, localised(id, c.assignment));
    if (!c.partial.empty()) {
        const ValueId bound = spread(emit_, view(bounds), type, a.index_vector_dim);
        value = emit_.one(OpKind::kSelect,
                          {mine(indices, bound, a, result), value,
                           emit_.broadcast(emit_.splat({result.element, {}}, 0), result, {})},
                          result);
    }
    define_result(id, 0, made, value);
}

/// Which elements of the result this device looked up in its own block: 0 <= index < bound for all
/// components.
ValueId Partitioner::mine(ValueId indices, ValueId bound, const ir::GatherAttributes& a,
                          const TensorType& result) {
    TensorType flags{ElementType::kBool, emit_.type(indices).dims};
    const ValueId zero = emit_.broadcast(emit_.s32(0), emit_.type(indices), {});
    const ValueId low = emit_.one(OpKind::kCompare, {indices, zero}, flags,
                                  ir::CompareAttributes{ir::Direction::kGe});
    const ValueId high = emit_.one(OpKind::kCompare, {indices, bound}, flags,
                                   ir::CompareAttributes{ir::Direction::kLt});
    ValueId inside = emit_.one(OpKind::kAnd, {low, high}, flags);
    const auto vector_dim = static_cast<std::size_t>(a.index_vector_dim);
    if (vector_dim < flags.rank()) {
        flags.dims.erase(flags.dims.begin() + a.index_vector_dim);
        ir::Builder builder(out_.module);
        const RegionId both = builder.combiner_region(OpKind::kAnd, ElementType::kBool);
        const ValueId operands[] = {inside, number(emit_, ElementType::kBool, 1)};
        inside = out_.module.result(emit_.op(OpKind::kReduce, operands, {&flags, 1},
                                             ir::DimsAttributes{{a.index_vector_dim}}, {&both, 1}));
    }
    Dims batch;  // where the indices' batch dims stand in the result
    for (std::size_t r = 0; r < result.rank(); ++r)
        if (std::find(a.offset_dims.begin(), a.offset_dims.end(), static_cast<std::int64_t>(r)) ==
            a.offset_dims.end())
            batch.push_back(static_cast<std::int64_t>(r));
    return emit_.broadcast(inside, TensorType{ElementType::kBool, result.dims}, batch);
}

void Partitioner::scatter(OpId id, const Choice& c) {
    const ir::Op& op = source_.op(id);
    const rules::Rule& rule = rules_.of(id);
    const auto& a = source_.attributes<ir::ScatterAttributes>(id);
    const std::size_t inputs = op.result_count;
    const Layout layout = tensor_layout(rule, c.assignment, 0);
    const bool is_partial = !c.partial.empty();

    ValueId indices =
        get(source_.operand(id, inputs), tensor_layout(rule, c.assignment, inputs), id);
    // Wide enough for any index, and signed: one outside of the block is skipped.
    const bool wide = ir::bit_width(emit_.type(indices).element) > 32 ||
                      emit_.type(indices).element == ElementType::kU32;
    indices = emit_.convert(indices, wide ? ElementType::kS64 : ElementType::kS32);
    const TensorType index_type = emit_.type(indices);
    const Dims local = local_type(source_.type(source_.operand(id, 0)), layout).dims;
    indices = emit_.one(OpKind::kSubtract,
                        {indices, index_offsets(layout, local, a.scatter_dims_to_operand_dims,
                                                index_type, a.index_vector_dim)},
                        index_type);
    if (is_partial) {  // the padding of uneven updates goes nowhere
        const Dims& whole = source_.type(source_.operand(id, inputs)).dims;
        const Layout cut = tensor_layout(rule, c.assignment, inputs);
        for (std::size_t d = 0; d < whole.size(); ++d)
            if (whole[d] % cut.shards(d) != 0)
                indices = emit_.mask_padding(indices, d, cut.dims[d], whole[d],
                                             number(emit_, index_type.element, -kFar));
    }
    InlineVector<ValueId, 6> operands;
    InlineVector<TensorType, 2> types;
    for (std::size_t i = 0; i < inputs; ++i) {
        TensorType type = local_type(source_.type(source_.operand(id, i)), layout);
        if (is_partial) {
            type.element = partial_type(type.element);
            const Layout made = result_layout(id, c.assignment, i, c.partial);
            operands.push_back(
                emit_.broadcast(identity_scalar(emit_, made.kind, type.element), type, {}));
        } else {
            operands.push_back(get(source_.operand(id, i), layout, id));
        }
        types.push_back(type);
    }
    operands.push_back(indices);
    for (std::size_t i = 0; i < inputs; ++i) {
        const std::size_t t = inputs + 1 + i;
        const ValueId update =
            get(source_.operand(id, t), tensor_layout(rule, c.assignment, t), id);
        operands.push_back(emit_.convert(update, types[i].element));
    }
    RegionId region;
    if (is_partial) {
        ir::Builder builder(out_.module);
        const Layout made = result_layout(id, c.assignment, 0, c.partial);
        region = builder.combiner_region(ir::to_combiner(made.kind), types[0].element);
    } else {
        region = copy_region(source_.region_of(id, 0));
    }
    const OpId made =
        emit_.op(op.kind, view(operands), view(types), source_.all_attributes(id), {&region, 1});
    for (std::size_t i = 0; i < inputs; ++i) {
        const Layout produced = result_layout(id, c.assignment, i, c.partial);
        if (is_partial)
            scatter_total(id, produced, out_.module.result(made, i));
        else
            define_result(id, i, produced, out_.module.result(made, i));
    }
}

/// Partial sums of updates are combined, then the operand enters once.
void Partitioner::scatter_total(OpId id, const Layout& produced, ValueId value) {
    const ValueId result = source_.result(id);
    const Layout wanted = layout_of(result);
    const ElementType element = source_.type(result).element;
    TensorType whole = source_.type(result);
    whole.element = emit_.type(value).element;
    Layout settled = wanted;
    settled.unreduced.clear();
    value = reshard(value, produced, settled, whole, id, result,
                    fmt::format("updates of {} (scatter) from sharded indices", name_of(result)),
                    false);
    const ValueId operand = emit_.convert(get(source_.operand(id, 0), settled, id), whole.element);
    value = emit_.one(ir::to_combiner(produced.kind), {operand, value}, emit_.type(value));
    value = emit_.convert(value, element);
    define_result_from(result, settled, value, id);
}

void Partitioner::define_result_from(ValueId source, const Layout& layout, ValueId value, OpId op) {
    const Layout wanted = layout_of(source);
    if (!(layout == wanted))
        value = reshard(value, layout, wanted, source_.type(source), op, source,
                        fmt::format("reshard of {}", name_of(source)), true);
    define(source, wanted, value);
}

}  // namespace shardwright::partition
