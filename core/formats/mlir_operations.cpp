#include "formats/mlir_operations.h"

#include <array>
#include <deque>
#include <string>
#include <unordered_map>

namespace shardwright::formats::mlir {
namespace {

using ir::OpKind;

// Operations whose name or form is not simply that of the ir's kind.
constexpr std::array kOthers = {
    Operation{"func.call", Form::kCall, Lower::kCall, OpKind::kCopy},
    Operation{"call", Form::kCall, Lower::kCall, OpKind::kCopy},
    Operation{"func.return", Form::kReturn, Lower::kReturn, OpKind::kReturn},
    Operation{"return", Form::kReturn, Lower::kReturn, OpKind::kReturn},
    Operation{"arith.constant", Form::kConstant, Lower::kConstant, OpKind::kConstant},
    Operation{"constant", Form::kConstant, Lower::kConstant, OpKind::kConstant},
    Operation{"sdy.constant", Form::kConstant, Lower::kConstant, OpKind::kConstant},
    Operation{"sdy.return", Form::kReturn, Lower::kReturn, OpKind::kReturn},
    Operation{"sdy.mesh", Form::kMesh, Lower::kMesh, OpKind::kCopy},
    Operation{"sdy.manual_computation", Form::kManual, Lower::kManual, OpKind::kManualComputation},
    Operation{"sdy.named_computation", Form::kNamed, Lower::kNamed, OpKind::kNamedComputation},
    Operation{"sdy.sharding_constraint", Form::kSharded, Lower::kPlain,
              OpKind::kShardingConstraint},
    Operation{"sdy.reshard", Form::kSharded, Lower::kPlain, OpKind::kReshard},
    Operation{"sdy.sharding_group", Form::kGroup, Lower::kPlain, OpKind::kShardingGroup},
    Operation{"sdy.propagation_barrier", Form::kBarrier, Lower::kPlain,
              OpKind::kPropagationBarrier},
    Operation{"sdy.data_flow_edge", Form::kEdge, Lower::kPlain, OpKind::kDataFlowEdge},
    Operation{"sdy.func_data_flow_edge", Form::kEdge, Lower::kFuncEdge, OpKind::kCopy},
    Operation{"sdy.all_gather", Form::kCollective, Lower::kReshardLike, OpKind::kReshard},
    Operation{"sdy.all_slice", Form::kCollective, Lower::kReshardLike, OpKind::kReshard},
    Operation{"sdy.all_to_all", Form::kCollective, Lower::kReshardLike, OpKind::kReshard},
    Operation{"sdy.all_reduce", Form::kCollective, Lower::kReshardLike, OpKind::kReshard},
    Operation{"sdy.reduce_scatter", Form::kCollective, Lower::kReshardLike, OpKind::kReshard},
    Operation{"sdy.collective_permute", Form::kCollective, Lower::kReshardLike, OpKind::kReshard},
    Operation{"sdy.replicated_to_unreduced", Form::kCollective, Lower::kReshardLike,
              OpKind::kReshard},
    Operation{"sdy.sharded_to_unreduced", Form::kCollective, Lower::kReshardLike, OpKind::kReshard},
    Operation{"check.expect_eq", Form::kNoResult, Lower::kPlain, OpKind::kCheck},
    Operation{"check.expect_close", Form::kNoResult, Lower::kPlain, OpKind::kCheck},
    Operation{"check.expect_almost_eq", Form::kNoResult, Lower::kPlain, OpKind::kCheck},
    Operation{"check.expect_eq_const", Form::kCheckConstant, Lower::kCheckConstant, OpKind::kCheck},
    Operation{"check.expect_close_const", Form::kCheckConstant, Lower::kCheckConstant,
              OpKind::kCheck},
    Operation{"check.expect_almost_eq_const", Form::kCheckConstant, Lower::kCheckConstant,
              OpKind::kCheck},
    Operation{"check.expect_serialized_eq", Form::kNoResult, Lower::kUnsupported, OpKind::kCheck},
    Operation{"interpreter.run_parallel", Form::kList, Lower::kRunParallel, OpKind::kRunParallel},
    Operation{"util.global", Form::kGlobal, Lower::kGlobal, OpKind::kCopy},
    Operation{"ml_program.global", Form::kGlobal, Lower::kGlobal, OpKind::kCopy},
    Operation{"util.global.address", Form::kGlobalAddress, Lower::kGlobalAddress, OpKind::kCopy},
    Operation{"util.global.load", Form::kGlobalAddress, Lower::kGlobalAddress, OpKind::kCopy},
    Operation{"ml_program.global_load", Form::kGlobalAddress, Lower::kGlobalAddress, OpKind::kCopy},
    Operation{"ml_program.global_load_const", Form::kGlobalAddress, Lower::kGlobalAddress,
              OpKind::kCopy},
    Operation{"util.global.load.indirect", Form::kGlobalLoad, Lower::kGlobalLoad, OpKind::kCopy},
    Operation{"util.global.store", Form::kNoResult, Lower::kUnsupported, OpKind::kCopy},
    Operation{"chlo.top_k", Form::kList, Lower::kPlain, OpKind::kTopK},
    Operation{"chlo.erf", Form::kList, Lower::kPlain, OpKind::kErf},
    Operation{"chlo.erf_inv", Form::kList, Lower::kPlain, OpKind::kErfInv},
    Operation{"chlo.tan", Form::kList, Lower::kPlain, OpKind::kTan},
    Operation{"chlo.constant", Form::kConstant, Lower::kConstant, OpKind::kConstant},
    Operation{"chlo.constant_like", Form::kList, Lower::kConstantLike, OpKind::kConstant},
};

// Of stablehlo and mhlo alike, besides the ir's own kinds.
constexpr std::array kLegacy = {
    Operation{"dot", Form::kList, Lower::kDot, OpKind::kDotGeneral},
    Operation{"einsum", Form::kList, Lower::kEinsum, OpKind::kDotGeneral},
    Operation{"unary_einsum", Form::kList, Lower::kUnsupported, OpKind::kDotGeneral},
    Operation{"broadcast", Form::kList, Lower::kBroadcast, OpKind::kBroadcastInDim},
    Operation{"create_token", Form::kList, Lower::kCreateToken, OpKind::kAfterAll},
    Operation{"composite", Form::kComposite, Lower::kComposite, OpKind::kCopy},
    Operation{"topk", Form::kList, Lower::kPlain, OpKind::kTopK},
    Operation{"tuple", Form::kList, Lower::kUnsupported, OpKind::kCopy},
    Operation{"get_tuple_element", Form::kList, Lower::kUnsupported, OpKind::kCopy},
    Operation{"torch_index_select", Form::kList, Lower::kUnsupported, OpKind::kGather},
    Operation{"cross-replica-sum", Form::kList, Lower::kUnsupported, OpKind::kAllReduce},
    Operation{"stochastic_convert", Form::kList, Lower::kUnsupported, OpKind::kCopy},
    Operation{"trace", Form::kList, Lower::kUnsupported, OpKind::kCopy},
    Operation{"fusion", Form::kList, Lower::kUnsupported, OpKind::kCopy},
    Operation{"bitcast", Form::kList, Lower::kUnsupported, OpKind::kCopy},
    Operation{"domain", Form::kList, Lower::kUnsupported, OpKind::kCopy},
    Operation{"partition_id", Form::kList, Lower::kPlain, OpKind::kPartitionId},
    Operation{"async_start", Form::kList, Lower::kUnsupported, OpKind::kCopy},
    Operation{"async_update", Form::kList, Lower::kUnsupported, OpKind::kCopy},
    Operation{"async_done", Form::kList, Lower::kUnsupported, OpKind::kCopy},
    Operation{"ragged_dot", Form::kList, Lower::kUnsupported, OpKind::kCopy},
};

// Expanded by mlir_import_chlo.cpp.
constexpr std::array kChloExpansions = {
    "acos",       "acosh",      "asin",       "asinh",           "atan",   "atanh",
    "conj",       "cosh",       "sinh",       "square",          "is_inf", "is_pos_inf",
    "is_neg_inf", "next_after", "lgamma",     "digamma",         "erfc",   "bessel_i1e",
    "polygamma",  "zeta",       "ragged_dot", "dynamic_reshape", "scan"};
constexpr std::array<std::pair<std::string_view, OpKind>, 25> kChloBroadcasts = {
    {{"add", OpKind::kAdd},
     {"and", OpKind::kAnd},
     {"atan2", OpKind::kAtan2},
     {"compare", OpKind::kCompare},
     {"complex", OpKind::kComplex},
     {"divide", OpKind::kDivide},
     {"maximum", OpKind::kMaximum},
     {"minimum", OpKind::kMinimum},
     {"multiply", OpKind::kMultiply},
     {"or", OpKind::kOr},
     {"power", OpKind::kPower},
     {"remainder", OpKind::kRemainder},
     {"select", OpKind::kSelect},
     {"shift_left", OpKind::kShiftLeft},
     {"shift_right_arithmetic", OpKind::kShiftRightArithmetic},
     {"shift_right_logical", OpKind::kShiftRightLogical},
     {"subtract", OpKind::kSubtract},
     {"xor", OpKind::kXor}}};

Form form_of(OpKind kind) {
    switch (kind) {
        case OpKind::kCompare:
            return Form::kCompare;
        case OpKind::kSlice:
            return Form::kSlice;
        case OpKind::kConvolution:
            return Form::kConvolution;
        case OpKind::kReduce:
            return Form::kReduce;
        case OpKind::kWhile:
            return Form::kWhile;
        case OpKind::kCustomCall:
            return Form::kCustomCall;
        case OpKind::kConstant:
            return Form::kConstant;
        case OpKind::kReturn:
            return Form::kReturn;
        case OpKind::kOptimizationBarrier:
            return Form::kPairwise;
        default:
            return Form::kList;
    }
}

// Kinds that exist in our ir or in sdy only: not names of StableHLO.
bool is_stablehlo(OpKind kind) {
    return kind < OpKind::kAxisIndex && kind != OpKind::kErf && kind != OpKind::kErfInv &&
           kind != OpKind::kTopK && kind != OpKind::kCopy;
}

Lower lower_of(OpKind kind) {
    switch (kind) {
        case OpKind::kConstant:
            return Lower::kConstant;
        case OpKind::kReturn:
            return Lower::kReturn;
        case OpKind::kCustomCall:
            return Lower::kCustomCall;
        default:
            return Lower::kPlain;
    }
}

struct Table {
    std::deque<std::string> names;
    std::deque<Operation> operations;
    std::unordered_map<std::string_view, const Operation*> by_name;

