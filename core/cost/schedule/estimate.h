#pragma once
// Memory, time and utilisation of one partitioned program on one chip: what `estimate` prints.

#include <string>
#include <vector>

#include "cost/schedule/liveness.h"
#include "cost/schedule/timeline.h"
#include "partition/partition.h"

namespace shardwright::cost {

struct EstimateOptions {
    MemoryOptions memory;
    TimeOptions time;
};

/// Figures per device unless said otherwise.
struct Estimate {
    std::int64_t argument_bytes = 0;  ///< of the whole (source) arguments
    std::int64_t argument_bytes_per_device = 0;
    std::int64_t output_bytes_per_device = 0;  ///< aliased ones included
    std::int64_t peak_bytes_per_device = 0;
    std::int64_t peak_bytes_unfused = 0;  ///< when every result is written to memory
    std::int64_t devices = 1;
    double step_time_s = 0, compute_time_s = 0, collective_time_s = 0;
    double exposed_collective_time_s = 0;
    double model_flops = 0;     ///< of the source program, whole, remat aside
    double hardware_flops = 0;  ///< executed by all devices together
    double mfu = 0, hfu = 0;    ///< of the matrix unit's bf16 peak; 0 to 1
    bool fits = true;           ///< the peak fits the chip's usable memory
    Memory memory;
    Timeline timeline;
    std::vector<std::string> notes;  ///< shared links, lost donations, unknown trip counts
};

/// Pure in its arguments; time linear in the program, independent of the number of devices.
/// Example: estimate(program, source, *(*load_chips(path)).find("TPU v5e").value()).
Estimate estimate(const partition::Partitioned& program, const ir::Module& source, const Chip& chip,
                  const EstimateOptions& options = {});

}  // namespace shardwright::cost
