// Contractions, reductions, windows, sorting and solvers.
#include "formats/hlo_lower.h"

namespace shardwright::formats::hlo {

using ir::OpKind;

Result<Leaves> Lowering::dot(Frame& frame, const Instruction& instruction) {
    SW_CHECK(arity(instruction, 2, 2));
    const AttributeReader read(source_, instruction);
    if (read.has("sparsity")) return not_supported(instruction, "with sparsity");
    SW_TRY(ir::DotAttributes attributes, read.dot());
    if (read.has("algorithm")) attributes.algorithm = module_.intern(read.word("algorithm"));
    return emit(frame, instruction, OpKind::kDotGeneral, std::move(attributes));
}

Result<Leaves> Lowering::convolution(Frame& frame, const Instruction& instruction) {
    SW_CHECK(arity(instruction, 2, 2));
    SW_TRY(ir::ConvolutionAttributes attributes,
           AttributeReader(source_, instruction).convolution());
    return emit(frame, instruction, OpKind::kConvolution, std::move(attributes));
}

Result<Leaves> Lowering::fft(Frame& frame, const Instruction& instruction) {
    const AttributeReader read(source_, instruction);
    ir::FftAttributes attributes;
    const std::string_view type = read.word("fft_type");
    if (type == "FFT") {
        attributes.type = ir::FftType::kFft;
    } else if (type == "IFFT") {
        attributes.type = ir::FftType::kIfft;
    } else if (type == "RFFT") {
        attributes.type = ir::FftType::kRfft;
    } else if (type == "IRFFT") {
        attributes.type = ir::FftType::kIrfft;
    } else {
        return read.error(type, "unknown fft_type", "FFT, IFFT, RFFT or IRFFT");
    }
    SW_TRY(attributes.length, read.required_dims("fft_length"));
    return emit(frame, instruction, OpKind::kFft, std::move(attributes));
}

Result<Leaves> Lowering::cholesky(Frame& frame, const Instruction& instruction) {
    SW_TRY(const bool lower, AttributeReader(source_, instruction).boolean("lower", false));
    return emit(frame, instruction, OpKind::kCholesky, ir::CholeskyAttributes{lower});
}

Result<Leaves> Lowering::triangular_solve(Frame& frame, const Instruction& instruction) {
    const AttributeReader read(source_, instruction);
    ir::TriangularSolveAttributes attributes;
    SW_TRY(attributes.left_side, read.boolean("left_side", false));
    SW_TRY(attributes.lower, read.boolean("lower", false));
    SW_TRY(attributes.unit_diagonal, read.boolean("unit_diagonal", false));
    const std::string_view transpose = read.word("transpose_a");
    if (transpose == "TRANSPOSE") attributes.transpose = ir::Transpose::kTranspose;
    if (transpose == "ADJOINT") attributes.transpose = ir::Transpose::kAdjoint;
    return emit(frame, instruction, OpKind::kTriangularSolve, attributes);
}

Result<Leaves> Lowering::batch_norm(Frame& frame, const Instruction& instruction) {
    const AttributeReader read(source_, instruction);
    ir::BatchNormAttributes attributes;
    SW_TRY(attributes.epsilon, read.number("epsilon", 0));
    SW_TRY(attributes.feature, read.integer("feature_index", 0));
    const OpKind kind = instruction.opcode == "batch-norm-training"    ? OpKind::kBatchNormTraining
                        : instruction.opcode == "batch-norm-inference" ? OpKind::kBatchNormInference
                                                                       : OpKind::kBatchNormGrad;
    return emit(frame, instruction, kind, attributes);
}

Result<Leaves> Lowering::reduce(Frame& frame, const Instruction& instruction) {
    SW_TRY(Dims dims, AttributeReader(source_, instruction).required_dims("dimensions"));
    SW_TRY(const std::size_t callee, calls_.callee(instruction, "to_apply"));
    SW_TRY(const ir::RegionId body, region(frame, instruction, callee));
    return emit(frame, instruction, OpKind::kReduce, ir::DimsAttributes{std::move(dims)},
                {&body, 1});
}

Result<Leaves> Lowering::reduce_window(Frame& frame, const Instruction& instruction) {
    const std::vector<ir::ValueId> values = operands(frame, instruction);
    if (values.empty()) SW_CHECK(arity(instruction, 2, 2));
    SW_TRY(ir::WindowAttributes window,
           AttributeReader(source_, instruction).window(module_.type(values[0]).rank()));
    SW_TRY(const std::size_t callee, calls_.callee(instruction, "to_apply"));
    SW_TRY(const ir::RegionId body, region(frame, instruction, callee));
    return emit(frame, instruction, OpKind::kReduceWindow, std::move(window), {&body, 1});
}

Result<Leaves> Lowering::select_and_scatter(Frame& frame, const Instruction& instruction) {
    SW_TRY(ir::WindowAttributes window,
           AttributeReader(source_, instruction).window(instruction.shape.tensor.rank()));
    SW_TRY(const std::size_t select, calls_.callee(instruction, "select"));
    SW_TRY(const std::size_t scatter, calls_.callee(instruction, "scatter"));
    SW_TRY(const ir::RegionId select_region, region(frame, instruction, select));
    SW_TRY(const ir::RegionId scatter_region, region(frame, instruction, scatter));
    const ir::RegionId regions[] = {select_region, scatter_region};
    return emit(frame, instruction, OpKind::kSelectAndScatter, std::move(window), regions);
}

Result<Leaves> Lowering::scatter(Frame& frame, const Instruction& instruction) {
    SW_TRY(ir::ScatterAttributes attributes, AttributeReader(source_, instruction).scatter());
    SW_TRY(const std::size_t callee, calls_.callee(instruction, "to_apply"));
    SW_TRY(const ir::RegionId body, region(frame, instruction, callee));
    return emit(frame, instruction, OpKind::kScatter, std::move(attributes), {&body, 1});
}

Result<Leaves> Lowering::sort(Frame& frame, const Instruction& instruction) {
    const AttributeReader read(source_, instruction);
    SW_TRY(const Dims dims, read.dims("dimensions"));
    if (dims.size() > 1) return source_.error(instruction.name, "bad dimensions", "one dimension");
    ir::SortAttributes attributes;
    attributes.dim = dims.empty() ? 0 : dims[0];
    SW_TRY(attributes.stable, read.boolean("is_stable", false));
    SW_TRY(const std::size_t callee, calls_.callee(instruction, "to_apply"));
    SW_TRY(const ir::RegionId body, region(frame, instruction, callee));
    return emit(frame, instruction, OpKind::kSort, attributes, {&body, 1});
}

Result<Leaves> Lowering::map(Frame& frame, const Instruction& instruction) {
    SW_TRY(Dims dims, AttributeReader(source_, instruction).dims("dimensions"));
    if (dims.empty())
        for (std::size_t i = 0; i < instruction.shape.tensor.rank(); ++i)
            dims.push_back(static_cast<std::int64_t>(i));
    SW_TRY(const std::size_t callee, calls_.callee(instruction, "to_apply"));
    SW_TRY(const ir::RegionId body, region(frame, instruction, callee));
    return emit(frame, instruction, OpKind::kMap, ir::DimsAttributes{std::move(dims)}, {&body, 1});
}

Result<Leaves> Lowering::topk(Frame& frame, const Instruction& instruction) {
    const AttributeReader read(source_, instruction);
    ir::TopKAttributes attributes;
    SW_TRY(attributes.k, read.integer("k", 0));
    SW_TRY(attributes.largest, read.boolean("largest", true));
    return emit(frame, instruction, OpKind::kTopK, attributes);
}

}  // namespace shardwright::formats::hlo
