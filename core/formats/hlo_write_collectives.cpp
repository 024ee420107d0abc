// Collectives over mesh axes, as HLO numbers their devices.
#include <fmt/format.h>

#include <algorithm>

#include "formats/hlo_writer.h"

namespace shardwright::formats::hlo {
namespace {

using ir::OpKind;

/// The parts that an axis is cut into, so that each reference is a run of whole parts.
Dims parts_of(const mesh::Mesh& mesh, std::size_t axis, std::span<const mesh::AxisRef> axes) {
    std::vector<std::int64_t> cuts{1, mesh.axes()[axis].size};
    for (const mesh::AxisRef& ref : axes) {
        if (ref.axis != axis) continue;
        cuts.push_back(std::int64_t{ref.pre});
        cuts.push_back(std::int64_t{ref.pre} * std::int64_t{ref.size});
    }
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    Dims parts;
    for (std::size_t i = 1; i < cuts.size(); ++i) parts.push_back(cuts[i] / cuts[i - 1]);
    return parts;
}

std::string pairs_text(const std::vector<std::vector<std::int64_t>>& pairs) {
    std::string out;
    for (const auto& pair : pairs)
        out += fmt::format("{}{{{}}}", out.empty() ? "" : ",", fmt::join(pair, ","));
    return "{" + out + "}";
}

std::int64_t device_at(const mesh::Mesh& mesh, std::int64_t position) {
    return mesh.device_ids().empty() ? position
                                     : mesh.device_ids()[static_cast<std::size_t>(position)];
}

std::string permute_pairs(const mesh::Mesh& mesh, const ir::CollectiveAttributes& a) {
    if (a.mode != ir::GroupMode::kMeshAxes) return pairs_text(a.groups);
    std::vector<std::vector<std::int64_t>> pairs;
    const auto groups = mesh::device_groups(mesh, view(a.axes));
    const auto sources =
        a.permute_to.empty() ? groups : mesh::device_groups(mesh, view(a.permute_to));
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const auto n = static_cast<std::int64_t>(groups[g].size());
        for (std::int64_t i = 0; i < n; ++i) {
            const auto k = static_cast<std::size_t>(i);
            if (!a.permute_to.empty()) {
                pairs.push_back({device_at(mesh, sources[g][k]), device_at(mesh, groups[g][k])});
                continue;
            }
            std::int64_t to = i + a.shift;
            if (a.wrap) to = ((to % n) + n) % n;
            if (to < 0 || to >= n) continue;
            pairs.push_back({device_at(mesh, groups[g][k]),
                             device_at(mesh, groups[g][static_cast<std::size_t>(to)])});
        }
    }
    return pairs_text(pairs);
}

}  // namespace

std::string replica_groups_text(const mesh::Mesh& mesh, std::span<const mesh::AxisRef> axes) {
    if (!mesh.device_ids().empty()) {
        auto groups = mesh::device_groups(mesh, axes);
        for (auto& group : groups)
            for (std::int64_t& device : group) device = device_at(mesh, device);
        return "replica_groups=" + pairs_text(groups);
    }
    Dims reshape;
    std::vector<std::pair<std::size_t, std::int64_t>> place;  // (axis, pre) of each part
    for (std::size_t axis = 0; axis < mesh.rank(); ++axis) {
        std::int64_t pre = 1;
        for (const std::int64_t part : parts_of(mesh, axis, axes)) {
            reshape.push_back(part);
            place.emplace_back(axis, pre);
            pre *= part;
        }
    }
    Dims inner, order;
    for (const mesh::AxisRef& ref : axes)
        for (std::size_t i = 0; i < place.size(); ++i)
            if (place[i].first == ref.axis && place[i].second >= ref.pre &&
                place[i].second < std::int64_t{ref.next_pre()})
                inner.push_back(static_cast<std::int64_t>(i));
    for (std::size_t i = 0; i < place.size(); ++i)
        if (std::find(inner.begin(), inner.end(), static_cast<std::int64_t>(i)) == inner.end())
            order.push_back(static_cast<std::int64_t>(i));
    order.insert(order.end(), inner.begin(), inner.end());
    const std::int64_t size = mesh::product(axes), count = mesh.device_count();
    if (reshape.empty()) reshape.push_back(1), order.assign(1, 0);
    std::string out =
        fmt::format("replica_groups=[{},{}]<=[{}]", count / size, size, fmt::join(reshape, ","));
    if (!std::is_sorted(order.begin(), order.end()))
        out += fmt::format("T({})", fmt::join(order, ","));
    return out;
}

