#include "exec/run_plan.h"

#include <algorithm>
#include <unordered_set>

#include "exec/fusion.h"

namespace shardwright::exec {

using ir::OpKind;

bool is_alias(const ir::Module& module, ir::OpId id) {
    switch (module.op(id).kind) {
        case OpKind::kReshape:
        case OpKind::kCopy:
        case OpKind::kOptimizationBarrier:
        case OpKind::kShardingConstraint:
        case OpKind::kReshard:
        case OpKind::kPropagationBarrier:
        case OpKind::kDataFlowEdge:
        case OpKind::kAfterAll:
        case OpKind::kSetDimensionSize:
            return true;
        case OpKind::kCustomCall: {
            // Marks of GSPMD and Shardy: whole-program values pass through unchanged.
            const auto target = module.text(module.attributes<ir::CustomCallAttributes>(id).target);
            const bool mark = target == "Sharding" || target == "xla.sdy.FuncResultSharding" ||
                              target == "annotate_device_placement" ||
                              target == "ShardBarrierFrom" || target == "ShardBarrierTo";
            return mark && module.op(id).operand_count >= module.op(id).result_count;
        }
        default:
            return false;
    }
}

bool runs_regions(OpKind kind) {
    return kind == OpKind::kWhile || kind == OpKind::kIf || kind == OpKind::kCase ||
           kind == OpKind::kManualComputation || kind == OpKind::kNamedComputation ||
           kind == OpKind::kRunParallel;
}

namespace {

/// Operations that the engine itself knows and that need no kernel.
bool is_engine_operation(const ir::Module& module, ir::OpId id) {
    const OpKind kind = module.op(id).kind;
    return is_alias(module, id) || runs_regions(kind) || ir::info(kind).collective ||
           kind == OpKind::kConstant || kind == OpKind::kCheck || kind == OpKind::kShardingGroup ||
           kind == OpKind::kAxisIndex || kind == OpKind::kPartitionId || kind == OpKind::kReplicaId;
}

/// Every value that the step reads, itself or in its regions, from outside them.
void collect_uses(const ir::Module& module, const Step& step, std::vector<ir::ValueId>& uses) {
    const ir::OpId id = step.op;
    if (step.chain)
        uses.assign(step.inputs.begin(), step.inputs.end());
    else
        for (const ir::ValueId v : module.operands(id)) uses.push_back(v);
    for (std::size_t r = 0; r < module.op(id).region_count; ++r)
        ir::walk(module, module.region_of(id, r), [&](ir::OpId inner) {
            for (const ir::ValueId v : module.operands(inner)) uses.push_back(v);
        });
}

}  // namespace

Result<RunPlan> RunPlan::make(const ir::Module& module, ir::RegionId body, const Options& options) {
    RunPlan plan;
    SW_CHECK(plan.add_region(module, body, options));
    return plan;
}

Status RunPlan::add_region(const ir::Module& module, ir::RegionId id, const Options& options) {
    const ir::Region& region = module.region(id);
    RegionPlan plan;
    for (const ir::OpId op : region.ops) {
        if (ir::info(module.op(op).kind).terminator) break;
        Step step;
        step.op = op;
        if (!is_engine_operation(module, op)) {
            SW_TRY(step.kernel, prepare_kernel(Preparation{module, options, op}));
            const auto operands = module.operands(op);
            step.inputs.assign(operands.begin(), operands.end());
            step.inputs.insert(step.inputs.end(), step.kernel.captures.begin(),
                               step.kernel.captures.end());
        }
        if (runs_regions(module.op(op).kind))
            for (std::size_t r = 0; r < module.op(op).region_count; ++r)
                SW_CHECK(add_region(module, module.region_of(op, r), options));
        plan.steps.push_back(std::move(step));
    }
    form_chains(module, id, plan.steps, options.fuse);
    // Backwards: the first sight of a value is its last use. Returned values outlive the region.
    std::unordered_set<ir::ValueId> seen;
    for (const ir::ValueId v : module.returned(id)) seen.insert(v);
    std::vector<ir::ValueId> uses;
    for (std::size_t s = plan.steps.size(); s-- > 0;) {
        Step& step = plan.steps[s];
        uses.clear();
        collect_uses(module, step, uses);
        for (std::size_t r = 0; r < module.op(step.op).result_count; ++r)
            uses.push_back(module.result(step.op, r));
        for (const ir::ValueId v : uses)
            if (module.value(v).region == id && seen.insert(v).second) step.last_uses.push_back(v);
        if (module.op(step.op).kind != OpKind::kWhile) continue;
        // Uses inside, and the results, come behind the operands.
        const auto first = uses.begin() + module.op(step.op).operand_count;
        for (const ir::ValueId v : step.last_uses)
            if (std::find(first, uses.end(), v) == uses.end()) step.given_up.push_back(v);
    }
    for (std::size_t a = 0; a < region.argument_count; ++a)
        if (!seen.contains(module.argument(id, a)))
            plan.unused_arguments.push_back(module.argument(id, a));
    regions_.emplace(id, std::move(plan));
    return {};
}

}  // namespace shardwright::exec
