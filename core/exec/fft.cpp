// fft: powers of two by Cooley and Tukey's radix-2 scheme, all other lengths by Bluestein's, in
// double precision.
#include <cmath>
#include <numbers>

#include "exec/kernel.h"
#include "exec/parallel.h"
#include "exec/wide_array.h"

namespace shardwright::exec {
namespace {

using C = std::complex<double>;

C root(std::int64_t k, std::int64_t n, double sign) {
    const double angle =
        sign * 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n);
    return {std::cos(angle), std::sin(angle)};
}

void radix_two(std::vector<C>& x, double sign) {
    const std::size_t n = x.size();
    for (std::size_t i = 1, j = 0; i < n; ++i) {
        std::size_t bit = n >> 1;
        for (; (j & bit) != 0; bit >>= 1) j ^= bit;
        j ^= bit;
        if (i < j) std::swap(x[i], x[j]);
    }
    std::vector<C> roots(n / 2);
    for (std::size_t k = 0; k < roots.size(); ++k)
        roots[k] = root(static_cast<std::int64_t>(k), static_cast<std::int64_t>(n), sign);
    for (std::size_t half = 1; half < n; half *= 2)
        for (std::size_t first = 0; first < n; first += 2 * half)
            for (std::size_t k = 0; k < half; ++k) {
                const C odd = x[first + half + k] * roots[k * (n / (2 * half))];
                x[first + half + k] = x[first + k] - odd;
                x[first + k] += odd;
            }
}

/// Σ x[j]·exp(sign·2πi·jk/n), unscaled.
void transform(std::vector<C>& x, double sign) {
    const auto n = static_cast<std::int64_t>(x.size());
    if (n < 2) return;
    if ((n & (n - 1)) == 0) return radix_two(x, sign);
    // jk = (j² + k² - (k-j)²)/2 makes the sum a convolution with a chirp.
    std::size_t padded = 1;
    while (padded < 2 * x.size()) padded *= 2;
    std::vector<C> chirp(x.size()), a(padded), b(padded);
    for (std::int64_t k = 0; k < n; ++k) {
        const auto i = static_cast<std::size_t>(k);
        chirp[i] = root(k * k % (2 * n), 2 * n, sign);
        a[i] = x[i] * chirp[i];
        b[i] = std::conj(chirp[i]);
        if (k > 0) b[padded - i] = b[i];
    }
    radix_two(a, -1);
    radix_two(b, -1);
    for (std::size_t i = 0; i < padded; ++i) a[i] *= b[i];
    radix_two(a, 1);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = a[i] * chirp[i] / static_cast<double>(padded);
}

/// Transforms along `dim` of a dense array of `dims`.
void along(WideArray& data, const Dims& dims, std::size_t dim, double sign) {
    std::int64_t inner = 1;
    for (std::size_t d = dim + 1; d < dims.size(); ++d) inner *= dims[d];
    const std::int64_t n = dims[dim];
    const std::int64_t lines = n == 0 ? 0 : static_cast<std::int64_t>(data.size()) / n;
    parallel_for(lines, grain_for(n * 16), [&](std::int64_t begin, std::int64_t end) {
        std::vector<C> line(static_cast<std::size_t>(n));
        for (std::int64_t l = begin; l < end; ++l) {
            const std::int64_t base = l / inner * inner * n + l % inner;
            for (std::int64_t i = 0; i < n; ++i)
                line[static_cast<std::size_t>(i)] =
                    data[static_cast<std::size_t>(base + i * inner)];
            transform(line, sign);
            for (std::int64_t i = 0; i < n; ++i)
                data[static_cast<std::size_t>(base + i * inner)] =
                    line[static_cast<std::size_t>(i)];
        }
    });
}

/// The last dim cut to (or, for inverse real transforms, completed from) its first half.
WideArray resize_last(const WideArray& data, std::int64_t from, std::int64_t to, bool mirror) {
    const std::int64_t rows = from == 0 ? 0 : static_cast<std::int64_t>(data.size()) / from;
    WideArray out(static_cast<std::size_t>(rows * to));
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t i = 0; i < to; ++i) {
            C value(0);
            if (i < from)
                value = data[static_cast<std::size_t>(r * from + i)];
            else if (mirror && to - i < from)
                value = std::conj(data[static_cast<std::size_t>(r * from + to - i)]);
            out[static_cast<std::size_t>(r * to + i)] = value;
        }
    return out;
}

}  // namespace

Result<Kernel> prepare_fft(const Preparation& p) {
    const auto& a = p.attributes<ir::FftAttributes>();
    const ir::TensorType in = p.operand(0), out = p.result();
    const ir::FftType type = a.type;
    const std::size_t rank = a.length.size();
    if (rank > in.rank()) return p.unsupported_here("more FFT dimensions than the operand has");
    const std::int64_t last = rank == 0 ? 1 : a.length.back();
    Kernel kernel;
    kernel.run = [=](const Call& call) -> Status {
        WideArray data = to_wide(in.element, call.in[0], in.element_count());
        Dims dims = in.dims;
        const std::size_t first = dims.size() - rank;
        const bool inverse = type == ir::FftType::kIfft || type == ir::FftType::kIrfft;
        const double sign = inverse ? 1 : -1;
        // Real inverse: the outer dims first, then the last one from its completed spectrum.
        const bool completes = type == ir::FftType::kIrfft;
        double scale = 1;
        for (std::size_t d = first; d + (completes ? 1 : 0) < dims.size(); ++d) {
            along(data, dims, d, sign);
            scale *= static_cast<double>(dims[d]);
        }
        if (completes) {
            data = resize_last(data, dims.back(), last, true);
            dims.back() = last;
            along(data, dims, dims.size() - 1, sign);
            scale *= static_cast<double>(last);
        }
        if (type == ir::FftType::kRfft) data = resize_last(data, dims.back(), last / 2 + 1, false);
        if (inverse)
            for (C& x : data) x /= scale;
        from_wide(data, out.element, call.out[0]);
        return {};
    };
    return kernel;
}

}  // namespace shardwright::exec
