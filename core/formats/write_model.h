#pragma once
// Writing a module as text.

#include <string>
#include <vector>

#include "ir/module.h"
#include "sharding/sharding.h"

namespace shardwright::formats {

enum class Annotate : std::uint8_t { kNone, kSdy, kMhlo };

struct WriteOptions {
    Annotate annotate = Annotate::kSdy;
    bool generic = false;    ///< MLIR's generic form throughout
    bool locations = false;  ///< loc("scope/path")
    /// Shardings to print instead of the module's own annotations, by ValueId (empty = own).
    const std::vector<sharding::ShardingId>* shardings = nullptr;
    const sharding::ShardingPool* pool = nullptr;
};

/// StableHLO text; reads back equal. A partitioned program prints collectives with replica groups
/// and channel handles, `stablehlo.partition_id` for axis_index, and `mhlo.num_partitions`.
std::string write_mlir(const ir::Module& module, const WriteOptions& options);
/// HLO text with `sharding=`.
std::string write_hlo(const ir::Module& module, const WriteOptions& options);

}  // namespace shardwright::formats
