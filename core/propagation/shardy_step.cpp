#include "propagation/shardy_step.h"

#include <algorithm>

namespace shardwright::propagation {
namespace {

using mesh::AxisList;
using mesh::AxisRef;

constexpr std::uint8_t kBroadcastLevel = 2;  // rules: levels from here on are broadcasts' own

}  // namespace

std::uint8_t ShardyStep::direction(const rules::Factor& factor, std::uint8_t pass) const {
    std::uint8_t ways = rules::kBlocked;
    if (factor.forward_level == 0) ways |= rules::kForward;
    if (factor.backward_level == 0) ways |= rules::kBackward;
    const bool passes = factor.kind == rules::FactorKind::kPassThrough ||
                        factor.kind == rules::FactorKind::kBroadcast;
    if (pass >= 1 && passes)
        ways |= factor.backward_level >= kBroadcastLevel ? rules::kBackward : rules::kBoth;
    if (pass >= 2) ways = rules::kBoth;
    return ways & factor.shardy;
}

/// True when each factor has the same axes in all its tensors: the usual state of most links.
bool ShardyStep::is_settled() const {
    for (std::size_t f = 0; f < p_.factor_count; ++f) {
        const FactorState* first = nullptr;
        for (std::size_t t = 0; t < p_.tensor_count; ++t) {
            const FactorState& state = p_.at(t, f);
            if (!state.present) continue;
            if (first && first->axes != state.axes) return false;
            first = &state;
        }
    }
    return true;
}

/// The axes on which the tensors agree along `factor`, into `wishes_`.
void ShardyStep::gather(LinkId id, std::size_t factor, std::uint8_t direction) {
    const Link& link = engine_.link(id);
    const auto slots = engine_.tensors(link);
    Wish wish;
    wish.factor = static_cast<std::uint16_t>(factor);
    bool may_expand = true;
    const auto hear = [&](std::size_t begin, std::size_t end) {
        for (std::size_t t = begin; t < end; ++t) {
            const FactorState& state = p_.at(t, factor);
            if (!state.present || state.axes == wish.axes) continue;
            const AxesId shared = table_.common_prefix(wish.axes, state.axes);
            if (shared == wish.axes) {
                if (!may_expand) continue;
                wish.axes = state.axes;
                wish.source = static_cast<std::uint16_t>(t);
                wish.source_size = engine_.element_count(slots[t]);
            } else if (shared != state.axes) {
                engine_.note_conflict(id, factor, slots[wish.source], wish.axes, slots[t],
                                      state.axes,
                                      "tensors disagree along one factor: only the axes that they "
                                      "share, from the major side, go on");
                wish.axes = shared;
                may_expand = false;
            }
        }
    };
    const std::size_t operands = link.operand_count, all = p_.tensor_count;
    if (direction == rules::kBackward) {
        hear(operands, all);
        may_expand = false;
        hear(0, operands);
    } else {
        hear(0, operands);
        if (direction == rules::kForward) may_expand = false;
        hear(operands, all);
    }
    if (wish.axes == kNoAxes) return;
    for (std::size_t t = 0; t < all; ++t) {
        const FactorState& state = p_.at(t, factor);
        if (!state.present || state.axes != wish.axes) continue;
        const std::int64_t size = engine_.element_count(slots[t]);
        if (size <= wish.source_size && p_.at(wish.source, factor).axes == wish.axes) continue;
        wish.source = static_cast<std::uint16_t>(t);
        wish.source_size = size;
    }
    wish.sideways = sideways(wish, operands);
    wishes_.push_back(wish);
}

AxesId ShardyStep::sideways(const Wish& wish, std::size_t operands) {
    AxesId most = kNoAxes;
    bool in_results = false;
    for (std::size_t t = operands; t < p_.tensor_count; ++t) {
        const FactorState& state = p_.at(t, wish.factor);
        if (!state.present) continue;
        in_results = true;
        const AxesId fits = table_.common_prefix(wish.axes, fitting(state, wish.axes, p_.taken[t]));
        if (table_.product(fits) > table_.product(most) || most == kNoAxes) most = fits;
    }
    return in_results ? most : wish.axes;
}

/// The longest prefix of `wanted` that the factor may hold in this tensor.
AxesId ShardyStep::fitting(const FactorState& state, AxesId wanted, AxesId blocked) {
    wanted = table_.free_prefix(wanted, blocked);
    if (!table_.is_strict_prefix(state.axes, wanted)) return state.axes;
    if (!state.open || state.overflow != kNoAxes) return state.axes;
    if (state.is_minor_most) return wanted;
    // Factors with others behind them must be cut evenly.
    AxisList kept;
    std::int64_t shards = 1;
    for (const AxisRef& axis : table_[wanted]) {
        shards *= axis.size;
        if (state.size % shards != 0) break;
        kept.push_back(axis);
    }
    const AxesId even = table_.intern(kept);
    return table_.is_prefix(state.axes, even) ? even : state.axes;
}

/// Gives the wishes, in their order, to one tensor.
bool ShardyStep::serve(LinkId id, std::size_t tensor) {
    bool changed = false;
    for (const Wish& wish : wishes_) {
        FactorState& state = p_.at(tensor, wish.factor);
        const bool is_operand = tensor < engine_.link(id).operand_count;
        const AxesId wanted = is_operand ? wish.sideways : wish.axes;
        if (!state.present || state.axes == wanted) continue;
        AxesId axes = fitting(state, wanted, p_.taken[tensor]);
        for (std::size_t g = 0; g < p_.factor_count && axes != state.axes; ++g) {
            const FactorState& other = p_.at(tensor, g);
            if (g == wish.factor || !other.present) continue;
            const AxesId free =
                table_.free_prefix(table_.free_prefix(axes, other.axes), other.overflow);
            if (free == axes) continue;
            engine_.note_conflict(id, wish.factor, engine_.tensors(engine_.link(id))[tensor],
                                  other.axes, engine_.tensors(engine_.link(id))[wish.source],
                                  wish.axes,
                                  "an axis goes to one dimension of a tensor: the factor of the "
                                  "larger tensor first, then that of the earlier operand");
            axes = table_.is_prefix(state.axes, free) ? free : state.axes;
        }
        if (axes == state.axes) continue;
        state.axes = axes;
        changed = true;
    }
    return changed && engine_.write_back(id, p_, tensor, causes_);
}

bool ShardyStep::run(LinkId id, std::uint8_t pass) {
    if (!engine_.has_axes(id)) return false;
    const Link& link = engine_.link(id);
    const bool has_way = std::ranges::any_of(link.rule->factors, [&](const rules::Factor& f) {
        return direction(f, pass) != rules::kBlocked;
    });
    if (!has_way) return false;
    engine_.project(id, p_);
    if (is_settled()) return false;
    wishes_.clear();
    for (std::size_t f = 0; f < p_.factor_count; ++f) {
        const std::uint8_t ways = direction(link.rule->factors[f], pass);
        if (ways != rules::kBlocked) gather(id, f, ways);
    }
    if (wishes_.empty()) return false;
    std::ranges::stable_sort(wishes_, [](const Wish& a, const Wish& b) {
        if (a.source_size != b.source_size) return a.source_size > b.source_size;
        return a.source < b.source;
    });
    causes_.assign(p_.factor_count, Cause{link.source, pass, link.op, {}, 0, 0});
    for (const Wish& wish : wishes_) {
        Cause& cause = causes_[wish.factor];
        cause.factor = wish.factor;
        cause.from = engine_.tensors(link)[wish.source];
        cause.from_dim = p_.at(wish.source, wish.factor).dim;
    }
    bool grew = false;
    for (std::size_t t = 0; t < p_.tensor_count; ++t) grew = serve(id, t) || grew;
    return grew;
}

}  // namespace shardwright::propagation
