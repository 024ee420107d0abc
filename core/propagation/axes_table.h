#pragma once
// Axis lists stored once and named by a number: equal lists have equal ids, so that the inner loop
// of propagation compares integers and allocates nothing.

#include <cstdint>
#include <span>
#include <vector>

#include "mesh/mesh.h"

namespace shardwright::propagation {

/// An interned major-to-minor axis list; 0 is the empty list.
using AxesId = std::uint32_t;
inline constexpr AxesId kNoAxes = 0;

/// All lists of one propagation. There are few: their number depends on the mesh, not on the model.
class AxesTable {
  public:
    AxesTable();
    /// Neighbouring parts of one axis are joined first.
    AxesId intern(std::span<const mesh::AxisRef> axes);
    AxesId intern(const mesh::AxisList& axes) { return intern(view(axes)); }
    /// Valid until the next call of `intern`.
    std::span<const mesh::AxisRef> operator[](AxesId id) const {
        return {pool_.data() + entries_[id].begin, entries_[id].count};
    }
    mesh::AxisList list(AxesId id) const {
        const auto axes = (*this)[id];
        return mesh::AxisList(axes.begin(), axes.end());
    }
    /// Number of shards.
    std::int64_t product(AxesId id) const { return entries_[id].product; }
    bool is_prefix(AxesId prefix, AxesId axes) const;
    bool is_strict_prefix(AxesId prefix, AxesId axes) const {
        return prefix != axes && is_prefix(prefix, axes);
    }
    AxesId common_prefix(AxesId a, AxesId b);
    /// The longest prefix of `axes` without any part of `taken`.
    AxesId free_prefix(AxesId axes, AxesId taken);
    /// `major` followed by `minor`.
    AxesId concatenate(AxesId major, AxesId minor);
    /// What `axes` has behind `prefix`, which must be one.
    AxesId behind(AxesId prefix, AxesId axes);

  private:
    struct Entry {
        std::uint32_t begin = 0, count = 0;
        std::int64_t product = 1;
    };
    std::uint64_t hash(std::span<const mesh::AxisRef> axes) const;
    void grow();
    std::vector<mesh::AxisRef> pool_;
    std::vector<Entry> entries_;
    std::vector<std::uint32_t> slots_;  ///< open addressing: entry + 1, 0 = free
};

}  // namespace shardwright::propagation
