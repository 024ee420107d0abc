#pragma once
// Parallel loops over index ranges. The result must not depend on how the range is cut.

#include <cstdint>
#include <functional>

namespace shardwright::exec {

/// Calls `body(begin, end)` on disjoint ranges that cover [0, count), at least `grain` long each
/// (but the last), on several threads when that pays.
void parallel_for(std::int64_t count, std::int64_t grain,
                  const std::function<void(std::int64_t, std::int64_t)>& body);

/// A grain that gives each task about `work` elementary steps when an index costs `cost` of them.
inline std::int64_t grain_for(std::int64_t cost, std::int64_t work = 32768) {
    return cost >= work ? 1 : work / (cost > 0 ? cost : 1);
}

}  // namespace shardwright::exec
