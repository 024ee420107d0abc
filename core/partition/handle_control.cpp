// Control flow: bodies are partitioned with the carried values' shardings; what decides is whole.
#include <fmt/format.h>

#include "partition/partitioner.h"

namespace shardwright::partition {

Status Partitioner::loop(OpId id) {
    const ir::Op& op = source_.op(id);
    const RegionId condition = source_.region_of(id, 0), body = source_.region_of(id, 1);
    std::vector<Layout> layouts;
    std::vector<ValueId> carried;
    std::vector<TensorType> types;
    for (std::size_t i = 0; i < op.operand_count; ++i) {
        layouts.push_back(layout_of(source_.argument(body, i)));
        carried.push_back(get(source_.operand(id, i), layouts[i], id));
        types.push_back(emit_.type(carried[i]));
    }
    RegionId regions[2];
    for (std::size_t r = 0; r < 2; ++r) {
        const RegionId source_region = r == 0 ? condition : body;
        const Scope scope = enter(source_region, layouts);
        SW_CHECK(ops_of(source_region));
        stamp(source_.terminator(source_region));
        const auto returned = source_.returned(source_region);
        std::vector<ValueId> values;
        for (std::size_t i = 0; i < returned.size(); ++i)
            values.push_back(get(returned[i], r == 0 ? replicated(returned[i]) : layouts[i], id));
        ret(values);
        leave(scope);
        regions[r] = scope.region;
    }
    stamp(id);
    const OpId made = emit_.op(op.kind, carried, types, source_.all_attributes(id), regions);
    for (std::size_t i = 0; i < op.result_count; ++i)
        define_result(id, i, layouts[i], out_.module.result(made, i));
    return {};
}

Status Partitioner::branches(OpId id) {
    const ir::Op& op = source_.op(id);
    InlineVector<ValueId, 2> operands;
    for (const ValueId v : source_.operands(id)) operands.push_back(get(v, replicated(v), id));
    std::vector<Layout> layouts;
    std::vector<TensorType> types;
    for (std::size_t i = 0; i < op.result_count; ++i) {
        const ValueId result = source_.result(id, i);
        layouts.push_back(layout_of(result));
        types.push_back(local_type(source_.type(result), layouts[i]));
    }
    InlineVector<RegionId, 4> regions;
    for (const RegionId branch : source_.regions(id)) {
        std::vector<Layout> arguments;
        for (std::size_t i = 0; i < source_.region(branch).argument_count; ++i)
            arguments.push_back(replicated(source_.argument(branch, i)));
        const Scope scope = enter(branch, arguments);
        SW_CHECK(ops_of(branch));
        stamp(source_.terminator(branch));
        const auto returned = source_.returned(branch);
        InlineVector<ValueId, 4> values;
        for (std::size_t i = 0; i < returned.size(); ++i)
            values.push_back(get(returned[i], layouts[i], id));
        ret(view(values));
        leave(scope);
        regions.push_back(scope.region);
    }
    stamp(id);
    const OpId made =
        emit_.op(op.kind, view(operands), types, source_.all_attributes(id), view(regions));
    for (std::size_t i = 0; i < op.result_count; ++i)
        define(source_.result(id, i), layouts[i], out_.module.result(made, i));
    return {};
}

/// A named computation becomes its body.
Status Partitioner::inlined(OpId id) {
    const RegionId body = source_.region_of(id, 0);
    for (std::size_t i = 0; i < source_.region(body).argument_count; ++i) {
        const ValueId argument = source_.argument(body, i);
        define(argument, layout_of(argument), get(source_.operand(id, i), layout_of(argument), id));
    }
    SW_CHECK(ops_of(body));
    stamp(id);
    const auto returned = source_.returned(body);
    for (std::size_t i = 0; i < returned.size(); ++i) {
        const ValueId result = source_.result(id, i);
        define(result, layout_of(result), get(returned[i], layout_of(result), id));
    }
    return {};
}

/// A manual region becomes its body: a value of the body, local to the manual axes and laid out
/// over the free ones, is the outer value laid out over both, the manual axes being the major ones.
Status Partitioner::manual(OpId id) {
    const auto& a = source_.attributes<ir::ManualAttributes>(id);
    const RegionId body = source_.region_of(id, 0);
    const auto manual_part = [&](const AxisList& axes) {
        AxisList part;
        for (const AxisRef& ref : axes)
            if (mesh::overlaps(ref, view(a.axes))) part.push_back(ref);
        return part;
    };
    const auto outer_layout = [&](const sharding::Sharding& s, const Layout& inner) {
        Layout stated = to_layout(s, inner.rank());
        Layout layout = inner;
        for (std::size_t d = 0; d < inner.rank(); ++d)
            layout.dims[d] = joined(manual_part(stated.dims[d]), inner.dims[d]);
        for (const AxisRef& ref : manual_part(stated.unreduced)) layout.unreduced.push_back(ref);
        if (!stated.unreduced.empty()) layout.kind = stated.kind;
        layout.canonicalise();
        return layout;
    };
    for (std::size_t i = 0; i < source_.region(body).argument_count; ++i) {
        const ValueId argument = source_.argument(body, i);
        const Layout inner = layout_of(argument);
        const ValueId outer = get(source_.operand(id, i), outer_layout(a.in[i], inner), id);
        define(argument, inner, outer);
    }
    SW_CHECK(ops_of(body));
    stamp(id);
    const auto returned = source_.returned(body);
    for (std::size_t i = 0; i < returned.size(); ++i) {
        const Layout inner = layout_of(returned[i]);
        const ValueId value = get(returned[i], inner, id);
        define_result(id, i, outer_layout(a.out[i], inner), value);
    }
    return {};
}

}  // namespace shardwright::partition
