// The two directions: results hear their operands, operands hear their users.
#include <algorithm>

#include "propagation/gspmd_look_ahead.h"
#include "propagation/gspmd_pass.h"

namespace shardwright::propagation {
namespace {

bool travels(const rules::Factor& f, rules::Direction direction, int level) {
    const int first = direction == rules::kForward ? f.forward_level : f.backward_level;
    return (f.gspmd & direction) != 0 && first <= level;
}

bool is_operand_only(const rules::Factor& f) {
    return f.kind == rules::FactorKind::kReduction || f.kind == rules::FactorKind::kScattered;
}

}  // namespace

/// Whether tensor `from` may have something to say to tensor `to`: a cheap look before the
/// projection, exact for rules without merged dims.
bool GspmdPass::has_news(LinkId id, std::size_t from, std::size_t to) const {
    const Link& link = engine_.link(id);
    const SlotId speaker = engine_.tensors(link)[from], listener = engine_.tensors(link)[to];
    if (!engine_.has_axes(speaker)) return false;
    if (!traits_[id.index].is_simple) return true;
    const rules::TensorMapping& theirs = link.rule->tensor(from);
    const rules::TensorMapping& ours = link.rule->tensor(to);
    for (std::size_t d = 0; d < theirs.size(); ++d) {
        const AxesId axes = engine_.axes(speaker, d);
        if (axes == kNoAxes || theirs[d].empty()) continue;
        // Mostly the same dim on both sides: look there first.
        for (std::size_t k = 0; k < ours.size(); ++k) {
            const std::size_t e = (d + k) % ours.size();
            if (ours[e].empty() || ours[e][0].factor != theirs[d][0].factor) continue;
            if (engine_.axes(listener, e) != axes) return true;
            break;
        }
    }
    return false;
}

/// True when `wish` says all that `other` says.
bool GspmdPass::covers(const Wish& wish, const Wish& other) const {
    for (std::size_t f = 0; f < wish.size(); ++f)
        if (!table_.is_prefix(other[f], wish[f])) return false;
    return true;
}

/// Axes of size 1 cut nothing: they stay where the user put them and keep no other axis out.
AxesId GspmdPass::without_ones(AxesId axes) {
    if (axes >= without_ones_.size()) without_ones_.resize(axes + 1, kUnknown);
    if (without_ones_[axes] == kUnknown) {
        mesh::AxisList kept;
        for (const mesh::AxisRef& axis : table_.list(axes))
            if (axis.size > 1) kept.push_back(axis);
        without_ones_[axes] = table_.intern(kept);
    }
    return without_ones_[axes];
}

/// The longest prefix that makes no more shards than there are elements, or cuts them evenly: at
/// the border of a merged dim uneven shards would not line up.
AxesId GspmdPass::fitting(AxesId axes, std::int64_t size, bool evenly) {
    const std::int64_t shards = table_.product(axes);
    if (shards <= size && (!evenly || size % shards == 0)) return axes;
    mesh::AxisList kept;
    std::int64_t n = 1;
    for (const mesh::AxisRef& axis : table_.list(axes)) {
        n *= axis.size;
        if (n > size || (evenly && size % n != 0)) break;
        kept.push_back(axis);
    }
    return table_.intern(kept);
}

/// What tensor `from` implies for tensor `to`; false when it implies nothing.
bool GspmdPass::read_wish(const Link& link, std::size_t from, std::size_t to,
                          rules::Direction direction, bool only_siblings, Wish& out) {
    const rules::Rule& rule = *link.rule;
    out.assign(rule.factors.size(), kNoAxes);
    bool any = false;
    for (const rules::DimMapping& dim : rule.tensor(to)) {
        for (const rules::DimFactor& part : dim) {
            const FactorState& state = projection_.at(from, part.factor);
            const rules::Factor& factor = rule.factors[part.factor];
            AxesId axes = kNoAxes;
            if (state.axes != kNoAxes && travels(factor, direction, level_) &&
                (!only_siblings || is_operand_only(factor))) {
                const bool merged = dim.size() > 1 || rule.tensor(from)[state.dim].size() > 1;
                axes = fitting(without_ones(state.axes), part.size, merged);
            }
            out[part.factor] = axes;
            any |= axes != kNoAxes;
            // A minor factor counts only when the major ones are cut through.
            if (dim.size() > 1 && table_.product(axes) != part.size) break;
        }
    }
    return any;
}

bool GspmdPass::can_merge(const Wish& a, const Wish& b) {
    for (std::size_t f = 0; f < a.size(); ++f) {
        if (!table_.is_prefix(a[f], b[f]) && !table_.is_prefix(b[f], a[f])) return false;
        for (std::size_t g = 0; g < b.size(); ++g)
            if (f != g && table_.free_prefix(a[f], b[g]) != a[f]) return false;
    }
    return true;
}

/// Puts the wish to follow first.
void GspmdPass::prefer(LinkId id, Candidates& candidates) {
    const Link& link = engine_.link(id);
    if (link.rule->preference == rules::Preference::kContraction && candidates.size() == 2) {
        if (can_merge(candidates[0].wish, candidates[1].wish)) return;
        const auto slots = engine_.tensors(link);
        if (const auto later = look_ahead(engine_, slots[link.operand_count])) {
            // The operand that refines what comes after, when the other one does not.
            bool refines[2];
            for (std::size_t c = 0; c < 2; ++c)
                refines[c] = implies(engine_, id, view(candidates[c].wish), *later);
            if (refines[0] != refines[1]) {
                if (refines[1]) std::swap(candidates[0], candidates[1]);
                return;
            }
        }
        const auto size = [&](const Candidate& c) {
            return engine_.element_count(slots[c.tensor]);
        };
        if (size(candidates[1]) > size(candidates[0])) std::swap(candidates[0], candidates[1]);
        return;
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.tiles > b.tiles; });
}

