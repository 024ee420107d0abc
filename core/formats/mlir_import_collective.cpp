// Collectives of the input: groups as the text lists them, or mesh axes when they are just those.
#include <fmt/format.h>

#include <algorithm>

#include "formats/mlir_import.h"

namespace shardwright::formats::mlir {
namespace {

using ir::GroupMode;
using ir::OpKind;

// Beyond this, listing a mesh's devices only to compare them is not worth the time.
constexpr std::int64_t kMaxDevices = 1 << 16;

GroupMode group_mode(OpKind kind, bool has_channel, bool global_ids) {
    if (kind == OpKind::kAllToAll || kind == OpKind::kCollectivePermute ||
        kind == OpKind::kCollectiveBroadcast)
        return has_channel ? GroupMode::kCrossPartition : GroupMode::kCrossReplica;
    if (!has_channel) return GroupMode::kCrossReplica;
    return global_ids ? GroupMode::kFlattenedIds : GroupMode::kCrossReplicaAndPartition;
}

}  // namespace

bool Importer::collective_groups(OpReader& r, const RawOp& op, ir::CollectiveAttributes& a) {
    const OpKind kind = op.known->kind;
    if (const Attr* handle = r.find("channel_handle"); handle != nullptr) {
        if (!r.field(*handle, "handle", a.channel)) return false;
    } else if (!r.integer("channel_id", a.channel)) {
        return false;
    }
    const bool has_channel = r.has("channel_handle") ? a.channel > 0 : r.has("channel_id");
    bool global_ids = false;
    if (!r.flag("use_global_device_ids", global_ids)) return false;
    const bool pairs = kind == OpKind::kCollectivePermute;
    if (!r.rows(pairs ? "source_target_pairs" : "replica_groups", a.groups)) return false;
    if (!pairs)
        for (auto& group : a.groups)  // groups of unequal size are filled up with -1
            std::erase(group, -1);
    std::erase_if(a.groups, [](const auto& group) { return group.empty(); });
    a.mode = group_mode(kind, has_channel, global_ids);
    // Written without `use_global_device_ids` the numbers would be replicas; of a program without
    // replicas only partitions can be meant.
    const bool several = std::any_of(a.groups.begin(), a.groups.end(), [](const auto& group) {
        return std::any_of(group.begin(), group.end(), [](std::int64_t id) { return id > 0; });
    });
    if (a.mode == GroupMode::kCrossReplicaAndPartition && module_.num_replicas == 1 && several)
        a.mode = GroupMode::kFlattenedIds;
    return true;
}

bool Importer::shift_of_pairs(ir::CollectiveAttributes& a, const mesh::Mesh& mesh) {
    if (a.groups.empty()) return false;
    auto pairs = a.groups;
    std::sort(pairs.begin(), pairs.end());
    const std::int64_t devices = mesh.device_count();
    std::vector<mesh::AxisList> candidates;
    for (std::size_t axis = 0; axis < mesh.rank(); ++axis)
        if (mesh.axes()[axis].size > 1) candidates.push_back({mesh.full(axis)});
    if (mesh.rank() > 1) candidates.push_back(mesh.all_axes());
    for (const mesh::AxisList& axes : candidates) {
        const std::int64_t size = mesh::product(axes);
        if (pairs[0][0] < 0 || pairs[0][0] >= devices || pairs[0][1] < 0 || pairs[0][1] >= devices)
            return false;
        const std::int64_t step =
            mesh.index_along(pairs[0][1], view(axes)) - mesh.index_along(pairs[0][0], view(axes));
        for (const std::int64_t shift : {step, step - size, step + size}) {
            if (shift == 0 || shift <= -size || shift >= size) continue;
            for (const bool wrap : {true, false}) {
                std::vector<std::vector<std::int64_t>> expected;
                for (std::int64_t p = 0; p < devices; ++p) {
                    const std::int64_t to = mesh.index_along(p, view(axes)) + shift;
                    if (!wrap && (to < 0 || to >= size)) continue;
                    expected.push_back({p, mesh.with_index(p, view(axes), (to + size) % size)});
                }
                std::sort(expected.begin(), expected.end());
                if (expected != pairs) continue;
                a.axes = axes;
                a.shift = shift;
                a.wrap = wrap;
                return true;
            }
        }
    }
    return false;
}

void Importer::groups_to_axes(OpKind kind, ir::CollectiveAttributes& a) {
    const auto id = manual_mesh_ ? manual_mesh_ : annotations_.device_mesh();
    const bool partitions = a.mode == GroupMode::kCrossPartition ||
                            (a.mode != GroupMode::kCrossReplica && module_.num_replicas == 1);
    if (!id || !partitions) return;
    const mesh::Mesh& mesh = module_.mesh(*id);
    if (!mesh.device_ids().empty() || mesh.device_count() > kMaxDevices) return;
    if (kind == OpKind::kCollectivePermute) {
        if (!shift_of_pairs(a, mesh)) return;
    } else if (a.groups.empty() || a.mode == GroupMode::kCrossReplicaAndPartition) {
        a.axes = mesh.all_axes();
    } else {
        std::int64_t listed = 0;
        for (const auto& group : a.groups) listed += static_cast<std::int64_t>(group.size());
        if (listed != mesh.device_count()) return;
        auto axes = sharding::groups_to_axes(a.groups, mesh);
        if (!axes) return;
        a.axes = *std::move(axes);
    }
    a.mode = GroupMode::kMeshAxes;
    a.mesh = *id;
    a.groups.clear();
}

std::optional<ir::Reduction> Importer::raw_combiner(const RawRegion& region) const {
    if (region.ops.count != 2 || region.argument_count != 2) return std::nullopt;
    const RawOp& op = raw(syntax_.op_ids[region.ops.begin]);
    const RawOp& end = raw(syntax_.op_ids[region.ops.begin + 1]);
    if (op.known->lower != Lower::kPlain || op.operands.count != 2 || op.result_count != 1 ||
        end.known->lower != Lower::kReturn || end.operands.count != 1 ||
        syntax_.uses[end.operands.begin] != op.first_result)
        return std::nullopt;
    const std::uint32_t a = syntax_.uses[op.operands.begin],
                        b = syntax_.uses[op.operands.begin + 1];
    if (std::min(a, b) != region.first_argument || std::max(a, b) != region.first_argument + 1)
        return std::nullopt;
    const ir::Reduction reduction = ir::to_reduction(op.known->kind);
    if (reduction == ir::Reduction::kOther) return std::nullopt;
    return reduction;
}

bool Importer::import_collective(Frame& frame, const RawOp& op) {
    Values values;
    if (!operands(frame, op, values)) return false;
    OpReader r = reader(op);
    const OpKind kind = op.known->kind;
    ir::CollectiveAttributes a;
    collective_groups(r, op, a);
    if (kind == OpKind::kAllGather) r.need_integer("all_gather_dim", a.dim);
    if (kind == OpKind::kReduceScatter) r.need_integer("scatter_dimension", a.dim);
    if (kind == OpKind::kAllToAll) {
        r.need_integer("split_dimension", a.dim);
        r.need_integer("concat_dimension", a.concat_dim);
    }
    if (!check(r)) return false;
    groups_to_axes(kind, a);
    if (manual_depth_ == 0) top_level_collectives_ = true;
    InlineVector<ir::RegionId, 2> made;
    if (op.regions.count == 1) {
        const auto known =
            raw_combiner(syntax_.regions[syntax_.region_ids[op.regions.begin].index]);
        if (known) {
            a.reduction = *known;
        } else {
            a.reduction = ir::Reduction::kOther;
            if (!regions(frame, op, made)) return false;
        }
    }
    return add(frame, op, kind, view(values), std::move(a), view(made));
}

}  // namespace shardwright::formats::mlir
