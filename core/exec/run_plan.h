#pragma once
// What the engine does, worked out once before it runs: kernels, last uses, captured values.

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "exec/elementwise_chain.h"
#include "exec/kernel.h"

namespace shardwright::exec {

/// One operation of a region.
struct Step {
    ir::OpId op;
    Kernel kernel;  ///< empty for control flow, collectives, aliases and chains
    std::optional<ElementwiseChain> chain = {};  ///< ends in `op`
    std::vector<ir::ValueId> inputs = {};        ///< what a kernel or chain reads
    std::vector<ir::ValueId> last_uses = {};     ///< values that nobody reads after this operation
    /// Of those the ones that only the operands name: a loop lets go of them when it starts.
    std::vector<ir::ValueId> given_up = {};
};

struct RegionPlan {
    std::vector<Step> steps;                    ///< without the terminator
    std::vector<ir::ValueId> unused_arguments;  ///< dropped before the first step
};

/// Plans of a function's body and of every region nested in it that the engine runs.
class RunPlan {
  public:
    static Result<RunPlan> make(const ir::Module& module, ir::RegionId body,
                                const Options& options);
    const RegionPlan& region(ir::RegionId id) const { return regions_.at(id); }

  private:
    Status add_region(const ir::Module& module, ir::RegionId id, const Options& options);
    std::unordered_map<ir::RegionId, RegionPlan> regions_;
};

/// Operations whose results are their operands (reshape, copy, barriers, shardings' marks).
bool is_alias(const ir::Module& module, ir::OpId op);
/// Control flow and manual regions: their regions are run by the engine, not by a kernel.
bool runs_regions(ir::OpKind kind);

}  // namespace shardwright::exec
