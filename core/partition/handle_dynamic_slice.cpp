// dynamic_slice and dynamic_update_slice along sharded dimensions: every device looks at its own
// block between two stretches of padding, so that an index outside the block meets only padding.
#include <fmt/format.h>

#include "partition/partitioner.h"

namespace shardwright::partition {
namespace {

/// `start` clamped to [0, limit], in s32. Clamped in its own type first: a wide or unsigned index
/// must not wrap.
ValueId clamped_index(Emitter& emit, ValueId start, std::int64_t limit) {
    const TensorType type = emit.type(start);
    const ValueId low = emit.constant(ir::Literal::splat_of_int(type, 0));
    const ValueId high = emit.constant(ir::Literal::splat_of_int(type, limit));
    return emit.convert(emit.one(OpKind::kClamp, {low, start, high}, type), ir::ElementType::kS32);
}

}  // namespace

ValueId Partitioner::padded_block(ValueId block, std::span<const std::int64_t> margin) {
    TensorType type = emit_.type(block);
    ir::PadAttributes pad;
    pad.low.assign(margin.begin(), margin.end());
    pad.high = pad.low;
    pad.interior.assign(margin.size(), 0);
    for (std::size_t d = 0; d < margin.size(); ++d) type.dims[d] += 2 * margin[d];
    const ValueId zero = emit_.splat(TensorType{type.element, {}}, 0);
    return emit_.one(OpKind::kPad, {block, zero}, type, std::move(pad));
}

void Partitioner::dynamic_slices(OpId id, const Choice& c) {
    const ir::Op& op = source_.op(id);
    const rules::Rule& rule = rules_.of(id);
    const bool updates = op.kind == OpKind::kDynamicUpdateSlice;
    const std::size_t first_index = updates ? 2 : 1;
    const Layout layout = tensor_layout(rule, c.assignment, 0);
    const Dims& whole = source_.type(source_.operand(id, 0)).dims;
    const Dims& window = source_.type(updates ? source_.operand(id, 1) : source_.result(id)).dims;
    const ValueId block = get(source_.operand(id, 0), layout, id);
    const Dims local = emit_.type(block).dims;

    Dims margin(whole.size(), 0);
    InlineVector<ValueId, 8> operands;
    for (std::size_t d = 0; d < whole.size(); ++d) {
        const ValueId source_start = source_.operand(id, first_index + d);
        ValueId start = get(source_start, Layout::replicated(0), id);
        const bool cut = !layout.dims[d].empty() && whole[d] != window[d];
        start = clamped_index(emit_, start, whole[d] - window[d]);
        if (cut) {
            margin[d] = window[d];
            const TensorType scalar{ir::ElementType::kS32, {}};
            const ValueId offset = emit_.position(layout.dims[d], local[d], -window[d]);
            start = emit_.one(OpKind::kSubtract, {start, offset}, scalar);
        }
        operands.push_back(start);
    }
    const ValueId padded = padded_block(block, view(margin));
    if (!updates) {
        operands.insert(operands.begin(), padded);
        const Layout made = result_layout(id, c.assignment, 0, c.partial);
        const TensorType type = local_type(source_.type(source_.result(id)), made);
        const OpId sliced =
            emit_.op(op.kind, view(operands), {&type, 1}, ir::DynamicSliceAttributes{type.dims});
        define_result(id, 0, made, out_.module.result(sliced));
        return;
    }
    const ValueId update = get(source_.operand(id, 1), tensor_layout(rule, c.assignment, 1), id);
    operands.insert(operands.begin(), {padded, update});
    const TensorType padded_type = emit_.type(padded);
    const OpId updated = emit_.op(op.kind, view(operands), {&padded_type, 1});
    ir::SliceAttributes middle;
    middle.start = margin;
    middle.strides.assign(margin.size(), 1);
    for (std::size_t d = 0; d < margin.size(); ++d) middle.limit.push_back(margin[d] + local[d]);
    const ValueId result = emit_.one(OpKind::kSlice, {out_.module.result(updated)},
                                     emit_.type(block), std::move(middle));
    define_result(id, 0, result_layout(id, c.assignment, 0, {}), result);
}

}  // namespace shardwright::partition
