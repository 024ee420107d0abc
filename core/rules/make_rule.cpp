// One switch: the kind of an operation names its family.
#include "rules/families.h"

namespace shardwright::rules {
namespace {

using ir::OpKind;

void fill(RuleBuilder& b, OpKind kind) {
    switch (kind) {
        case OpKind::kConstant:
        case OpKind::kIota:
        case OpKind::kRng:
            return made_rule(b);
        case OpKind::kRngBitGenerator:
            return rng_bit_generator_rule(b);
        case OpKind::kBroadcastInDim:
            return broadcast_rule(b);
        case OpKind::kTranspose:
            return transpose_rule(b);
        case OpKind::kReshape:
            return reshape_rule(b);
        case OpKind::kBitcastConvert:
            return bitcast_convert_rule(b);
        case OpKind::kSetDimensionSize:
            return set_dimension_size_rule(b);
        case OpKind::kSlice:
            return slice_rule(b);
        case OpKind::kPad:
            return pad_rule(b);
        case OpKind::kConcatenate:
            return concatenate_rule(b);
        case OpKind::kReverse:
            return reverse_rule(b);
        case OpKind::kReduceWindow:
            return reduce_window_rule(b);
        case OpKind::kSelectAndScatter:
            return select_and_scatter_rule(b);
        case OpKind::kDotGeneral:
            return dot_rule(b);
        case OpKind::kConvolution:
            return convolution_rule(b);
        case OpKind::kReduce:
            return reduce_rule(b);
        case OpKind::kGather:
            return gather_rule(b);
        case OpKind::kScatter:
            return scatter_rule(b);
        case OpKind::kDynamicSlice:
            return dynamic_slice_rule(b);
        case OpKind::kDynamicUpdateSlice:
            return dynamic_update_slice_rule(b);
        case OpKind::kSort:
            return sort_rule(b);
        case OpKind::kTopK:
            return top_k_rule(b);
        case OpKind::kFft:
            return fft_rule(b);
        case OpKind::kCholesky:
            return cholesky_rule(b);
        case OpKind::kTriangularSolve:
            return triangular_solve_rule(b);
        case OpKind::kBatchNormTraining:
        case OpKind::kBatchNormInference:
        case OpKind::kBatchNormGrad:
            return batch_norm_rule(b);
        case OpKind::kAllGather:
        case OpKind::kAllReduce:
        case OpKind::kAllToAll:
        case OpKind::kReduceScatter:
        case OpKind::kCollectivePermute:
        case OpKind::kCollectiveBroadcast:
            return collective_rule(b);
        case OpKind::kCustomCall:
            return custom_call_rule(b);
        case OpKind::kShardingConstraint:
        case OpKind::kReshard:
        case OpKind::kDataFlowEdge:
            return identity_rule(b);
        case OpKind::kPropagationBarrier:
            return barrier_rule(b);
        // Control flow: see data_flow_edges. A group has no result, its members are tied elsewhere.
        case OpKind::kWhile:
        case OpKind::kCase:
        case OpKind::kIf:
        case OpKind::kOptimizationBarrier:
        case OpKind::kManualComputation:
        case OpKind::kNamedComputation:
        case OpKind::kReturn:
        case OpKind::kShardingGroup:
        // Scalars and tokens: nothing to tie. A check looks at whole values.
        case OpKind::kPartitionId:
        case OpKind::kReplicaId:
        case OpKind::kAxisIndex:
        case OpKind::kAfterAll:
        case OpKind::kGetDimensionSize:
        case OpKind::kCheck:
            return;
        // The outside world, and shapes known at run time only.
        case OpKind::kInfeed:
        case OpKind::kOutfeed:
        case OpKind::kSend:
        case OpKind::kRecv:
        case OpKind::kRunParallel:
        case OpKind::kDynamicBroadcastInDim:
        case OpKind::kDynamicConv:
        case OpKind::kDynamicGather:
        case OpKind::kDynamicIota:
        case OpKind::kDynamicPad:
        case OpKind::kDynamicReshape:
        case OpKind::kRealDynamicSlice:
            return b.set_opaque();
        default:
            return elementwise_rule(b);
    }
}

}  // namespace

Rule make_rule(const ir::Module& module, ir::OpId op) {
    RuleBuilder b(module, op);
    fill(b, module.op(op).kind);
    return b.take();
}

}  // namespace shardwright::rules
