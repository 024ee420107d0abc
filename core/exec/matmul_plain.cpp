#include <algorithm>
#include <complex>
#include <vector>

#include "exec/matmul.h"
#include "exec/parallel.h"

namespace shardwright::exec {
namespace {

template <class T>
T product(T a, T b) {
    return static_cast<T>(a * b);
}
/// Without the library's NaN recovery, which costs a call an element.
template <class T>
std::complex<T> product(std::complex<T> a, std::complex<T> b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}
std::uint16_t product(std::uint16_t a, std::uint16_t b) {
    return static_cast<std::uint16_t>(std::uint32_t{a} * b);
}

/// Rows of C in parallel; k outside n so that the inner loop walks rows of B. k goes in chunks
/// whose sums are added up afterwards, which keeps the rounding error of long sums small.
template <class T>
void multiply(const MatmulShape& s, const T* a, const T* b, T* c) {
    constexpr std::int64_t kChunk = 256;
    parallel_for(s.batch * s.m, grain_for(s.n * s.k), [&](std::int64_t begin, std::int64_t end) {
        std::vector<T> part(static_cast<std::size_t>(s.n));
        for (std::int64_t row = begin; row < end; ++row) {
            const T* left = a + row * s.k;
            const T* right = b + row / s.m * s.k * s.n;
            T* out = c + row * s.n;
            std::fill_n(out, s.n, T(0));
            for (std::int64_t k0 = 0; k0 < s.k; k0 += kChunk) {
                const std::int64_t k1 = std::min(s.k, k0 + kChunk);
                T* sum = s.k <= kChunk ? out : part.data();
                std::fill_n(sum, s.n, T(0));
                for (std::int64_t k = k0; k < k1; ++k) {
                    const T x = left[k];
                    const T* y = right + k * s.n;
                    for (std::int64_t n = 0; n < s.n; ++n)
                        sum[n] = static_cast<T>(sum[n] + product(x, y[n]));
                }
                if (sum != out)
                    for (std::int64_t n = 0; n < s.n; ++n) out[n] = static_cast<T>(out[n] + sum[n]);
            }
        }
    });
}

template <class T>
void run(const MatmulShape& s, const std::byte* a, const std::byte* b, std::byte* c) {
    multiply(s, reinterpret_cast<const T*>(a), reinterpret_cast<const T*>(b),
             reinterpret_cast<T*>(c));
}

}  // namespace

void plain_matmul(ir::ElementType type, const MatmulShape& s, const std::byte* a,
                  const std::byte* b, std::byte* c) {
    if (s.batch * s.m * s.n == 0) return;
    switch (type) {
        case ir::ElementType::kF32:
            return run<float>(s, a, b, c);
        case ir::ElementType::kF64:
            return run<double>(s, a, b, c);
        case ir::ElementType::kC64:
            return run<std::complex<float>>(s, a, b, c);
        case ir::ElementType::kC128:
            return run<std::complex<double>>(s, a, b, c);
        default:
            break;
    }
    // Two's complement: signed and unsigned products wrap to the same bits.
    switch (ir::storage_bytes(type)) {
        case 1:
            return run<std::uint8_t>(s, a, b, c);
        case 2:
            return run<std::uint16_t>(s, a, b, c);
        case 4:
            return run<std::uint32_t>(s, a, b, c);
        default:
            return run<std::uint64_t>(s, a, b, c);
    }
}

}  // namespace shardwright::exec
