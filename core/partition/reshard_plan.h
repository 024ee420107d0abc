#pragma once
// Resharding as a search (design/40): from one layout to another by the cheapest sequence of moves
// in which no intermediate shard is larger than it must be.
//
// State: the axes of every dimension and the pending axes. Axes are split beforehand at the cut
// points that both layouts share. Moves touch the minor-most axes of a dimension only; a permute
// may re-order. Least estimated time by Dijkstra, memoised.
//
// Example on ⟨x=4,y=2⟩: `[y, -, x]` to `[-, x+y, -]` is all_to_all x: dim 2 -> 1, then
// all_to_all y: dim 0 -> 1; nothing is gathered.

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "partition/layout.h"

namespace shardwright::partition {

enum class MoveKind : std::uint8_t {
    kSlice,          ///< `axes` become the minor-most of `dim`; no data moves (unless uneven)
    kAllGather,      ///< the minor-most `axes` of `dim` go
    kAllToAll,       ///< the minor-most `axes` of `dim` become the minor-most of `to_dim`
    kPermute,        ///< same shard counts, other devices
    kAllReduce,      ///< pending `axes` are reduced
    kReduceScatter,  ///< pending `axes` are reduced and become the minor-most of `to_dim`
    kMakePartial,    ///< `axes` become pending: one device keeps the value, the others the identity
};
std::string_view text(MoveKind kind);

struct Move {
    MoveKind kind = MoveKind::kSlice;
    std::size_t dim = 0;
    std::size_t to_dim = 0;
    AxisList axes;
    Layout before, after;
};

struct ReshardPlan {
    std::vector<Move> moves;
    double seconds = 0;
    std::int64_t peak_bytes = 0;  ///< largest shard on the way, ends included
    bool kept_limit = true;       ///< false: no way within the memory guarantee was found
};

/// max(P(from), P(to)), P = a shard's bytes with every dimension rounded up to a multiple of the
/// product of all axes that shard it in `from` or `to`.
std::int64_t shard_limit(const Layout& from, const Layout& to, const ir::TensorType& type);

/// Finds and remembers plans.
class ReshardPlanner {
  public:
    explicit ReshardPlanner(std::int64_t small_tensor_bytes)
        : small_tensor_bytes_(small_tensor_bytes) {}

    /// The plan from `from` to `to` of a tensor of the (whole) type `type`. The reference stays
    /// valid while the planner lives.
    const ReshardPlan& plan(const Layout& from, const Layout& to, const ir::TensorType& type);
    std::size_t searches() const { return memo_.size(); }

  private:
    struct Key {
        Layout from, to;
        ir::TensorType type;
        friend bool operator==(const Key&, const Key&) = default;
    };
    struct KeyHash {
        std::size_t operator()(const Key& k) const;
    };
    std::int64_t small_tensor_bytes_;
    std::unordered_map<Key, std::unique_ptr<ReshardPlan>, KeyHash> memo_;
};

/// Blocks that a device must receive from its `left`/`right` neighbours along the axes when a
/// dimension of `size` over `shards` changes its block from `from` to `to`. Both 0 when one shard.
struct RetileHops {
    std::int64_t left = 0, right = 0;
    std::int64_t total() const { return left + right; }
};
RetileHops retile_hops(std::int64_t size, std::int64_t shards, std::int64_t from, std::int64_t to);
/// More hops than this and the dimension is gathered and sliced instead.
inline constexpr std::int64_t kMaxRetileHops = 8;

}  // namespace shardwright::partition
