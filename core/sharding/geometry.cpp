#include "sharding/geometry.h"

#include <algorithm>

namespace shardwright::sharding {
namespace {

bool cuts(const Sharding& s, std::size_t dim) {
    return s.form == Form::kTiled && dim < s.dims.size() && !s.dims[dim].axes.empty();
}

}  // namespace

Interval shard_interval(std::int64_t size, std::int64_t shards, std::int64_t index) {
    const std::int64_t length = shard_size(size, shards);
    const std::int64_t begin = std::min(index * length, size);
    return {begin, std::min(begin + length, size)};
}

Dims shard_shape(std::span<const std::int64_t> dims, const Sharding& s) {
    Dims local(dims.begin(), dims.end());
    for (std::size_t d = 0; d < local.size(); ++d)
        if (cuts(s, d)) local[d] = shard_size(local[d], s.shards(d));
    return local;
}

InlineVector<Interval, 6> shard_slice(std::span<const std::int64_t> dims, const Sharding& s,
                                      const mesh::Mesh& mesh, std::int64_t position) {
    InlineVector<Interval, 6> slice;
    for (std::size_t d = 0; d < dims.size(); ++d) {
        if (!cuts(s, d)) {
            slice.push_back({0, dims[d]});
            continue;
        }
        const std::int64_t index = mesh.index_along(position, view(s.dims[d].axes));
        slice.push_back(shard_interval(dims[d], s.shards(d), index));
    }
    return slice;
}

bool is_uneven(std::span<const std::int64_t> dims, const Sharding& s) {
    for (std::size_t d = 0; d < dims.size(); ++d)
        if (cuts(s, d) && dims[d] % s.shards(d) != 0) return true;
    return false;
}

}  // namespace shardwright::sharding
