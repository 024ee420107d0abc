#include "partition/reshard_atoms.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <set>

namespace shardwright::partition {
namespace {

using CutPoints = std::map<std::uint32_t, std::vector<std::uint32_t>>;  // axis -> points

/// All places where some reference begins or ends, a point kept only if the kept ones divide it.
CutPoints cut_points(const Layout& from, const Layout& to) {
    std::map<std::uint32_t, std::set<std::uint32_t>> all;
    for (const Layout* layout : {&from, &to})
        for (const AxisRef& ref : layout->used_axes()) {
            all[ref.axis].insert(ref.pre);
            all[ref.axis].insert(ref.next_pre());
        }
    CutPoints kept;
    for (const auto& [axis, points] : all) {
        std::vector<std::uint32_t>& list = kept[axis];
        for (const std::uint32_t p : points)
            if (list.empty() || p % list.back() == 0) list.push_back(p);
    }
    return kept;
}

/// The atoms of one reference; false when its ends are no kept cut points.
bool split(const AxisRef& ref, const CutPoints& cuts, std::vector<AxisRef>& out) {
    const std::vector<std::uint32_t>& points = cuts.at(ref.axis);
    auto at = std::find(points.begin(), points.end(), ref.pre);
    const auto end = std::find(points.begin(), points.end(), ref.next_pre());
    if (at == points.end() || end == points.end()) return false;
    for (; at != end; ++at) {
        AxisRef atom;
        atom.axis = ref.axis;
        atom.pre = *at & 0xFFFFFFu;
        atom.size = *(at + 1) / *at;
        out.push_back(atom);
    }
    return true;
}

/// `layout` cut off in every dimension where the splitting fails, and with nothing pending when
/// a pending axis cannot be split.
Layout cut(const Layout& layout, const CutPoints& cuts) {
    Layout result = layout;
    std::vector<AxisRef> ignored;
    for (AxisList& axes : result.dims)
        for (std::size_t i = 0; i < axes.size(); ++i)
            if (!split(axes[i], cuts, ignored)) {
                axes.erase(axes.begin() + static_cast<std::ptrdiff_t>(i), axes.end());
                break;
            }
    for (const AxisRef& ref : layout.unreduced)
        if (!split(ref, cuts, ignored)) result.unreduced.clear();
    result.canonicalise();
    return result;
}

std::uint8_t index_of(std::vector<AxisRef>& refs, const AxisRef& ref) {
    const auto found = std::find(refs.begin(), refs.end(), ref);
    const auto index = static_cast<std::uint8_t>(found - refs.begin());
    if (found == refs.end()) refs.push_back(ref);
    assert(refs.size() < 32);
    return index;
}

AtomState to_state(const Layout& layout, const CutPoints& cuts, std::vector<AxisRef>& refs) {
    AtomState state;
    state.dims.resize(layout.rank());
    std::vector<AxisRef> pieces;
    for (std::size_t d = 0; d < layout.rank(); ++d) {
        pieces.clear();
        for (const AxisRef& ref : layout.dims[d]) split(ref, cuts, pieces);
        for (const AxisRef& piece : pieces) state.dims[d].push_back(index_of(refs, piece));
    }
    pieces.clear();
    for (const AxisRef& ref : layout.unreduced) split(ref, cuts, pieces);
    for (const AxisRef& piece : pieces) state.pending |= 1u << index_of(refs, piece);
    return state;
}

}  // namespace

std::string AtomState::key() const {
    std::string key;
    for (const AtomList& list : dims) {
        for (const std::uint8_t a : list) key += static_cast<char>('A' + a);
        key += '|';
    }
    for (std::uint32_t rest = pending, a = 0; rest != 0; rest >>= 1, ++a)
        if ((rest & 1u) != 0) key += static_cast<char>('A' + a);
    return key;
}

AxisList Atoms::axes(const AtomList& list) const {
    AxisList result;
    for (const std::uint8_t a : list) result.push_back(refs[a]);
    return mesh::merge_neighbours(view(result));
}

Layout Atoms::layout(const AtomState& state, sharding::Reduction kind) const {
    Layout layout;
    for (const AtomList& list : state.dims) layout.dims.push_back(axes(list));
    for (std::size_t a = 0; a < refs.size(); ++a)
        if ((state.pending >> a & 1u) != 0) layout.unreduced.push_back(refs[a]);
    layout.kind = kind;
    layout.canonicalise();
    return layout;
}

Atoms make_atoms(const Layout& from, const Layout& to) {
    Atoms atoms;
    const CutPoints cuts = cut_points(from, to);
    atoms.cut_from = cut(from, cuts);
    atoms.cut_to = cut(to, cuts);
    atoms.from = to_state(atoms.cut_from, cuts, atoms.refs);
    atoms.to = to_state(atoms.cut_to, cuts, atoms.refs);
    return atoms;
}

}  // namespace shardwright::partition
