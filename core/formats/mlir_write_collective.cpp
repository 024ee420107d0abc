// Collectives: mesh axes become lists of devices here, and nowhere earlier.
#include <fmt/format.h>

#include "formats/mlir_write.h"
#include "ir/builder.h"

namespace shardwright::formats::mlir {

using namespace ir;

std::vector<std::vector<std::int64_t>> Writer::groups_of(const CollectiveAttributes& a,
                                                         OpKind kind) const {
    if (a.mode != GroupMode::kMeshAxes) return a.groups;
    const mesh::Mesh& mesh = m_.mesh(a.mesh);
    std::vector<std::vector<std::int64_t>> groups;
    if (kind != OpKind::kCollectivePermute) {
        groups = mesh::device_groups(mesh, view(a.axes));
    } else if (!a.groups.empty()) {
        groups = a.groups;
    } else {
        const std::int64_t size = mesh::product(a.axes);
        for (std::int64_t p = 0; p < mesh.device_count(); ++p) {
            const std::int64_t index = mesh.index_along(p, view(a.axes));
            if (!a.permute_to.empty()) {
                groups.push_back({mesh.with_index(p, view(a.permute_to), index), p});
                continue;
            }
            const std::int64_t to = index + a.shift;
            if (!a.wrap && (to < 0 || to >= size)) continue;
            groups.push_back({p, mesh.with_index(p, view(a.axes), ((to % size) + size) % size)});
        }
    }
    if (!mesh.device_ids().empty())
        for (auto& group : groups)
            for (std::int64_t& device : group)
                device = mesh.device_ids()[static_cast<std::size_t>(device)];
    return groups;
}

void Writer::write_reduction_region(Reduction reduction, const TensorType& scalar) {
    const std::string a = "%" + fresh("lhs"), b = "%" + fresh("rhs"), c = "%" + fresh("combined");
    const std::string type = ir::mlir_text(scalar);
    const std::string name = "stablehlo." + std::string(ir::name(to_combiner(reduction)));
    line(fmt::format("^bb0({}: {}, {}: {}):", a, type, b, type));
    ++indent_;
    if (options_.generic) {
        line(
            fmt::format("{} = \"{}\"({}, {}) : ({}, {}) -> ({})", c, name, a, b, type, type, type));
        line(fmt::format("\"stablehlo.return\"({}) : ({}) -> ()", c, type));
    } else {
        line(fmt::format("{} = {} {}, {} : {}", c, name, a, b, type));
        line(fmt::format("stablehlo.return {} : {}", c, type));
    }
    --indent_;
}

void Writer::write_collective(OpId id) {
    const auto& a = m_.attributes<CollectiveAttributes>(id);
    const OpKind kind = m_.op(id).kind;
    const bool permute = kind == OpKind::kCollectivePermute;
    const auto groups = groups_of(a, kind);
    std::size_t width = permute ? 2 : 0;
    for (const auto& group : groups) width = std::max(width, group.size());
    std::string rows;
    for (const auto& group : groups) {
        std::string cells;
        for (std::size_t i = 0; i < width; ++i)  // short groups are filled up with -1
            cells += fmt::format("{}{}", i == 0 ? "" : ", ", i < group.size() ? group[i] : -1);
        rows += fmt::format("{}[{}]", rows.empty() ? "" : ", ", cells);
    }
    const std::string table =
        groups.empty() ? fmt::format("dense<> : tensor<0x{}xi64>", width)
                       : fmt::format("dense<[{}]> : tensor<{}x{}xi64>", rows, groups.size(), width);
    Properties properties;
    const auto i64 = [](std::int64_t value) { return fmt::format("{} : i64", value); };
    const bool has_channel = a.mode != GroupMode::kCrossReplica;
    if (kind == OpKind::kAllGather) properties.emplace_back("all_gather_dim", i64(a.dim));
    if (has_channel) {
        const std::int64_t channel = a.channel > 0 ? a.channel : next_channel_++;
        properties.emplace_back(
            "channel_handle",
            fmt::format("#stablehlo.channel_handle<handle = {}, type = 1>", channel));
    }
    if (kind == OpKind::kAllToAll) {
        properties.emplace_back("concat_dimension", i64(a.concat_dim));
    }
    if (permute) {
        properties.emplace_back("source_target_pairs", table);
    } else {
        properties.emplace_back("replica_groups", table);
    }
    if (kind == OpKind::kReduceScatter) properties.emplace_back("scatter_dimension", i64(a.dim));
    if (kind == OpKind::kAllToAll) {
        properties.emplace_back("split_count", i64(static_cast<std::int64_t>(width)));
        properties.emplace_back("split_dimension", i64(a.dim));
    }
    const bool has_global_ids =
        kind == OpKind::kAllReduce || kind == OpKind::kAllGather || kind == OpKind::kReduceScatter;
    if (has_global_ids && (a.mode == GroupMode::kMeshAxes || a.mode == GroupMode::kFlattenedIds))
        properties.emplace_back("use_global_device_ids", "");
    const bool reduces = kind == OpKind::kAllReduce || kind == OpKind::kReduceScatter;
    if (!reduces || m_.op(id).region_count > 0) {
        write_generic(id, operation_name(id), properties);
        return;
    }
    std::string body;
    for (const auto& [key, value] : properties)
        body += fmt::format("{}{}{}{}", body.empty() ? "" : ", ", key, value.empty() ? "" : " = ",
                            value);
    line(fmt::format("{}\"{}\"({}) <{{{}}}> ({{", definition(id), operation_name(id),
                     uses(m_.operands(id)), body));
    write_reduction_region(a.reduction, {m_.type(m_.operand(id, 0)).element, {}});
    line(fmt::format("}}){} : {}{}", annotation(id), signature(id), location(id)));
}

// This device's index along the axes, by arithmetic on its number: each axis is the number divided
// by what is more minor than it, modulo its size.
void Writer::write_axis_index(OpId id) {
    const auto& a = m_.attributes<CollectiveAttributes>(id);
    const mesh::Mesh& mesh = m_.mesh(a.mesh);
    const bool generic = options_.generic;
    const std::string result = use(m_.result(id));
    const auto binary = [&](const std::string& name, std::string_view op, const std::string& x,
                            const std::string& y) {
        line(
            generic
                ? fmt::format(
                      "{} = \"stablehlo.{}\"({}, {}) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)",
                      name, op, x, y)
                : fmt::format("{} = stablehlo.{} {}, {} : tensor<i32>", name, op, x, y));
    };
    const auto constant = [&](std::int64_t value) {
        std::string name = "%" + fresh("axis_c");
        line(generic ? fmt::format("{} = \"stablehlo.constant\"() <{{value = dense<{}> : "
                                   "tensor<i32>}}> : () -> (tensor<i32>)",
                                   name, value)
                     : fmt::format("{} = stablehlo.constant dense<{}> : tensor<i32>", name, value));
        return name;
    };
    const std::string number = "%" + fresh("partition_id");
    line(generic ? fmt::format("{} = \"stablehlo.partition_id\"() : () -> (tensor<ui32>)", number)
                 : fmt::format("{} = stablehlo.partition_id : tensor<ui32>", number));
    std::string position = "%" + fresh("position");
    if (mesh.device_ids().empty()) {
        line(generic
                 ? fmt::format("{} = \"stablehlo.convert\"({}) : (tensor<ui32>) -> (tensor<i32>)",
                               position, number)
                 : fmt::format("{} = stablehlo.convert {} : (tensor<ui32>) -> tensor<i32>",
                               position, number));
    } else {  // an explicit order of devices: look the position up
        const std::size_t n = mesh.device_ids().size();
        std::vector<std::int64_t> positions(n);
        for (std::size_t p = 0; p < n; ++p)
            positions[static_cast<std::size_t>(mesh.device_ids()[p]) % n] =
                static_cast<std::int64_t>(p);
        const std::string table = "%" + fresh("positions"), one = "%" + fresh("entry");
        const std::string type = fmt::format("tensor<{}xi32>", n);
        const std::string value = fmt::format("dense<[{}]> : {}", fmt::join(positions, ", "), type);
        line(generic ? fmt::format("{} = \"stablehlo.constant\"() <{{value = {}}}> : () -> ({})",
                                   table, value, type)
                     : fmt::format("{} = stablehlo.constant {}", table, value));
        line(
            fmt::format("{} = \"stablehlo.dynamic_slice\"({}, {}) <{{slice_sizes = array<i64: "
                        "1>}}> : ({}, tensor<ui32>) -> (tensor<1xi32>)",
                        one, table, number, type));
        line(fmt::format("{} = \"stablehlo.reshape\"({}) : (tensor<1xi32>) -> (tensor<i32>)",
                         position, one));
    }
    std::string sum;
    for (const mesh::AxisRef& axis : a.axes) {
        std::int64_t minor = mesh.axes()[axis.axis].size / (std::int64_t{axis.pre} * axis.size);
        for (std::size_t k = axis.axis + 1; k < mesh.rank(); ++k) minor *= mesh.axes()[k].size;
        const std::string quotient = "%" + fresh("axis_quotient"),
                          index = "%" + fresh("axis_index");
        binary(quotient, "divide", position, constant(minor));
        binary(index, "remainder", quotient, constant(axis.size));
        if (sum.empty()) {
            sum = index;
            continue;
        }
        const std::string scaled = "%" + fresh("axis_scaled"), next = "%" + fresh("axis_sum");
        binary(scaled, "multiply", sum, constant(axis.size));
        binary(next, "add", scaled, index);
        sum = next;
    }
    binary(result, "add", sum.empty() ? constant(0) : sum, constant(0));
}

}  // namespace shardwright::formats::mlir
