#pragma once
// A mesh axis, or a part of one, as it stands in a sharding.

#include <compare>
#include <cstdint>

#include "base/inline_vector.h"

namespace shardwright::mesh {

/// A full axis or a *sub-axis* of a mesh. The axis of size N is seen as `pre × size × rest`, and
/// the reference means the middle factor. A full axis has `pre = 1` and `size` = the axis's size.
/// Written `"x"` or `"x":(pre)size`, as Shardy does. 8 bytes, trivially copyable.
struct AxisRef {
    std::uint32_t axis : 8 = 0;  ///< index of the axis in its mesh
    std::uint32_t pre : 24 = 1;  ///< product of the parts more major than this one
    std::uint32_t size = 1;      ///< number of shards this reference makes

    friend constexpr bool operator==(const AxisRef&, const AxisRef&) = default;
    friend constexpr auto operator<=>(const AxisRef& a, const AxisRef& b) {
        if (auto c = std::uint32_t{a.axis} <=> std::uint32_t{b.axis}; c != 0) return c;
        if (auto c = std::uint32_t{a.pre} <=> std::uint32_t{b.pre}; c != 0) return c;
        return a.size <=> b.size;
    }
    /// The part that is more minor than this one starts here.
    constexpr std::uint32_t next_pre() const { return pre * size; }
};
static_assert(sizeof(AxisRef) == 8);

/// Axes from major to minor.
using AxisList = InlineVector<AxisRef, 3>;

/// True when both references share some device coordinate (same axis, overlapping parts).
bool overlaps(const AxisRef& a, const AxisRef& b);
bool overlaps(const AxisRef& a, std::span<const AxisRef> list);
/// True when `part` lies wholly inside `whole`.
bool contains(const AxisRef& whole, const AxisRef& part);
/// Product of the sizes: the number of shards that `axes` make together.
std::int64_t product(std::span<const AxisRef> axes);
inline std::int64_t product(const AxisList& axes) {
    return product(view(axes));
}
/// Joins neighbours that are consecutive parts of one axis: `x:(1)2, x:(2)4` becomes `x:(1)8`.
AxisList merge_neighbours(std::span<const AxisRef> axes);
/// The longest common prefix of two major-to-minor lists, splitting sub-axes where they differ:
/// for `["x"]` of size 4 and `["x":(1)2, "y"]` it is `["x":(1)2]`.
AxisList common_prefix(std::span<const AxisRef> a, std::span<const AxisRef> b);
/// `axes` without every part that overlaps `taken`, cut at the first overlap: the longest prefix of
/// `axes` that is free. A partial overlap keeps the free major part of an axis.
AxisList free_prefix(std::span<const AxisRef> axes, std::span<const AxisRef> taken);
/// True when `prefix` is a (sub-axis aware) prefix of `axes`.
bool is_prefix(std::span<const AxisRef> prefix, std::span<const AxisRef> axes);

}  // namespace shardwright::mesh
