#pragma once
// The SPMD rewrite: one program for all devices (design/40).

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "ir/module.h"
#include "propagation/propagate.h"
#include "rules/rule.h"

namespace shardwright::partition {

struct Options {
    /// Tensors up to this size may be gathered for latency's sake, exempt from the memory
    /// guarantee.
    std::int64_t small_tensor_bytes = std::int64_t{64} * 1024;
    // Clean-up passes, each with its switch.
    bool share_reshards = true;
    bool reduce_scatter = true;     ///< all-reduce followed by slice -> reduce-scatter
    bool merge_all_reduces = true;  ///< all-reduce of sums -> sum then all-reduce
    bool dead_code = true;
};

/// Why a collective (or a reshard) exists.
struct Cause {
    ir::OpId source_op;        ///< operation of the source program that needs it
    ir::ValueId source_value;  ///< the source value that is moved or reduced
    std::string text;  ///< "reshard of %12 for dot_general", "contracting factor k of dot_general"
    bool is_reshard = false;
};

/// An operation that had no handler of its own and was made correct by gathering its operands.
struct Gathered {
    ir::OpId source_op;
    std::int64_t result_bytes = 0;  ///< whole result bytes
    std::string reason;
};

/// The per-device program and what is to be told about it.
struct Partitioned {
    ir::Module module;          ///< is_partitioned; same meshes; local shapes
    std::vector<Cause> causes;  ///< by CauseId
    std::vector<Gathered> gathered;
    std::int64_t total_result_bytes = 0;  ///< of all source results, for the share gathered
    // Entry signature: shardings of arguments and results of each function, in order.
    struct Signature {
        std::vector<sharding::Sharding> arguments, results;
    };
    std::vector<Signature> signatures;  ///< by function
    std::vector<std::string> notes;     ///< what the clean-ups changed and saved
};

/// Partitions every function of `module` under the completed shardings.
/// Unsupported: several meshes at once, device orders that do not cover each device once.
Result<Partitioned> partition(const ir::Module& module, const rules::RuleTable& rules,
                              const propagation::Result& shardings, sharding::MeshId mesh_id,
                              const Options& options = {});

/// One line of the collectives table.
struct CollectiveLine {
    ir::OpKind kind;
    ir::OpId op;                               ///< in the partitioned module
    std::string axes;                          ///< "data,model"
    std::int64_t bytes_in = 0, bytes_out = 0;  ///< per device
    std::int64_t bytes_moved = 0;  ///< sent by one device in the best algorithm (design/60)
    std::int64_t group_size = 1;
    std::int64_t trips = 1;  ///< product of the trip counts of enclosing loops
    std::string cause;
    std::string scope;
};
/// Every collective of the program in program order. `trips` comes from known trip counts or the
/// condition's pattern, else 1.
std::vector<CollectiveLine> list_collectives(const Partitioned& program);

}  // namespace shardwright::partition
