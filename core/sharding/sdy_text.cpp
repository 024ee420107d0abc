// Shardy's text form of a sharding.
#include <fmt/format.h>

#include "sharding/scanner.h"
#include "sharding/text.h"

namespace shardwright::sharding {
namespace {

std::string print_axes(const AxisList& axes, const mesh::Mesh& mesh) {
    std::string text;
    for (const AxisRef& axis : axes) {
        if (!text.empty()) text += ", ";
        text += mesh::to_text(mesh, axis);
    }
    return text;
}

std::string print_dim(const DimSharding& dim, const mesh::Mesh& mesh) {
    std::string text = "{" + print_axes(dim.axes, mesh);
    if (dim.open) text += dim.axes.empty() ? "?" : ", ?";
    text += "}";
    if (dim.priority >= 0) text += fmt::format("p{}", dim.priority);
    return text;
}

Result<AxisRef> read_axis(Scanner& in, const mesh::Mesh& mesh) {
    SW_TRY(const std::string_view name, in.quoted());
    SW_TRY(AxisRef axis, find_axis(in, name, mesh));
    SW_CHECK(read_sub_axis(in, axis));
    return axis;
}

Result<DimSharding> read_dim(Scanner& in, const mesh::Mesh& mesh) {
    DimSharding dim;
    AxisList axes;
    SW_CHECK(in.expect("{"));
    while (!in.accept("}")) {
        if (dim.open) return in.error("'}', as '?' comes last");
        if (!axes.empty()) SW_CHECK(in.expect(","));
        if (in.accept("?")) {
            dim.open = true;
            continue;
        }
        SW_TRY(const AxisRef axis, read_axis(in, mesh));
        axes.push_back(axis);
    }
    dim.axes = mesh::merge_neighbours(view(axes));
    if (in.peek() == 'p') {
        in.accept("p");
        SW_TRY(const std::int64_t priority, in.number(0, 32767));
        dim.priority = static_cast<std::int16_t>(priority);
    }
    return dim;
}

Result<AxisList> read_axis_set(Scanner& in, const mesh::Mesh& mesh) {
    AxisList axes;
    SW_CHECK(in.expect("{"));
    while (!in.accept("}")) {
        if (!axes.empty()) SW_CHECK(in.expect(","));
        SW_TRY(const AxisRef axis, read_axis(in, mesh));
        axes.push_back(axis);
    }
    return axes;
}

Status read_unreduced(Scanner& in, const mesh::Mesh& mesh, Sharding& s) {
    s.unreduced_kind = read_reduction(in, Reduction::kSum);
    SW_TRY(s.unreduced, read_axis_set(in, mesh));
    return {};
}

Status read_body(Scanner& in, const mesh::Mesh& mesh, Sharding& s) {
    SW_CHECK(in.expect("["));
    while (!in.accept("]")) {
        if (!s.dims.empty()) SW_CHECK(in.expect(","));
        SW_TRY(DimSharding dim, read_dim(in, mesh));
        s.dims.push_back(std::move(dim));
    }
    while (in.accept(",")) {
        if (in.accept_word("replicated")) {
            SW_CHECK(in.expect("="));
            SW_TRY(s.replicated, read_axis_set(in, mesh));
        } else if (in.accept_word("unreduced")) {
            SW_CHECK(in.expect("="));
            SW_CHECK(read_unreduced(in, mesh, s));
        } else {
            return in.error("replicated= or unreduced=");
        }
    }
    return {};
}

}  // namespace

std::string print_sdy_body(const Sharding& s, const mesh::Mesh& mesh) {
    std::string text = "[";
    for (std::size_t d = 0; d < s.dims.size(); ++d) {
        if (d > 0) text += ", ";
        text += print_dim(s.dims[d], mesh);
    }
    text += "]";
    if (!s.replicated.empty())
        text += fmt::format(", replicated={{{}}}", print_axes(s.replicated, mesh));
    if (!s.unreduced.empty()) {
        const bool is_sum = s.unreduced_kind == Reduction::kSum;
        const std::string_view kind = is_sum ? "" : reduction_word(s.unreduced_kind);
        text += fmt::format(", unreduced={}{{{}}}", kind, print_axes(s.unreduced, mesh));
    }
    return text;
}

std::string print_sdy(const Sharding& s, const mesh::Mesh& mesh) {
    return fmt::format("#sdy.sharding<@{}, {}>", mesh.name(), print_sdy_body(s, mesh));
}

std::string_view sdy_mesh_name(std::string_view text) {
    Scanner in(text);
    in.accept("#sdy.sharding");
    if (!in.accept("<") || !in.accept("@")) return {};
    if (in.peek() == '"') {
        const auto name = in.quoted();
        return name.ok() ? *name : std::string_view();
    }
    const std::string_view rest = in.rest();
    return rest.substr(0, rest.find_first_of(", >\t\r\n"));
}

Result<Sharding> parse_sdy(std::string_view text, const mesh::Mesh& mesh, MeshId id) {
    Scanner in(text);
    Sharding s;
    s.mesh = id;
    const bool has_prefix = in.accept("#sdy.sharding");
    const bool in_angles = in.accept("<");
    if (has_prefix && !in_angles) return in.error("'<'");
    if (in_angles) {
        SW_CHECK(in.expect("@"));
        if (in.peek() == '"') {
            SW_TRY([[maybe_unused]] const std::string_view name, in.quoted());
        } else if (in.word().empty()) {
            return in.error("the name of a mesh");
        }
        SW_CHECK(in.expect(","));
    }
    SW_CHECK(read_body(in, mesh, s));
    if (in_angles) SW_CHECK(in.expect(">"));
    if (!in.at_end()) return in.error("the end of the sharding");
    SW_CHECK(validate(s, mesh, s.dims.size()));
    if (mesh.is_maximal() && s.dims.empty()) {
        s.form = Form::kMaximal;
        s.maximal_device = mesh.device_ids()[0];
    }
    return s;
}

}  // namespace shardwright::sharding
