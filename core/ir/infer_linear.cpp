// Matrix factorisations, Fourier transforms and batch normalisation.
#include "ir/infer_context.h"

namespace shardwright::ir::inference {
namespace {

/// A batch of square matrices of floats or complex numbers.
Status need_square(const Context& c, std::size_t operand) {
    const TensorType& t = c.operand(operand);
    const bool good = t.rank() >= 2 && t.dims[t.rank() - 1] == t.dims[t.rank() - 2] &&
                      (is_float(t.element) || is_complex(t.element));
    return need_element(c, good, operand, "square matrices of floats or complex numbers");
}

Inferred cholesky(const Context& c) {
    SW_CHECK(need_operands(c, 1));
    SW_CHECK(need_square(c, 0));
    return Types{c.operand(0)};
}

Inferred triangular_solve(const Context& c) {
    SW_CHECK(need_operands(c, 2));
    SW_TRY(const TriangularSolveAttributes* a, need_attributes<TriangularSolveAttributes>(c));
    SW_CHECK(need_square(c, 0));
    const TensorType& matrix = c.operand(0);
    const TensorType& b = c.operand(1);
    const std::size_t rank = matrix.rank();
    bool fits = b.rank() == rank && b.element == matrix.element;
    for (std::size_t d = 0; fits && d + 2 < rank; ++d) fits = b.dims[d] == matrix.dims[d];
    fits = fits && b.dims[a->left_side ? rank - 2 : rank - 1] == matrix.dims[rank - 1];
    SW_CHECK(need_element(
        c, fits, 1,
        fmt::format("{} {} of {} elements in batches as operand 0", matrix.dims[rank - 1],
                    a->left_side ? "rows" : "columns", mlir_name(matrix.element))));
    return Types{b};
}

Inferred fft(const Context& c) {
    SW_CHECK(need_operands(c, 1));
    SW_TRY(const FftAttributes* a, need_attributes<FftAttributes>(c));
    TensorType to = c.operand(0);
    const std::size_t n = a->length.size();
    if (n < 1 || n > 3 || n > to.rank())
        return bad_input(fmt::format("fft over {} dimensions of {}", n, mlir_text(to)),
                         "1 to 3 dimensions, no more than the rank");
    const bool real_in = a->type == FftType::kRfft;
    const bool real_out = a->type == FftType::kIrfft;
    const ElementType e = to.element;
    const bool fits = real_in ? e == ElementType::kF32 || e == ElementType::kF64 : is_complex(e);
    SW_CHECK(need_element(c, fits, 0, real_in ? "f32 or f64 elements" : "complex elements"));
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t d = to.rank() - n + i;
        std::int64_t length = a->length[i];
        if (length < 0) return bad_input(fmt::format("fft length {}", length), "0 or more");
        if (real_out && i + 1 == n) length = length == 0 ? 0 : length / 2 + 1;
        if (to.dims[d] != length)
            return bad_input(
                fmt::format("dimension {} of fft's operand has size {}", d, to.dims[d]),
                fmt::format("{} by its fft_length", length));
    }
    const std::int64_t last = a->length.back();
    if (real_in) {
        to.element = e == ElementType::kF32 ? ElementType::kC64 : ElementType::kC128;
        to.dims.back() = last == 0 ? 0 : last / 2 + 1;
    } else if (real_out) {
        to.element = real_type(e);
        to.dims.back() = last;
    }
    return Types{to};
}

Inferred batch_norm(const Context& c) {
    SW_CHECK(need_operands(c, c.op.kind == OpKind::kBatchNormTraining ? 3 : 5));
    SW_TRY(const BatchNormAttributes* a, need_attributes<BatchNormAttributes>(c));
    const TensorType& operand = c.operand(0);
    SW_CHECK(need_element(c, is_float(operand.element), 0, "floating-point elements"));
    SW_CHECK(need_dim(c, a->feature, operand.rank(), "feature_index"));
    const std::int64_t features = operand.dims[static_cast<std::size_t>(a->feature)];
    const bool grad = c.op.kind == OpKind::kBatchNormGrad;
    const std::size_t vectors = grad ? 4 : c.operand_count();
    for (std::size_t i = 1; i < vectors; ++i) {
        const TensorType& t = c.operand(i);
        SW_CHECK(need_element(c, is_float(t.element) && t.rank() == 1 && t.dims[0] == features, i,
                              fmt::format("{} floats, one a feature", features)));
    }
    if (grad) SW_CHECK(need_same_type(c, 0, 4));
    if (c.op.kind == OpKind::kBatchNormInference) return Types{operand};
    return Types{operand, c.operand(1), c.operand(1)};
}

}  // namespace

Inferred linear_algebra(const Context& c) {
    switch (c.op.kind) {
        case OpKind::kCholesky:
            return cholesky(c);
        case OpKind::kTriangularSolve:
            return triangular_solve(c);
        case OpKind::kFft:
            return fft(c);
        default:
            return batch_norm(c);
    }
}

}  // namespace shardwright::ir::inference
