#pragma once
// Mesh texts inside HLO's string attributes, and meshes made for one sharding.

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "ir/module.h"
#include "mesh/mesh.h"
#include "sharding/hlo_sharding.h"

namespace shardwright::formats::hlo {

/// `{mesh = #sdy.mesh<["x"=2, "y"=4]>, other = #sdy.mesh<["x"=2], device_ids=[1, 0]>}`.
Result<std::vector<mesh::Mesh>> parse_mesh_list(const std::string& text);
/// The elements of `#sdy.sharding_per_value<[<@m, …>, <@m, …>]>`, or the one sharding given.
Result<std::vector<std::string>> split_per_value(std::string_view text);
/// Ties a tile assignment that the module's meshes do not explain to a mesh of its own, which is
/// added to the module (an equal one is used again).
Result<sharding::Sharding> on_own_mesh(ir::Module& module, const sharding::HloSharding& s,
                                       std::size_t rank);

}  // namespace shardwright::formats::hlo