void GspmdPass::hear_operands(LinkId id) {
    const Link& link = engine_.link(id);
    const auto slots = engine_.tensors(link);
    Candidates candidates;
    Candidate candidate;
    bool is_projected = false;
    for (std::size_t r = link.operand_count; r < slots.size(); ++r) {
        if (!may_change(slots[r])) continue;
        bool news = false;
        for (std::size_t i = 0; i < link.operand_count && !news; ++i) news = has_news(id, i, r);
        if (!news) continue;
        if (!is_projected) engine_.project(id, projection_);
        is_projected = true;
        candidates.clear();
        for (std::size_t i = 0; i < link.operand_count; ++i) {
            if (!engine_.has_axes(slots[i])) continue;
            if (!read_wish(link, i, r, rules::kForward, false, candidate.wish)) continue;
            candidate.tensor = i;
            candidate.tiles = 1;
            for (const AxesId axes : candidate.wish) candidate.tiles *= table_.product(axes);
            candidates.push_back(candidate);
        }
        if (candidates.size() > 1) prefer(id, candidates);
        for (const Candidate& c : candidates) {
            if (improve(id, r, c.wish, rules::kForward)) engine_.project(id, projection_);
            if (level_ > 0) continue;
            // The preferred one alone: no merging yet.
            for (const Candidate& other : candidates)
                was_refused_[id.index] |= !covers(candidates[0].wish, other.wish);
            break;
        }
    }
    queue_changes();
}

void GspmdPass::hear_users(SlotId slot) {
    if (!may_change(slot)) return;
    for (const LinkId id : engine_.links_of(slot)) {
        if (traits_[id.index].backward_level > level_) continue;
        const Link& link = engine_.link(id);
        const auto slots = engine_.tensors(link);
        for (std::size_t t = 0; t < link.operand_count; ++t)
            if (slots[t] == slot) hear_as_operand(id, t);
    }
    queue_changes();
}

void GspmdPass::hear_as_operand(LinkId id, std::size_t operand) {
    const Link& link = engine_.link(id);
    const auto slots = engine_.tensors(link);
    bool is_projected = false;
    const auto hear = [&](std::size_t t, bool only_siblings) {
        if (!has_news(id, t, operand)) return;
        if (!is_projected) engine_.project(id, projection_);
        is_projected = true;
        if (!read_wish(link, t, operand, rules::kBackward, only_siblings, wish_)) return;
        if (improve(id, operand, wish_, rules::kBackward)) is_projected = false;
    };
    for (std::size_t r = link.operand_count; r < slots.size(); ++r) hear(r, false);
    if (!traits_[id.index].ties_operands) return;
    for (std::size_t i = 0; i < link.operand_count; ++i)
        if (i != operand) hear(i, true);
}

}  // namespace shardwright::propagation
