// Whether a tensor takes a wish, and what is written when it does.
#include <algorithm>

#include "propagation/gspmd_pass.h"

namespace shardwright::propagation {

/// At level 0 a wish must refine everything that stands; from level 1 on it may also add to a
/// partial sharding. It never goes against what stands, and never touches a user's closed dims.
bool GspmdPass::improve(LinkId id, std::size_t tensor, const Wish& wish,
                        rules::Direction direction) {
    const Link& link = engine_.link(id);
    const SlotId slot = engine_.tensors(link)[tensor];
    const bool given = is_given_[slot.index];
    Wish next = wish;
    InlineVector<std::uint16_t, 8> grown;
    for (const rules::DimMapping& dim : link.rule->tensor(tensor))
        for (const rules::DimFactor& part : dim) {
            const FactorState& now = projection_.at(tensor, part.factor);
            const AxesId want = wish[part.factor];
            next[part.factor] = now.axes;
            if (want == now.axes) continue;
            if (table_.is_prefix(now.axes, want)) {
                if (!now.open || now.overflow != kNoAxes) continue;
                next[part.factor] = want;
                grown.push_back(part.factor);
            } else if (!given && (level_ == 0 || !table_.is_prefix(want, now.axes))) {
                was_refused_[id.index] = 1;
                return false;
            }
        }
    if (grown.empty() || !settle_overlaps(tensor, given, view(grown), next)) return false;
    for (const std::uint16_t f : grown) {
        projection_.at(tensor, f).axes = next[f];
        causes_[f] = cause_of(link, tensor, f, next[f], direction);
    }
    return engine_.write_back(id, projection_, tensor, causes_);
}

/// An axis cannot stand twice in a tensor. A free tensor then refuses the wish; a given one with
/// open dims takes what is left. False when nothing remains.
bool GspmdPass::settle_overlaps(std::size_t tensor, bool given,
                                std::span<const std::uint16_t> grown, Wish& next) {
    bool remains = false;
    for (const std::uint16_t f : grown) {
        const AxesId now = projection_.at(tensor, f).axes;
        const AxesId added = table_.behind(now, next[f]);
        AxesId left = table_.free_prefix(added, projection_.taken[tensor]);
        for (std::size_t g = 0; g < next.size(); ++g)
            if (g != f && projection_.at(tensor, g).present)
                left = table_.free_prefix(left, next[g]);
        if (left != added && !given) return false;
        next[f] = table_.concatenate(now, left);
        remains |= left != kNoAxes;
    }
    return remains;
}

Cause GspmdPass::cause_of(const Link& link, std::size_t tensor, std::size_t factor, AxesId axes,
                          rules::Direction direction) const {
    Cause cause;
    cause.source = link.source;
    cause.pass = static_cast<std::uint8_t>(level_);
    cause.op = link.op;
    cause.factor = static_cast<std::uint16_t>(factor);
    const auto slots = engine_.tensors(link);
    const auto find = [&](std::size_t begin, std::size_t end) {
        for (std::size_t t = begin; t < end; ++t) {
            const FactorState& state = projection_.at(t, factor);
            if (t == tensor || !state.present || !table_.is_prefix(axes, state.axes)) continue;
            cause.from = slots[t];
            cause.from_dim = state.dim;
            return true;
        }
        return false;
    };
    if (direction == rules::kForward)
        find(0, link.operand_count);
    else if (!find(link.operand_count, slots.size()))
        find(0, link.operand_count);
    return cause;
}

}  // namespace shardwright::propagation
