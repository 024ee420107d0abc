#pragma once
// Collectives as data movements among the devices' buffers.

#include <functional>

#include "exec/execute.h"
#include "exec/world.h"

namespace shardwright::exec {

struct CollectiveRun {
    const ir::Module& module;
    ir::OpId op;
    const Options& options;
    const ActiveSet& active;
    const std::vector<DeviceGroup>& groups;    ///< all kinds but collective_permute
    const std::vector<std::int64_t>& sources;  ///< collective_permute
    std::int64_t device_count = 1;
    std::function<const std::byte*(std::size_t operand, std::int64_t device)> in = {};
    std::function<std::byte*(std::size_t result, std::int64_t device)> out = {};
};

/// Moves and combines. A group of which only a part of the devices got here is an error that names
/// the operation and a device that is missing.
Status run_collective(const CollectiveRun& run);

}  // namespace shardwright::exec
