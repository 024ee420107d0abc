#pragma once
// The text forms of a sharding, each parsed and printed; round trip exact where the form can say
// it.

#include <string>
#include <string_view>

#include "mesh/mesh.h"
#include "sharding/sharding.h"

namespace shardwright::sharding {

// --- Shardy: `[{"x", "y":(1)2, ?}, {}p1], replicated={"z"}, unreduced={"w"}`
// -----------------------
/// Prints what stands behind `@mesh, ` in `#sdy.sharding<…>`.
std::string print_sdy_body(const Sharding& s, const mesh::Mesh& mesh);
/// `#sdy.sharding<@mesh, [...]>`.
std::string print_sdy(const Sharding& s, const mesh::Mesh& mesh);
/// Parses `#sdy.sharding<@mesh, …>`, `<@mesh, …>` or the bare body `[…], replicated=…`.
/// `mesh` must be the one that the text names (the caller looks the name up: `sdy_mesh_name`).
Result<Sharding> parse_sdy(std::string_view text, const mesh::Mesh& mesh, MeshId id);
/// The mesh's name in `#sdy.sharding<@name, …>` or `<@name, …>`; "" when there is none.
std::string_view sdy_mesh_name(std::string_view text);

// --- HLO: V1, V2 and named (V3)
// --------------------------------------------------------------------- Reading a tile assignment
// into axes takes the whole module into account: see hlo_sharding.h.

// --- PartitionSpec and the short command-line form
// ------------------------------------------------
/// `P('x', None, ('y','z'))`.
std::string print_partition_spec(const Sharding& s, const mesh::Mesh& mesh);
Result<Sharding> parse_partition_spec(std::string_view text, const mesh::Mesh& mesh, MeshId id,
                                      std::size_t rank);
/// `[x, -, y+z]`; `?` behind a dimension's axes (or alone) marks it open, e.g. `[x?, ?]`.
std::string print_short(const Sharding& s, const mesh::Mesh& mesh);
/// Sub-axes as `x:(1)2`. Closed dimensions unless marked; an unknown axis is named with those there
/// are. `rank` is checked.
Result<Sharding> parse_short(std::string_view text, const mesh::Mesh& mesh, MeshId id,
                             std::size_t rank);

}  // namespace shardwright::sharding
