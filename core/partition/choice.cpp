// How an operation runs: the candidate with the least estimated time.
#include <algorithm>

#include "ir/builder.h"
#include "partition/collective_cost.h"
#include "partition/partitioner.h"

namespace shardwright::partition {
namespace {

using rules::FactorKind;

/// Operations whose local results are partials that a simple reduction combines.
bool makes_partials(const ir::Module& m, OpId id) {
    switch (m.op(id).kind) {
        case OpKind::kDotGeneral:
        case OpKind::kConvolution:
            return true;
        case OpKind::kReduce:
            return m.op(id).result_count == 1 &&
                   ir::simple_combiner(m, m.region_of(id, 0)).has_value();
        default:
            return false;
    }
}

constexpr double kClearlyLess = 0.98;

bool has(const Dims& list, std::size_t dim) {
    return std::find(list.begin(), list.end(), static_cast<std::int64_t>(dim)) != list.end();
}

/// Can run-time indices into this factor's dimension be followed shard by shard?
bool follows_indices(const ir::Module& m, OpId id, const rules::Rule& rule, std::size_t factor) {
    const rules::Factor& f = rule.factors[factor];
    if (m.op(id).kind == OpKind::kDynamicSlice || m.op(id).kind == OpKind::kDynamicUpdateSlice)
        return true;
    const auto* gather = m.attributes_if<ir::GatherAttributes>(id);
    const auto* scatter = m.attributes_if<ir::ScatterAttributes>(id);
    if (scatter != nullptr && f.kind == FactorKind::kScattered)
        return f.reduction != Reduction::kOther && m.op(id).result_count == 1;
    // One element of the dimension an index; a longer window could straddle two shards.
    for (std::size_t d = 0; d < rule.operands[0].size(); ++d)
        for (const rules::DimFactor& at : rule.operands[0][d]) {
            if (at.factor != factor) continue;
            if (gather != nullptr)
                return gather->slice_sizes[d] == 1 && has(gather->start_index_map, d);
            if (scatter != nullptr)
                return has(scatter->inserted_window_dims, d) &&
                       has(scatter->scatter_dims_to_operand_dims, d);
        }
    return false;
}

bool is_drawn(OpKind kind) {
    return kind == OpKind::kRng || kind == OpKind::kRngBitGenerator || kind == OpKind::kConstant;
}

}  // namespace

Shardable Partitioner::shardable(OpId id) const {
    const rules::Rule& rule = rules_.of(id);
    const OpKind kind = source_.op(id).kind;
    Shardable can;
    for (std::size_t i = 0; i < rule.factors.size(); ++i) {
        const rules::Factor& f = rule.factors[i];
        bool yes = false;
        if (!rule.opaque) {
            if (f.kind == FactorKind::kPassThrough) yes = true;
            if (f.kind == FactorKind::kBroadcast) yes = !is_drawn(kind);
            if (f.kind == FactorKind::kReduction)
                yes = f.reduction != Reduction::kOther && makes_partials(source_, id);
            if (f.kind == FactorKind::kIndexed || f.kind == FactorKind::kScattered)
                yes = follows_indices(source_, id, rule, i);
        }
        can.push_back(yes);
    }
    return can;
}

Layout Partitioner::result_layout(OpId id, const Assignment& a, std::size_t i,
                                  const AxisList& partial) const {
    const rules::Rule& rule = rules_.of(id);
    Layout layout = tensor_layout(rule, a, rule.operands.size() + i);
    layout.unreduced = partial;
    // Looked-up values are zero on all devices but one: they add up.
    if (source_.type(source_.result(id, i)).element == ir::ElementType::kBool)
        layout.kind = Reduction::kOr;
    for (std::size_t f = 0; f < rule.factors.size(); ++f)
        if (!a.axes[f].empty() && (rule.factors[f].kind == FactorKind::kReduction ||
                                   rule.factors[f].kind == FactorKind::kScattered))
            layout.kind = rule.factors[f].reduction;
    return layout;
}

double Partitioner::compute_seconds(OpId id, const Assignment& a) const {
    const rules::Rule& rule = rules_.of(id);
    double bytes = 0;
    for (std::size_t t = 0; t < rule.tensor_count(); ++t) {
        const ValueId v = t < rule.operands.size() ? source_.operand(id, t)
                                                   : source_.result(id, t - rule.operands.size());
        bytes += static_cast<double>(local_bytes(source_.type(v), tensor_layout(rule, a, t)));
    }
    double seconds = local_seconds(bytes);
    const OpKind kind = source_.op(id).kind;
    if (kind == OpKind::kDotGeneral || kind == OpKind::kConvolution) {
        double flops = 2;
        for (std::size_t f = 0; f < rule.factors.size(); ++f)
            flops *= static_cast<double>(rule.factors[f].size) /
                     static_cast<double>(mesh::product(a.axes[f]));
        seconds = std::max(seconds, flops / kNominal.flops);
    }
    return seconds;
}

double Partitioner::candidate_seconds(OpId id, const Assignment& a, const AxisList& partial) {
    const rules::Rule& rule = rules_.of(id);
    double seconds = compute_seconds(id, a);
    const auto operands = source_.operands(id);
    for (std::size_t t = 0; t < operands.size(); ++t)
        seconds += get_seconds(operands[t], tensor_layout(rule, a, t));
    for (std::size_t i = 0; i < rule.results.size(); ++i) {
        const ValueId result = source_.result(id, i);
        const Layout made = result_layout(id, a, i, partial);
        seconds += planner_.plan(made, layout_of(result), source_.type(result)).seconds;
    }
    return seconds;
}

Choice Partitioner::choose(OpId id, const Shardable& can) {
    const rules::Rule& rule = rules_.of(id);
    const auto operands = source_.operands(id);
    scratch_.clear();
    for (const ValueId v : operands) scratch_.push_back(present_layout(v));
    for (std::size_t i = 0; i < rule.results.size(); ++i)
        scratch_.push_back(layout_of(source_.result(id, i)));

    Choice best;
    // The usual case first: everything is already where it should be.
    if (!rule.results.empty()) {
        best.assignment = project(rule, scratch_[operands.size()], operands.size(), can);
        bool fits =
            is_valid(rule, best.assignment) && reduction_axes(rule, best.assignment).empty();
        for (std::size_t t = 0; fits && t < rule.tensor_count(); ++t) {
            const bool made = t < operands.size() && is_made(operands[t]);
            fits = made || tensor_layout(rule, best.assignment, t) == scratch_[t];
        }
        if (fits) return best;
    }
    bool found = false;
    for (Assignment& a : candidates(rule, scratch_, can)) {
        const AxisList partial = reduction_axes(rule, a);
        const double seconds = candidate_seconds(id, a, partial);
        // Clearly less: of near equals the first in the fixed order, so that a choice does not flip
        // with the size of the mesh.
        if (found && seconds > best.seconds * kClearlyLess) continue;
        found = true;
        best = Choice{std::move(a), partial, seconds};
    }
    return best;
}

}  // namespace shardwright::partition
