// Collectives and manual computations: shapes by mesh axes or by explicit groups.
#include "ir/infer_context.h"
#include "sharding/geometry.h"

namespace shardwright::ir::inference {
namespace {

Status need_axes(const Context& c, MeshId mesh, const mesh::AxisList& axes) {
    if (axes.empty()) return {};
    if (mesh.index >= c.module.meshes().size())
        return bad_input(fmt::format("{} names a mesh that does not exist", c.op_name()));
    const mesh::Mesh& m = c.module.mesh(mesh);
    for (const mesh::AxisRef& ref : axes)
        if (ref.axis >= m.rank() || ref.size < 1 || ref.pre < 1 ||
            m.axes()[ref.axis].size % (std::int64_t{ref.pre} * ref.size) != 0)
            return bad_input(
                fmt::format("{} names an axis that its mesh does not have", c.op_name()),
                fmt::format("axes of {}", m.text()));
    return {};
}

/// How many devices take part in a group; 0 when the operation does not say.
Result<std::int64_t> group_size(const Context& c, const CollectiveAttributes& a) {
    if (a.mode == GroupMode::kMeshAxes && a.groups.empty()) {
        SW_CHECK(need_axes(c, a.mesh, a.axes));
        return mesh::product(a.axes);
    }
    if (a.groups.empty()) return std::int64_t{0};
    const std::size_t size = a.groups.front().size();
    for (const auto& group : a.groups)
        if (group.size() != size || size == 0)
            return bad_input(
                fmt::format("{} has groups of {} and {} devices", c.op_name(), size, group.size()),
                "groups of one size, not empty");
    // Groups of replicas that span all partitions have members that the text does not list.
    const bool listed = a.mode != GroupMode::kCrossReplicaAndPartition;
    return listed ? static_cast<std::int64_t>(size) : 0;
}

Inferred all_gather(const Context& c, const CollectiveAttributes& a, std::int64_t group) {
    Types types;
    for (std::size_t i = 0; i < c.operand_count(); ++i) {
        TensorType to = c.operand(i);
        SW_CHECK(need_dim(c, a.dim, to.rank(), "all_gather_dim"));
        std::int64_t& size = to.dims[static_cast<std::size_t>(a.dim)];
        if (group > 0) {
            const Checked product = Checked(size) * group;
            if (product.overflow) return bad_input("the result of all_gather is too large");
            size = product.value;
        } else if (i < c.stated.size() && c.stated[i].rank() == to.rank()) {
            const std::int64_t whole = c.stated[i].dims[static_cast<std::size_t>(a.dim)];
            if (size == 0 ? whole != 0 : whole % size != 0)
                return bad_input(fmt::format("all_gather makes a size of {} from {}", whole, size),
                                 "a multiple");
            size = whole;
        }
        types.push_back(std::move(to));
    }
    return types;
}

/// Divides dimension `dim` by the group's size, or takes the stated quotient.
Status divide(const Context& c, TensorType& t, std::int64_t dim, std::int64_t group,
              std::size_t i) {
    SW_CHECK(need_dim(c, dim, t.rank(), "dimension"));
    std::int64_t& size = t.dims[static_cast<std::size_t>(dim)];
    if (group == 0) {
        if (i >= c.stated.size() || c.stated[i].rank() != t.rank())
            return bad_input(fmt::format("{} does not say how many devices take part", c.op_name()),
                             "replica groups or a result type");
        const std::int64_t part = c.stated[i].dims[static_cast<std::size_t>(dim)];
        group = part == 0 ? 1 : std::max<std::int64_t>(size / part, 1);
    }
    if (size % group != 0)
        return bad_input(
            fmt::format("{} splits dimension {} of size {} in {}", c.op_name(), dim, size, group),
            "a divisor of it");
    size /= group;
    return {};
}

Inferred all_to_all(const Context& c, const CollectiveAttributes& a, std::int64_t group) {
    Types types;
    for (std::size_t i = 0; i < c.operand_count(); ++i) {
        TensorType to = c.operand(i);
        if (a.dim < 0) {  // HLO's tuple form: whole operands travel
            SW_CHECK(need_same_type(c, 0, i));
            types.push_back(std::move(to));
            continue;
        }
        const TensorType from = to;
        SW_CHECK(divide(c, to, a.dim, group, i));
        SW_CHECK(need_dim(c, a.concat_dim, to.rank(), "concat_dimension"));
        const auto split = static_cast<std::size_t>(a.dim);
        const auto concat = static_cast<std::size_t>(a.concat_dim);
        const std::int64_t parts =
            group > 0 ? group : (to.dims[split] == 0 ? 1 : from.dims[split] / to.dims[split]);
        const Checked size = Checked(to.dims[concat]) * parts;
        if (size.overflow) return bad_input("the result of all_to_all is too large");
        to.dims[concat] = size.value;
        types.push_back(std::move(to));
    }
    return types;
}

Inferred reduce_scatter(const Context& c, const CollectiveAttributes& a, std::int64_t group) {
    Types types;
    for (std::size_t i = 0; i < c.operand_count(); ++i) {
        TensorType to = c.operand(i);
        SW_CHECK(divide(c, to, a.dim, group, i));
        types.push_back(std::move(to));
    }
    return types;
}

/// No device sends twice or receives twice.
Status need_pairs(const CollectiveAttributes& a) {
    std::vector<std::int64_t> sources, targets;
    for (const auto& pair : a.groups) {
        if (pair.size() != 2 || pair[0] < 0 || pair[1] < 0)
            return bad_input("a source_target_pairs entry of collective_permute is not a pair",
                             "pairs of device numbers");
        sources.push_back(pair[0]);
        targets.push_back(pair[1]);
    }
    for (auto* list : {&sources, &targets}) {
        std::sort(list->begin(), list->end());
        const auto twice = std::adjacent_find(list->begin(), list->end());
        if (twice != list->end())
            return bad_input(fmt::format("device {} {} twice in collective_permute", *twice,
                                         list == &sources ? "sends" : "receives"),
                             "each device at most once");
    }
    return {};
}

/// The combiner of a reducing collective, when it has one: on the operand's elements.
Status need_optional_combiner(const Context& c) {
    if (c.op.regions.empty()) return {};
    SW_CHECK(need_regions(c, 1));
    SW_TRY(const std::vector<ElementType> elements, combiner_elements(c, 0, 1));
    for (std::size_t i = 0; i < c.operand_count(); ++i)
        SW_CHECK(need_element(c, c.operand(i).element == elements[0], i,
                              fmt::format("{} elements as its combiner", mlir_name(elements[0]))));
    return {};
}

/// The shape of one shard when only the manual axes cut: free axes stay with the partitioner.
Dims manual_shape(const Dims& dims, const sharding::Sharding& s, const mesh::AxisList& manual) {
    Dims local = dims;
    for (std::size_t d = 0; d < dims.size() && d < s.dims.size(); ++d) {
        std::int64_t shards = 1;
        for (const mesh::AxisRef& ref : s.dims[d].axes)
            if (mesh::overlaps(ref, view(manual))) shards *= ref.size;
        local[d] = sharding::shard_size(dims[d], shards);
    }
    return local;
}

Status need_manual_sharding(const Context& c, const ManualAttributes& a,
                            const sharding::Sharding& s, std::size_t rank, std::string_view what) {
    SW_CHECK(need_entries(c, s.dims.size(), rank, what));
    for (const sharding::DimSharding& dim : s.dims) SW_CHECK(need_axes(c, a.mesh, dim.axes));
    return {};
}

}  // namespace

Inferred collective(const Context& c) {
    SW_TRY(const CollectiveAttributes* a, need_attributes<CollectiveAttributes>(c));
    if (c.op.kind == OpKind::kAxisIndex) {
        SW_CHECK(need_operands(c, 0));
        SW_CHECK(need_axes(c, a->mesh, a->axes));
        return Types{{ElementType::kS32, {}}};
    }
    SW_CHECK(need_operands_at_least(c, 1));
    Types same;
    for (std::size_t i = 0; i < c.operand_count(); ++i) {
        SW_CHECK(need_element(c, c.operand(i).element != ElementType::kToken, i, "a tensor"));
        same.push_back(c.operand(i));
    }
    if (c.op.kind == OpKind::kCollectivePermute) {
        SW_CHECK(need_axes(c, a->mesh, a->axes));
        SW_CHECK(need_axes(c, a->mesh, a->permute_to));
        SW_CHECK(need_pairs(*a));
        return same;
    }
    if (c.op.kind == OpKind::kCollectiveBroadcast) return same;
    if (c.op.kind == OpKind::kAllReduce) {
        SW_CHECK(need_axes(c, a->mesh, a->axes));
        SW_CHECK(need_optional_combiner(c));
        return same;
    }
    SW_TRY(const std::int64_t group, group_size(c, *a));
    switch (c.op.kind) {
        case OpKind::kAllGather:
            return all_gather(c, *a, group);
        case OpKind::kAllToAll:
            return all_to_all(c, *a, group);
        default:
            SW_CHECK(need_optional_combiner(c));
            return reduce_scatter(c, *a, group);
    }
}

Inferred manual_computation(const Context& c) {
    SW_CHECK(need_regions(c, 1));
    SW_TRY(const ManualAttributes* a, need_attributes<ManualAttributes>(c));
    SW_CHECK(need_axes(c, a->mesh, a->axes));
    SW_CHECK(need_operands(c, a->in.size()));
    Types locals;
    for (std::size_t i = 0; i < c.operand_count(); ++i) {
        const TensorType& t = c.operand(i);
        SW_CHECK(need_manual_sharding(c, *a, a->in[i], t.rank(), fmt::format("in_sharding {}", i)));
        locals.push_back({t.element, manual_shape(t.dims, a->in[i], a->axes)});
    }
    SW_CHECK(need_region_arguments(c, 0, locals));
    SW_TRY(const Types returned, region_results(c, 0));
    if (returned.size() != a->out.size())
        return bad_input(fmt::format("manual_computation returns {} values", returned.size()),
                         fmt::format("{}, one an out_sharding", a->out.size()));
    Types types;
    for (std::size_t i = 0; i < returned.size(); ++i) {
        const TensorType& local = returned[i];
        const sharding::Sharding& out = a->out[i];
        SW_CHECK(need_manual_sharding(c, *a, out, local.rank(), fmt::format("out_sharding {}", i)));
        // An uneven whole size cannot be told from its shard: there the file's word counts.
        if (i < c.stated.size() && c.stated[i].element == local.element &&
            c.stated[i].rank() == local.rank() &&
            manual_shape(c.stated[i].dims, out, a->axes) == local.dims) {
            types.push_back(c.stated[i]);
            continue;
        }
        TensorType whole = local;
        for (std::size_t d = 0; d < whole.rank(); ++d)
            for (const mesh::AxisRef& ref : out.dims[d].axes)
                if (mesh::overlaps(ref, view(a->axes))) {
                    const Checked size = Checked(whole.dims[d]) * std::int64_t{ref.size};
                    if (size.overflow)
                        return bad_input("the result of manual_computation is too large");
                    whole.dims[d] = size.value;
                }
        types.push_back(std::move(whole));
    }
    return types;
}

}  // namespace shardwright::ir::inference
