#pragma once
// Every operation of the IR: StableHLO 1.x, our collectives, Shardy's structural operations.

#include <cstdint>
#include <optional>
#include <string_view>

namespace shardwright::ir {

// X(enumerator, StableHLO-style name, traits)
// Traits: E elementwise (all dims of all operands and results tied one to one; scalar operands of
// clamp/select aside), S side effect (never removed), T terminator, C collective, N no trait.
// The table reads better than what the formatter makes of it.
// clang-format off
#define SHARDWRIGHT_OPS(X)                                                                         \
    /* elementwise, unary */                                                                       \
    X(kAbs, "abs", E) X(kCbrt, "cbrt", E) X(kCeil, "ceil", E) X(kConvert, "convert", E)            \
    X(kCopy, "copy", E) X(kCosine, "cosine", E) X(kCountLeadingZeros, "count_leading_zeros", E)    \
    X(kErf, "erf", E) X(kErfInv, "erf_inv", E)                                                     \
    X(kExponential, "exponential", E) X(kExponentialMinusOne, "exponential_minus_one", E)          \
    X(kFloor, "floor", E) X(kImag, "imag", E) X(kIsFinite, "is_finite", E) X(kLog, "log", E)       \
    X(kLogPlusOne, "log_plus_one", E) X(kLogistic, "logistic", E) X(kNegate, "negate", E)          \
    X(kNot, "not", E) X(kPopcnt, "popcnt", E) X(kReal, "real", E)                                  \
    X(kReducePrecision, "reduce_precision", E) X(kRoundNearestAfz, "round_nearest_afz", E)         \
    X(kRoundNearestEven, "round_nearest_even", E) X(kRsqrt, "rsqrt", E) X(kSign, "sign", E)        \
    X(kSine, "sine", E) X(kSqrt, "sqrt", E) X(kTan, "tan", E) X(kTanh, "tanh", E)                  \
    /* elementwise, more operands */                                                               \
    X(kAdd, "add", E) X(kAnd, "and", E) X(kAtan2, "atan2", E) X(kClamp, "clamp", E)                \
    X(kCompare, "compare", E) X(kComplex, "complex", E) X(kDivide, "divide", E)                    \
    X(kMaximum, "maximum", E) X(kMinimum, "minimum", E) X(kMultiply, "multiply", E)                \
    X(kOr, "or", E) X(kPower, "power", E) X(kRemainder, "remainder", E) X(kSelect, "select", E)    \
    X(kShiftLeft, "shift_left", E) X(kShiftRightArithmetic, "shift_right_arithmetic", E)           \
    X(kShiftRightLogical, "shift_right_logical", E) X(kSubtract, "subtract", E) X(kXor, "xor", E)  \
    X(kMap, "map", E)                                                                              \
    /* made from nothing */                                                                        \
    X(kConstant, "constant", N) X(kIota, "iota", N) X(kRng, "rng", S)                              \
    X(kRngBitGenerator, "rng_bit_generator", N) X(kPartitionId, "partition_id", N)                 \
    X(kReplicaId, "replica_id", N)                                                                 \
    /* shape and data movement */                                                                  \
    X(kBitcastConvert, "bitcast_convert", N) X(kBroadcastInDim, "broadcast_in_dim", N)             \
    X(kConcatenate, "concatenate", N) X(kDynamicSlice, "dynamic_slice", N)                         \
    X(kDynamicUpdateSlice, "dynamic_update_slice", N) X(kGather, "gather", N) X(kPad, "pad", N)    \
    X(kReshape, "reshape", N) X(kReverse, "reverse", N) X(kScatter, "scatter", N)                  \
    X(kSlice, "slice", N) X(kTranspose, "transpose", N)                                            \
    X(kGetDimensionSize, "get_dimension_size", N) X(kSetDimensionSize, "set_dimension_size", N)    \
    /* contractions, reductions, windows, others */                                                \
    X(kBatchNormGrad, "batch_norm_grad", N) X(kBatchNormInference, "batch_norm_inference", N)      \
    X(kBatchNormTraining, "batch_norm_training", N) X(kCholesky, "cholesky", N)                    \
    X(kConvolution, "convolution", N) X(kDotGeneral, "dot_general", N) X(kFft, "fft", N)           \
    X(kReduce, "reduce", N) X(kReduceWindow, "reduce_window", N)                                   \
    X(kSelectAndScatter, "select_and_scatter", N) X(kSort, "sort", N) X(kTopK, "top_k", N)         \
    X(kTriangularSolve, "triangular_solve", N)                                                     \
    X(kUniformQuantize, "uniform_quantize", E) X(kUniformDequantize, "uniform_dequantize", E)      \
    /* control flow */                                                                             \
    X(kCase, "case", N) X(kIf, "if", N) X(kWhile, "while", N) X(kReturn, "return", T)              \
    X(kOptimizationBarrier, "optimization_barrier", N) X(kAfterAll, "after_all", N)                \
    X(kCustomCall, "custom_call", S) X(kInfeed, "infeed", S) X(kOutfeed, "outfeed", S)             \
    X(kSend, "send", S) X(kRecv, "recv", S)                                                        \
    /* dynamic-shape operations: read and refused with their name */                               \
    X(kDynamicBroadcastInDim, "dynamic_broadcast_in_dim", N) X(kDynamicConv, "dynamic_conv", N)    \
    X(kDynamicGather, "dynamic_gather", N) X(kDynamicIota, "dynamic_iota", N)                      \
    X(kDynamicPad, "dynamic_pad", N) X(kDynamicReshape, "dynamic_reshape", N)                      \
    X(kRealDynamicSlice, "real_dynamic_slice", N)                                                  \
    /* collectives; groups are mesh axes, or explicit lists when the input wrote them */           \
    X(kAllGather, "all_gather", C) X(kAllReduce, "all_reduce", C) X(kAllToAll, "all_to_all", C)    \
    X(kReduceScatter, "reduce_scatter", C) X(kCollectivePermute, "collective_permute", C)          \
    X(kCollectiveBroadcast, "collective_broadcast", C)                                             \
    X(kAxisIndex, "axis_index", N) /* this device's linear index along mesh axes: s32 scalar */    \
    /* Shardy */                                                                                   \
    X(kManualComputation, "manual_computation", N)                                                 \
    X(kShardingConstraint, "sharding_constraint", N) X(kReshard, "reshard", N)                     \
    X(kShardingGroup, "sharding_group", S) X(kPropagationBarrier, "propagation_barrier", N)        \
    X(kDataFlowEdge, "data_flow_edge", N)                                                          \
    X(kNamedComputation, "named_computation", N)                                                   \
    /* checks that a module makes of its own values */                                             \
    X(kCheck, "check", S)                                                                          \
    X(kRunParallel, "run_parallel", S)
// clang-format on

enum class OpKind : std::uint8_t {
#define X(enumerator, name, traits) enumerator,
    SHARDWRIGHT_OPS(X)
#undef X
};

/// Static facts of an operation kind.
struct OpInfo {
    std::string_view name;
    bool elementwise = false;
    bool side_effect = false;
    bool terminator = false;
    bool collective = false;
};
const OpInfo& info(OpKind kind);
inline std::string_view name(OpKind kind) {
    return info(kind).name;
}
/// By StableHLO-style name ("dot_general").
std::optional<OpKind> find_op_kind(std::string_view name);
std::size_t op_kind_count();

}  // namespace shardwright::ir
