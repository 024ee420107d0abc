#include "ir/print.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sharding/text.h"

namespace shardwright::ir {
namespace {

std::string list(const Dims& dims) {
    return fmt::format("[{}]", fmt::join(dims, ","));
}

std::string literal_text(const Literal& literal) {
    if (literal.kind == Literal::Kind::kElided) return "elided";
    const std::int64_t count = literal.type.element_count();
    const std::int64_t held = literal.kind == Literal::Kind::kSplat ? 1 : count;
    std::string text = literal.kind == Literal::Kind::kSplat ? "splat" : "dense";
    for (std::int64_t i = 0; i < std::min<std::int64_t>(held, 8); ++i)
        text += fmt::format(" {}", element_as_double(literal.data(), literal.type.element, i));
    return held > 8 ? text + " …" : text;
}

std::string axes_text(const Module& m, MeshId mesh, const mesh::AxisList& axes) {
    std::string text = "{";
    for (const mesh::AxisRef& ref : axes) {
        if (text.size() > 1) text += ",";
        text += mesh.index < m.meshes().size() ? mesh::to_text(m.mesh(mesh), ref) : "?";
    }
    return text + "}";
}

std::string sharding_text(const Module& m, const sharding::Sharding& s) {
    return s.mesh.index < m.meshes().size() ? sharding::print_sdy_body(s, m.mesh(s.mesh)) : "[?]";
}

/// Attributes as ` key=value`; families without numbers of interest print nothing.
struct AttributePrinter {
    const Module& m;

