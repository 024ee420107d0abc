// cholesky and triangular_solve, in double precision and rounded once.
#include <cmath>
#include <limits>

#include "exec/kernel.h"
#include "exec/parallel.h"
#include "exec/wide_array.h"

namespace shardwright::exec {
namespace {

using C = std::complex<double>;

/// a = L·Lᴴ from the lower triangle (or a = Uᴴ·U from the upper one); a matrix that is not positive
/// definite gives NaN. The other triangle becomes zero.
void cholesky(C* a, std::int64_t n, bool lower) {
    // The upper triangle holds the conjugate: both cases walk the same recurrence.
    const auto at = [&](std::int64_t row, std::int64_t column) -> C& {
        return lower ? a[row * n + column] : a[column * n + row];
    };
    const auto get = [&](std::int64_t r, std::int64_t c) {
        return lower ? at(r, c) : std::conj(at(r, c));
    };
    const auto put = [&](std::int64_t r, std::int64_t c, C v) {
        at(r, c) = lower ? v : std::conj(v);
    };
    for (std::int64_t j = 0; j < n; ++j) {
        double diagonal = get(j, j).real();
        for (std::int64_t k = 0; k < j; ++k) diagonal -= std::norm(get(j, k));
        const double root =
            diagonal > 0 ? std::sqrt(diagonal) : std::numeric_limits<double>::quiet_NaN();
        put(j, j, root);
        for (std::int64_t i = j + 1; i < n; ++i) {
            C sum = get(i, j);
            for (std::int64_t k = 0; k < j; ++k) sum -= get(i, k) * std::conj(get(j, k));
            put(i, j, sum / root);
        }
        for (std::int64_t k = j + 1; k < n; ++k) at(j, k) = 0;
    }
}

Kernel cholesky_kernel(const Preparation& p) {
    const ir::TensorType type = p.operand(0);
    const std::int64_t n = type.dims.back();
    const bool lower = p.attributes<ir::CholeskyAttributes>().lower;
    Kernel kernel;
    kernel.run = [type, n, lower](const Call& call) -> Status {
        WideArray a = to_wide(type.element, call.in[0], type.element_count());
        const std::int64_t batch = n == 0 ? 0 : type.element_count() / (n * n);
        parallel_for(batch, grain_for(n * n * n), [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t b = begin; b < end; ++b) cholesky(a.data() + b * n * n, n, lower);
        });
        from_wide(a, type.element, call.out[0]);
        return {};
    };
    return kernel;
}

struct Solve {
    bool left = true, lower = true, unit = false;
    ir::Transpose transpose = ir::Transpose::kNone;

    /// Solves op(a)·x = b (or x·op(a) = b) in place; b has `rows`×`columns`.
    void run(const C* a, std::int64_t n, C* b, std::int64_t rows, std::int64_t columns) const {
        const bool flip = transpose != ir::Transpose::kNone;
        const auto entry = [&](std::int64_t r, std::int64_t c) {
            const C v = flip ? a[c * n + r] : a[r * n + c];
            return transpose == ir::Transpose::kAdjoint ? std::conj(v) : v;
        };
        const bool is_lower = lower != flip;
        const std::int64_t vectors = left ? columns : rows;
        for (std::int64_t v = 0; v < vectors; ++v) {
            const auto x = [&](std::int64_t i) -> C& {
                return left ? b[i * columns + v] : b[v * columns + i];
            };
            // From the right, x·A = b is Aᵀ·xᵀ = bᵀ: the triangle flips.
            const bool forward = is_lower == left;
            for (std::int64_t step = 0; step < n; ++step) {
                const std::int64_t i = forward ? step : n - 1 - step;
                C sum = x(i);
                for (std::int64_t done = 0; done < step; ++done) {
                    const std::int64_t k = forward ? done : n - 1 - done;
                    sum -= (left ? entry(i, k) : entry(k, i)) * x(k);
                }
                x(i) = unit ? sum : sum / entry(i, i);
            }
        }
    }
};

Kernel solve_kernel(const Preparation& p) {
    const auto& attributes = p.attributes<ir::TriangularSolveAttributes>();
    const Solve solve{attributes.left_side, attributes.lower, attributes.unit_diagonal,
                      attributes.transpose};
    const ir::TensorType a = p.operand(0), b = p.operand(1);
    const std::int64_t n = a.dims.back(), rows = b.dims[b.rank() - 2], columns = b.dims.back();
    Kernel kernel;
    kernel.run = [=](const Call& call) -> Status {
        const WideArray left = to_wide(a.element, call.in[0], a.element_count());
        WideArray right = to_wide(b.element, call.in[1], b.element_count());
        const std::int64_t batch = n == 0 ? 0 : a.element_count() / (n * n);
        parallel_for(batch, grain_for(n * rows * columns),
                     [&](std::int64_t begin, std::int64_t end) {
                         for (std::int64_t i = begin; i < end; ++i)
                             solve.run(left.data() + i * n * n, n,
                                       right.data() + i * rows * columns, rows, columns);
                     });
        from_wide(right, b.element, call.out[0]);
        return {};
    };
    return kernel;
}

}  // namespace

Result<Kernel> prepare_linear_algebra(const Preparation& p) {
    const ir::ElementType type = p.operand(0).element;
    if (!ir::is_float(type) && !ir::is_complex(type))
        return p.unsupported_here("factorisation of integers");
    return p.module.op(p.op).kind == ir::OpKind::kCholesky ? cholesky_kernel(p) : solve_kernel(p);
}

}  // namespace shardwright::exec
