#pragma once
// Runs planned regions over the devices of a world, operation by operation. With an arena that only
// counts, the same walk is a rehearsal: every buffer is taken and given back as in the run, nothing
// is computed, and the arena's peak is the buffer plan's figure.

#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "exec/buffer.h"
#include "exec/run_plan.h"
#include "exec/world.h"

namespace shardwright::exec {

class Engine {
  public:
    Engine(const ir::Module& module, const Options& options, Arena& arena)
        : module_(module), options_(options), arena_(arena), values_(module.value_count()) {}

    /// Plans a body and the regions in it; call once a body before running it.
    Status prepare(ir::RegionId body);
    /// Takes over what another engine of the same module and options has planned.
    void share_plans(const Engine& other) { plans_ = other.plans_; }
    void set(ir::ValueId v, BufferRef buffer) { values_[v.index] = std::move(buffer); }
    const BufferRef& get(ir::ValueId v) const { return values_[v.index]; }
    /// Runs a region whose arguments are set. Afterwards its returned values are to be taken by
    /// `take_returned`; everything else defined in it is gone.
    Status run_region(ir::RegionId id, const World& world, const ActiveSet& active);
    std::vector<BufferRef> take_returned(ir::RegionId id);

    std::vector<CheckFailure> failures;
    std::size_t checks = 0;

  private:
    struct Frame {
        const World& world;
        const ActiveSet& active;
    };
    struct CollectivePlan {
        std::vector<DeviceGroup> groups;
        std::vector<std::int64_t> sources;
    };

    Status run_step(const Step& step, const Frame& frame);
    Status run_kernel(const Step& step, const Frame& frame);
    static void run_chain(const ElementwiseChain& chain, const Frame& frame,
                          std::span<const BufferRef> in, Buffer& out);
    Status run_alias(ir::OpId op);
    Status run_constant(ir::OpId op);
    Status run_index(ir::OpId op, const Frame& frame);
    Status run_collective_step(ir::OpId op, const Frame& frame);
    Status run_check(ir::OpId op, const Frame& frame);
    Status run_while(const Step& step, const Frame& frame);
    Status rehearse_while(const Step& step, const Frame& frame);
    Status rehearse_branches(ir::OpId op, const Frame& frame);
    Status run_branches(ir::OpId op, const Frame& frame);
    Status run_manual(ir::OpId op, const Frame& frame);
    Status run_named(ir::OpId op, const Frame& frame);
    Status run_parallel(ir::OpId op, const Frame& frame);

    Result<BufferRef> allocate_for(ir::ValueId v, std::int64_t devices);
    void drop(std::span<const ir::ValueId> values);
    /// Copies the slots of `devices` from `from` into `into`, which keeps its other slots.
    Status merge(BufferRef& into, const BufferRef& from, const World& world,
                 std::span<const std::int64_t> devices);
    /// Adds the operation's place in the file to a message that has none.
    Diagnostic place(Diagnostic d, ir::OpId op) const;

    const ir::Module& module_;
    const Options& options_;
    Arena& arena_;
    std::vector<BufferRef> values_;
    std::unordered_map<ir::RegionId, std::shared_ptr<const RunPlan>> plans_;
    const RunPlan* plan_ = nullptr;
    std::unordered_map<ir::OpId, CollectivePlan> collectives_;
    std::unordered_map<ir::OpId, BufferRef> elided_;
    int depth_ = 0;
};

/// A value's bytes in one device's buffer.
inline std::int64_t slot_bytes(const ir::TensorType& type) {
    return type.element_count() * ir::storage_bytes(type.element);
}

}  // namespace shardwright::exec
