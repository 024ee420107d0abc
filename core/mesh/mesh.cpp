#include "mesh/mesh.h"

#include <fmt/format.h>

#include <charconv>
#include <limits>

namespace shardwright::mesh {
namespace {

constexpr std::size_t kMaxAxes = 255;
constexpr std::int64_t kMaxAxisSize = std::int64_t{1} << 24;  // AxisRef::pre has 24 bits
constexpr std::int64_t kMaxDevices = std::int64_t{1} << 40;

std::string_view trim(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

Result<Axis> parse_axis(std::string_view item) {
    const auto equals = item.find('=');
    const std::string_view name = trim(item.substr(0, equals));
    if (equals == std::string_view::npos || name.empty())
        return bad_input(fmt::format("mesh axis '{}' is malformed", item), "NAME=SIZE");
    const std::string_view digits = trim(item.substr(equals + 1));
    std::int64_t size = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), size);
    if (error != std::errc() || end != digits.data() + digits.size() || size < 1 ||
        size > kMaxAxisSize)
        return bad_input(fmt::format("size '{}' of mesh axis '{}' is no valid size", digits, name),
                         fmt::format("a whole number from 1 to {}", kMaxAxisSize));
    return Axis{std::string(name), size};
}

/// Where an axis reference sits in a device position: position / stride % size.
struct Digit {
    std::int64_t stride = 1;
    std::int64_t size = 1;
};

Digit digit_of(std::span<const Axis> axes, const AxisRef& ref) {
    std::int64_t stride = 1;
    for (std::size_t i = axes.size(); i-- > ref.axis + std::size_t{1};) stride *= axes[i].size;
    return {stride * (axes[ref.axis].size / ref.next_pre()), ref.size};
}

}  // namespace

Result<Mesh> Mesh::parse(std::string_view text, std::string name) {
    std::vector<Axis> axes;
    std::int64_t devices = 1;
    std::string_view rest = trim(text);
    if (rest.empty()) return bad_input("the mesh is empty", "axes such as data=4,model=2");
    while (true) {
        const auto comma = rest.find(',');
        SW_TRY(Axis axis, parse_axis(trim(rest.substr(0, comma))));
        for (const Axis& other : axes)
            if (other.name == axis.name)
                return bad_input(fmt::format("mesh axis '{}' is given twice", axis.name),
                                 "distinct names");
        devices *= axis.size;
        if (devices > kMaxDevices)
            return bad_input("the mesh has too many devices", "at most 2^40");
        axes.push_back(std::move(axis));
        if (axes.size() > kMaxAxes)
            return bad_input("the mesh has too many axes", fmt::format("at most {}", kMaxAxes));
        if (comma == std::string_view::npos) break;
        rest = rest.substr(comma + 1);
    }
    return Mesh(std::move(name), std::move(axes));
}

std::int64_t Mesh::device_count() const {
    std::int64_t count = 1;
    for (const Axis& axis : axes_) {
        if (axis.size > 0 && count > std::numeric_limits<std::int64_t>::max() / axis.size)
            return std::numeric_limits<std::int64_t>::max();
        count *= axis.size;
    }
    return count;
}

std::optional<std::size_t> Mesh::find(std::string_view name) const {
    for (std::size_t i = 0; i < axes_.size(); ++i)
        if (axes_[i].name == name) return i;
    return std::nullopt;
}

AxisList Mesh::all_axes() const {
    AxisList all;
    for (std::size_t i = 0; i < axes_.size(); ++i) all.push_back(full(i));
    return all;
}

Mesh Mesh::maximal(std::string name, std::int64_t device) {
    Mesh mesh(std::move(name), {});
    mesh.device_ids_ = {device};
    return mesh;
}

std::int64_t Mesh::index_along(std::int64_t position, std::span<const AxisRef> axes) const {
    std::int64_t index = 0;
    for (const AxisRef& ref : axes) {
        const Digit digit = digit_of(axes_, ref);
        index = index * digit.size + position / digit.stride % digit.size;
    }
    return index;
}

std::int64_t Mesh::with_index(std::int64_t position, std::span<const AxisRef> axes,
                              std::int64_t index) const {
    for (std::size_t i = axes.size(); i-- > 0;) {
        const Digit digit = digit_of(axes_, axes[i]);
        const std::int64_t present = position / digit.stride % digit.size;
        position += (index % digit.size - present) * digit.stride;
        index /= digit.size;
    }
    return position;
}

std::string Mesh::text() const {
    std::string text;
    for (const Axis& axis : axes_)
        text += fmt::format("{}{}={}", text.empty() ? "" : ",", axis.name, axis.size);
    return text;
}

std::string to_text(const Mesh& mesh, const AxisRef& ref) {
    const std::string_view name =
        ref.axis < mesh.rank() ? std::string_view(mesh.axes()[ref.axis].name) : "?";
    if (ref.axis < mesh.rank() && mesh.is_full(ref)) return fmt::format("\"{}\"", name);
    return fmt::format("\"{}\":({}){}", name, std::uint32_t{ref.pre}, ref.size);
}

std::vector<std::vector<std::int64_t>> device_groups(const Mesh& mesh,
                                                     std::span<const AxisRef> axes) {
    std::vector<std::vector<std::int64_t>> groups;
    const std::int64_t devices = mesh.device_count();
    const std::int64_t members = product(axes);
    groups.reserve(static_cast<std::size_t>(devices / members));
    for (std::int64_t position = 0; position < devices; ++position) {
        // The member at index 0 is the smallest position of its group.
        if (mesh.index_along(position, axes) != 0) continue;
        std::vector<std::int64_t>& group = groups.emplace_back();
        group.reserve(static_cast<std::size_t>(members));
        for (std::int64_t i = 0; i < members; ++i)
            group.push_back(mesh.with_index(position, axes, i));
    }
    return groups;
}

}  // namespace shardwright::mesh
