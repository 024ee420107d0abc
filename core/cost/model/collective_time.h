#pragma once
// Seconds of a collective over placed axes (design/60, "Time").

#include <cstdint>
#include <span>

#include "cost/model/network.h"
#include "ir/op_kind.h"

namespace shardwright::cost {

/// A collective, apart from where it runs.
struct Transfer {
    ir::OpKind kind = ir::OpKind::kAllGather;
    /// Bytes of the *gathered* array on one device: all-gather's result, reduce-scatter's and
    /// all-reduce's operand, all-to-all's operand times the group's size; for a permute, the shard.
    double bytes = 0;
    std::int64_t hops = 1;  ///< permute: how far each shard travels along the axis
};

/// Time of `transfer` over the devices along `spans` together. With V = bytes, w = one link's
/// bandwidth, N devices, n axes at once:
///   wrapped ring     ⌊N/2⌋·(V/N)/(w·n) for all-gather and reduce-scatter; twice that, all-reduce
///   without wrap     (N−1)·(V/N)/w, one direction
///   all-to-all       k·V/(4·2w·N) wrapped, k the longest axis; twice that without wrap
///   permute          shard/w a hop
///   switched         V·(N−1)/(N·egress) at each level, the slowest level decides; all-to-all
///                    V·(N−1)/(N²·egress)
/// and never less than the hops' latency. A stride divides the bandwidth, as rings share the links.
/// Example: v5e, all-gather over 4 of 16 (no wrap) of 33.5 MB: 560 µs.
double collective_time(const Transfer& transfer, std::span<const Span> spans, const Chip& chip,
                       const Profile& profile = {});

}  // namespace shardwright::cost
