#include "sharding/sharding.h"

#include <fmt/format.h>

#include <algorithm>

namespace shardwright::sharding {
namespace {

AxisList normal_set(const AxisList& axes) {
    AxisList sorted = axes;
    std::sort(sorted.begin(), sorted.end());
    return mesh::merge_neighbours(view(sorted));
}

/// Checks each axis of `axes` against the mesh, and against those `seen` before; adds them there.
Status check_axes(const AxisList& axes, const mesh::Mesh& mesh, AxisList& seen) {
    for (const AxisRef& ref : axes) {
        if (ref.axis >= mesh.rank())
            return bad_input(fmt::format("axis index {} is not in mesh @{}",
                                         std::uint32_t{ref.axis}, mesh.name()),
                             fmt::format("one of its {} axes", mesh.rank()));
        const std::int64_t size = mesh.axes()[ref.axis].size;
        const std::int64_t end = std::int64_t{ref.pre} * ref.size;
        const bool empty_part = ref.size <= 1 && !mesh.is_full(ref);
        if (ref.pre == 0 || empty_part || end > size || size % end != 0)
            return bad_input(
                fmt::format("sub-axis {} does not divide axis '{}' of size {}",
                            mesh::to_text(mesh, ref), mesh.axes()[ref.axis].name, size),
                "pre-size times size to divide the axis, and a size over 1");
        if (mesh::overlaps(ref, view(seen)))
            return bad_input(fmt::format("axis {} is used twice", mesh::to_text(mesh, ref)),
                             "each axis at most once in a sharding");
        seen.push_back(ref);
    }
    return {};
}

}  // namespace

Sharding Sharding::replicated_of(std::size_t rank, bool open, MeshId mesh) {
    Sharding s;
    s.mesh = mesh;
    s.dims.resize(rank);
    for (DimSharding& dim : s.dims) dim.open = open;
    return s;
}

bool Sharding::is_replicated() const {
    return form == Form::kTiled && unreduced.empty() && manual.empty() &&
           std::ranges::all_of(dims, [](const DimSharding& d) { return d.axes.empty(); });
}

AxisList Sharding::used_axes() const {
    AxisList used;
    for (const DimSharding& dim : dims) used.insert(used.end(), dim.axes.begin(), dim.axes.end());
    for (const AxisList* list : {&replicated, &unreduced, &manual})
        used.insert(used.end(), list->begin(), list->end());
    return used;
}

bool same_placement(const Sharding& a, const Sharding& b) {
    if (a.form != b.form) return false;
    if (a.form == Form::kMaximal) return a.maximal_device == b.maximal_device;
    if (a.form != Form::kTiled) return true;
    if (a.mesh != b.mesh || a.dims.size() != b.dims.size()) return false;
    for (std::size_t d = 0; d < a.dims.size(); ++d)
        if (a.dims[d].axes != b.dims[d].axes && mesh::merge_neighbours(view(a.dims[d].axes)) !=
                                                    mesh::merge_neighbours(view(b.dims[d].axes)))
            return false;
    if (normal_set(a.manual) != normal_set(b.manual)) return false;
    if (normal_set(a.unreduced) != normal_set(b.unreduced)) return false;
    return a.unreduced.empty() || a.unreduced_kind == b.unreduced_kind;
}

Status validate(const Sharding& s, const mesh::Mesh& mesh, std::size_t rank) {
    if (s.form != Form::kTiled) return {};
    if (s.dims.size() != rank)
        return bad_input(fmt::format("the sharding has {} dimensions", s.dims.size()),
                         fmt::format("{}, the rank of the tensor", rank));
    AxisList seen;
    for (const DimSharding& dim : s.dims) SW_CHECK(check_axes(dim.axes, mesh, seen));
    SW_CHECK(check_axes(s.replicated, mesh, seen));
    SW_CHECK(check_axes(s.unreduced, mesh, seen));
    return check_axes(s.manual, mesh, seen);
}

}  // namespace shardwright::sharding
