// Entry of shape inference: the checks that are the same for every operation, and the families.
#include "ir/infer.h"

#include "ir/check_type.h"
#include "ir/infer_context.h"

namespace shardwright::ir {
namespace {

using inference::Context;
using inference::Inferred;
using inference::Types;

constexpr std::int64_t kMaxBytes = std::int64_t{1} << 62;
constexpr std::size_t kMaxRank = 64;

Inferred dispatch(const Context& c) {
    using enum OpKind;
    switch (c.op.kind) {
        case kMap:
            return inference::map(c);
        case kUniformQuantize:
        case kUniformDequantize:
            return unsupported(fmt::format("quantized types ({})", c.op_name()));

        case kConstant:
        case kIota:
        case kRng:
        case kRngBitGenerator:
        case kPartitionId:
        case kReplicaId:
            return inference::made_from_nothing(c);

        case kBitcastConvert:
        case kBroadcastInDim:
        case kConcatenate:
        case kDynamicSlice:
        case kDynamicUpdateSlice:
        case kPad:
        case kReshape:
        case kReverse:
        case kSlice:
        case kTranspose:
        case kGetDimensionSize:
        case kSetDimensionSize:
            return inference::movement(c);
        case kGather:
            return inference::gather(c);
        case kScatter:
            return inference::scatter(c);

        case kDotGeneral:
            return inference::dot_general(c);
        case kConvolution:
            return inference::convolution(c);
        case kReduce:
            return inference::reduce(c);
        case kReduceWindow:
            return inference::reduce_window(c);
        case kSelectAndScatter:
            return inference::select_and_scatter(c);
        case kSort:
            return inference::sort(c);
        case kTopK:
            return inference::top_k(c);
        case kBatchNormGrad:
        case kBatchNormInference:
        case kBatchNormTraining:
        case kCholesky:
        case kFft:
        case kTriangularSolve:
            return inference::linear_algebra(c);

        case kDynamicBroadcastInDim:
        case kDynamicConv:
        case kDynamicGather:
        case kDynamicIota:
        case kDynamicPad:
        case kDynamicReshape:
        case kRealDynamicSlice:
            return unsupported(fmt::format("dynamic shapes ({})", c.op_name()));

        case kAllGather:
        case kAllReduce:
        case kAllToAll:
        case kReduceScatter:
        case kCollectivePermute:
        case kCollectiveBroadcast:
        case kAxisIndex:
            return inference::collective(c);
        case kManualComputation:
            return inference::manual_computation(c);

        default:
            break;
    }
    return info(c.op.kind).elementwise ? inference::elementwise(c) : inference::control(c);
}

Status need_agreement(const Context& c, const Types& inferred) {
    if (c.stated.size() != inferred.size())
        return bad_input(fmt::format("{} states {} result types", c.op_name(), c.stated.size()),
                         fmt::format("{}", inferred.size()));
    for (std::size_t i = 0; i < inferred.size(); ++i)
        if (!(c.stated[i] == inferred[i]))
            return bad_input(fmt::format("result {} of {} is stated as {}", i, c.op_name(),
                                         mlir_text(c.stated[i])),
                             mlir_text(inferred[i]));
    return {};
}

}  // namespace

Status check_type(const TensorType& t) {
    if (t.element == ElementType::kToken && t.rank() != 0)
        return bad_input("a token with dimensions", "a token of rank 0");
    if (t.rank() > kMaxRank)
        return bad_input(fmt::format("a tensor of rank {}", t.rank()),
                         fmt::format("at most {}", kMaxRank));
    // The byte count stays far from overflow whatever the order of factors.
    inference::Checked bytes = std::max(storage_bytes(t.element), 1);
    for (const std::int64_t d : t.dims) {
        if (d < 0) return bad_input(fmt::format("dimension size {}", d), "0 or more");
        bytes = bytes * std::max<std::int64_t>(d, 1);
        if (bytes.overflow || bytes.value > kMaxBytes)
            return bad_input(fmt::format("type {} is too large", mlir_text(t)),
                             "at most 2^62 bytes");
    }
    return {};
}

Result<std::vector<TensorType>> infer_types(const Module& module, const OpSignature& op,
                                            std::span<const TensorType> stated) {
    for (const ValueId v : op.operands) {
        if (v.index >= module.value_count())
            return bad_input(fmt::format("{} uses a value that does not exist", name(op.kind)));
        SW_CHECK(check_type(module.type(v)));
    }
    for (const RegionId r : op.regions)
        if (r.index >= module.region_count())
            return bad_input(fmt::format("{} holds a region that does not exist", name(op.kind)));
    for (const TensorType& t : stated) SW_CHECK(check_type(t));
    const Context context{module, op, stated};
    SW_TRY(Types types, dispatch(context));
    for (const TensorType& t : types) SW_CHECK(check_type(t));
    if (!stated.empty()) SW_CHECK(need_agreement(context, types));
    return types;
}

}  // namespace shardwright::ir
