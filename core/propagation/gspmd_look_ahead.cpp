#include "propagation/gspmd_look_ahead.h"

#include <algorithm>
#include <numeric>

namespace shardwright::propagation {
namespace {

using mesh::AxisList;
using mesh::AxisRef;

struct Step {
    LinkId link;
    std::size_t operand = 0;
};

/// The only link that uses `slot`, if it has one result of its own.
std::optional<Step> only_use(const Engine& engine, SlotId slot) {
    std::optional<Step> found;
    for (const LinkId id : engine.links_of(slot)) {
        const Link& link = engine.link(id);
        const auto slots = engine.tensors(link);
        for (std::size_t t = 0; t < link.operand_count; ++t) {
            if (slots[t] != slot) continue;
            if (found || link.result_count != 1 || link.is_function_result) return std::nullopt;
            found = Step{id, t};
        }
    }
    return found;
}

/// A dim's axes handed out to its factors, from the major one on.
void split_over(const rules::DimMapping& dim, const AxisList& axes, std::vector<AxisList>& out) {
    if (dim.size() == 1) {
        out[dim[0].factor] = axes;
        return;
    }
    std::size_t i = 0;
    std::int64_t left = dim.empty() ? 1 : dim[0].size;
    for (AxisRef axis : axes)
        while (axis.size > 1) {
            while (left == 1) {
                if (++i >= dim.size()) return;
                left = dim[i].size;
            }
            const auto shared = static_cast<std::uint32_t>(std::gcd(left, std::int64_t{axis.size}));
            if (shared == 1) return;
            AxisRef part = axis;
            part.size = shared;
            out[dim[i].factor].push_back(part);
            left /= shared;
            axis.pre = part.next_pre() & 0xFFFFFFu;
            axis.size /= shared;
            if (axis.size > 1 && left > 1) return;
        }
}

/// Through one rule, from its only result to an operand, whatever the levels say.
DimAxes read_back(const rules::Rule& rule, const DimAxes& result, std::size_t operand) {
    std::vector<AxisList> factors(rule.factors.size());
    for (std::size_t d = 0; d < result.size() && d < rule.results[0].size(); ++d)
        split_over(rule.results[0][d], result[d], factors);
    DimAxes axes;
    for (const rules::DimMapping& dim : rule.operands[operand]) {
        AxisList& list = axes.emplace_back();
        for (const rules::DimFactor& part : dim) {
            const AxisList& more = factors[part.factor];
            list.insert(list.end(), more.begin(), more.end());
            if (mesh::product(more) != part.size) break;
        }
        if (dim.size() > 1) list = mesh::merge_neighbours(view(list));
    }
    return axes;
}

}  // namespace

std::optional<DimAxes> look_ahead(Engine& engine, SlotId slot) {
    constexpr std::size_t kLongest = 16;
    std::vector<Step> chain;
    for (SlotId at = slot; chain.size() < kLongest;) {
        const std::optional<Step> step = only_use(engine, at);
        if (!step) return std::nullopt;
        chain.push_back(*step);
        const Link& link = engine.link(step->link);
        at = engine.tensors(link)[link.operand_count];
        if (!engine.has_axes(at)) continue;
        DimAxes axes;
        for (std::size_t d = 0; d < engine.rank(at); ++d)
            axes.push_back(engine.axes_table().list(engine.axes(at, d)));
        for (std::size_t i = chain.size(); i-- > 0;)
            axes = read_back(*engine.link(chain[i].link).rule, axes, chain[i].operand);
        const bool any = std::any_of(axes.begin(), axes.end(),
                                     [](const AxisList& list) { return !list.empty(); });
        return any ? std::optional(axes) : std::nullopt;
    }
    return std::nullopt;
}

bool implies(Engine& engine, LinkId id, std::span<const AxesId> wish, const DimAxes& axes) {
    const rules::TensorMapping& result = engine.link(id).rule->results[0];
    for (std::size_t d = 0; d < result.size() && d < axes.size(); ++d) {
        AxesId whole = kNoAxes;
        for (const rules::DimFactor& part : result[d])
            whole = engine.axes_table().concatenate(whole, wish[part.factor]);
        if (!mesh::is_prefix(view(axes[d]), engine.axes_table()[whole])) return false;
    }
    return true;
}

}  // namespace shardwright::propagation