std::string Writer::reducer(sharding::Reduction reduction, ir::ElementType type) {
    constexpr std::string_view kNames[] = {"add", "multiply", "maximum", "minimum",
                                           "and", "or",       "xor",     "add"};
    const std::string_view opcode = kNames[static_cast<std::size_t>(reduction)];
    const std::string key = fmt::format("{}.{}", opcode, ir::hlo_name(type));
    if (const auto found = reducers_.find(key); found != reducers_.end()) return found->second;
    const std::string name = computation_name(key);
    const std::string scalar = ir::hlo_text({type, {}});
    computations_ += fmt::format(
        "%{0} {{\n  %a = {1} parameter(0)\n  %b = {1} parameter(1)\n"
        "  ROOT %r = {1} {2}(%a, %b)\n}}\n\n",
        name, scalar, opcode);
    return reducers_[key] = name;
}

/// This device's linear index along the axes, from its id.
void Writer::axis_index(Body& body, ir::OpId id) {
    const auto& a = m_.attributes<ir::CollectiveAttributes>(id);
    const mesh::Mesh& mesh = m_.mesh(a.mesh);
    const ir::TensorType u32{ir::ElementType::kU32, {}};
    std::string position = step(body, u32, "partition-id()");
    if (!mesh.device_ids().empty()) {  // positions by device id
        std::vector<std::int64_t> table(mesh.device_ids().size(), 0);
        for (std::size_t i = 0; i < table.size(); ++i) {
            const auto device = static_cast<std::size_t>(mesh.device_ids()[i]);
            if (device < table.size()) table[device] = static_cast<std::int64_t>(i);
        }
        const ir::TensorType row{ir::ElementType::kU32, {static_cast<std::int64_t>(table.size())}};
        const std::string all =
            step(body, row, fmt::format("constant({{{}}})", fmt::join(table, ", ")));
        const std::string one =
            step(body, {ir::ElementType::kU32, {1}},
                 fmt::format("dynamic-slice(%{}, %{}), dynamic_slice_sizes={{1}}", all, position));
        position = step(body, u32, fmt::format("reshape(%{})", one));
    }
    const auto with_constant = [&](std::string_view opcode, const std::string& x, std::int64_t c) {
        const std::string k = step(body, u32, fmt::format("constant({})", c));
        return step(body, u32, fmt::format("{}(%{}, %{})", opcode, x, k));
    };
    std::string index = step(body, u32, "constant(0)");
    for (const mesh::AxisRef& ref : a.axes) {
        std::int64_t stride =
            mesh.axes()[ref.axis].size / (std::int64_t{ref.pre} * std::int64_t{ref.size});
        for (std::size_t k = ref.axis + 1; k < mesh.rank(); ++k) stride *= mesh.axes()[k].size;
        const std::string part =
            with_constant("remainder", with_constant("divide", position, stride), ref.size);
        const std::string scaled = with_constant("multiply", index, ref.size);
        index = step(body, u32, fmt::format("add(%{}, %{})", scaled, part));
    }
    results(body, id, fmt::format("convert(%{})", index));
}

