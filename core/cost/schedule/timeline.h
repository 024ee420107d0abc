#pragma once
// When each operation of a per-device program runs: one compute queue, one queue a network axis.

#include <cstdint>
#include <vector>

#include "cost/model/chip.h"
#include "cost/model/network.h"
#include "ir/module.h"

namespace shardwright::cost {

enum class Overlap : std::uint8_t {
    kNone,   ///< a collective stops everything else
    kAsync,  ///< a collective starts when its input is ready; compute goes on until it is needed
};

struct TimeOptions {
    Overlap overlap = Overlap::kAsync;
    bool fused = true;  ///< memory traffic of fused chains counts at their ends only
    Profile profile;    ///< ideal by default
};

/// One collective of the program, as costed.
struct CollectiveCost {
    ir::OpId op;
    double seconds = 0;        ///< of one execution
    double trips = 1;          ///< executions: product of the enclosing loops' trip counts
    std::int64_t bytes = 0;    ///< gathered size on one device (see Transfer)
    std::int64_t devices = 1;  ///< in a group
    bool placed = true;        ///< false: its groups are no axes of the mesh; costed as one ring
};

/// One bar of the timeline: an operation of the entry function.
struct Bar {
    ir::OpId op;
    double start = 0, end = 0;
    bool network = false;
};

struct Timeline {
    double step_s = 0;
    double compute_s = 0;     ///< the compute queue's busy time, loops unrolled
    double collective_s = 0;  ///< sum over collectives of time × trips
    double exposed_s = 0;     ///< step − compute
    double flops = 0;         ///< executed by one device
    std::vector<Bar> bars;
    std::vector<CollectiveCost> collectives;
};

/// Runs the entry function of `program` in its own order on a model of `chip`. `mesh` is the mesh
/// of its collectives. A loop's body is simulated once and repeated.
Timeline simulate(const ir::Module& program, const mesh::Mesh& mesh, const Chip& chip,
                  const TimeOptions& options = {});

/// Compute time of one operation: max(FLOPs / peak, bytes / bandwidth) + launch, with dot sizes
/// rounded up to the matrix unit's tile. `bytes` is what it moves (see work.h; less when fused).
double operation_time(const ir::Module& program, ir::OpId op, double bytes, const Chip& chip,
                      const Profile& profile = {});

}  // namespace shardwright::cost
