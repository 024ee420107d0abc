// Dots, convolutions and reductions over a sharded dimension: local partials, then a reduction over
// mesh axes (or a reduce-scatter, when the result wants those axes on a dimension).
#include <fmt/format.h>

#include "ir/builder.h"
#include "partition/partitioner.h"

namespace shardwright::partition {

using ir::ElementType;

ElementType partial_type(ElementType element) {
    return ir::is_float(element) && ir::bit_width(element) < 32 ? ElementType::kF32 : element;
}

ValueId Partitioner::masked(OpId id, const Choice& c, std::size_t t, ValueId value, ValueId fill) {
    const rules::Rule& rule = rules_.of(id);
    const Dims& dims = source_.type(source_.operand(id, t)).dims;
    for (std::size_t d = 0; d < rule.operands[t].size(); ++d) {
        // Dimensions of several factors are cut evenly; only lone factors leave padding.
        if (rule.operands[t][d].size() != 1) continue;
        const std::uint16_t f = rule.operands[t][d][0].factor;
        const AxisList& axes = c.assignment.axes[f];
        if (rule.factors[f].kind != rules::FactorKind::kReduction || axes.empty()) continue;
        if (dims[d] % mesh::product(axes) == 0) continue;
        value = emit_.mask_padding(value, d, axes, dims[d], fill);
    }
    return value;
}

bool Partitioner::init_is_identity(OpId id) const {
    const ValueId init = source_.operand(id, 1);
    const OpId def = source_.value(init).def;
    if (!def.valid() || source_.op(def).kind != OpKind::kConstant) return false;
    const auto& a = source_.attributes<ir::ConstantAttributes>(def);
    const ir::Literal& literal = source_.literal(a.literal);
    if (literal.kind == ir::Literal::Kind::kElided) return false;
    const auto combiner = ir::simple_combiner(source_, source_.region_of(id, 0));
    const TensorType& type = source_.type(init);
    const ir::Literal identity = ir::identity_literal(*combiner, type);
    const auto same =
        literal.data().size() == identity.data().size() &&
        std::equal(literal.data().begin(), literal.data().end(), identity.data().begin());
    if (same || ir::is_complex(type.element)) return same;
    return ir::element_as_double(literal.data(), type.element, 0) ==
           ir::element_as_double(identity.data(), type.element, 0);
}

ValueId Partitioner::with_init(OpId id, ValueId value, const Layout& layout) {
    if (init_is_identity(id)) return value;
    const ValueId source_init = source_.operand(id, 1);
    const TensorType type = emit_.type(value);
    const ValueId init = emit_.convert(get(source_init, Layout::replicated(0), id), type.element);
    const auto combiner = ir::simple_combiner(source_, source_.region_of(id, 0));
    ValueId spread = emit_.broadcast(init, type, {});
    if (!layout.unreduced.empty()) {  // the result stays pending: one device alone adds the init
        Layout before = layout;
        before.unreduced.clear();
        const TensorType& whole = source_.type(source_.result(id));
        spread = reshard(spread, before, layout, whole, id, source_init, "init value", true);
    }
    return emit_.one(*combiner, {value, spread}, type);
}

void Partitioner::partial(OpId id, const Choice& c) {
    const rules::Rule& rule = rules_.of(id);
    const ir::Op& op = source_.op(id);
    const ValueId source_result = source_.result(id);
    const Layout made = result_layout(id, c.assignment, 0, c.partial);
    const ElementType final_element = source_.type(source_result).element;
    TensorType type = local_type(source_.type(source_result), made);
    type.element = partial_type(final_element);

    InlineVector<ValueId, 2> operands;
    InlineVector<RegionId, 1> regions;
    const bool is_reduce = op.kind == OpKind::kReduce;
    for (std::size_t t = 0; t < (is_reduce ? 1u : 2u); ++t) {
        ValueId v = get(source_.operand(id, t), tensor_layout(rule, c.assignment, t), id);
        if (is_reduce) v = emit_.convert(v, type.element);
        const ValueId fill = identity_scalar(emit_, made.kind, emit_.type(v).element);
        operands.push_back(masked(id, c, t, v, fill));
    }
    if (is_reduce) {
        operands.push_back(identity_scalar(emit_, made.kind, type.element));
        ir::Builder builder(out_.module);
        regions.push_back(builder.combiner_region(ir::to_combiner(made.kind), type.element));
    }
    const OpId local = emit_.op(op.kind, view(operands), {&type, 1},
                                copied_names(localised(id, c.assignment)), view(regions));
    ValueId value = out_.module.result(local);

    // Combined in the partials' type, then rounded once.
    const Layout wanted = layout_of(source_result);
    TensorType whole = source_.type(source_result);
    whole.element = type.element;
    value = reshard(value, made, wanted, whole, id, source_result,
                    fmt::format("{} of {} over its sharded {} dimension", ir::name(op.kind),
                                name_of(source_result), is_reduce ? "reduced" : "contracted"),
                    false);
    if (is_reduce) value = with_init(id, value, wanted);
    define(source_result, wanted, emit_.convert(value, final_element));
}

}  // namespace shardwright::partition
