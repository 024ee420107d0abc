#include "exec/parallel.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

namespace shardwright::exec {

void parallel_for(std::int64_t count, std::int64_t grain,
                  const std::function<void(std::int64_t, std::int64_t)>& body) {
    if (count <= 0) return;
    if (count <= grain) return body(0, count);
    tbb::parallel_for(
        tbb::blocked_range<std::int64_t>(0, count, static_cast<std::size_t>(grain)),
        [&](const tbb::blocked_range<std::int64_t>& range) { body(range.begin(), range.end()); });
}

}  // namespace shardwright::exec
