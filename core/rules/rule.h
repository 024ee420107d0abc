#pragma once
// The sharding rule of an operation: how the dimensions of its operands and results are tied.
// Propagation, partitioning, search, cost and the explanations on the screen all read this; no pass
// asks an operation's kind to learn how dimensions relate (design/20).

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/inline_vector.h"
#include "ir/module.h"

namespace shardwright::rules {

enum class FactorKind : std::uint8_t {
    kPassThrough,      ///< nothing to do: elementwise dims, batch and free dims
    kReduction,        ///< absent from the results: local partial, then all-reduce / reduce-scatter
    kPermutation,      ///< neighbours' data needed: windows, pads, slices, concatenation, reverse
    kNeedReplication,  ///< must be whole before computing: sorted dims, fft dims, matrix dims
    kIndexed,          ///< chosen by run-time indices: gather operand dims, dynamic-slice dims
    kScattered,        ///< scatter update dims that map into the operand
    kBroadcast,        ///< present in the result only: each device makes its own part
};
std::string_view text(FactorKind kind);

/// Directions in which a factor's sharding may travel, per policy.
enum Direction : std::uint8_t { kBlocked = 0, kForward = 1, kBackward = 2, kBoth = 3 };

/// One way in which dimensions are tied. Which tensors have the factor tells the rest:
/// - kIndexed in the operand alone (gather, dynamic_slice): masked local access, then a sum over
/// the
///   factor's axes; also in the indices and the result (the index is an iota along that batch dim):
///   offset the indices, nothing to combine; in operand and result (scatter,
///   dynamic_update_slice): each device applies the part of the update that falls into its shard.
/// - kNeedReplication with several sizes (top_k, rfft): whole in each of its tensors.
/// Forward is operands -> results; backward is results -> operands and operand -> sibling operand.
struct Factor {
    FactorKind kind = FactorKind::kPassThrough;
    std::int64_t size =
        1;  ///< the largest size it has in any tensor (equal in all for pass-through)
    ir::Reduction reduction = ir::Reduction::kSum;  ///< kReduction, kScattered
    std::uint8_t gspmd = kBoth;
    std::uint8_t shardy = kBoth;
    /// Policy gspmd: the level of aggressiveness (0..3) from which it travels forward / backward.
    std::uint8_t forward_level = 0;
    std::uint8_t backward_level = 0;
    friend bool operator==(const Factor&, const Factor&) = default;
};

/// One factor as it stands in one dimension of one tensor.
struct DimFactor {
    std::uint16_t factor = 0;
    std::int64_t size = 1;  ///< its size in this tensor
    friend bool operator==(const DimFactor&, const DimFactor&) = default;
};

/// A dimension's factors from major to minor; several when a reshape merges; none for size 1 or
/// dims that nothing ties. Where there are any, their sizes multiply to the dimension's size.
using DimMapping = InlineVector<DimFactor, 2>;
/// A tensor's dimensions.
using TensorMapping = InlineVector<DimMapping, 5>;

/// Who is heard first when operands wish for different shardings of one result.
enum class Preference : std::uint8_t {
    kMoreTiles,    ///< the operand cut into more tiles, then the lower index
    kContraction,  ///< the operand that agrees with what comes after, then the larger one
};

/// Operands first, then results; scalars map to empty lists.
struct Rule {
    std::vector<Factor> factors;
    std::vector<TensorMapping> operands;
    std::vector<TensorMapping> results;
    /// Unknown custom calls and the like: only what the user annotates; gathered when partitioned.
    bool opaque = false;
    Preference preference = Preference::kMoreTiles;

    const TensorMapping& tensor(std::size_t i) const {
        return i < operands.size() ? operands[i] : results[i - operands.size()];
    }
    std::size_t tensor_count() const { return operands.size() + results.size(); }
    friend bool operator==(const Rule&, const Rule&) = default;
};

/// The rule of one operation, a pure function of kind, shapes and attributes. Defined for every
/// operation. Control flow (while, case, if, manual_computation, optimization_barrier,
/// named_computation): see `data_flow_edges`; their rule ties nothing.
Rule make_rule(const ir::Module& module, ir::OpId op);

struct RuleTag;
using RuleId = Id<RuleTag>;

/// Rules of all operations of a module, computed once; identical operations share one.
class RuleTable {
  public:
    explicit RuleTable(const ir::Module& module);
    RuleId id(ir::OpId op) const { return of_op_[op.index]; }
    const Rule& operator[](RuleId id) const { return rules_[id.index]; }
    const Rule& of(ir::OpId op) const { return rules_[of_op_[op.index].index]; }
    std::size_t size() const { return rules_.size(); }

  private:
    std::vector<Rule> rules_;
    std::vector<RuleId> of_op_;
};

/// Values that carry one and the same data and so are sharded alike: for a `while`, init i, body
/// and condition argument i, body result i and result i; for `case`/`if`, the branches' results and
/// the result; optimization_barrier operand and result i; for named_computation, operand i and
/// argument i, returned i and result i; manual computations have their own handling.
struct DataFlowEdge {
    std::vector<ir::ValueId> sources;
    std::vector<ir::ValueId> targets;
    ir::OpId op;
};
std::vector<DataFlowEdge> data_flow_edges(const ir::Module& module);

/// The letter by which `einsum_text` names a factor: i, j, …, z, a, …, h, then i1, j1, …
std::string factor_letter(std::size_t factor);
/// Einsum text for the screen: `([b,s,d],[d,h]) -> [b,s,h]  reduce d`. Deterministic letters.
std::string einsum_text(const Rule& rule);

}  // namespace shardwright::rules
