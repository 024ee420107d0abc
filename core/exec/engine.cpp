#include "exec/engine.h"

#include <fmt/format.h>

#include <chrono>
#include <cstring>

#include "exec/collectives.h"
#include "exec/inputs.h"
#include "exec/strided_copy.h"

namespace shardwright::exec {

using ir::OpKind;

Status Engine::prepare(ir::RegionId body) {
    if (plans_.contains(body)) return {};
    SW_TRY(RunPlan plan, RunPlan::make(module_, body, options_));
    plans_.emplace(body, std::make_shared<const RunPlan>(std::move(plan)));
    return {};
}

Diagnostic Engine::place(Diagnostic d, ir::OpId op) const {
    if (d.file.empty()) d.file = module_.file;
    if (d.line == 0) d.line = module_.op(op).line;
    return d;
}

Result<BufferRef> Engine::allocate_for(ir::ValueId v, std::int64_t devices) {
    return arena_.allocate(slot_bytes(module_.type(v)), devices);
}

void Engine::drop(std::span<const ir::ValueId> values) {
    for (const ir::ValueId v : values) values_[v.index].reset();
}

std::vector<BufferRef> Engine::take_returned(ir::RegionId id) {
    std::vector<BufferRef> results;
    const auto returned = module_.returned(id);
    for (const ir::ValueId v : returned) results.push_back(values_[v.index]);
    // Captured outer values stay with their owner; the region's own are released.
    for (const ir::ValueId v : returned)
        if (module_.value(v).region == id) values_[v.index].reset();
    return results;
}

Status Engine::run_region(ir::RegionId id, const World& world, const ActiveSet& active) {
    const RunPlan* outer_plan = plan_;
    if (const auto own = plans_.find(id); own != plans_.end()) plan_ = own->second.get();
    const RegionPlan& plan = plan_->region(id);
    const Frame frame{world, active};
    ++depth_;
    drop(plan.unused_arguments);
    auto told = std::chrono::steady_clock::now();
    Status status;
    for (std::size_t s = 0; s < plan.steps.size() && status.ok(); ++s) {
        if (options_.cancel != nullptr && options_.cancel->load(std::memory_order_relaxed)) {
            Diagnostic stopped = bad_input("stopped");
            stopped.fault = Fault::kInterrupted;
            status = stopped;
            break;
        }
        status = run_step(plan.steps[s], frame);
        drop(plan.steps[s].last_uses);
        if (depth_ != 1 || !options_.progress || arena_.is_rehearsal()) continue;
        const auto now = std::chrono::steady_clock::now();
        if (now - told < std::chrono::milliseconds(250)) continue;
        told = now;
        options_.progress(static_cast<double>(s + 1) / static_cast<double>(plan.steps.size()));
    }
    --depth_;
    plan_ = outer_plan;
    return status;
}

Status Engine::run_step(const Step& step, const Frame& frame) {
    const ir::OpId op = step.op;
    const OpKind kind = module_.op(op).kind;
    if (step.kernel.run || step.chain) return run_kernel(step, frame);
    if (ir::info(kind).collective) return run_collective_step(op, frame);
    switch (kind) {
        case OpKind::kConstant:
            return run_constant(op);
        case OpKind::kAxisIndex:
        case OpKind::kPartitionId:
        case OpKind::kReplicaId:
            return run_index(op, frame);
        case OpKind::kCheck:
            return arena_.is_rehearsal() ? Status{} : run_check(op, frame);
        case OpKind::kWhile:
            return run_while(step, frame);
        case OpKind::kIf:
        case OpKind::kCase:
            return run_branches(op, frame);
        case OpKind::kManualComputation:
            return run_manual(op, frame);
        case OpKind::kNamedComputation:
            return run_named(op, frame);
        case OpKind::kRunParallel:
            return run_parallel(op, frame);
        case OpKind::kShardingGroup:
            return {};
        default:
            return run_alias(op);
    }
}

Status Engine::run_alias(ir::OpId op) {
    for (std::size_t r = 0; r < module_.op(op).result_count; ++r) {
        const ir::ValueId result = module_.result(op, r);
        if (r < module_.op(op).operand_count &&
            slot_bytes(module_.type(result)) == slot_bytes(module_.type(module_.operand(op, r)))) {
            values_[result.index] = values_[module_.operand(op, r).index];
        } else if (slot_bytes(module_.type(result)) == 0) {  // a token made from nothing
            SW_TRY(values_[result.index], allocate_for(result, 1));
        } else {
            return place(unsupported(fmt::format("running {}", ir::name(module_.op(op).kind))), op);
        }
    }
    return {};
}

Status Engine::run_constant(ir::OpId op) {
    const ir::Literal& literal =
        module_.literal(module_.attributes<ir::ConstantAttributes>(op).literal);
    BufferRef& value = values_[module_.result(op).index];
    if (literal.kind == ir::Literal::Kind::kElided) {
        BufferRef& kept = elided_[op];
        if (!kept) {
            if (!options_.fill_elided_seed)
                return place(bad_input("the file leaves out the values of a constant " +
                                           ir::mlir_text(literal.type),
                                       "--fill-elided random[:SEED]"),
                             op);
            SW_TRY(kept, allocate_for(module_.result(op), 1));
            value = kept;
            if (arena_.is_rehearsal()) return {};
            // A partitioned program fills the constant as its source program does.
            const ir::OpId origin = module_.op(op).origin;
            const bool from_source = module_.is_partitioned && origin.valid();
            fill_elided(literal.type, *options_.fill_elided_seed,
                        from_source ? origin.index : op.index, kept->data);
        }
        value = kept;
        return {};
    }
    if (literal.kind == ir::Literal::Kind::kDense) {
        value = arena_.borrow(literal.bytes);
        return {};
    }
    SW_TRY(value, allocate_for(module_.result(op), 1));
    if (arena_.is_rehearsal()) return {};
    fill(ir::storage_bytes(literal.type.element), literal.data().data(), value->data,
         literal.type.element_count());
    return {};
}

Status Engine::run_index(ir::OpId op, const Frame& frame) {
    const ir::ValueId result = module_.result(op);
    SW_TRY(BufferRef buffer, allocate_for(result, frame.world.device_count()));
    const auto* axes = module_.attributes_if<ir::CollectiveAttributes>(op);
    const std::int64_t filled = arena_.is_rehearsal() ? 0 : frame.world.device_count();
    for (std::int64_t d = 0; d < filled; ++d) {
        std::int64_t index = 0;
        if (module_.op(op).kind == OpKind::kReplicaId)
            index = frame.world.replica_id(d);
        else if (module_.op(op).kind == OpKind::kPartitionId)
            index = frame.world.partition_id(d);
        else if (axes != nullptr)
            index = frame.world.index_along(d, axes->axes);
        std::vector<std::byte> element;
        ir::append_element_int(element, module_.type(result).element, index);
        std::memcpy(buffer->slot(d, frame.world.device_count()), element.data(), element.size());
    }
    values_[result.index] = std::move(buffer);
    return {};
}

Status Engine::run_collective_step(ir::OpId op, const Frame& frame) {
    const auto& attributes = module_.attributes<ir::CollectiveAttributes>(op);
    auto found = collectives_.find(op);
    if (found == collectives_.end()) {
        CollectivePlan plan;
        if (module_.op(op).kind == OpKind::kCollectivePermute) {
            auto sources = frame.world.sources(attributes);
            if (!sources.ok()) return place(sources.error(), op);
            plan.sources = *std::move(sources);
        } else {
            auto groups = frame.world.groups(attributes);
            if (!groups.ok()) return place(groups.error(), op);
            plan.groups = *std::move(groups);
        }
        found = collectives_.emplace(op, std::move(plan)).first;
    }
    const std::int64_t total = frame.world.device_count();
    std::vector<BufferRef> out;
    for (std::size_t r = 0; r < module_.op(op).result_count; ++r) {
        SW_TRY(BufferRef buffer, allocate_for(module_.result(op, r), total));
        out.push_back(std::move(buffer));
    }
    CollectiveRun run{
        module_, op, options_, frame.active, found->second.groups, found->second.sources};
    run.device_count = total;
    run.in = [&](std::size_t i, std::int64_t d) -> const std::byte* {
        return values_[module_.operand(op, i).index]->slot(d, total);
    };
    run.out = [&](std::size_t i, std::int64_t d) { return out[i]->slot(d, total); };
    if (!arena_.is_rehearsal())
        if (Status status = run_collective(run); !status.ok()) return place(status.error(), op);
    for (std::size_t r = 0; r < out.size(); ++r)
        values_[module_.result(op, r).index] = std::move(out[r]);
    return {};
}

}  // namespace shardwright::exec
