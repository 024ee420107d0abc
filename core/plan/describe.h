#pragma once
// One tensor in words: what an inspector shows.

#include <string>
#include <vector>

#include "plan/derive.h"

namespace shardwright::plan {

/// Where a value's sharding comes from.
enum class Origin : std::uint8_t { kInferred, kPlan, kFile };

/// A neighbour of a value: the operation, and a value by which to go there.
struct Neighbour {
    std::string text;  ///< "dot_general → %12"
    ir::OpId op;
    ir::ValueId value;  ///< the operation's first result; invalid when it has none
};

struct TensorFacts {
    std::string name, path;
    std::string type, local_type;  ///< `tensor<512x2048xf32>`, the shard's likewise
    std::int64_t bytes = 0, bytes_per_device = 0;
    bool uneven = false;  ///< some shards are padded
    std::string short_form, sdy, hlo, partition_spec;
    Origin origin = Origin::kInferred;
    std::string producer;             ///< "dot_general", "argument 3 of main"
    std::string rule;                 ///< the producing operation's rule as einsum text
    std::vector<Neighbour> operands;  ///< what the producer reads
    std::vector<Neighbour> users;
};
TensorFacts describe(const Model& model, const Derived& derived, ir::ValueId value);

/// The chain from the value's axes back to an annotation, one sentence a link. `dim` -1 = all.
std::vector<std::string> why_lines(const Model& model, const Derived& derived, ir::ValueId value,
                                   int dim = -1);

/// One collective as a table and a picture need it.
struct CollectiveFacts {
    ir::OpKind kind;
    std::string axes;
    std::int64_t bytes = 0;  ///< moved by one device, once
    std::int64_t trips = 1;
    double time_s = 0;  ///< of one execution; 0 = not priced
    std::string cause, scope;
    bool is_reshard = false;
    ir::OpId source_op;  ///< of the source program; invalid when unknown
    ir::ValueId source_value;
};
/// Every collective of the derived program in program order.
std::vector<CollectiveFacts> collective_facts(const Derived& derived);

/// The mesh of a derived state, as the views need it.
const mesh::Mesh& mesh_of(const Derived& derived);

}  // namespace shardwright::plan
