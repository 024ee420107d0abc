#pragma once
// What lies over a scene: shardings, collectives, selection, a drop in progress. It changes with
// every edit; the scene does not.

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "draw/colour.h"
#include "draw/scene.h"
#include "sharding/sharding.h"

namespace shardwright::draw {

/// One collective of the partitioned program, as the picture needs it.
struct CollectiveMark {
    ir::OpKind kind;
    ir::OpId op;        ///< of the source program; invalid when unknown
    ir::ValueId value;  ///< the source value that is moved or reduced
    bool is_reshard = false;
    std::int64_t bytes = 0;  ///< moved by one device, all trips
    double time_s = 0;       ///< all trips; 0 = unknown
};

/// A badge at its place in the scene: on the edge that carries the value, on the card, or as the
/// totals of a closed group.
struct Badge {
    enum class Place : std::uint8_t { kEdge, kNode, kGroup };
    Place place = Place::kNode;
    std::uint32_t index = 0;  ///< scene edge or scene node
    std::string text;         ///< "2 × AG 2.1 GB 0.9 ms"
    bool dashed = false;      ///< a reshard
    double heat = 0;          ///< 0…1: share of the costliest badge
};

/// Puts the collectives where they belong in this scene and sums up those that share a place.
std::vector<Badge> place_badges(const Scene& scene, const GroupTree& tree, const Graphs& graphs,
                                const std::vector<CollectiveMark>& marks);

enum class DropVerdict : std::uint8_t { kNone, kAccept, kWarn, kRefuse };

struct Overlay {
    // Shardings: of every value, or none yet.
    mesh::Mesh mesh;
    std::vector<AxisStyle> axes;
    const sharding::ShardingPool* pool = nullptr;
    const std::vector<sharding::ShardingId>* of_value = nullptr;
    std::unordered_set<ir::ValueId> pinned;     ///< annotated by the user
    std::unordered_set<ir::ValueId> from_file;  ///< annotated by the file
    std::unordered_set<ir::ValueId> changed;    ///< differ from the state before the last edit
    std::vector<Badge> badges;
    // Interaction.
    ir::ValueId selected;
    std::int64_t selected_node = -1, hovered_node = -1;
    int selected_dim = -1;
    ir::ValueId drop_value;
    int drop_dim = -1;
    int drop_axis = -1;
    DropVerdict drop = DropVerdict::kNone;
    bool stale = false;  ///< figures are being recomputed: shown grey, never wrong

    const sharding::Sharding* sharding_of(ir::ValueId value) const {
        if (pool == nullptr || of_value == nullptr || value.index >= of_value->size())
            return nullptr;
        return &(*pool)[(*of_value)[value.index]];
    }
};

}  // namespace shardwright::draw
