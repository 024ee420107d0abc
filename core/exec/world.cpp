#include "exec/world.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace shardwright::exec {

using ir::GroupMode;

ActiveSet ActiveSet::all_of(std::int64_t count) {
    ActiveSet set;
    set.devices.resize(static_cast<std::size_t>(count));
    std::iota(set.devices.begin(), set.devices.end(), 0);
    return set;
}

World World::single() {
    return {};
}

World World::of_mesh(const mesh::Mesh& mesh) {
    World world;
    world.mesh_ = &mesh;
    world.count_ = mesh.device_count();
    return world;
}

World World::of_replicas(std::int64_t replicas, std::int64_t partitions) {
    World world;
    world.replicas_ = replicas;
    world.partitions_ = partitions;
    world.count_ = replicas * partitions;
    return world;
}

World World::inside(const mesh::Mesh& mesh, const mesh::AxisList& axes) const {
    World world;
    world.mesh_ = &mesh;
    world.inner_ = mesh::product(axes);
    world.count_ = count_ * world.inner_;
    for (std::int64_t outer = 0; outer < count_; ++outer)
        for (std::int64_t i = 0; i < world.inner_; ++i) {
            const std::int64_t start = mesh_ == nullptr ? 0 : position(outer);
            world.positions_.push_back(mesh.with_index(start, view(axes), i));
        }
    return world;
}

std::int64_t World::partition_id(std::int64_t device) const {
    if (partitions_ > 0) return device % partitions_;
    const std::int64_t at = position(device);
    if (mesh_ == nullptr || mesh_->device_ids().empty()) return at;
    return mesh_->device_ids()[static_cast<std::size_t>(at)];
}

std::int64_t World::index_along(std::int64_t device, const mesh::AxisList& axes) const {
    return mesh_ == nullptr ? 0 : mesh_->index_along(position(device), view(axes));
}

std::int64_t World::find_position(std::int64_t wanted) const {
    if (positions_.empty()) return wanted < count_ ? wanted : -1;
    const auto found = std::find(positions_.begin(), positions_.end(), wanted);
    return found == positions_.end() ? -1 : found - positions_.begin();
}

std::int64_t World::device_of_id(std::int64_t id) const {
    if (mesh_ == nullptr) return id >= 0 && id < count_ ? id : -1;
    const auto& ids = mesh_->device_ids();
    if (ids.empty()) return find_position(id);
    const auto found = std::find(ids.begin(), ids.end(), id);
    return found == ids.end() ? -1 : find_position(found - ids.begin());
}

std::vector<DeviceGroup> World::axis_groups(const mesh::AxisList& axes) const {
    std::vector<DeviceGroup> groups;
    std::vector<bool> done(static_cast<std::size_t>(count_), false);
    const std::int64_t size = mesh::product(axes);
    const std::int64_t block = inner_ == 0 ? count_ : inner_;
    // Positions of one outer device: looked up once a block, not once a group member.
    for (std::int64_t first = 0; first < count_; first += block) {
        std::vector<std::pair<std::int64_t, std::int64_t>> where;
        if (!positions_.empty()) {
            for (std::int64_t d = first; d < first + block; ++d) where.emplace_back(position(d), d);
            std::sort(where.begin(), where.end());
        }
        const auto find = [&](std::int64_t at) {
            if (positions_.empty()) return at;
            const auto it =
                std::lower_bound(where.begin(), where.end(), std::pair{at, std::int64_t{0}});
            return it != where.end() && it->first == at ? it->second : std::int64_t{-1};
        };
        for (std::int64_t d = first; d < first + block; ++d) {
            if (done[static_cast<std::size_t>(d)]) continue;
            DeviceGroup group;
            for (std::int64_t i = 0; i < size; ++i) {
                const std::int64_t member = find(mesh_->with_index(position(d), view(axes), i));
                if (member < 0) continue;
                group.push_back(member);
                done[static_cast<std::size_t>(member)] = true;
            }
            groups.push_back(std::move(group));
        }
    }
    return groups;
}

