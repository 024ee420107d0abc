#pragma once
// Dijkstra over the layouts between two layouts.

#include <optional>
#include <vector>

#include "partition/reshard_atoms.h"
#include "partition/reshard_plan.h"

namespace shardwright::partition {

/// One move between states; `kind`, `dim`, `to_dim` as in Move.
struct AtomMove {
    MoveKind kind = MoveKind::kSlice;
    std::size_t dim = 0, to_dim = 0;
    AtomList atoms;
    AtomState after;
};

/// The cheapest moves from `atoms.from` to `atoms.to` through states whose shard has at most
/// `limit` bytes; nothing when there are none within the search's bounds.
std::optional<std::vector<AtomMove>> search_moves(const Atoms& atoms, const ir::TensorType& type,
                                                  std::int64_t limit);

/// Gather all that differs, then slice: always possible.
std::vector<AtomMove> gather_and_slice(const Atoms& atoms);

}  // namespace shardwright::partition
