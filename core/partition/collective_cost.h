#pragma once
// Rough times by which the partitioner chooses: the ring formulas of design/60 on one nominal
// network. The estimate of step time, on a real chip, is core/cost's.

#include <cstdint>

#include "ir/op_kind.h"

namespace shardwright::partition {

/// Nominal machine. Latency is a constant, not a number of hops: a choice must not change only
/// because the mesh has more devices.
struct NominalMachine {
    double link = 45e9;     ///< one-way bytes/s of one link; a ring uses both directions
    double latency = 2e-7;  ///< seconds a collective
    double memory = 800e9;  ///< bytes/s
    double flops = 200e12;  ///< FLOP/s of dots
    double launch = 1e-9;   ///< seconds an operation, so that of equals the shorter program wins
};
inline constexpr NominalMachine kNominal{};

/// `gathered` = bytes of the whole gathered array on one device, over a ring of `n` devices.
/// For reduce-scatter and all-reduce it is the bytes before scattering.
double all_gather_seconds(double gathered, std::int64_t n);
inline double reduce_scatter_seconds(double gathered, std::int64_t n) {
    return all_gather_seconds(gathered, n);
}
double all_reduce_seconds(double gathered, std::int64_t n);
double all_to_all_seconds(double gathered, std::int64_t n);
double permute_seconds(double shard);
/// A local pass over `bytes`.
double local_seconds(double bytes);

/// Bytes that one device sends in the best algorithm of the collective `kind`.
std::int64_t bytes_moved(ir::OpKind kind, std::int64_t bytes_in, std::int64_t bytes_out,
                         std::int64_t group);

}  // namespace shardwright::partition
