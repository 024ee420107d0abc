#pragma once
// From a model and a plan to everything that follows: shardings, collectives, memory, time. A pure
// function, so that it can run beside the interface and the latest result wins.

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cost/schedule/estimate.h"
#include "partition/partition.h"
#include "plan/model.h"
#include "plan/plan.h"
#include "propagation/propagate.h"

namespace shardwright::plan {

/// The module with the plan's mesh and annotations on it, ready for propagation.
struct Prepared {
    ir::Module module;
    sharding::MeshId mesh;
    std::vector<std::string> unmatched;  ///< targets that named nothing
    propagation::Options options;
    std::vector<std::string> notes;
};
/// Errors: bad mesh text, a sharding that does not parse or fit (rank, unknown axis, axis used
/// twice), a mesh that contradicts a manual region. Unmatched targets are not an error here.
Result<Prepared> prepare(const Model& model, const Plan& plan);

/// Figures of one state, per device unless said otherwise.
struct Totals {
    std::int64_t argument_bytes = 0;  ///< whole
    std::int64_t argument_bytes_per_device = 0;
    std::int64_t peak_bytes_per_device = 0;
    double step_time_s = 0;
    double compute_time_s = 0;
    double collective_time_s = 0;
    double exposed_collective_time_s = 0;
    std::int64_t collective_bytes = 0;  ///< moved per device, trips counted
    std::int64_t collectives = 0;       ///< operations, trips not counted
    std::int64_t conflicts = 0;
    std::int64_t chip_memory_bytes = 0;
    bool fits = true;
};

/// Everything derived from (model, plan). Shared and immutable.
struct Derived {
    Plan plan;
    Prepared prepared;
    propagation::Result shardings;
    partition::Partitioned program;
    std::vector<partition::CollectiveLine> collectives;
    std::optional<cost::Estimate> estimate;  ///< when a chip table was given
    Totals totals;
    std::string partition_error;  ///< set when only propagation succeeded
    Diagnostic partition_fault;   ///< the same with its exit code
};
/// Prices the program on the plan's chip.
struct Pricing {
    const cost::ChipTable* chips = nullptr;
    cost::EstimateOptions options;
};
/// Runs the whole chain; `cancel` is looked at between stages (Fault::kInterrupted). Without chips
/// there is no estimate. Errors: those of `prepare`, and an unknown chip.
Result<std::shared_ptr<const Derived>> derive(const std::shared_ptr<const Model>& model,
                                              const Plan& plan,
                                              const std::atomic<bool>* cancel = nullptr,
                                              const Pricing& pricing = {});

/// The first half: completed shardings and argument bytes, without the program.
Result<std::shared_ptr<const Derived>> propagate_only(const std::shared_ptr<const Model>& model,
                                                      const Plan& plan,
                                                      const std::atomic<bool>* cancel = nullptr);

/// FLOPs of one run of the entry function (design/60: multiply-adds count two, loops by their
/// trips).
double model_flops(const ir::Module& module);

}  // namespace shardwright::plan
