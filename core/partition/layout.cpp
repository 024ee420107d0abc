#include "partition/layout.h"

#include <algorithm>

#include "sharding/geometry.h"

namespace shardwright::partition {
namespace {

std::size_t mix(std::size_t h, std::size_t v) {
    return (h ^ v) * 0x9E3779B97F4A7C15ull + (h >> 31);
}

std::size_t mix(std::size_t h, const AxisList& axes) {
    for (const AxisRef& a : axes)
        h = mix(h, (std::size_t{a.axis} << 56) ^ (std::size_t{a.pre} << 32) ^ a.size);
    return mix(h, axes.size());
}

}  // namespace

Layout Layout::replicated(std::size_t rank) {
    Layout layout;
    layout.dims.resize(rank);
    return layout;
}

bool Layout::is_replicated() const {
    return unreduced.empty() &&
           std::all_of(dims.begin(), dims.end(), [](const AxisList& a) { return a.empty(); });
}

AxisList Layout::used_axes() const {
    AxisList all(unreduced);
    for (const AxisList& axes : dims) all.insert(all.end(), axes.begin(), axes.end());
    return all;
}

void Layout::canonicalise() {
    const auto drop_single = [](AxisList& axes) {
        axes.erase(
            std::remove_if(axes.begin(), axes.end(), [](const AxisRef& a) { return a.size == 1; }),
            axes.end());
    };
    for (AxisList& axes : dims) {
        drop_single(axes);
        axes = mesh::merge_neighbours(view(axes));
    }
    drop_single(unreduced);
    std::sort(unreduced.begin(), unreduced.end());
    unreduced = mesh::merge_neighbours(view(unreduced));
}

Layout to_layout(const sharding::Sharding& s, std::size_t rank) {
    Layout layout = Layout::replicated(rank);
    if (s.form != sharding::Form::kTiled) return layout;
    for (std::size_t d = 0; d < rank && d < s.dims.size(); ++d) layout.dims[d] = s.dims[d].axes;
    layout.unreduced = s.unreduced;
    layout.kind = s.unreduced_kind;
    layout.canonicalise();
    return layout;
}

sharding::Sharding to_sharding(const Layout& layout, sharding::MeshId mesh) {
    sharding::Sharding s = sharding::Sharding::replicated_of(layout.rank(), false, mesh);
    for (std::size_t d = 0; d < layout.rank(); ++d) s.dims[d].axes = layout.dims[d];
    s.unreduced = layout.unreduced;
    s.unreduced_kind = layout.kind;
    return s;
}

ir::TensorType local_type(const ir::TensorType& type, const Layout& layout) {
    ir::TensorType local = type;
    for (std::size_t d = 0; d < local.dims.size(); ++d)
        local.dims[d] = sharding::shard_size(type.dims[d], layout.shards(d));
    return local;
}

std::int64_t local_bytes(const ir::TensorType& type, const Layout& layout) {
    return local_type(type, layout).byte_size();
}

AxisList joined(const AxisList& a, const AxisList& b) {
    AxisList all(a);
    all.insert(all.end(), b.begin(), b.end());
    return mesh::merge_neighbours(view(all));
}

std::size_t hash_value(const Layout& layout) {
    std::size_t h = layout.rank();
    for (const AxisList& axes : layout.dims) h = mix(h, axes);
    h = mix(h, layout.unreduced);
    return layout.unreduced.empty() ? h : mix(h, static_cast<std::size_t>(layout.kind));
}

std::size_t hash_value(const ir::TensorType& type) {
    std::size_t h = static_cast<std::size_t>(type.element);
    for (const std::int64_t d : type.dims) h = mix(h, static_cast<std::size_t>(d));
    return h;
}

}  // namespace shardwright::partition
