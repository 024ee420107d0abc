#pragma once
// The sharding of one tensor: which mesh axes cut which of its dimensions.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/inline_vector.h"
#include "base/result.h"
#include "mesh/mesh.h"

namespace shardwright::sharding {

using mesh::AxisList;
using mesh::AxisRef;

struct MeshTag;
using MeshId = Id<MeshTag>;  ///< index into a module's list of meshes

/// How pending partial results combine.
enum class Reduction : std::uint8_t { kSum, kProduct, kMaximum, kMinimum, kAnd, kOr, kXor, kOther };

/// One dimension: its axes from major to minor.
struct DimSharding {
    AxisList axes;
    bool open = false;           ///< may be refined by propagation
    std::int16_t priority = -1;  ///< Shardy's user priority; -1 = none given (the same as 0)
    friend bool operator==(const DimSharding&, const DimSharding&) = default;
};

enum class Form : std::uint8_t {
    kTiled,    ///< the general case; no axes anywhere = replicated
    kMaximal,  ///< the whole tensor on `maximal_device`
    kManual,   ///< wholly manual: already per-device, the partitioner must not touch it
    kUnknown,  ///< HLO's placeholder: as if nothing were said
};

/// A tensor's sharding (GSPMD's replicated, tiled, partially tiled and manual-subgroup kinds, and
/// Shardy's open/closed dimensions, priorities, replicated and unreduced axes).
/// Invariant: an axis (or part of one) occurs at most once among dims, replicated, unreduced,
/// manual.
struct Sharding {
    MeshId mesh{0};
    Form form = Form::kTiled;
    InlineVector<DimSharding, 4> dims;
    AxisList replicated;  ///< explicitly replicated axes: propagation may not use them
    AxisList unreduced;   ///< the value is a pending reduction over these
    AxisList manual;      ///< manual axes (HLO manual subgroups)
    Reduction unreduced_kind = Reduction::kSum;
    std::int64_t maximal_device = -1;
    /// HLO `shard_as` / `shard_like` group, or -1.
    std::int64_t group = -1;
    bool group_is_soft = false;

    /// Everywhere replicated, closed (or open) dims.
    static Sharding replicated_of(std::size_t rank, bool open = false, MeshId mesh = MeshId(0));

    bool is_replicated() const;  ///< tiled form, no axis in dims, nothing unreduced
    /// Number of shards of dimension `dim`.
    std::int64_t shards(std::size_t dim) const { return mesh::product(dims[dim].axes); }
    /// Every axis in use anywhere (dims, replicated, unreduced, manual).
    AxisList used_axes() const;
    friend bool operator==(const Sharding&, const Sharding&) = default;
};

/// True when the two place data alike: open flags, priorities and explicitly replicated axes aside.
bool same_placement(const Sharding& a, const Sharding& b);
std::size_t hash_value(const Sharding& s);
/// Checks ranks, axis indices, sub-axis divisibility and that no axis occurs twice.
Status validate(const Sharding& s, const mesh::Mesh& mesh, std::size_t rank);

struct ShardingTag;
using ShardingId = Id<ShardingTag>;

/// Shardings stored once. Models have thousands of values and few distinct shardings.
class ShardingPool {
  public:
    ShardingId intern(const Sharding& s);
    const Sharding& operator[](ShardingId id) const { return all_[id.index]; }
    std::size_t size() const { return all_.size(); }

  private:
    std::vector<Sharding> all_;
    std::vector<std::uint32_t> buckets_;  // open addressing over all_
    void grow();
};

}  // namespace shardwright::sharding
