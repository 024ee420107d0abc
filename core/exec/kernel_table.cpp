#include <fmt/format.h>

#include "exec/kernel.h"

namespace shardwright::exec {

using ir::OpKind;

Diagnostic Preparation::unsupported_here(const std::string& what) const {
    Diagnostic d =
        unsupported(fmt::format("{} ({} of {})", what, ir::name(module.op(op).kind),
                                operand_count() > 0 ? ir::mlir_text(operand(0)) : "nothing"));
    d.file = module.file;
    d.line = module.op(op).line;
    return d;
}

Result<ElementProgram> Preparation::scalar_program(std::size_t region) const {
    auto program = ElementProgram::compile(module, module.region_of(op, region));
    if (!program) return unsupported_here("a region that is not made of scalar operations");
    return *std::move(program);
}

Result<Kernel> prepare_kernel(const Preparation& p) {
    const OpKind kind = p.module.op(p.op).kind;
    switch (kind) {
        case OpKind::kBroadcastInDim:
        case OpKind::kTranspose:
        case OpKind::kSlice:
        case OpKind::kReverse:
        case OpKind::kPad:
        case OpKind::kConcatenate:
        case OpKind::kIota:
        case OpKind::kBitcastConvert:
        case OpKind::kGetDimensionSize:
            return prepare_movement(p);
        case OpKind::kDynamicSlice:
        case OpKind::kDynamicUpdateSlice:
            return prepare_dynamic(p);
        case OpKind::kGather:
            return prepare_gather(p);
        case OpKind::kScatter:
            return prepare_scatter(p);
        case OpKind::kSort:
            return prepare_sort(p);
        case OpKind::kTopK:
            return prepare_top_k(p);
        case OpKind::kReduce:
            return prepare_reduce(p);
        case OpKind::kReduceWindow:
            return prepare_reduce_window(p);
        case OpKind::kSelectAndScatter:
            return prepare_select_and_scatter(p);
        case OpKind::kMap:
            return prepare_map(p);
        case OpKind::kDotGeneral:
            return prepare_dot(p);
        case OpKind::kConvolution:
            return prepare_convolution(p);
        case OpKind::kCholesky:
        case OpKind::kTriangularSolve:
            return prepare_linear_algebra(p);
        case OpKind::kFft:
            return prepare_fft(p);
        case OpKind::kRng:
        case OpKind::kRngBitGenerator:
            return prepare_random(p);
        case OpKind::kBatchNormInference:
        case OpKind::kBatchNormTraining:
        case OpKind::kBatchNormGrad:
            return prepare_batch_norm(p);
        case OpKind::kCustomCall:
            return prepare_custom_call(p);
        default:
            break;
    }
    Kernel kernel;
    kernel.elementwise = find_elementwise(p.module, p.op);
    if (!kernel.elementwise) return p.unsupported_here("execution of this operation");
    return kernel;
}

}  // namespace shardwright::exec
