#include "partition/partitioner.h"

#include <fmt/format.h>

#include <algorithm>

#include "partition/cleanup.h"

namespace shardwright::partition {

Partitioner::Partitioner(const ir::Module& source, const rules::RuleTable& rules,
                         const propagation::Result& shardings, sharding::MeshId mesh,
                         const Options& options)
    : source_(source),
      rules_(rules),
      shardings_(shardings),
      mesh_(mesh),
      options_(options),
      emit_(out_.module, mesh),
      planner_(options.small_tensor_bytes),
      table_(source.value_count()) {}

Result<Partitioned> Partitioner::run() {
    ir::Module& m = out_.module;
    m.title = source_.title;
    m.file = source_.file;
    m.num_partitions = source_.mesh(mesh_).device_count();
    m.is_partitioned = true;
    for (const mesh::Mesh& mesh : source_.meshes()) m.add_mesh(mesh);
    for (std::size_t f = 0; f < source_.functions().size(); ++f) SW_CHECK(function(f));
    if (lost_limits_ != 0)
        out_.notes.push_back(fmt::format(
            "{} reshards found no way within the memory guarantee and gathered", lost_limits_));
    return std::move(out_);
}

/// What a function returns as number `i`: the annotation of the result where it is closed, else the
/// value's own sharding.
static Layout returned_layout(const Layout& own, const std::optional<sharding::Sharding>& stated) {
    if (!stated || stated->form != sharding::Form::kTiled || stated->dims.size() != own.rank())
        return own;
    Layout wanted = to_layout(*stated, own.rank());
    Layout refined = wanted;
    for (std::size_t d = 0; d < own.rank(); ++d)
        if (stated->dims[d].open && mesh::is_prefix(view(wanted.dims[d]), view(own.dims[d])))
            refined.dims[d] = own.dims[d];
    const AxisList used = refined.used_axes();
    for (std::size_t i = 0; i < used.size(); ++i)
        for (std::size_t j = i + 1; j < used.size(); ++j)
            if (mesh::overlaps(used[i], used[j])) return wanted;
    return refined;
}

Status Partitioner::function(std::size_t index) {
    const ir::Function& f = source_.functions()[index];
    const ir::Region& body = source_.region(f.body);
    std::vector<Layout> layouts;
    Partitioned::Signature signature;
    for (std::size_t i = 0; i < body.argument_count; ++i) {
        layouts.push_back(layout_of(source_.argument(f.body, i)));
        signature.arguments.push_back(to_sharding(layouts.back(), mesh_));
    }
    const Scope scope = enter(f.body, layouts);
    const std::size_t made = out_.module.add_function(source_.text(f.name), scope.region);
    SW_CHECK(ops_of(f.body));
    const OpId terminator = source_.terminator(f.body);
    stamp(terminator);
    InlineVector<ValueId, 8> values;
    const auto returned = source_.returned(f.body);
    for (std::size_t i = 0; i < returned.size(); ++i) {
        const auto stated = i < f.results.size() ? f.results[i].annotation : std::nullopt;
        const Layout layout = returned_layout(layout_of(returned[i]), stated);
        values.push_back(get(returned[i], layout, terminator));
        signature.results.push_back(to_sharding(layout, mesh_));
    }
    ret(view(values));
    leave(scope);
    // Names and donations stay what they were; annotations are not those of local shapes.
    ir::Function& g = out_.module.function(made);
    const auto renamed = [&](NameId id) { return out_.module.intern(source_.text(id)); };
    g.arguments = f.arguments;
    for (ir::ArgumentInfo& a : g.arguments) a.name = renamed(a.name), a.path = renamed(a.path);
    g.results.assign(returned.size(), {});
    for (std::size_t i = 0; i < f.results.size() && i < returned.size(); ++i)
        g.results[i].name = renamed(f.results[i].name);
    out_.signatures.push_back(std::move(signature));
    return {};
}

Partitioner::Scope Partitioner::enter(RegionId source_region, std::span<const Layout> layouts) {
    Scope scope{emit_.region(), out_.module.add_region(), table_.mark()};
    const ir::Region& region = source_.region(source_region);
    InlineVector<ir::TypeId, 8> types;
    for (std::size_t i = 0; i < region.argument_count; ++i)
        types.push_back(out_.module.intern_type(
            local_type(source_.type(source_.argument(source_region, i)), layouts[i])));
    out_.module.set_arguments(scope.region, view(types));
    emit_.set_region(scope.region);
    for (std::size_t i = 0; i < region.argument_count; ++i)
        define(source_.argument(source_region, i), layouts[i],
               out_.module.argument(scope.region, i));
    return scope;
}

void Partitioner::leave(const Scope& scope) {
    table_.rewind(scope.mark);
    emit_.set_region(scope.outer);
}

void Partitioner::ret(std::span<const ValueId> values) {
    emit_.op(OpKind::kReturn, values, {});
}

Status Partitioner::ops_of(RegionId region) {
    for (const OpId id : source_.region(region).ops)
        if (source_.op(id).kind != OpKind::kReturn) SW_CHECK(op(id));
    return {};
}

void Partitioner::stamp(OpId id) {
    const ir::Op& op = source_.op(id);
    emit_.stamp.scope = out_.module.intern(source_.text(op.scope));
    emit_.stamp.line = op.line;
    emit_.stamp.origin = id;
}

Status Partitioner::op(OpId id) {
    const ir::Op& op = source_.op(id);
    for (std::size_t i = 0; i < op.result_count; ++i)
        out_.total_result_bytes += source_.type(source_.result(id, i)).byte_size();
    stamp(id);
    switch (op.kind) {
        case OpKind::kWhile:
            return loop(id);
        case OpKind::kCase:
        case OpKind::kIf:
            return branches(id);
        case OpKind::kManualComputation:
            return manual(id);
        case OpKind::kNamedComputation:
            return inlined(id);
        case OpKind::kRunParallel:
            return unsupported(fmt::format("partitioning of '{}'", ir::name(op.kind)));
        case OpKind::kShardingConstraint:
        case OpKind::kReshard:
        case OpKind::kPropagationBarrier:
        case OpKind::kDataFlowEdge:
            identity(id);
            return {};
        case OpKind::kShardingGroup:
            return {};
        case OpKind::kOptimizationBarrier:
            barrier(id);
            return {};
        case OpKind::kCheck:
            check(id);
            return {};
        case OpKind::kGetDimensionSize:
            dimension_size(id);
            return {};
        default:
            break;
    }
    if (ir::info(op.kind).collective || op.kind == OpKind::kAxisIndex) {
        input_collective(id);
        return {};
    }
    if (op.result_count == 1 && is_made(source_.result(id))) return {};  // made where it is needed
    local(id);
    return {};
}

Result<Partitioned> partition(const ir::Module& module, const rules::RuleTable& rules,
                              const propagation::Result& shardings, sharding::MeshId mesh_id,
                              const Options& options) {
    const mesh::Mesh& mesh = module.mesh(mesh_id);
    std::vector<std::int64_t> ids = mesh.device_ids();
    std::sort(ids.begin(), ids.end());
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] != static_cast<std::int64_t>(i))
            return unsupported("a device order that does not name each device exactly once");
    for (std::size_t v = 0; v < module.value_count(); ++v) {
        const sharding::Sharding& s = shardings.of(ValueId(v));
        if (s.mesh != mesh_id && !s.used_axes().empty() && s.mesh.index < module.meshes().size() &&
            !(module.mesh(s.mesh).axes().size() == mesh.axes().size() &&
              std::equal(mesh.axes().begin(), mesh.axes().end(),
                         module.mesh(s.mesh).axes().begin()) &&
              module.mesh(s.mesh).device_ids() == mesh.device_ids()))
            return unsupported(fmt::format("several meshes at once: '{}' and '{}'", mesh.name(),
                                           module.mesh(s.mesh).name()));
    }
    SW_TRY(Partitioned made, Partitioner(module, rules, shardings, mesh_id, options).run());
    clean_up(made, options);
    return made;
}

}  // namespace shardwright::partition
