#pragma once
// Completion of annotations over the graph: a sharding for every value, and for every axis on every
// dimension where it came from (design/30).

#include <cstdint>
#include <string>
#include <vector>

#include "ir/module.h"
#include "rules/rule.h"
#include "sharding/sharding.h"

namespace shardwright::propagation {

enum class Policy : std::uint8_t { kGspmd, kShardy };

struct Options {
    Policy policy = Policy::kGspmd;
    /// May propagation shard arguments / results that carry no annotation?
    bool allow_inputs = true;
    bool allow_outputs = true;
    /// Exceptions by number, where the module states them (HLO's flags): empty = as above for all.
    std::vector<bool> inputs, outputs;
    /// Keep provenance and conflicts (28 bytes an axis placement).
    bool record = true;
};
/// The choice for headless use (design/30): the module's own flags; free when it annotates nothing.
Options default_options(const ir::Module& module);

using sharding::ShardingId;
using sharding::ShardingPool;

/// Why an axis stands on a dimension.
enum class Source : std::uint8_t { kUser, kOperation, kDataFlow, kGroup, kConstraint, kManual };

/// One axis placement. `step` orders the records as they happened.
struct Placement {
    ir::ValueId value;
    std::uint16_t dim = 0;
    std::uint8_t pass = 0;  ///< policy level
    Source source = Source::kUser;
    mesh::AxisRef axis;
    ir::OpId op;       ///< operation it came through (kOperation, kDataFlow, kConstraint)
    ir::ValueId from;  ///< the neighbour it came from
    std::uint16_t from_dim = 0;
    std::uint16_t factor = 0;  ///< factor of the operation's rule
};

/// Two wishes for one factor at one operation.
struct Conflict {
    ir::OpId op;
    std::uint16_t factor = 0;
    ir::ValueId winner, loser;
    mesh::AxisList winning, losing;
    std::string preference;  ///< which preference decided, in words
};

/// The completed shardings.
struct Result {
    ShardingPool pool;
    std::vector<ShardingId> of_value;  ///< by ValueId; every value has one
    /// By function, by result: as the function hands it out. It differs from the returned value's
    /// where the user annotated the result otherwise, and where uneven axes were dropped.
    std::vector<std::vector<ShardingId>> of_result;
    std::vector<Placement> placements;  ///< in step order
    std::vector<Conflict> conflicts;
    std::vector<std::string> notes;  ///< e.g. "free arguments: the module annotates nothing"

    const sharding::Sharding& of(ir::ValueId v) const { return pool[of_value[v.index]]; }
};

/// Completes the module's annotations on the mesh `mesh_id`. Deterministic.
Result propagate(const ir::Module& module, const rules::RuleTable& rules, sharding::MeshId mesh_id,
                 const Options& options);

/// The chain from (value, dim) back to an annotation, one sentence a link, first the value itself.
/// `dim` -1 = all dims.
std::vector<std::string> why(const ir::Module& module, const rules::RuleTable& rules,
                             const Result& result, ir::ValueId value, int dim = -1);

/// A random legal sharding (closed) for every value, from the seed: each axis, split at random into
/// sub-axes or not, goes to a random dimension or none; uneven dims allowed; scalars replicated.
/// Values tied by data-flow edges agree; values inside manual regions and their bounds keep theirs.
Result random_shardings(const ir::Module& module, sharding::MeshId mesh_id, std::uint64_t seed);

}  // namespace shardwright::propagation
