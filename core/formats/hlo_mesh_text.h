#pragma once
// Mesh texts inside HLO's string attributes, and device lists of tile assignments.

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "mesh/mesh.h"
#include "sharding/hlo_sharding.h"

namespace shardwright::formats::hlo {

/// `{mesh = #sdy.mesh<["x"=2, "y"=4]>, other = #sdy.mesh<["x"=2], device_ids=[1, 0]>}`.
Result<std::vector<mesh::Mesh>> parse_mesh_list(const std::string& text);
/// The elements of `#sdy.sharding_per_value<[<@m, …>, <@m, …>]>`, or the one sharding given.
Result<std::vector<std::string>> split_per_value(std::string_view text);
/// The device list of a tile assignment, in tile order: V1's own or V2's iota, written out.
/// `count` is the product of the tile dims; the result is empty when the assignment contradicts it.
std::vector<std::int64_t> expand_devices(const sharding::HloSharding& s, std::int64_t count);

}  // namespace shardwright::formats::hlo
