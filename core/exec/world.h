#pragma once
// The devices that run a region together, and how collectives group them.

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "ir/module.h"
#include "mesh/mesh.h"

namespace shardwright::exec {

/// A set of devices, by index. Control flow may split it; everything else leaves it alone.
struct ActiveSet {
    std::vector<std::int64_t> devices;  ///< ascending
    bool all = true;                    ///< every device of the world

    static ActiveSet all_of(std::int64_t count);
};

/// One group of a collective: device indexes in the group's order.
using DeviceGroup = std::vector<std::int64_t>;

/// The devices of one run: a mesh (positions on it), or the replicas and partitions of
/// `run_parallel`. Inside a manual region of a single-device run the devices are those of the
/// manual axes; the free axes stay at the outer device's coordinate.
class World {
  public:
    static World single();
    static World of_mesh(const mesh::Mesh& mesh);
    static World of_replicas(std::int64_t replicas, std::int64_t partitions);
    /// Every device of this world becomes `product(axes)` devices, neighbours of each other.
    World inside(const mesh::Mesh& mesh, const mesh::AxisList& axes) const;

    std::int64_t device_count() const { return count_; }
    const mesh::Mesh* mesh() const { return mesh_; }
    std::int64_t position(std::int64_t device) const {
        return positions_.empty() ? device : positions_[static_cast<std::size_t>(device)];
    }
    std::int64_t partition_id(std::int64_t device) const;
    std::int64_t replica_id(std::int64_t device) const {
        return partitions_ > 0 ? device / partitions_ : 0;
    }
    /// Linear index of the device along mesh axes.
    std::int64_t index_along(std::int64_t device, const mesh::AxisList& axes) const;

    /// The groups of a collective; every device is in at most one. Explicit groups may leave
    /// devices out. Bad input when a group names a device that does not exist.
    Result<std::vector<DeviceGroup>> groups(const ir::CollectiveAttributes& attributes) const;
    /// For each device the device it receives from, or -1.
    Result<std::vector<std::int64_t>> sources(const ir::CollectiveAttributes& attributes) const;

  private:
    std::int64_t find_position(std::int64_t position) const;
    /// The device with this partition id in the same replica (or the same outer device), or -1.
    std::int64_t device_of_id(std::int64_t id) const;
    Result<std::vector<DeviceGroup>> explicit_groups(const ir::CollectiveAttributes& a) const;
    std::vector<DeviceGroup> axis_groups(const mesh::AxisList& axes) const;

    std::int64_t count_ = 1;
    std::int64_t replicas_ = 1, partitions_ = 0;  // partitions_ = 0: a mesh or a single device
    const mesh::Mesh* mesh_ = nullptr;
    std::int64_t inner_ = 0;               // devices that one outer device stands for; 0 = all
    std::vector<std::int64_t> positions_;  // empty = the identity
};

}  // namespace shardwright::exec