    void add(std::string_view dialect, std::string_view name, Operation operation) {
        operation.name = names.emplace_back(std::string(dialect) + std::string(name));
        by_name.emplace(operation.name, &operations.emplace_back(operation));
    }
    Table() {
        for (const Operation& operation : kOthers) add("", operation.name, operation);
        for (const std::string_view dialect : {"stablehlo.", "mhlo."}) {
            for (std::size_t i = 0; i < ir::op_kind_count(); ++i) {
                const auto kind = static_cast<OpKind>(i);
                const bool mhlo_only = kind == OpKind::kErf || kind == OpKind::kCopy;
                if (!is_stablehlo(kind) && !(mhlo_only && dialect == "mhlo.")) continue;
                add(dialect, ir::name(kind), {"", form_of(kind), lower_of(kind), kind});
            }
            for (const Operation& operation : kLegacy) add(dialect, operation.name, operation);
        }
        for (const std::string_view name : kChloExpansions)
            add("chlo.", name, {"", Form::kList, Lower::kChlo, OpKind::kCopy});
        for (const auto& [name, kind] : kChloBroadcasts)
            if (!name.empty())
                add("chlo.broadcast_", name, {"", Form::kList, Lower::kChloBroadcast, kind});
    }
};

}  // namespace

const Operation* find_operation(std::string_view name) {
    static const Table* const table = new Table;
    const auto found = table->by_name.find(name);
    return found == table->by_name.end() ? nullptr : found->second;
}

}  // namespace shardwright::formats::mlir
