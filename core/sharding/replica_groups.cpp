// Replica groups of collectives: text to explicit groups, explicit groups to mesh axes.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "sharding/hlo_text.h"
#include "sharding/tile_digits.h"

namespace shardwright::sharding {
namespace {

using Groups = std::vector<std::vector<std::int64_t>>;

Result<Groups> read_explicit(Scanner& in) {
    Groups groups;
    SW_CHECK(in.expect("{"));
    while (!in.accept("}")) {
        if (!groups.empty()) SW_CHECK(in.expect(","));
        SW_CHECK(in.expect("{"));
        std::vector<std::int64_t>& group = groups.emplace_back();
        while (!in.accept("}")) {
            if (!group.empty()) SW_CHECK(in.expect(","));
            SW_TRY(const std::int64_t member, in.number(0, kMaxHloDevices - 1));
            group.push_back(member);
        }
    }
    return groups;
}

Result<Groups> read_iota(Scanner& in) {
    SW_TRY(const Dims shape, read_sizes(in));
    SW_CHECK(in.expect("<="));
    SW_TRY(const Dims reshape, read_sizes(in));
    InlineVector<std::int32_t, 6> permutation;
    SW_CHECK(read_permutation(in, reshape.size(), permutation));
    if (shape.size() != 2 || product_of(view(shape)) != product_of(view(reshape)))
        return in.fault("malformed replica groups", "[groups,members] over as many devices");
    if (product_of(view(shape)) > kMaxExpandedDevices)
        return unsupported("replica groups over more than 2^20 devices");
    const std::vector<std::int64_t> all = expand(iota_digits(view(reshape), view(permutation)));
    Groups groups;
    for (auto at = all.begin(); at != all.end(); at += shape[1])
        groups.emplace_back(at, at + shape[1]);
    return groups;
}

Result<Groups> read_mesh_axes(Scanner& in) {
    SW_TRY(const mesh::Mesh mesh, read_named_mesh(in));
    in.accept(",");
    SW_TRY(const AxisList axes, read_named_axes(in, mesh));
    Sharding used;
    used.replicated = axes;
    SW_CHECK(validate(used, mesh, 0));
    if (mesh.device_count() > kMaxExpandedDevices)
        return unsupported("replica groups over more than 2^20 devices");
    Groups groups = mesh::device_groups(mesh, view(axes));
    if (!mesh.device_ids().empty())
        for (auto& group : groups)
            for (std::int64_t& member : group)
                member = mesh.device_ids()[static_cast<std::size_t>(member)];
    return groups;
}

/// Device ids to positions; false when an id is not in the mesh.
bool to_positions(Groups& groups, const mesh::Mesh& mesh) {
    std::unordered_map<std::int64_t, std::int64_t> position_of;
    for (std::size_t i = 0; i < mesh.device_ids().size(); ++i)
        position_of[mesh.device_ids()[i]] = static_cast<std::int64_t>(i);
    for (auto& group : groups)
        for (std::int64_t& member : group) {
            const auto found = position_of.find(member);
            if (found == position_of.end()) return false;
            member = found->second;
        }
    return true;
}

/// The axes along which the members of one group differ.
std::optional<AxisList> axes_of_group(std::span<const std::int64_t> group, const mesh::Mesh& mesh) {
    Digits minor_first;
    for (std::size_t block = 1; block < group.size();) {
        const std::int64_t stride = group[block] - group[0];
        std::size_t size = 1;
        while (size * block < group.size() &&
               group[size * block] == group[0] + static_cast<std::int64_t>(size) * stride)
            ++size;
        if (stride < 1 || group.size() % (size * block) != 0) return std::nullopt;
        minor_first.push_back({static_cast<std::int64_t>(size), stride});
        block *= size;
    }
    return digits_to_axes(Digits(minor_first.rbegin(), minor_first.rend()), mesh);
}

}  // namespace

Result<Groups> parse_replica_groups(std::string_view text) {
    Scanner in(text);
    Result<Groups> groups = in.peek() == '{'         ? read_explicit(in)
                            : in.accept_word("mesh") ? read_mesh_axes(in)
                                                     : read_iota(in);
    if (groups.ok() && !in.at_end()) return in.error("the end of the replica groups");
    return groups;
}

std::optional<AxisList> groups_to_axes(std::span<const std::vector<std::int64_t>> groups,
                                       const mesh::Mesh& mesh) {
    Groups positions(groups.begin(), groups.end());
    if (positions.empty() || positions[0].empty()) return std::nullopt;
    if (!mesh.device_ids().empty() && !to_positions(positions, mesh)) return std::nullopt;
    const std::size_t members = positions[0].size();
    const std::int64_t devices = mesh.device_count();
    if (static_cast<std::int64_t>(members * positions.size()) != devices) return std::nullopt;
    const auto axes = axes_of_group(positions[0], mesh);
    if (!axes) return std::nullopt;
    std::vector<bool> seen(static_cast<std::size_t>(devices), false);
    for (const auto& group : positions) {
        if (group.size() != members || group[0] < 0 || group[0] >= devices) return std::nullopt;
        if (mesh.index_along(group[0], view(*axes)) != 0) return std::nullopt;
        for (std::size_t i = 0; i < members; ++i) {
            const std::int64_t member =
                mesh.with_index(group[0], view(*axes), static_cast<std::int64_t>(i));
            if (member != group[i] || seen[static_cast<std::size_t>(member)]) return std::nullopt;
            seen[static_cast<std::size_t>(member)] = true;
        }
    }
    return axes;
}

}  // namespace shardwright::sharding
