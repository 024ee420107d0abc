#include "plan/describe.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "plan/edit.h"
#include "sharding/geometry.h"
#include "sharding/hlo_sharding.h"
#include "sharding/text.h"

namespace shardwright::plan {
namespace {

/// By its own name or by a glob.
bool is_named_by_plan(const Model& model, const Plan& plan, ir::ValueId value) {
    for (const Annotation& a : plan.annotations) {
        const std::vector<ir::ValueId> values = model.find(a.target);
        if (std::find(values.begin(), values.end(), value) != values.end()) return true;
    }
    return false;
}

Neighbour neighbour(const Model& model, ir::OpId op) {
    Neighbour out;
    out.op = op;
    out.text = ir::name(model.module.op(op).kind);
    if (model.module.op(op).result_count > 0) {
        out.value = model.module.result(op);
        out.text += " → " + model.value_name(out.value);
    }
    return out;
}

void add_neighbours(const Model& model, ir::ValueId value, TensorFacts& facts) {
    const ir::OpId def = model.module.value(value).def;
    if (def.valid()) {
        facts.producer = ir::name(model.module.op(def).kind);
        facts.rule = rules::einsum_text(model.rules.of(def));
        for (const ir::ValueId v : model.module.operands(def))
            facts.operands.push_back({model.value_name(v), model.module.value(v).def, v});
    } else {
        const ir::Region& region = model.module.region(model.module.value(value).region);
        facts.producer = fmt::format("argument {}", model.module.value(value).index);
        if (region.parent.valid())
            facts.producer += fmt::format(" of {}", ir::name(model.module.op(region.parent).kind));
    }
    for (const ir::Use& use : model.uses.of(value)) facts.users.push_back(neighbour(model, use.op));
}

}  // namespace

const mesh::Mesh& mesh_of(const Derived& derived) {
    return derived.prepared.module.mesh(derived.prepared.mesh);
}

TensorFacts describe(const Model& model, const Derived& derived, ir::ValueId value) {
    TensorFacts facts;
    const ir::TensorType& type = model.module.type(value);
    const sharding::Sharding& s = derived.shardings.of(value);
    const mesh::Mesh& mesh = mesh_of(derived);
    facts.name = model.value_name(value);
    facts.path = model.display_path(value);
    facts.type = ir::mlir_text(type);
    ir::TensorType local{type.element, type.dims};
    if (s.form == sharding::Form::kTiled && s.dims.size() == type.rank()) {
        local.dims = sharding::shard_shape(view(type.dims), s);
        facts.uneven = sharding::is_uneven(view(type.dims), s);
    }
    facts.local_type = ir::mlir_text(local);
    facts.bytes = type.byte_size();
    facts.bytes_per_device = local.byte_size();
    facts.short_form = sharding::print_short(s, mesh);
    facts.sdy = sharding::print_sdy(s, mesh);
    facts.hlo = sharding::print_hlo(sharding::to_hlo(s, mesh));
    facts.partition_spec = sharding::print_partition_spec(s, mesh);
    if (is_named_by_plan(model, derived.plan, value))
        facts.origin = Origin::kPlan;
    else if (derived.prepared.module.annotation(value) != nullptr)
        facts.origin = Origin::kFile;
    add_neighbours(model, value, facts);
    return facts;
}

std::vector<std::string> why_lines(const Model& model, const Derived& derived, ir::ValueId value,
                                   int dim) {
    return propagation::why(derived.prepared.module, model.rules, derived.shardings, value, dim);
}

std::vector<CollectiveFacts> collective_facts(const Derived& derived) {
    std::vector<CollectiveFacts> out;
    const ir::Module& program = derived.program.module;
    std::unordered_map<ir::OpId, double> seconds;
    if (derived.estimate)
        for (const cost::CollectiveCost& c : derived.estimate->timeline.collectives)
            seconds[c.op] = c.seconds;
    for (const partition::CollectiveLine& line : derived.collectives) {
        CollectiveFacts facts;
        facts.kind = line.kind;
        facts.axes = line.axes;
        facts.bytes = line.bytes_moved;
        facts.trips = line.trips;
        if (const auto found = seconds.find(line.op); found != seconds.end())
            facts.time_s = found->second;
        facts.cause = line.cause;
        facts.scope = clean_path(line.scope);
        facts.source_op = program.op(line.op).origin;
        const auto* attributes = program.attributes_if<ir::CollectiveAttributes>(line.op);
        if (attributes != nullptr && attributes->cause.valid() &&
            attributes->cause.index < derived.program.causes.size()) {
            const partition::Cause& cause = derived.program.causes[attributes->cause.index];
            if (cause.source_op.valid()) facts.source_op = cause.source_op;
            facts.source_value = cause.source_value;
            facts.is_reshard = cause.is_reshard;
        }
        out.push_back(std::move(facts));
    }
    return out;
}

}  // namespace shardwright::plan