Result<std::vector<DeviceGroup>> World::explicit_groups(const ir::CollectiveAttributes& a) const {
    std::vector<DeviceGroup> groups;
    const auto missing = [&](std::int64_t id) {
        return bad_input(fmt::format("a replica group names device {}", id),
                         fmt::format("devices below {}", count_));
    };
    const std::int64_t partitions = partitions_ > 0 ? partitions_ : 1;
    const bool one_program = partitions_ == 0;  // a mesh: ids are partition ids, whatever the mode
    const auto ids_of = [&](const std::vector<std::int64_t>& listed) {
        DeviceGroup group;
        for (const std::int64_t id : listed) group.push_back(device_of_id(id));
        return group;
    };
    std::vector<std::vector<std::int64_t>> listed = a.groups;
    if (listed.empty()) {  // no list: everybody
        const bool by_replica = !one_program && (a.mode == GroupMode::kCrossReplica ||
                                                 a.mode == GroupMode::kCrossReplicaAndPartition);
        const std::int64_t everybody = one_program                            ? count_
                                       : by_replica                           ? replicas_
                                       : a.mode == GroupMode::kCrossPartition ? partitions
                                                                              : count_;
        std::vector<std::int64_t> all(static_cast<std::size_t>(everybody));
        std::iota(all.begin(), all.end(), 0);
        if (one_program) return std::vector<DeviceGroup>{all};
        listed.push_back(std::move(all));
    }
    if (one_program) {
        for (const auto& list : listed) {
            DeviceGroup group = ids_of(list);
            // In a manual region of a single-device run, members at other coordinates of the free
            // axes are not there; they hold what their twins here hold.
            if (inner_ != 0) std::erase(group, -1);
            for (std::size_t i = 0; i < group.size(); ++i)
                if (group[i] < 0) return missing(list[i]);
            if (!group.empty()) groups.push_back(std::move(group));
        }
        return groups;
    }
    for (const auto& list : listed) {
        const bool flat = a.mode == GroupMode::kFlattenedIds;
        const bool by_partition = a.mode == GroupMode::kCrossPartition;
        for (const std::int64_t id : list)
            if (id < 0 || id >= (flat ? count_ : by_partition ? partitions : replicas_))
                return missing(id);
        if (flat) {
            groups.push_back(list);
        } else if (by_partition) {
            for (std::int64_t r = 0; r < replicas_; ++r) {
                groups.emplace_back();
                for (const std::int64_t id : list) groups.back().push_back(r * partitions + id);
            }
        } else if (a.mode == GroupMode::kCrossReplicaAndPartition) {
            groups.emplace_back();
            for (std::int64_t q = 0; q < partitions; ++q)
                for (const std::int64_t id : list) groups.back().push_back(id * partitions + q);
        } else {
            for (std::int64_t q = 0; q < partitions; ++q) {
                groups.emplace_back();
                for (const std::int64_t id : list) groups.back().push_back(id * partitions + q);
            }
        }
    }
    return groups;
}

Result<std::vector<DeviceGroup>> World::groups(const ir::CollectiveAttributes& a) const {
    if (a.mode != GroupMode::kMeshAxes) return explicit_groups(a);
    if (mesh_ != nullptr) return axis_groups(a.axes);
    // No mesh: a single device; every group is the device alone.
    std::vector<DeviceGroup> groups;
    for (std::int64_t d = 0; d < count_; ++d) groups.push_back({d});
    return groups;
}

Result<std::vector<std::int64_t>> World::sources(const ir::CollectiveAttributes& a) const {
    std::vector<std::int64_t> from(static_cast<std::size_t>(count_), -1);
    if (a.mode == GroupMode::kMeshAxes && mesh_ != nullptr) {
        const std::int64_t size = mesh::product(a.axes);
        for (std::int64_t d = 0; d < count_; ++d) {
            const std::int64_t index = index_along(d, a.axes);
            std::int64_t source = index - a.shift;
            if (!a.permute_to.empty()) {
                const std::int64_t at = mesh_->with_index(position(d), view(a.permute_to), index);
                from[static_cast<std::size_t>(d)] = find_position(at);
                continue;
            }
            if (a.wrap) source = ((source % size) + size) % size;
            if (source < 0 || source >= size) continue;
            from[static_cast<std::size_t>(d)] =
                find_position(mesh_->with_index(position(d), view(a.axes), source));
        }
        return from;
    }
    const std::int64_t partitions = partitions_ > 0 ? partitions_ : 1;
    for (const auto& pair : a.groups) {
        if (pair.size() != 2) return bad_input("a source-target pair has not two entries");
        if (partitions_ == 0) {
            const std::int64_t source = device_of_id(pair[0]), target = device_of_id(pair[1]);
            if (inner_ != 0 && (source < 0 || target < 0)) continue;
            if (source < 0 || target < 0)
                return bad_input(fmt::format("a pair names devices {} and {}", pair[0], pair[1]),
                                 fmt::format("devices below {}", count_));
            from[static_cast<std::size_t>(target)] = source;
            continue;
        }
        const bool by_partition = a.mode == GroupMode::kCrossPartition;
        const std::int64_t limit = by_partition ? partitions : replicas_;
        if (pair[0] < 0 || pair[0] >= limit || pair[1] < 0 || pair[1] >= limit)
            return bad_input(fmt::format("a pair names devices {} and {}", pair[0], pair[1]),
                             fmt::format("devices below {}", limit));
        const std::int64_t others = by_partition ? replicas_ : partitions;
        for (std::int64_t o = 0; o < others; ++o) {
            const auto device = [&](std::int64_t id) {
                return by_partition ? o * partitions + id : id * partitions + o;
            };
            from[static_cast<std::size_t>(device(pair[1]))] = device(pair[0]);
        }
    }
    return from;
}

}  // namespace shardwright::exec
