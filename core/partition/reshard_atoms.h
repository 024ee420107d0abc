#pragma once
// The pieces of axes that a reshard moves: axes cut at the points that both layouts share.

#include <cstdint>
#include <string>
#include <vector>

#include "partition/layout.h"

namespace shardwright::partition {

/// Atoms of a dimension, major to minor, by index into `Atoms::refs`.
using AtomList = InlineVector<std::uint8_t, 6>;

/// A state of the search: the atoms of every dimension and the pending ones (a bit each).
struct AtomState {
    InlineVector<AtomList, 4> dims;
    std::uint32_t pending = 0;
    friend bool operator==(const AtomState&, const AtomState&) = default;
    /// The state as bytes, for hashing and ties.
    std::string key() const;
};

struct Atoms {
    std::vector<AxisRef> refs;  ///< at most 31
    AtomState from, to;
    /// Axes that cannot be cut alike: `from`/`to` here have them (and what is minor to them)
    /// removed; they are gathered first and sliced last.
    Layout cut_from, cut_to;

    AxisList axes(const AtomList& list) const;
    Layout layout(const AtomState& state, sharding::Reduction kind) const;
};

Atoms make_atoms(const Layout& from, const Layout& to);

}  // namespace shardwright::partition