    std::string operator()(const ConstantAttributes& a) const {
        return " " + literal_text(m.literal(a.literal));
    }
    std::string operator()(const DimsAttributes& a) const { return " dims=" + list(a.dims); }
    std::string operator()(const DimAttributes& a) const { return fmt::format(" dim={}", a.dim); }
    std::string operator()(const SliceAttributes& a) const {
        return fmt::format(" start={} limit={} strides={}", list(a.start), list(a.limit),
                           list(a.strides));
    }
    std::string operator()(const DynamicSliceAttributes& a) const {
        return " sizes=" + list(a.sizes);
    }
    std::string operator()(const PadAttributes& a) const {
        return fmt::format(" low={} high={} interior={}", list(a.low), list(a.high),
                           list(a.interior));
    }
    std::string operator()(const CompareAttributes& a) const {
        static constexpr std::string_view kNames[] = {"EQ", "NE", "GE", "GT", "LE", "LT"};
        return fmt::format(" {}", kNames[static_cast<std::size_t>(a.direction)]);
    }
    std::string operator()(const DotAttributes& a) const {
        return fmt::format(" batch={}x{} contracting={}x{}", list(a.lhs_batch), list(a.rhs_batch),
                           list(a.lhs_contracting), list(a.rhs_contracting));
    }
    std::string operator()(const ConvolutionAttributes& a) const {
        return fmt::format(" strides={} low={} high={} groups={},{}", list(a.strides),
                           list(a.pad_low), list(a.pad_high), a.feature_groups, a.batch_groups);
    }
    std::string operator()(const WindowAttributes& a) const {
        return fmt::format(" sizes={} strides={} low={} high={}", list(a.sizes), list(a.strides),
                           list(a.pad_low), list(a.pad_high));
    }
    std::string operator()(const GatherAttributes& a) const {
        return fmt::format(" offset={} collapsed={} map={} index_vector={} sizes={}",
                           list(a.offset_dims), list(a.collapsed_slice_dims),
                           list(a.start_index_map), a.index_vector_dim, list(a.slice_sizes));
    }
    std::string operator()(const ScatterAttributes& a) const {
        return fmt::format(" window={} inserted={} map={} index_vector={}",
                           list(a.update_window_dims), list(a.inserted_window_dims),
                           list(a.scatter_dims_to_operand_dims), a.index_vector_dim);
    }
    std::string operator()(const SortAttributes& a) const {
        return fmt::format(" dim={}{}", a.dim, a.stable ? " stable" : "");
    }
    std::string operator()(const TopKAttributes& a) const { return fmt::format(" k={}", a.k); }
    std::string operator()(const FftAttributes& a) const { return " length=" + list(a.length); }
    std::string operator()(const CustomCallAttributes& a) const {
        return fmt::format(" @{}", m.text(a.target));
    }
    std::string operator()(const CollectiveAttributes& a) const {
        std::string text;
        if (a.groups.empty())
            text = " axes=" + axes_text(m, a.mesh, a.axes);
        else
            text = fmt::format(" groups={}", a.groups);
        if (!a.permute_to.empty()) text += " to=" + axes_text(m, a.mesh, a.permute_to);
        if (a.dim >= 0) text += fmt::format(" dim={}", a.dim);
        if (a.concat_dim >= 0) text += fmt::format(" concat={}", a.concat_dim);
        if (a.shift != 0) text += fmt::format(" shift={}{}", a.shift, a.wrap ? " wrap" : "");
        return text;
    }
    std::string operator()(const ManualAttributes& a) const {
        std::string text = " axes=" + axes_text(m, a.mesh, a.axes) + " in=";
        for (const auto& s : a.in) text += sharding_text(m, s);
        text += " out=";
        for (const auto& s : a.out) text += sharding_text(m, s);
        return text;
    }
    std::string operator()(const ShardingAttributes& a) const {
        return " " + sharding_text(m, a.sharding);
    }
    std::string operator()(const GroupAttributes& a) const { return fmt::format(" {}", a.group); }
    std::string operator()(const WhileAttributes& a) const {
        return a.known_trip_count < 0 ? "" : fmt::format(" trips={}", a.known_trip_count);
    }
    std::string operator()(const NameAttributes& a) const {
        return fmt::format(" @{}", m.text(a.name));
    }
    template <class Other>
    std::string operator()(const Other&) const {
        return {};
    }
};

std::string argument_list(const Module& m, RegionId region) {
    std::string text;
    for (std::size_t i = 0; i < m.region(region).argument_count; ++i) {
        const ValueId v = m.argument(region, i);
        if (i > 0) text += ", ";
        text += fmt::format("{}: {}", display_name(m, v), mlir_text(m.type(v)));
        if (const auto* s = m.annotation(v)) text += " " + sharding_text(m, *s);
    }
    return text;
}

void print_region(const Module& m, RegionId region, std::size_t indent, std::string& out) {
    for (const OpId id : m.region(region).ops) {
        out += std::string(indent, ' ') + print(m, id) + "\n";
        for (const RegionId nested : m.regions(id)) {
            out +=
                fmt::format("{}({}) {{\n", std::string(indent + 2, ' '), argument_list(m, nested));
            print_region(m, nested, indent + 4, out);
            out += std::string(indent + 2, ' ') + "}\n";
        }
    }
}

}  // namespace

std::string display_name(const Module& module, ValueId value) {
    const std::string_view name = value.index < module.value_count() ? module.name(value) : "";
    return name.empty() ? fmt::format("%{}", value.index) : fmt::format("%{}", name);
}

std::string print(const Module& m, OpId id) {
    const Op& op = m.op(id);
    std::string text;
    for (std::size_t i = 0; i < op.result_count; ++i)
        text += (i > 0 ? ", " : "") + display_name(m, m.result(id, i));
    if (op.result_count > 0) text += " = ";
    text += name(op.kind);
    for (std::size_t i = 0; i < op.operand_count; ++i)
        text += (i > 0 ? ", " : " ") + display_name(m, m.operand(id, i));
    text += std::visit(AttributePrinter{m}, m.all_attributes(id));
    for (std::size_t i = 0; i < op.result_count; ++i) {
        const ValueId v = m.result(id, i);
        text += (i > 0 ? ", " : " : ") + mlir_text(m.type(v));
        if (const auto* s = m.annotation(v)) text += " " + sharding_text(m, *s);
    }
    return text;
}

std::string print(const Module& m) {
    std::string out = fmt::format("module {}\n", m.title);
    for (const mesh::Mesh& mesh : m.meshes())
        out += fmt::format("mesh {} {}\n", mesh.name(), mesh.text());
    for (const Function& f : m.functions()) {
        out += fmt::format("func {}({}) {{\n", m.text(f.name), argument_list(m, f.body));
        print_region(m, f.body, 2, out);
        out += "}\n";
    }
    return out;
}

}  // namespace shardwright::ir
