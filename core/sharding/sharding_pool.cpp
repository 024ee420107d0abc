#include "sharding/sharding.h"

namespace shardwright::sharding {
namespace {

constexpr std::uint32_t kEmpty = 0xFFFFFFFFu;

struct Hash {
    std::uint64_t state = 0x9E3779B97F4A7C15u;
    void add(std::uint64_t value) {
        state = (state ^ value) * 0xBF58476D1CE4E5B9u;
        state ^= state >> 29;
    }
    void add(const AxisList& axes) {
        add(axes.size());
        for (const AxisRef& axis : axes)
            add(std::uint64_t{axis.axis} << 56 | std::uint64_t{axis.pre} << 32 | axis.size);
    }
};

}  // namespace

std::size_t hash_value(const Sharding& s) {
    Hash hash;
    hash.add(std::uint64_t{s.mesh.index} << 8 | static_cast<std::uint64_t>(s.form));
    hash.add(s.dims.size());
    for (const DimSharding& dim : s.dims) {
        hash.add(dim.axes);
        hash.add(static_cast<std::uint64_t>(dim.priority + 1) << 1 | (dim.open ? 1u : 0u));
    }
    hash.add(s.replicated);
    hash.add(s.unreduced);
    hash.add(s.manual);
    hash.add(static_cast<std::uint64_t>(s.unreduced_kind));
    hash.add(static_cast<std::uint64_t>(s.maximal_device));
    hash.add(static_cast<std::uint64_t>(s.group) << 1 | (s.group_is_soft ? 1u : 0u));
    return static_cast<std::size_t>(hash.state);
}

ShardingId ShardingPool::intern(const Sharding& s) {
    if (2 * (all_.size() + 1) > buckets_.size()) grow();
    const std::size_t mask = buckets_.size() - 1;
    std::size_t slot = hash_value(s) & mask;
    for (; buckets_[slot] != kEmpty; slot = (slot + 1) & mask)
        if (all_[buckets_[slot]] == s) return ShardingId(buckets_[slot]);
    buckets_[slot] = static_cast<std::uint32_t>(all_.size());
    all_.push_back(s);
    return ShardingId(all_.size() - 1);
}

void ShardingPool::grow() {
    buckets_.assign(buckets_.empty() ? 16 : 2 * buckets_.size(), kEmpty);
    const std::size_t mask = buckets_.size() - 1;
    for (std::size_t i = 0; i < all_.size(); ++i) {
        std::size_t slot = hash_value(all_[i]) & mask;
        while (buckets_[slot] != kEmpty) slot = (slot + 1) & mask;
        buckets_[slot] = static_cast<std::uint32_t>(i);
    }
}

}  // namespace shardwright::sharding
