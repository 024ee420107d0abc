#include "plan/translate.h"

#include <vector>

namespace shardwright::plan {
namespace {

using mesh::AxisList;
using mesh::AxisRef;
using sharding::MeshId;
using sharding::Sharding;

/// Where each axis of the old mesh is in the new one; -1 for an axis of size 1 that is not there.
std::vector<int> axis_map(const mesh::Mesh& from, const mesh::Mesh& to) {
    std::vector<int> map;
    for (const mesh::Axis& axis : from.axes()) {
        const auto found = to.find(axis.name);
        map.push_back(found ? static_cast<int>(*found) : -1);
    }
    return map;
}

AxisList map_axes(const AxisList& axes, const std::vector<int>& map) {
    AxisList mapped;
    for (AxisRef ref : axes) {
        const int to = map[ref.axis];
        if (to < 0) continue;
        ref.axis = static_cast<std::uint32_t>(to) & 0xFFu;
        mapped.push_back(ref);
    }
    return mapped;
}

void map_sharding(Sharding& s, MeshId from, MeshId to, const std::vector<int>& map) {
    if (s.mesh != from) return;
    s.mesh = to;
    for (sharding::DimSharding& d : s.dims) d.axes = map_axes(d.axes, map);
    s.replicated = map_axes(s.replicated, map);
    s.unreduced = map_axes(s.unreduced, map);
    s.manual = map_axes(s.manual, map);
}

/// Calls `change` on every sharding that the module states.
template <class Change>
void for_each_annotation(ir::Module& module, Change&& change) {
    const std::vector<std::pair<ir::ValueId, Sharding>> all(module.annotations().begin(),
                                                            module.annotations().end());
    for (const auto& [value, s] : all) {
        std::optional<Sharding> changed = change(s);
        if (!changed)
            module.remove_annotation(value);
        else if (!(*changed == s))
            module.annotate(value, *changed);
    }
    for (std::size_t f = 0; f < module.functions().size(); ++f)
        for (ir::ResultInfo& result : module.function(f).results)
            if (result.annotation) result.annotation = change(*result.annotation);
}

}  // namespace

bool includes(const mesh::Mesh& to, const mesh::Mesh& from) {
    for (const mesh::Axis& axis : from.axes()) {
        if (axis.size == 1) continue;
        const auto found = to.find(axis.name);
        if (!found || to.axes()[*found].size != axis.size) return false;
    }
    return from.device_ids().empty() || from.device_ids() == to.device_ids();
}

void translate_mesh(ir::Module& module, MeshId from, MeshId to) {
    const std::vector<int> map = axis_map(module.mesh(from), module.mesh(to));
    for_each_annotation(module, [&](Sharding s) -> std::optional<Sharding> {
        map_sharding(s, from, to, map);
        return s;
    });
    for (std::size_t i = 0; i < module.op_count(); ++i) {
        const ir::OpId op(i);
        if (const auto* constraint = module.attributes_if<ir::ShardingAttributes>(op)) {
            ir::ShardingAttributes changed = *constraint;
            map_sharding(changed.sharding, from, to, map);
            module.set_attributes(op, std::move(changed));
        } else if (const auto* manual = module.attributes_if<ir::ManualAttributes>(op)) {
            if (manual->mesh != from) continue;
            ir::ManualAttributes changed = *manual;
            for (Sharding& s : changed.in) map_sharding(s, from, to, map);
            for (Sharding& s : changed.out) map_sharding(s, from, to, map);
            changed.axes = map_axes(changed.axes, map);
            changed.mesh = to;
            module.set_attributes(op, std::move(changed));
        } else if (const auto* collective = module.attributes_if<ir::CollectiveAttributes>(op)) {
            if (collective->mode != ir::GroupMode::kMeshAxes || collective->mesh != from) continue;
            ir::CollectiveAttributes changed = *collective;
            changed.axes = map_axes(changed.axes, map);
            changed.permute_to = map_axes(changed.permute_to, map);
            changed.mesh = to;
            module.set_attributes(op, std::move(changed));
        }
    }
}

std::size_t drop_mesh(ir::Module& module, MeshId from) {
    std::size_t dropped = 0;
    for_each_annotation(module, [&](const Sharding& s) -> std::optional<Sharding> {
        if (s.mesh != from) return s;
        ++dropped;
        return std::nullopt;
    });
    for (std::size_t i = 0; i < module.op_count(); ++i) {
        const ir::OpId op(i);
        const auto* constraint = module.attributes_if<ir::ShardingAttributes>(op);
        if (constraint == nullptr || constraint->sharding.mesh != from) continue;
        ir::ShardingAttributes changed;
        changed.sharding = Sharding::replicated_of(module.type(module.result(op)).rank(), true);
        for (std::size_t d = 0; d < changed.sharding.dims.size(); ++d)
            changed.unspecified_dims.push_back(static_cast<std::int64_t>(d));
        module.set_attributes(op, std::move(changed));
        ++dropped;
    }
    return dropped;
}

bool has_manual_region(const ir::Module& module, MeshId from) {
    for (std::size_t i = 0; i < module.op_count(); ++i)
        if (const auto* manual = module.attributes_if<ir::ManualAttributes>(ir::OpId(i)))
            if (manual->mesh == from) return true;
    return false;
}

}  // namespace shardwright::plan