/// HLO splits and concatenates along one dimension: a new leading one of the group's size.
void Writer::all_to_all(Body& body, ir::OpId id, const std::string& tail) {
    const auto& a = m_.attributes<ir::CollectiveAttributes>(id);
    const std::string in = of(body, m_.operand(id, 0));
    if (a.dim == a.concat_dim)
        return results(body, id,
                       fmt::format("all-to-all(%{}), dimensions={{{}}}{}", in, a.dim, tail));
    const ir::TensorType& from = m_.type(m_.operand(id, 0));
    const ir::TensorType& to = m_.type(m_.result(id));
    const auto split = static_cast<std::size_t>(a.dim),
               concat = static_cast<std::size_t>(a.concat_dim);
    const std::int64_t n = to.dims[split] == 0 ? 1 : from.dims[split] / to.dims[split];
    const std::size_t rank = from.rank();
    ir::TensorType parts{from.element, {}};  // split dim as [n, rest]
    for (std::size_t i = 0; i < rank; ++i) {
        if (i == split) parts.dims.push_back(n);
        parts.dims.push_back(to.dims[i] == 0 || i != split ? from.dims[i] : from.dims[i] / n);
    }
    const std::string cut = step(body, parts, fmt::format("reshape(%{})", in));
    Dims forward{static_cast<std::int64_t>(split)};
    for (std::size_t i = 0; i < rank + 1; ++i)
        if (i != split) forward.push_back(static_cast<std::int64_t>(i));
    ir::TensorType front{from.element, {}};
    for (const std::int64_t d : forward)
        front.dims.push_back(parts.dims[static_cast<std::size_t>(d)]);
    const std::string moved =
        step(body, front, fmt::format("transpose(%{}), dimensions={}", cut, braces(view(forward))));
    const std::string sent =
        step(body, front, fmt::format("all-to-all(%{}), dimensions={{0}}{}", moved, tail));
    Dims back;  // the group's dimension goes before the concatenated one
    for (std::size_t i = 0; i < rank; ++i) {
        if (i == concat) back.push_back(0);
        back.push_back(static_cast<std::int64_t>(i + 1));
    }
    ir::TensorType placed{from.element, {}};
    for (const std::int64_t d : back)
        placed.dims.push_back(front.dims[static_cast<std::size_t>(d)]);
    const std::string last =
        step(body, placed, fmt::format("transpose(%{}), dimensions={}", sent, braces(view(back))));
    results(body, id, fmt::format("reshape(%{})", last));
}

bool Writer::collective(Body& body, ir::OpId id) {
    const ir::Op& op = m_.op(id);
    if (op.kind == OpKind::kAxisIndex) return axis_index(body, id), true;
    if (!ir::info(op.kind).collective) return false;
    const auto& a = m_.attributes<ir::CollectiveAttributes>(id);
    const mesh::Mesh none("none", {});
    const mesh::Mesh& mesh = a.mesh.index < m_.meshes().size() ? m_.mesh(a.mesh) : none;
    const bool own = a.mode == ir::GroupMode::kMeshAxes;
    std::string tail;
    if (own || a.mode != ir::GroupMode::kCrossReplica)
        tail += fmt::format(", channel_id={}", own || a.channel <= 0 ? next_channel_++ : a.channel);
    if (op.kind == OpKind::kCollectivePermute) {
        results(body, id,
                fmt::format("collective-permute({}){}, source_target_pairs={}", operands(body, id),
                            tail, permute_pairs(mesh, a)));
        return true;
    }
    tail += own ? ", " + replica_groups_text(mesh, view(a.axes))
                : ", replica_groups=" + pairs_text(a.groups);
    const bool counted = op.kind == OpKind::kAllGather || op.kind == OpKind::kAllReduce ||
                         op.kind == OpKind::kReduceScatter;
    if (counted && (own || a.mode == ir::GroupMode::kFlattenedIds))
        tail += ", use_global_device_ids=true";
    switch (op.kind) {
        case OpKind::kAllGather:
            results(body, id,
                    fmt::format("all-gather({}), dimensions={{{}}}{}", operands(body, id), a.dim,
                                tail));
            return true;
        case OpKind::kAllReduce:
        case OpKind::kReduceScatter: {
            const bool scatter = op.kind == OpKind::kReduceScatter;
            const std::string to_apply = op.region_count > 0
                                             ? combiner(id, 0)
                                             : reducer(a.reduction, m_.type(m_.result(id)).element);
            const std::string dims =
                scatter ? fmt::format(", dimensions={{{}}}", a.dim) : std::string();
            results(
                body, id,
                fmt::format("{}({}){}{}, to_apply=%{}", scatter ? "reduce-scatter" : "all-reduce",
                            operands(body, id), dims, tail, to_apply));
            return true;
        }
        case OpKind::kAllToAll:
            all_to_all(body, id, tail);
            return true;
        default:
            results(body, id, fmt::format("collective-broadcast({}){}", operands(body, id), tail));
            return true;
    }
}

}  // namespace shardwright::formats::hlo
