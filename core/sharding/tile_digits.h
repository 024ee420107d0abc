#pragma once
// A tile assignment as digits: the device of tile number i is the sum over i's mixed-radix digits
// of digit × stride. Every iota form is one; most explicit lists are. Private to core/sharding.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/inline_vector.h"
#include "sharding/hlo_sharding.h"

namespace shardwright::sharding {

/// One digit of the tile number; its device coordinate covers the strides [stride, stride × size).
struct Digit {
    std::int64_t size = 1;
    std::int64_t stride = 1;
    std::int64_t end() const { return size * stride; }
    friend bool operator==(const Digit&, const Digit&) = default;
};
/// From major to minor.
using Digits = InlineVector<Digit, 6>;

/// The digits of `iota(n)` reshaped to `reshape_dims` and transposed (empty = not), neighbours
/// joined.
/// `[2,3,2]T(1,0,2)` gives (3, stride 2), (2, stride 6), (2, stride 1).
Digits iota_digits(std::span<const std::int64_t> reshape_dims,
                   std::span<const std::int32_t> permutation);
/// The digits of an explicit list of the devices 0 … n-1, if it is such a form.
std::optional<Digits> list_digits(std::span<const std::int64_t> devices);
/// The iota form of digits that together cover 0 … n-1.
void set_iota(HloSharding& s, const Digits& digits);
/// Writes the list out; its length is the number of devices.
std::vector<std::int64_t> expand(const Digits& digits);
bool is_identity(std::span<const std::int64_t> devices);
/// Joins digits that are consecutive parts of one.
Digits join_neighbours(std::span<const Digit> digits);

/// The digits of a tiled assignment, for a list that is no iota form nothing. With `mesh_order`
/// (a mesh's explicit device ids) in terms of that mesh's positions.
std::optional<Digits> assignment_digits(const HloSharding& s,
                                        std::span<const std::int64_t> mesh_order = {});
/// The digits of each tile dimension: cuts `digits` at the borders of the tile dimensions. Nothing
/// when a border lies across a digit.
std::optional<std::vector<Digits>> split_by_dims(const Digits& digits,
                                                 std::span<const std::int64_t> tile_dims);

/// The (sub-)axes of `mesh` that are exactly these digits, if any.
std::optional<AxisList> digits_to_axes(const Digits& digits, const mesh::Mesh& mesh);
/// And back.
Digits axes_to_digits(std::span<const AxisRef> axes, const mesh::Mesh& mesh);

}  // namespace shardwright::sharding
