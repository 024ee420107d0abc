// Operations that only pass a value on, look at whole values, or stand in the input as collectives.
#include <fmt/format.h>

#include "partition/partitioner.h"

namespace shardwright::partition {

/// Constraints and the like: a new layout for the same value.
void Partitioner::identity(OpId id) {
    const ir::Op& op = source_.op(id);
    for (std::size_t i = 0; i < op.result_count && i < op.operand_count; ++i) {
        const ValueId result = source_.result(id, i);
        const Layout wanted = layout_of(result);
        define(result, wanted, get(source_.operand(id, i), wanted, id));
    }
}

void Partitioner::barrier(OpId id) {
    const ir::Op& op = source_.op(id);
    InlineVector<ValueId, 4> operands;
    InlineVector<TensorType, 4> types;
    for (std::size_t i = 0; i < op.operand_count; ++i) {
        operands.push_back(get(source_.operand(id, i), layout_of(source_.result(id, i)), id));
        types.push_back(emit_.type(operands.back()));
    }
    const OpId made = emit_.op(op.kind, view(operands), view(types));
    for (std::size_t i = 0; i < op.result_count; ++i) {
        const ValueId result = source_.result(id, i);
        define(result, layout_of(result), out_.module.result(made, i));
    }
}

void Partitioner::check(OpId id) {
    InlineVector<ValueId, 2> operands;
    for (const ValueId v : source_.operands(id)) operands.push_back(get(v, replicated(v), id));
    emit_.op(source_.op(id).kind, view(operands), {}, source_.all_attributes(id));
}

void Partitioner::dimension_size(OpId id) {
    const auto dim = static_cast<std::size_t>(source_.attributes<ir::DimAttributes>(id).dim);
    const ValueId result = source_.result(id);
    const std::int64_t size = source_.type(source_.operand(id, 0)).dims[dim];
    define(result, Layout::replicated(0),
           emit_.constant(ir::Literal::splat_of_int(source_.type(result), size)));
}

/// A collective of the input, inside a manual region: it acts on what is local there.
void Partitioner::input_collective(OpId id) {
    const ir::Op& op = source_.op(id);
    const Shardable can = shardable(id);
    const Choice c = choose(id, can);
    record_gathered(id, c, can);
    Attributes attributes = source_.all_attributes(id);
    if (auto* a = std::get_if<ir::CollectiveAttributes>(&attributes)) {
        a->mesh = mesh_;
        if (op.result_count > 0)
            a->cause = cause(id, source_.result(id),
                             fmt::format("{} of the input", ir::name(op.kind)), false);
    }
    emit_as_chosen(id, c, std::move(attributes));
}

}  // namespace shardwright::partition
