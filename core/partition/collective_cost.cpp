#include "partition/collective_cost.h"

namespace shardwright::partition {

// Both directions of a ring, even N: V/(2w); the floor of odd rings is left out so that a choice
// depends smoothly on N.
double all_gather_seconds(double gathered, std::int64_t n) {
    if (n <= 1) return 0;
    return gathered * static_cast<double>(n - 1) / static_cast<double>(n) / (2 * kNominal.link) +
           kNominal.latency;
}

double all_reduce_seconds(double gathered, std::int64_t n) {
    return n <= 1 ? 0 : 2 * all_gather_seconds(gathered, n) - kNominal.latency;
}

double all_to_all_seconds(double gathered, std::int64_t n) {
    if (n <= 1) return 0;
    return gathered / 4 / (2 * kNominal.link) + kNominal.latency;
}

double permute_seconds(double shard) {
    return shard / kNominal.link + kNominal.latency;
}

double local_seconds(double bytes) {
    return bytes / kNominal.memory + kNominal.launch;
}

std::int64_t bytes_moved(ir::OpKind kind, std::int64_t bytes_in, std::int64_t bytes_out,
                         std::int64_t group) {
    if (group <= 1) return 0;
    switch (kind) {
        case ir::OpKind::kAllGather:
            return bytes_out - bytes_in;
        case ir::OpKind::kReduceScatter:
            return bytes_in - bytes_out;
        case ir::OpKind::kAllReduce:
            return 2 * bytes_in / group * (group - 1);
        case ir::OpKind::kAllToAll:
            return bytes_in / group * (group - 1);
        case ir::OpKind::kCollectivePermute:
        case ir::OpKind::kCollectiveBroadcast:
            return bytes_in;
        default:
            return 0;
    }
}

}  // namespace shardwright::partition
