// Operations by their rule alone: operands in the layouts of the choice, the same operation on the
// local shapes.
#include <fmt/format.h>

#include <algorithm>

#include "partition/partitioner.h"

namespace shardwright::partition {

/// Sizes in attributes that are those of dimensions: made local.
Attributes Partitioner::localised(OpId id, const Assignment& a) const {
    const rules::Rule& rule = rules_.of(id);
    Attributes attributes = source_.all_attributes(id);
    const auto local_size = [&](std::size_t t, std::size_t d) {
        const ValueId v = t < rule.operands.size() ? source_.operand(id, t)
                                                   : source_.result(id, t - rule.operands.size());
        return local_type(source_.type(v), tensor_layout(rule, a, t)).dims[d];
    };
    const auto is_cut = [&](std::size_t t, std::size_t d) {
        return !tensor_layout(rule, a, t).dims[d].empty();
    };
    if (auto* slice = std::get_if<ir::SliceAttributes>(&attributes)) {
        for (std::size_t d = 0; d < slice->limit.size(); ++d)
            if (is_cut(0, d)) slice->limit[d] = local_size(0, d);
    } else if (auto* sizes = std::get_if<ir::DynamicSliceAttributes>(&attributes)) {
        for (std::size_t d = 0; d < sizes->sizes.size(); ++d)
            if (is_cut(0, d)) sizes->sizes[d] = local_size(0, d);
    } else if (auto* gather = std::get_if<ir::GatherAttributes>(&attributes)) {
        for (std::size_t d = 0; d < gather->slice_sizes.size(); ++d)
            if (is_cut(0, d) &&
                gather->slice_sizes[d] == source_.type(source_.operand(id, 0)).dims[d])
                gather->slice_sizes[d] = local_size(0, d);
    } else if (auto* conv = std::get_if<ir::ConvolutionAttributes>(&attributes)) {
        // A group factor is the major part of a dimension that has groups; it is cut whole.
        for (std::size_t f = 0; f < rule.factors.size(); ++f) {
            const std::int64_t n = mesh::product(a.axes[f]);
            if (n == 1) continue;
            const auto leads = [&](std::size_t t, std::int64_t dim) {
                const auto& list = rule.tensor(t)[static_cast<std::size_t>(dim)];
                return !list.empty() && list.front().factor == f;
            };
            const bool in_out = leads(1, conv->rhs_output_feature);
            if (conv->feature_groups > 1 && in_out && leads(0, conv->lhs_feature))
                conv->feature_groups = (conv->feature_groups + n - 1) / n;
            else if (conv->batch_groups > 1 && in_out && leads(0, conv->lhs_batch))
                conv->batch_groups = (conv->batch_groups + n - 1) / n;
        }
    }
    return attributes;
}

Attributes Partitioner::copied_names(Attributes attributes) {
    const auto rename = [&](NameId& name) { name = out_.module.intern(source_.text(name)); };
    if (auto* constant = std::get_if<ir::ConstantAttributes>(&attributes))
        constant->literal = out_.module.add_literal(source_.literal(constant->literal));
    if (auto* call = std::get_if<ir::CustomCallAttributes>(&attributes))
        rename(call->target), rename(call->backend_config), rename(call->extra);
    if (auto* dot = std::get_if<ir::DotAttributes>(&attributes)) rename(dot->algorithm);
    if (auto* named = std::get_if<ir::NameAttributes>(&attributes)) rename(named->name);
    return attributes;
}

void Partitioner::record_gathered(OpId id, const Choice& c, const Shardable& can) {
    const rules::Rule& rule = rules_.of(id);
    const auto operands = source_.operands(id);
    std::string reason;
    for (std::size_t t = 0; t < operands.size() && reason.empty(); ++t) {
        if (is_made(operands[t])) continue;
        const Layout& have = present_layout(operands[t]);
        const Layout want = tensor_layout(rule, c.assignment, t);
        bool gathers = false;  // for want of a handler, that is at a dimension that must be whole
        const ReshardPlan& plan = planner_.plan(have, want, source_.type(operands[t]));
        for (const Move& move : plan.moves) gathers = gathers || move.kind == MoveKind::kAllGather;
        if (!gathers) continue;
        for (std::size_t d = 0; d < have.rank() && reason.empty(); ++d) {
            if (have.dims[d].empty() || !want.dims[d].empty()) continue;
            if (rule.opaque) reason = "its rule is unknown";
            for (const rules::DimFactor& f :
                 rule.operands[t].size() > d ? rule.operands[t][d] : rules::DimMapping{}) {
                if (can[f.factor]) continue;  // it could have been sharded: whole was cheaper
                const rules::Factor& factor = rule.factors[f.factor];
                reason = fmt::format("dimension {} of {} must be whole: {}", d,
                                     name_of(operands[t]), rules::text(factor.kind));
            }
        }
    }
    if (reason.empty()) return;
    std::int64_t bytes = 0;
    for (std::size_t i = 0; i < source_.op(id).result_count; ++i)
        bytes += source_.type(source_.result(id, i)).byte_size();
    out_.gathered.push_back(Gathered{id, bytes, std::move(reason)});
}

/// Does the choice shard a dimension that is chosen from, or updated, by run-time indices?
bool Partitioner::looks_up(OpId id, const Choice& c) const {
    const rules::Rule& rule = rules_.of(id);
    for (std::size_t f = 0; f < rule.factors.size(); ++f)
        if (!c.assignment.axes[f].empty() &&
            (rule.factors[f].kind == rules::FactorKind::kIndexed ||
             rule.factors[f].kind == rules::FactorKind::kScattered))
            return true;
    return false;
}

void Partitioner::local(OpId id) {
    const ir::Op& op = source_.op(id);
    const Shardable can = shardable(id);
    const Choice c = choose(id, can);
    if (looks_up(id, c))
        return op.kind == OpKind::kGather    ? gather(id, c)
               : op.kind == OpKind::kScatter ? scatter(id, c)
                                             : dynamic_slices(id, c);
    if (!c.partial.empty()) return partial(id, c);
    record_gathered(id, c, can);
    emit_as_chosen(id, c, copied_names(localised(id, c.assignment)));
}

void Partitioner::emit_as_chosen(OpId id, const Choice& c, Attributes attributes) {
    const rules::Rule& rule = rules_.of(id);
    const ir::Op& op = source_.op(id);
    InlineVector<ValueId, 6> operands;
    for (std::size_t t = 0; t < op.operand_count; ++t)
        operands.push_back(get(source_.operand(id, t), tensor_layout(rule, c.assignment, t), id));
    InlineVector<RegionId, 2> regions;
    for (const RegionId r : source_.regions(id)) regions.push_back(copy_region(r));
    InlineVector<TensorType, 2> types;
    InlineVector<Layout, 2> layouts;
    for (std::size_t i = 0; i < op.result_count; ++i) {
        layouts.push_back(result_layout(id, c.assignment, i, {}));
        types.push_back(local_type(source_.type(source_.result(id, i)), layouts[i]));
    }
    const OpId made =
        emit_.op(op.kind, view(operands), view(types), std::move(attributes), view(regions));
    if (op.kind == OpKind::kConstant)  // whole everywhere; each user slices what it needs
        return define(source_.result(id), layouts[0], out_.module.result(made));
    for (std::size_t i = 0; i < op.result_count; ++i)
        define_result(id, i, layouts[i], out_.module.result(made, i));
}

RegionId Partitioner::copy_region(RegionId source_region) {
    const ir::Region& region = source_.region(source_region);
    std::vector<Layout> layouts;
    for (std::size_t i = 0; i < region.argument_count; ++i)
        layouts.push_back(replicated(source_.argument(source_region, i)));
    const Scope scope = enter(source_region, layouts);
    for (const OpId id : region.ops) copy_op(id);
    leave(scope);
    return scope.region;
}

/// An operation of a region that works on single elements: as it is.
void Partitioner::copy_op(OpId id) {
    const ir::Op& op = source_.op(id);
    const Stamp outer = emit_.stamp;
    stamp(id);
    InlineVector<ValueId, 6> operands;
    for (const ValueId v : source_.operands(id)) operands.push_back(get(v, replicated(v), id));
    InlineVector<RegionId, 2> regions;
    for (const RegionId r : source_.regions(id)) regions.push_back(copy_region(r));
    InlineVector<TensorType, 2> types;
    for (std::size_t i = 0; i < op.result_count; ++i)
        types.push_back(source_.type(source_.result(id, i)));
    Attributes attributes = copied_names(source_.all_attributes(id));
    const OpId made =
        emit_.op(op.kind, view(operands), view(types), std::move(attributes), view(regions));
    for (std::size_t i = 0; i < op.result_count; ++i)
        define(source_.result(id, i), replicated(source_.result(id, i)),
               out_.module.result(made, i));
    emit_.stamp = outer;
}

}  // namespace shardwright::partition
