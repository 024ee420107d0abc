#pragma once
// Cutting whole tensors into the devices' shards and putting them together again.

#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "ir/element_type.h"
#include "mesh/mesh.h"
#include "sharding/sharding.h"

namespace shardwright::exec {

/// Copies what the device at `position` holds of a whole tensor into its buffer. The padding of
/// short shards becomes NaN, or 0x5A bytes in integers and `true` in bools, so that a kernel that
/// reads it shows in the results.
void slice_shard(const ir::TensorType& whole, const sharding::Sharding& s, const mesh::Mesh& mesh,
                 std::int64_t position, const std::byte* from, std::byte* to);

struct ShardView {
    std::int64_t position = 0;
    const std::byte* data = nullptr;
};

/// Puts shards together. Devices that hold the same slice must agree (bit by bit; any NaN equals
/// any NaN): the positions of the first two that do not, if any.
std::optional<std::pair<std::int64_t, std::int64_t>> assemble_shards(
    const ir::TensorType& whole, const sharding::Sharding& s, const mesh::Mesh& mesh,
    std::span<const ShardView> shards, std::byte* to);

/// Bytes equal, or every difference is one NaN for another.
bool same_values(ir::ElementType type, const std::byte* a, const std::byte* b, std::int64_t count);

}  // namespace shardwright::exec
