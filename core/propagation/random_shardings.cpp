// Random legal shardings, to try the partitioner with.
#include <algorithm>
#include <numeric>

#include "propagation/propagate.h"

namespace shardwright::propagation {
namespace {

using mesh::AxisRef;
using sharding::Sharding;

/// splitmix64: the same numbers on every machine.
struct Random {
    std::uint64_t state;
    std::uint64_t next() {
        std::uint64_t z = (state += 0x9E3779B97F4A7C15u);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return z ^ (z >> 31);
    }
    std::size_t below(std::size_t n) { return static_cast<std::size_t>(next() % n); }
};

/// An axis whole, or now and then in two parts.
mesh::AxisList random_parts(const AxisRef& axis, Random& random) {
    if (random.below(3) != 0) return {axis};
    for (std::uint32_t major = 2; major * major <= axis.size; ++major) {
        if (axis.size % major != 0) continue;
        AxisRef first = axis, second = axis;
        first.size = major;
        second.pre = major & 0xFFFFFFu;
        second.size = axis.size / major;
        return {first, second};
    }
    return {axis};
}

Sharding random_sharding(const mesh::Mesh& mesh, sharding::MeshId id, const Dims& shape,
                         Random random) {
    Sharding s = Sharding::replicated_of(shape.size(), false, id);
    mesh::AxisList parts;
    for (const AxisRef& axis : mesh.all_axes())
        for (const AxisRef& part : random_parts(axis, random))
            if (part.size > 1) parts.push_back(part);
    for (std::size_t i = parts.size(); i > 1; --i) std::swap(parts[i - 1], parts[random.below(i)]);
    for (const AxisRef& part : parts) {
        const std::size_t dim = random.below(shape.size() + 1);
        if (dim == shape.size()) continue;  // nowhere: replicated along it
        // Uneven cuts are wanted, more shards than elements are not.
        if (s.shards(dim) * part.size > shape[dim]) continue;
        s.dims[dim].axes.push_back(part);
    }
    for (sharding::DimSharding& dim : s.dims) dim.axes = mesh::merge_neighbours(view(dim.axes));
    return s;
}

/// Values that must agree, as a forest over value numbers.
class Ties {
  public:
    explicit Ties(std::size_t values) : parent_(values) {
        std::iota(parent_.begin(), parent_.end(), 0u);
    }
    std::uint32_t find(std::uint32_t v) {
        while (parent_[v] != v) v = parent_[v] = parent_[parent_[v]];
        return v;
    }
    void tie(ir::ValueId a, ir::ValueId b) {
        const std::uint32_t left = find(a.index), right = find(b.index);
        parent_[std::max(left, right)] = std::min(left, right);
    }

  private:
    std::vector<std::uint32_t> parent_;
};

/// Marks the regions of manual computations and all within them.
std::vector<bool> manual_regions(const ir::Module& module) {
    std::vector<bool> manual(module.region_count(), false);
    const auto mark = [&](auto&& self, ir::RegionId region) -> void {
        manual[region.index] = true;
        for (const ir::OpId op : module.region(region).ops)
            for (const ir::RegionId inner : module.regions(op)) self(self, inner);
    };
    for (std::size_t i = 0; i < module.op_count(); ++i)
        if (module.attributes_if<ir::ManualAttributes>(ir::OpId(i)))
            for (const ir::RegionId region : module.regions(ir::OpId(i))) mark(mark, region);
    return manual;
}

/// What stands behind the manual axes: the sharding of a manual computation's argument.
Sharding inside_of(const Sharding& outside, const mesh::AxisList& manual) {
    Sharding inside = outside;
    for (sharding::DimSharding& dim : inside.dims) {
        mesh::AxisList kept;
        for (const AxisRef& axis : dim.axes)
            if (!mesh::overlaps(axis, view(manual))) kept.push_back(axis);
        dim.axes = kept;
        dim.priority = -1;
    }
    return inside;
}

}  // namespace

Result random_shardings(const ir::Module& module, sharding::MeshId mesh_id, std::uint64_t seed) {
    Result result;
    const mesh::Mesh& mesh = module.mesh(mesh_id);
    Ties ties(module.value_count());
    for (const rules::DataFlowEdge& edge : rules::data_flow_edges(module)) {
        if (edge.targets.empty()) continue;
        for (const ir::ValueId v : edge.sources) ties.tie(edge.targets[0], v);
        for (const ir::ValueId v : edge.targets) ties.tie(edge.targets[0], v);
    }
    const std::vector<bool> manual = manual_regions(module);
    result.of_value.resize(module.value_count());
    for (std::size_t v = 0; v < module.value_count(); ++v) {
        const ir::ValueId value(v);
        const Dims& shape = module.type(value).dims;
        const ir::RegionId region = module.value(value).region;
        Sharding s = Sharding::replicated_of(shape.size(), false, mesh_id);
        if (region.valid() && manual[region.index]) {
            if (const Sharding* given = module.annotation(value)) s = *given;
        } else {
            const std::uint64_t root = ties.find(value.index);
            s = random_sharding(mesh, mesh_id, shape, Random{seed * 0x2545F4914F6CDD1Du + root});
        }
        result.of_value[v] = result.pool.intern(s);
    }
    for (std::size_t i = 0; i < module.op_count(); ++i) {
        const ir::OpId op(i);
        const auto* edges = module.attributes_if<ir::ManualAttributes>(op);
        if (!edges || module.op(op).region_count != 1) continue;
        const ir::RegionId body = module.region_of(op, 0);
        for (std::size_t a = 0; a < edges->in.size() && a < module.region(body).argument_count; ++a)
            result.of_value[module.argument(body, a).index] =
                result.pool.intern(inside_of(edges->in[a], edges->axes));
        for (std::size_t r = 0; r < edges->out.size() && r < module.op(op).result_count; ++r)
            result.of_value[module.result(op, r).index] = result.pool.intern(edges->out[r]);
    }
    for (const ir::Function& function : module.functions()) {
        auto& results = result.of_result.emplace_back();
        if (module.region(function.body).ops.empty()) continue;
        for (const ir::ValueId v : module.returned(function.body))
            results.push_back(result.of_value[v.index]);
    }
    return result;
}

}  // namespace shardwright::propagation
