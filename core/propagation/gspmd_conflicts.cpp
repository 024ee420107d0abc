// What could not be had: found by comparing the tensors of every link at the end.
#include "propagation/gspmd_pass.h"

namespace shardwright::propagation {
namespace {

/// The tensor that settles a factor: a result if one has it, else the first operand that is cut.
std::size_t settled_by(const Link& link, const Projection& p, std::size_t factor) {
    for (std::size_t t = link.operand_count; t < p.tensor_count; ++t)
        if (p.at(t, factor).axes != kNoAxes) return t;
    for (std::size_t t = 0; t < link.operand_count; ++t)
        if (p.at(t, factor).axes != kNoAxes) return t;
    return p.tensor_count;
}

}  // namespace

void GspmdPass::list_conflicts() {
    for (std::size_t l = 0; l < engine_.link_count(); ++l) {
        // A wish that was not granted shows as two tensors that still have something to say.
        const LinkId id(l);
        const std::size_t tensors = engine_.tensors(engine_.link(id)).size();
        bool news = false;
        for (std::size_t from = 0; from < tensors && !news; ++from)
            for (std::size_t to = 0; to < tensors && !news; ++to)
                news = from != to && has_news(id, from, to);
        if (news) conflicts_of(id);
    }
}

void GspmdPass::conflicts_of(LinkId id) {
    const Link& link = engine_.link(id);
    engine_.project(id, projection_);
    for (FactorState& state : projection_.states) state.axes = without_ones(state.axes);
    const Projection& p = projection_;
    const auto overlap = [&](AxesId a, AxesId b) { return table_.free_prefix(a, b) != a; };
    for (std::size_t f = 0; f < p.factor_count; ++f) {
        const std::size_t first = settled_by(link, p, f);
        if (first == p.tensor_count) continue;
        const AxesId axes = p.at(first, f).axes;
        // Two different lists along one factor.
        for (std::size_t t = 0; t < p.tensor_count; ++t) {
            const AxesId other = p.at(t, f).axes;
            if (!table_.is_prefix(other, axes) && !table_.is_prefix(axes, other))
                note(id, f, first, axes, t, other);
        }
        // One axis along two factors: only one of them can have it. A result's factor holds.
        for (std::size_t g = f + 1; g < p.factor_count; ++g) {
            const std::size_t second = settled_by(link, p, g);
            if (second == p.tensor_count || !overlap(axes, p.at(second, g).axes)) continue;
            const AxesId theirs = p.at(second, g).axes;
            const bool second_wins = second >= link.operand_count && first < link.operand_count;
            if (second_wins)
                note(id, f, second, theirs, first, axes);
            else
                note(id, g, first, axes, second, theirs);
        }
    }
}

void GspmdPass::note(LinkId id, std::size_t factor, std::size_t winner, AxesId winning,
                     std::size_t loser, AxesId losing) {
    const Link& link = engine_.link(id);
    const SlotId won = engine_.tensors(link)[winner], lost = engine_.tensors(link)[loser];
    const bool given = is_given_[won.index], other_given = is_given_[lost.index];
    std::string_view why = "shardings only grow finer: what came first, or has more tiles, stays";
    if (given && other_given)
        why = "both were given: neither is changed";
    else if (given)
        why = "what was given is kept";
    else if (other_given)
        why = "the axis was in use when this annotation was heard";
    else if (link.rule->preference == rules::Preference::kContraction)
        why =
            "a contraction follows the operand that agrees with what comes after, else the larger";
    engine_.note_conflict(id, factor, won, winning, lost, losing, why);
}

}  // namespace shardwright::propagation
