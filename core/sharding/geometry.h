#pragma once
// Shard geometry: which slice of a tensor is on which device. The one place that knows it.

#include <cstdint>
#include <span>

#include "sharding/sharding.h"

namespace shardwright::sharding {

/// Size of a shard's buffer when a dimension of `size` is cut into `shards`: ceil(size / shards).
/// Trailing shards may be short or empty; the buffer always has this size and the rest is padding
/// whose content is undefined.
constexpr std::int64_t shard_size(std::int64_t size, std::int64_t shards) {
    return shards <= 1 ? size : (size + shards - 1) / shards;
}

struct Interval {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::int64_t length() const { return end - begin; }
    friend bool operator==(const Interval&, const Interval&) = default;
};

/// What shard `index` of `shards` holds of a dimension of `size`: [i·s, min((i+1)·s, size)), empty
/// when it lies past the end.
Interval shard_interval(std::int64_t size, std::int64_t shards, std::int64_t index);

/// Local buffer shape of a tensor of shape `dims` under `s`.
Dims shard_shape(std::span<const std::int64_t> dims, const Sharding& s);

/// The slice (one interval a dimension) that the device at mesh `position` holds.
InlineVector<Interval, 6> shard_slice(std::span<const std::int64_t> dims, const Sharding& s,
                                      const mesh::Mesh& mesh, std::int64_t position);

/// True when some dimension is not a multiple of its shard count.
bool is_uneven(std::span<const std::int64_t> dims, const Sharding& s);

}  // namespace shardwright::sharding
