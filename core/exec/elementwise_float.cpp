// f32 and f64 kernels (narrower floats pass through f32).
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <type_traits>

#include "exec/elementwise_loops.h"
#include "exec/special_functions.h"

namespace shardwright::exec {
namespace {

using ir::OpKind;

template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

/// IEEE maximum: NaN wins, +0 is above -0. Without branches, so that loops of it use vectors; equal
/// numbers differ in the sign of zero at most, which "and" settles.
template <class T>
T maximum(T a, T b) {
    const T larger = (a > b || a != a) ? a : b;
    const T equal = std::bit_cast<T>(std::bit_cast<BitsOf<T>>(a) & std::bit_cast<BitsOf<T>>(b));
    return a == b ? equal : larger;
}
template <class T>
T minimum(T a, T b) {
    const T smaller = (a < b || a != a) ? a : b;
    const T equal = std::bit_cast<T>(std::bit_cast<BitsOf<T>>(a) | std::bit_cast<BitsOf<T>>(b));
    return a == b ? equal : smaller;
}
template <class T>
T sign(T x) {
    return x > 0 ? T(1) : x < 0 ? T(-1) : x;
}

/// Rounds to a float of fewer exponent and mantissa bits, ties to even; overflow gives infinity,
/// what is too small becomes a signed zero.
template <class T, class Bits, int kMantissa, int kExponent>
void reduce_precision(const std::byte* const* in, std::byte* out, std::size_t count,
                      const ElementParameters& p) {
    const auto* a = reinterpret_cast<const T*>(in[0]);
    auto* r = reinterpret_cast<T*>(out);
    constexpr Bits sign_mask = Bits{1} << (kMantissa + kExponent);
    constexpr Bits exponent_mask = ((Bits{1} << kExponent) - 1) << kMantissa;
    const int drop = kMantissa - p.mantissa_bits;
    for (std::size_t i = 0; i < count; ++i) {
        auto bits = std::bit_cast<Bits>(a[i]);
        if (a[i] != a[i]) {
            // Keeping too few mantissa bits must not turn a NaN into an infinity.
            r[i] =
                p.mantissa_bits > 0 ? a[i] : std::bit_cast<T>((bits & sign_mask) | exponent_mask);
            continue;
        }
        if (drop > 0) {
            const Bits last = (bits >> drop) & 1;
            bits += (Bits{1} << (drop - 1)) - 1 + last;
            bits &= ~((Bits{1} << drop) - 1);
        }
        if (p.exponent_bits < kExponent) {
            const Bits bias = (Bits{1} << (kExponent - 1)) - 1;
            const Bits reduced = (Bits{1} << (p.exponent_bits - 1)) - 1;
            const Bits exponent = bits & exponent_mask;
            if (exponent > (bias + reduced) << kMantissa)
                bits = (bits & sign_mask) | exponent_mask;
            else if (exponent <= (bias - reduced) << kMantissa)
                bits &= sign_mask;
        }
        r[i] = std::bit_cast<T>(bits);
    }
}

template <class T>
ElementFunction unary_function(OpKind kind) {
    switch (kind) {
        case OpKind::kAbs:
            return unary_loop<T, T, [](T x) { return std::fabs(x); }>;
        case OpKind::kCbrt:
            return unary_loop<T, T, [](T x) { return std::cbrt(x); }>;
        case OpKind::kCeil:
            return unary_loop<T, T, [](T x) { return std::ceil(x); }>;
        case OpKind::kCosine:
            return unary_loop<T, T, [](T x) { return std::cos(x); }>;
        case OpKind::kErf:
            return unary_loop<T, T, [](T x) { return std::erf(x); }>;
        case OpKind::kErfInv:
            return unary_loop<T, T, [](T x) {
                return static_cast<T>(erf_inverse(static_cast<double>(x)));
            }>;
        case OpKind::kExponential:
            return unary_loop<T, T, [](T x) { return std::exp(x); }>;
        case OpKind::kExponentialMinusOne:
            return unary_loop<T, T, [](T x) { return std::expm1(x); }>;
        case OpKind::kFloor:
            return unary_loop<T, T, [](T x) { return std::floor(x); }>;
        case OpKind::kImag:
            return unary_loop<T, T, [](T) { return T(0); }>;
        case OpKind::kIsFinite:
            return unary_loop<T, std::uint8_t,
                              [](T x) { return static_cast<std::uint8_t>(std::isfinite(x)); }>;
        case OpKind::kLog:
            return unary_loop<T, T, [](T x) { return std::log(x); }>;
        case OpKind::kLogPlusOne:
            return unary_loop<T, T, [](T x) { return std::log1p(x); }>;
        case OpKind::kLogistic:
            return unary_loop<T, T, [](T x) { return T(1) / (T(1) + std::exp(-x)); }>;
        case OpKind::kNegate:
            return unary_loop<T, T, [](T x) { return -x; }>;
        case OpKind::kReal:
            return unary_loop<T, T, [](T x) { return x; }>;
        case OpKind::kRoundNearestAfz:
            return unary_loop<T, T, [](T x) { return std::round(x); }>;
        case OpKind::kRoundNearestEven:
            return unary_loop<T, T, [](T x) { return std::nearbyint(x); }>;
        case OpKind::kRsqrt:
            return unary_loop<T, T, [](T x) { return T(1) / std::sqrt(x); }>;
        case OpKind::kSign:
            return unary_loop<T, T, [](T x) { return sign(x); }>;
        case OpKind::kSine:
            return unary_loop<T, T, [](T x) { return std::sin(x); }>;
        case OpKind::kSqrt:
            return unary_loop<T, T, [](T x) { return std::sqrt(x); }>;
        case OpKind::kTan:
            return unary_loop<T, T, [](T x) { return std::tan(x); }>;
        case OpKind::kTanh:
            return unary_loop<T, T, [](T x) { return std::tanh(x); }>;
        default:
            return nullptr;
    }
}

template <class T>
ElementFunction more_function(OpKind kind) {
    switch (kind) {
        case OpKind::kAdd:
            return binary_loop<T, T, [](T a, T b) { return a + b; }>;
        case OpKind::kAtan2:
            return binary_loop<T, T, [](T a, T b) { return std::atan2(a, b); }>;
        case OpKind::kDivide:
            return binary_loop<T, T, [](T a, T b) { return a / b; }>;
        case OpKind::kMaximum:
            return binary_loop<T, T, [](T a, T b) { return maximum(a, b); }>;
        case OpKind::kMinimum:
            return binary_loop<T, T, [](T a, T b) { return minimum(a, b); }>;
        case OpKind::kMultiply:
            return binary_loop<T, T, [](T a, T b) { return a * b; }>;
        case OpKind::kPower:
            return binary_loop<T, T, [](T a, T b) { return std::pow(a, b); }>;
        case OpKind::kRemainder:
            return binary_loop<T, T, [](T a, T b) { return std::fmod(a, b); }>;
        case OpKind::kSubtract:
            return binary_loop<T, T, [](T a, T b) { return a - b; }>;
        case OpKind::kClamp:
            return ternary_loop<T,
                                [](T low, T x, T high) { return minimum(maximum(low, x), high); }>;
        case OpKind::kComplex:
            return [](const std::byte* const* in, std::byte* out, std::size_t count,
                      const ElementParameters&) {
                const auto* re = reinterpret_cast<const T*>(in[0]);
                const auto* im = reinterpret_cast<const T*>(in[1]);
                auto* r = reinterpret_cast<T*>(out);
                for (std::size_t i = 0; i < count; ++i) {
                    r[2 * i] = re[i];
                    r[2 * i + 1] = im[i];
                }
            };
        default:
            return nullptr;
    }
}

}  // namespace

ElementFunction float_function(OpKind kind, ir::ElementType type) {
    const bool wide = type == ir::ElementType::kF64;
    if (kind == OpKind::kReducePrecision)
        return wide ? reduce_precision<double, std::uint64_t, 52, 11>
                    : reduce_precision<float, std::uint32_t, 23, 8>;
    const ElementFunction unary = wide ? unary_function<double>(kind) : unary_function<float>(kind);
    if (unary != nullptr) return unary;
    return wide ? more_function<double>(kind) : more_function<float>(kind);
}

}  // namespace shardwright::exec
