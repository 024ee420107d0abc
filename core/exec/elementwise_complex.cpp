// Complex kernels. c64's transcendental functions are evaluated in c128 and rounded.
#include <cmath>
#include <complex>
#include <limits>

#include "exec/elementwise_loops.h"

namespace shardwright::exec {
namespace {

using ir::OpKind;
using C = std::complex<double>;

C expm1(C z) {
    // Both parts without cancellation: e^a cos b - 1 = expm1(a) cos b + (cos b - 1).
    const double half_sine = std::sin(z.imag() / 2);
    const double growth = std::expm1(z.real());
    return {growth * std::cos(z.imag()) - 2 * half_sine * half_sine,
            (growth + 1) * std::sin(z.imag())};
}
C log1p(C z) {
    const double a = z.real(), b = z.imag();
    const double angle = std::atan2(b, 1 + a);
    if (std::hypot(a, b) > 0.5) return {std::log(std::hypot(1 + a, b)), angle};
    return {0.5 * std::log1p(a * (2 + a) + b * b), angle};
}
C sign(C z) {
    if (std::isnan(z.real()) || std::isnan(z.imag())) {
        const double nan = std::numeric_limits<double>::quiet_NaN();
        return {nan, nan};
    }
    const double magnitude = std::hypot(z.real(), z.imag());
    if (magnitude == 0) return {0, 0};
    return z / magnitude;
}
C cube_root(C z) {
    return z == C(0) ? z : std::pow(z, 1.0 / 3.0);
}
C power(C a, C b) {
    if (b == C(0)) return {1, 0};
    if (a == C(0)) return {0, 0};
    return std::pow(a, b);
}

/// Applies a c128 function to any complex type.
template <class T, auto F>
std::complex<T> through_double(std::complex<T> z) {
    const C r = F(C(z));
    return {static_cast<T>(r.real()), static_cast<T>(r.imag())};
}

template <class T>
ElementFunction typed_function(OpKind kind) {
    using Z = std::complex<T>;
    switch (kind) {
        case OpKind::kAbs:
            return unary_loop<Z, T, [](Z z) { return std::hypot(z.real(), z.imag()); }>;
        case OpKind::kReal:
            return unary_loop<Z, T, [](Z z) { return z.real(); }>;
        case OpKind::kImag:
            return unary_loop<Z, T, [](Z z) { return z.imag(); }>;
        case OpKind::kNegate:
            return unary_loop<Z, Z, [](Z z) { return -z; }>;
        case OpKind::kCbrt:
            return unary_loop<Z, Z, through_double<T, cube_root>>;
        case OpKind::kCosine:
            return unary_loop<Z, Z, through_double<T, [](C z) { return std::cos(z); }>>;
        case OpKind::kExponential:
            return unary_loop<Z, Z, through_double<T, [](C z) { return std::exp(z); }>>;
        case OpKind::kExponentialMinusOne:
            return unary_loop<Z, Z, through_double<T, expm1>>;
        case OpKind::kLog:
            return unary_loop<Z, Z, through_double<T, [](C z) { return std::log(z); }>>;
        case OpKind::kLogPlusOne:
            return unary_loop<Z, Z, through_double<T, log1p>>;
        case OpKind::kLogistic:
            return unary_loop<Z, Z,
                              through_double<T, [](C z) { return 1.0 / (1.0 + std::exp(-z)); }>>;
        case OpKind::kRsqrt:
            return unary_loop<Z, Z, through_double<T, [](C z) { return 1.0 / std::sqrt(z); }>>;
        case OpKind::kSign:
            return unary_loop<Z, Z, through_double<T, sign>>;
        case OpKind::kSine:
            return unary_loop<Z, Z, through_double<T, [](C z) { return std::sin(z); }>>;
        case OpKind::kSqrt:
            return unary_loop<Z, Z, through_double<T, [](C z) { return std::sqrt(z); }>>;
        case OpKind::kTan:
            return unary_loop<Z, Z, through_double<T, [](C z) { return std::tan(z); }>>;
        case OpKind::kTanh:
            return unary_loop<Z, Z, through_double<T, [](C z) { return std::tanh(z); }>>;
        case OpKind::kAdd:
            return binary_loop<Z, Z, [](Z a, Z b) { return a + b; }>;
        case OpKind::kSubtract:
            return binary_loop<Z, Z, [](Z a, Z b) { return a - b; }>;
        case OpKind::kMultiply:
            return binary_loop<Z, Z, [](Z a, Z b) { return a * b; }>;
        case OpKind::kDivide:
            return binary_loop<Z, Z, [](Z a, Z b) { return Z(C(a) / C(b)); }>;
        case OpKind::kPower:
            return binary_loop<Z, Z, [](Z a, Z b) { return Z(power(C(a), C(b))); }>;
        default:
            return nullptr;
    }
}

}  // namespace

ElementFunction complex_function(OpKind kind, ir::ElementType type) {
    return type == ir::ElementType::kC64 ? typed_function<float>(kind)
                                         : typed_function<double>(kind);
}

}  // namespace shardwright::exec
