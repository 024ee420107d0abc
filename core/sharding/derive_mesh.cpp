// The mesh behind a module's tile assignments: the coarsest common refinement of their cuts.
#include <algorithm>
#include <numeric>

#include "sharding/hlo_sharding.h"
#include "sharding/tile_digits.h"

namespace shardwright::sharding {
namespace {

using Kind = HloSharding::Kind;
/// Points where the range of devices is cut, ascending, each dividing the next; from 1 to n.
using Cuts = InlineVector<std::int64_t, 12>;

std::string axis_name(std::size_t i) {
    std::string name(1, static_cast<char>('a' + i % 26));
    return i < 26 ? name : axis_name(i / 26 - 1) + name;
}

Cuts cuts_of_mesh(const mesh::Mesh& mesh) {
    Cuts cuts{1};
    for (std::size_t a = mesh.rank(); a-- > 0;)
        if (mesh.axes()[a].size > 1) cuts.push_back(cuts.back() * mesh.axes()[a].size);
    return cuts;
}

/// The cuts that `s` needs; nothing when it is no iota form over `device_count` devices.
std::optional<Cuts> cuts_of(const HloSharding& s, std::int64_t device_count) {
    if (s.kind == Kind::kNamed) {
        const mesh::Mesh& mesh = *s.named_mesh;
        if (s.named->form != Form::kTiled) return Cuts{};
        if (!mesh.device_ids().empty() || mesh.device_count() != device_count) return std::nullopt;
        return cuts_of_mesh(mesh);
    }
    if (s.kind != Kind::kTiled) return Cuts{};
    const auto digits = assignment_digits(s);
    if (!digits) return std::nullopt;
    const auto by_dim = split_by_dims(*digits, view(s.tile_dims));
    if (!by_dim) return std::nullopt;
    Cuts cuts;
    std::int64_t devices = 1;
    for (const Digits& dim : *by_dim)
        for (const Digit& digit : dim) {
            cuts.push_back(digit.stride);
            cuts.push_back(digit.end());
            devices *= digit.size;
        }
    if (devices == 1) return Cuts{};  // one device: replicated, whatever the mesh
    if (devices != device_count) return std::nullopt;
    return cuts;
}

/// Adds `more` to `cuts` if each still divides the next.
bool refine(Cuts& cuts, const Cuts& more) {
    Cuts refined = cuts;
    refined.insert(refined.end(), more.begin(), more.end());
    std::ranges::sort(refined);
    refined.erase(std::unique(refined.begin(), refined.end()), refined.end());
    for (std::size_t i = 1; i < refined.size(); ++i)
        if (refined[i] % refined[i - 1] != 0) return false;
    cuts = std::move(refined);
    return true;
}

constexpr std::int64_t kMostAxisSize = std::int64_t{1} << 24;

/// The axes between the cuts; nothing when one would be larger than an axis can be.
std::optional<std::vector<mesh::Axis>> axes_of(const Cuts& cuts) {
    std::vector<mesh::Axis> axes;
    const auto add = [&](std::int64_t size) { axes.push_back({axis_name(axes.size()), size}); };
    for (std::size_t i = cuts.size(); i-- > 1;) {
        std::int64_t size = cuts[i] / cuts[i - 1];
        for (std::int64_t factor = 2; factor < 1024 && size > kMostAxisSize; ++factor)
            for (; size > kMostAxisSize && size % factor == 0; size /= factor) add(factor);
        if (size > kMostAxisSize) return std::nullopt;
        add(size);
    }
    return axes;
}

/// A mesh in the shape of one explicit list, with that list as its device order.
std::optional<mesh::Mesh> mesh_of_list(const HloSharding& s) {
    if (s.kind == Kind::kNamed) return *s.named_mesh;
    if (s.kind != Kind::kTiled) return std::nullopt;
    std::vector<mesh::Axis> axes;
    for (const std::int64_t size : s.tile_dims)
        if (size > 1) axes.push_back({axis_name(axes.size()), size});
    mesh::Mesh mesh("mesh", std::move(axes));
    mesh.set_device_ids(s.devices.empty()
                            ? expand(iota_digits(view(s.reshape_dims), view(s.permutation)))
                            : s.devices);
    return mesh;
}

}  // namespace

DerivedMesh derive_mesh(std::span<const HloSharding* const> shardings, std::int64_t device_count) {
    constexpr std::int64_t kMostListed = std::int64_t{1} << 20;
    DerivedMesh derived;
    Cuts cuts{1};
    if (device_count > 1) cuts.push_back(device_count);
    const mesh::Mesh* named = nullptr;
    for (std::size_t i = 0; i < shardings.size(); ++i) {
        const auto more = cuts_of(*shardings[i], device_count);
        if (!more || !refine(cuts, *more)) {
            derived.unexplained.push_back(i);
            continue;
        }
        if (shardings[i]->kind == Kind::kNamed && !named && !more->empty())
            named = &*shardings[i]->named_mesh;
    }
    const bool is_lone = shardings.size() == 1 && derived.unexplained.size() == 1;
    if (is_lone && device_count <= kMostListed) {
        if (auto own = mesh_of_list(*shardings[0]); own && own->device_count() == device_count) {
            derived.mesh = std::move(*own);
            derived.unexplained.clear();
            return derived;
        }
    }
    if (named && cuts_of_mesh(*named) == cuts) {
        derived.mesh = *named;
    } else if (auto axes = axes_of(cuts)) {
        derived.mesh = mesh::Mesh("mesh", std::move(*axes));
    } else {
        derived.unexplained.resize(shardings.size());
        std::iota(derived.unexplained.begin(), derived.unexplained.end(), std::size_t{0});
    }
    return derived;
}

}  // namespace shardwright::sharding
