// PartitionSpec and the short command-line form.
#include <fmt/format.h>

#include "sharding/scanner.h"
#include "sharding/text.h"

namespace shardwright::sharding {
namespace {

std::string plain(const AxisRef& axis, const mesh::Mesh& mesh) {
    const std::string& name = mesh.axes()[axis.axis].name;
    if (mesh.is_full(axis)) return name;
    return fmt::format("{}:({}){}", name, std::uint32_t{axis.pre}, axis.size);
}

/// `x` or `x:(1)2` standing alone.
Result<AxisRef> parse_plain(const Scanner& at, std::string_view text, const mesh::Mesh& mesh) {
    const auto colon = mesh.find(text) ? std::string_view::npos : text.rfind(":(");
    std::string_view name = text.substr(0, colon);
    while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
    SW_TRY(AxisRef axis, find_axis(at, name, mesh));
    if (colon == std::string_view::npos) return axis;
    Scanner part(text.substr(colon));
    SW_CHECK(read_sub_axis(part, axis));
    if (!part.at_end()) return part.error("nothing behind a sub-axis");
    return axis;
}

Status finish(Sharding& s, const mesh::Mesh& mesh, std::size_t rank) {
    for (DimSharding& dim : s.dims) dim.axes = mesh::merge_neighbours(view(dim.axes));
    return validate(s, mesh, rank);
}

Result<AxisRef> read_quoted_axis(Scanner& in, const mesh::Mesh& mesh) {
    SW_TRY(const std::string_view name, in.quoted());
    return parse_plain(in, name, mesh);
}

/// `'x'`, `None`, `('x', 'y')`, `P.UNCONSTRAINED`.
Result<DimSharding> read_spec_entry(Scanner& in, const mesh::Mesh& mesh) {
    DimSharding dim;
    if (in.accept_word("None")) return dim;
    if (in.accept_word("P.UNCONSTRAINED") || in.accept_word("PartitionSpec.UNCONSTRAINED") ||
        in.accept_word("UNCONSTRAINED")) {
        dim.open = true;
        return dim;
    }
    if (!in.accept("(")) {
        SW_TRY(const AxisRef axis, read_quoted_axis(in, mesh));
        dim.axes.push_back(axis);
        return dim;
    }
    while (!in.accept(")")) {
        SW_TRY(const AxisRef axis, read_quoted_axis(in, mesh));
        dim.axes.push_back(axis);
        if (!in.accept(",") && in.peek() != ')') return in.error("',' or ')'");
    }
    return dim;
}

Status read_spec_set(Scanner& in, const mesh::Mesh& mesh, AxisList& axes) {
    SW_CHECK(in.expect("="));
    SW_CHECK(in.expect("{"));
    while (!in.accept("}")) {
        SW_TRY(const AxisRef axis, read_quoted_axis(in, mesh));
        axes.push_back(axis);
        if (!in.accept(",") && in.peek() != '}') return in.error("',' or '}'");
    }
    return {};
}

}  // namespace

std::string print_partition_spec(const Sharding& s, const mesh::Mesh& mesh) {
    std::string text = "P(";
    for (std::size_t d = 0; d < s.dims.size(); ++d) {
        if (d > 0) text += ", ";
        const AxisList& axes = s.dims[d].axes;
        if (axes.empty()) {
            text += s.dims[d].open ? "P.UNCONSTRAINED" : "None";
            continue;
        }
        std::string list;
        for (const AxisRef& axis : axes)
            list += fmt::format("{}'{}'", list.empty() ? "" : ",", plain(axis, mesh));
        text += axes.size() == 1 ? list : "(" + list + ")";
    }
    if (!s.unreduced.empty()) {
        text += text.size() > 2 ? ", unreduced={" : "unreduced={";
        for (std::size_t i = 0; i < s.unreduced.size(); ++i)
            text += fmt::format("{}'{}'", i == 0 ? "" : ",", plain(s.unreduced[i], mesh));
        text += "}";
    }
    return text + ")";
}

Result<Sharding> parse_partition_spec(std::string_view text, const mesh::Mesh& mesh, MeshId id,
                                      std::size_t rank) {
    Scanner in(text);
    Sharding s;
    s.mesh = id;
    if (!in.accept_word("PartitionSpec")) SW_CHECK(in.expect("P"));
    SW_CHECK(in.expect("("));
    while (!in.accept(")")) {
        if (in.accept_word("unreduced")) {
            SW_CHECK(read_spec_set(in, mesh, s.unreduced));
        } else if (s.dims.size() == rank) {
            return in.fault("more entries than dimensions", fmt::format("at most {}", rank));
        } else {
            SW_TRY(DimSharding dim, read_spec_entry(in, mesh));
            s.dims.push_back(std::move(dim));
        }
        if (!in.accept(",") && in.peek() != ')') return in.error("',' or ')'");
    }
    if (!in.at_end()) return in.error("the end of the PartitionSpec");
    s.dims.resize(rank);  // a spec may leave trailing dimensions out
    SW_CHECK(finish(s, mesh, rank));
    return s;
}

std::string print_short(const Sharding& s, const mesh::Mesh& mesh) {
    std::string text = "[";
    for (std::size_t d = 0; d < s.dims.size(); ++d) {
        if (d > 0) text += ", ";
        const DimSharding& dim = s.dims[d];
        for (std::size_t i = 0; i < dim.axes.size(); ++i)
            text += (i > 0 ? "+" : "") + plain(dim.axes[i], mesh);
        if (dim.open)
            text += "?";
        else if (dim.axes.empty())
            text += "-";
    }
    return text + "]";
}

Result<Sharding> parse_short(std::string_view text, const mesh::Mesh& mesh, MeshId id,
                             std::size_t rank) {
    Scanner in(text);
    Sharding s;
    s.mesh = id;
    SW_CHECK(in.expect("["));
    while (!in.accept("]")) {
        if (!s.dims.empty()) SW_CHECK(in.expect(","));
        if (s.dims.size() == rank)
            return in.fault("more entries than dimensions",
                            fmt::format("{}, the rank of the tensor", rank));
        DimSharding dim;
        std::string_view item = in.rest();
        item = item.substr(0, item.find_first_of(",]"));
        if (!in.accept(item)) return in.error("axes, '-' or '?'");
        while (!item.empty() && (item.back() == ' ' || item.back() == '\t')) item.remove_suffix(1);
        if (item.empty()) return in.error("axes, '-' or '?'");
        if (item.back() == '?') {
            dim.open = true;
            item.remove_suffix(1);
        }
        const bool is_whole = item == "-" || (item.empty() && dim.open);
        while (!is_whole) {
            const auto plus = mesh.find(item) ? std::string_view::npos : item.find('+');
            Scanner one(item.substr(0, plus));
            std::string_view name = one.rest();
            while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
            SW_TRY(const AxisRef axis, parse_plain(in, name, mesh));
            dim.axes.push_back(axis);
            if (plus == std::string_view::npos) break;
            item = item.substr(plus + 1);
        }
        s.dims.push_back(std::move(dim));
    }
    if (!in.at_end()) return in.error("the end of the sharding");
    SW_CHECK(finish(s, mesh, rank));
    return s;
}

}  // namespace shardwright::sharding
