// Tile assignments to shardings over mesh axes, and back.
#include <algorithm>

#include "sharding/hlo_sharding.h"
#include "sharding/tile_digits.h"

namespace shardwright::sharding {
namespace {

using Kind = HloSharding::Kind;

bool same_axes(const mesh::Mesh& a, const mesh::Mesh& b) {
    return std::ranges::equal(a.axes(), b.axes()) && a.device_ids() == b.device_ids();
}

std::optional<Sharding> tiled_to_axes(const HloSharding& s, const mesh::Mesh& mesh, MeshId id,
                                      std::size_t rank) {
    if (s.tile_dims.size() != rank + s.subgroups.size()) return std::nullopt;
    const auto digits = assignment_digits(s, mesh.device_ids());
    if (!digits) return std::nullopt;
    const auto by_dim = split_by_dims(*digits, view(s.tile_dims));
    if (!by_dim) return std::nullopt;
    Sharding result = Sharding::replicated_of(rank, false, id);
    for (std::size_t d = 0; d < by_dim->size(); ++d) {
        const bool is_data = d < rank;
        const Subgroup subgroup = is_data ? Subgroup::kManual : s.subgroups[d - rank];
        if (!is_data && subgroup == Subgroup::kReplicated) continue;
        if (!is_data && subgroup == Subgroup::kMaximal) return std::nullopt;
        const auto axes = digits_to_axes((*by_dim)[d], mesh);
        if (!axes) return std::nullopt;
        AxisList& target = is_data                            ? result.dims[d].axes
                           : subgroup == Subgroup::kUnreduced ? result.unreduced
                                                              : result.manual;
        target.insert(target.end(), axes->begin(), axes->end());
    }
    for (AxisList* set : {&result.unreduced, &result.manual}) {
        std::sort(set->begin(), set->end());
        *set = mesh::merge_neighbours(view(*set));
    }
    return result;
}

std::optional<Sharding> named_to_axes(const HloSharding& s, const mesh::Mesh& mesh, MeshId id,
                                      std::size_t rank) {
    Sharding named = *s.named;
    if (named.dims.empty()) named.dims.resize(rank);  // a whole-value form
    if (named.dims.size() != rank) return std::nullopt;
    named.mesh = id;
    if (named.form != Form::kTiled || same_axes(*s.named_mesh, mesh)) return named;
    // Another mesh over the same devices: through the tile assignment.
    auto tied = to_axes(to_hlo(named, *s.named_mesh), mesh, id, rank);
    if (!tied || tied->form != Form::kTiled) return std::nullopt;
    for (std::size_t d = 0; d < rank; ++d) tied->dims[d].open = named.dims[d].open;
    tied->unreduced_kind = named.unreduced_kind;
    return tied;
}

/// The parts of the mesh's axes that `used` leaves free, in mesh order.
AxisList unused_axes(const mesh::Mesh& mesh, AxisList used) {
    std::sort(used.begin(), used.end());
    AxisList unused;
    std::size_t next = 0;
    for (std::size_t a = 0; a < mesh.rank(); ++a) {
        const auto size = static_cast<std::uint32_t>(mesh.axes()[a].size);
        AxisRef gap = mesh.full(a);
        const auto close = [&](std::uint32_t end) {
            gap.size = end / gap.pre;
            if (gap.size > 1) unused.push_back(gap);
        };
        for (; next < used.size() && used[next].axis == a; ++next) {
            close(used[next].pre);
            gap.pre = used[next].next_pre() & 0xFFFFFFu;
            if (gap.pre == 0) gap.pre = 1;  // only an axis of 2^24, wholly used: handled below
        }
        const bool whole =
            next > 0 && used[next - 1].axis == a && used[next - 1].next_pre() == size;
        if (!whole) close(size);
    }
    return unused;
}

void add_subgroup(HloSharding& s, Digits& digits, const AxisList& axes, Subgroup subgroup,
                  const mesh::Mesh& mesh) {
    AxisList sorted = axes;
    std::sort(sorted.begin(), sorted.end());
    const std::int64_t size = mesh::product(sorted);
    if (size == 1) return;
    s.tile_dims.push_back(size);
    s.subgroups.push_back(subgroup);
    const Digits more = axes_to_digits(view(sorted), mesh);
    digits.insert(digits.end(), more.begin(), more.end());
}

HloSharding tiled_to_hlo(const Sharding& s, const mesh::Mesh& mesh) {
    HloSharding hlo;
    Digits digits;
    for (const DimSharding& dim : s.dims) {
        hlo.tile_dims.push_back(mesh::product(dim.axes));
        const Digits more = axes_to_digits(view(dim.axes), mesh);
        digits.insert(digits.end(), more.begin(), more.end());
    }
    const bool is_cut = std::ranges::any_of(hlo.tile_dims, [](std::int64_t t) { return t > 1; });
    const std::int64_t devices = mesh.device_count();
    if (!is_cut && devices > 1 && mesh::product(s.manual) == devices) {
        hlo.tile_dims.clear();
        hlo.kind = Kind::kManual;
        return hlo;
    }
    if (!is_cut && devices > 1 && mesh::product(s.unreduced) == devices) {
        hlo.tile_dims.clear();
        hlo.kind = Kind::kUnreduced;
        return hlo;
    }
    AxisList used = s.manual;
    for (const DimSharding& dim : s.dims) used.insert(used.end(), dim.axes.begin(), dim.axes.end());
    used.insert(used.end(), s.unreduced.begin(), s.unreduced.end());
    add_subgroup(hlo, digits, s.manual, Subgroup::kManual, mesh);
    add_subgroup(hlo, digits, s.unreduced, Subgroup::kUnreduced, mesh);
    if (!is_cut && hlo.subgroups.empty()) {
        hlo.tile_dims.clear();
        return hlo;  // replicated
    }
    add_subgroup(hlo, digits, unused_axes(mesh, used), Subgroup::kReplicated, mesh);
    hlo.kind = Kind::kTiled;
    digits = join_neighbours(view(digits));
    if (mesh.device_ids().empty()) {
        set_iota(hlo, digits);
        return hlo;
    }
    for (const std::int64_t position : expand(digits))
        hlo.devices.push_back(mesh.device_ids()[static_cast<std::size_t>(position)]);
    if (const auto iota = assignment_digits(hlo)) set_iota(hlo, *iota);
    return hlo;
}

}  // namespace

std::optional<Sharding> to_axes(const HloSharding& s, const mesh::Mesh& mesh, MeshId id,
                                std::size_t rank) {
    std::optional<Sharding> result = Sharding::replicated_of(rank, false, id);
    switch (s.kind) {
        case Kind::kReplicated:
            break;
        case Kind::kMaximal:
            result->form = Form::kMaximal;
            result->maximal_device = s.device;
            break;
        case Kind::kManual:
            result->form = Form::kManual;
            break;
        case Kind::kUnknown:
            result->form = Form::kUnknown;
            break;
        case Kind::kUnreduced:
            result->unreduced = unused_axes(mesh, {});
            break;
        case Kind::kTiled:
            result = tiled_to_axes(s, mesh, id, rank);
            break;
        case Kind::kNamed:
            result = named_to_axes(s, mesh, id, rank);
            break;
    }
    if (!result) return std::nullopt;
    result->group = s.group;
    result->group_is_soft = s.group_is_soft;
    return result;
}

HloSharding to_hlo(const Sharding& s, const mesh::Mesh& mesh) {
    HloSharding hlo;
    switch (s.form) {
        case Form::kTiled:
            hlo = tiled_to_hlo(s, mesh);
            break;
        case Form::kMaximal:
            hlo.kind = Kind::kMaximal;
            hlo.device = s.maximal_device;
            break;
        case Form::kManual:
            hlo.kind = Kind::kManual;
            break;
        case Form::kUnknown:
            hlo.kind = Kind::kUnknown;
            break;
    }
    hlo.group = s.group;
    hlo.group_is_soft = s.group_is_soft;
    return hlo;
}

}  // namespace shardwright::sharding
