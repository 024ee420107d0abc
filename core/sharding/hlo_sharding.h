#pragma once
// HLO's shardings: text to tile assignment, tile assignments to mesh axes, and back.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "mesh/mesh.h"
#include "sharding/sharding.h"

namespace shardwright::sharding {

enum class Subgroup : std::uint8_t { kReplicated, kManual, kUnreduced, kMaximal };

/// A parsed HLO sharding, before it is tied to mesh axes. Iota assignments stay symbolic.
struct HloSharding {
    enum class Kind : std::uint8_t {
        kReplicated,
        kMaximal,
        kManual,
        kUnknown,
        kUnreduced,
        kTiled,
        kNamed
    };
    Kind kind = Kind::kReplicated;
    std::int64_t device = -1;                   ///< kMaximal
    Dims tile_dims;                             ///< kTiled: data dims, then one dim a subgroup
    InlineVector<Subgroup, 2> subgroups;        ///< types of the trailing tile dims
    Dims reshape_dims;                          ///< iota: reshape dims (V2); empty for V1 lists
    InlineVector<std::int32_t, 6> permutation;  ///< iota: transpose; empty = identity
    std::vector<std::int64_t> devices;          ///< V1: explicit list
    std::int64_t group = -1;                    ///< shard_as / shard_like
    bool group_is_soft = false;
    // kNamed: `{mesh['x'=2,'y'=2], [{'y'}, {}], manual={'x'}}`
    std::optional<mesh::Mesh> named_mesh;
    std::optional<Sharding> named;  ///< over `named_mesh`
    friend bool operator==(const HloSharding&, const HloSharding&) = default;
};

/// Parses one sharding, or a tuple `{{…}, {…}}` into its leaves (`is_tuple` tells). Also accepts
/// `metadata={…}` and ignores it.
struct HloShardingText {
    bool is_tuple = false;
    std::vector<HloSharding> leaves;
};
Result<HloShardingText> parse_hlo(std::string_view text);
/// The text of one leaf, canonical (`{devices=[2,1,4]<=[8] last_tile_dim_replicate}`).
std::string print_hlo(const HloSharding& s);

/// The coarsest mesh whose axes explain all of `shardings` (design/20: prefix products of the
/// device count, common refinement). Axes are named `a`, `b`, …, or as a named sharding's mesh if
/// that has the same axes. Assignments that no refinement explains are left out (their indices in
/// `unexplained`; earlier ones win). Each of those, given alone, gets a mesh of its own, for a list
/// that is no iota form with that list as device order.
struct DerivedMesh {
    mesh::Mesh mesh;
    std::vector<std::size_t> unexplained;
};
DerivedMesh derive_mesh(std::span<const HloSharding* const> shardings, std::int64_t device_count);

/// Ties a tile assignment to axes of `mesh`. Nothing when no (sub-)axes of the mesh explain it.
std::optional<Sharding> to_axes(const HloSharding& s, const mesh::Mesh& mesh, MeshId id,
                                std::size_t rank);
/// The tile assignment (V2 form) of a sharding on `mesh`.
HloSharding to_hlo(const Sharding& s, const mesh::Mesh& mesh);

/// HLO replica groups: `{{0,1},{2,3}}`, `[2,4]<=[4,2]T(1,0)`, `mesh['u'=2,'v'=4] {'u'}`, expanded.
/// `{}` gives no group at all, which HLO reads as one group of everybody. More than 2^20 members
/// are not supported.
Result<std::vector<std::vector<std::int64_t>>> parse_replica_groups(std::string_view text);
/// Axes of `mesh` whose groups are exactly `groups` (device ids; in any order of groups, members in
/// the axes' major-to-minor order), if any.
std::optional<AxisList> groups_to_axes(std::span<const std::vector<std::int64_t>> groups,
                                       const mesh::Mesh& mesh);

}  // namespace shardwright::sharding
