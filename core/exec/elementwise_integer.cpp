// Integer and bool kernels. Arithmetic wraps; s2, s4, u2, u4 live in bytes and wrap to their width.
#include <bit>
#include <type_traits>

#include "exec/elementwise_loops.h"

namespace shardwright::exec {
namespace {

using ir::ElementType;
using ir::OpKind;

template <class T>
using Unsigned = std::make_unsigned_t<T>;
/// Arithmetic of narrow integers must not pass through a signed int's overflow.
template <class T>
using Wide = std::conditional_t<(sizeof(T) < 4), std::uint32_t, Unsigned<T>>;

template <class T>
T add(T a, T b) {
    return static_cast<T>(static_cast<Wide<T>>(a) + static_cast<Wide<T>>(b));
}
template <class T>
T subtract(T a, T b) {
    return static_cast<T>(static_cast<Wide<T>>(a) - static_cast<Wide<T>>(b));
}
template <class T>
T multiply(T a, T b) {
    return static_cast<T>(static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b));
}
/// x / 0 is all ones; the lowest number over -1 is itself.
template <class T>
T divide(T a, T b) {
    if (b == 0) return static_cast<T>(-1);
    if constexpr (std::is_signed_v<T>)
        if (b == -1) return subtract(T(0), a);
    return static_cast<T>(a / b);
}
/// x % 0 is x; the lowest number % -1 is 0.
template <class T>
T remainder(T a, T b) {
    if (b == 0) return a;
    if constexpr (std::is_signed_v<T>)
        if (b == -1) return 0;
    return static_cast<T>(a % b);
}
template <class T>
T power(T base, T exponent) {
    if constexpr (std::is_signed_v<T>) {
        if (exponent < 0) {
            if (base == 1) return 1;
            if (base == -1) return (exponent & 1) != 0 ? T(-1) : T(1);
            return 0;
        }
    }
    T result = 1;
    for (auto e = static_cast<Unsigned<T>>(exponent); e != 0;
         e = static_cast<Unsigned<T>>(e >> 1)) {
        if ((e & 1) != 0) result = multiply(result, base);
        base = multiply(base, base);
    }
    return result;
}
template <class T>
T absolute(T x) {
    return x < 0 ? subtract(T(0), x) : x;
}
template <class T>
T sign(T x) {
    return static_cast<T>((x > 0) - (x < 0));
}

/// Loops whose function takes the operand's width: shifts, bit counts, and everything of the
/// sub-byte types, whose results wrap to that width.
template <class T>
T wrap(T x, int bits) {
    if (bits >= static_cast<int>(8 * sizeof(T))) return x;
    const auto mask = static_cast<Unsigned<T>>((Unsigned<T>{1} << bits) - 1);
    auto code = static_cast<Unsigned<T>>(static_cast<Unsigned<T>>(x) & mask);
    if (std::is_signed_v<T> && ((code >> (bits - 1)) & 1) != 0)
        code = static_cast<Unsigned<T>>(code | static_cast<Unsigned<T>>(~mask));
    return static_cast<T>(code);
}
template <class T>
Unsigned<T> code_of(T x, int bits) {
    const auto code = static_cast<Unsigned<T>>(x);
    if (bits >= static_cast<int>(8 * sizeof(T))) return code;
    return static_cast<Unsigned<T>>(code & ((Unsigned<T>{1} << bits) - 1));
}
template <class T>
T shift_left(T a, T b, int bits) {
    const auto by = code_of(b, bits);
    if (by >= static_cast<Unsigned<T>>(bits)) return 0;
    return static_cast<T>(static_cast<Wide<T>>(static_cast<Unsigned<T>>(a)) << by);
}
template <class T>
T shift_right_logical(T a, T b, int bits) {
    const auto by = code_of(b, bits);
    if (by >= static_cast<Unsigned<T>>(bits)) return 0;
    return static_cast<T>(code_of(a, bits) >> by);
}
template <class T>
T shift_right_arithmetic(T a, T b, int bits) {
    using Signed = std::make_signed_t<T>;
    const auto by = code_of(b, bits);
    const Signed value = wrap(static_cast<Signed>(a), bits);
    if (by >= static_cast<Unsigned<T>>(bits)) return static_cast<T>(value < 0 ? -1 : 0);
    return static_cast<T>(value >> by);
}
template <class T>
T count_leading_zeros(T a, int bits) {
    const int extra = static_cast<int>(8 * sizeof(T)) - bits;
    return static_cast<T>(std::countl_zero(code_of(a, bits)) - extra);
}
template <class T>
T population(T a, int bits) {
    return static_cast<T>(std::popcount(code_of(a, bits)));
}

template <class T, auto F>
void unary_bits(const std::byte* const* in, std::byte* out, std::size_t count,
                const ElementParameters& p) {
    const auto* a = reinterpret_cast<const T*>(in[0]);
    auto* r = reinterpret_cast<T*>(out);
    for (std::size_t i = 0; i < count; ++i) r[i] = wrap(F(a[i], p.bits), p.bits);
}
template <class T, auto F>
void binary_bits(const std::byte* const* in, std::byte* out, std::size_t count,
                 const ElementParameters& p) {
    const auto* a = reinterpret_cast<const T*>(in[0]);
    const auto* b = reinterpret_cast<const T*>(in[1]);
    auto* r = reinterpret_cast<T*>(out);
    for (std::size_t i = 0; i < count; ++i) r[i] = wrap(F(a[i], b[i], p.bits), p.bits);
}

template <class T>
ElementFunction exact_function(OpKind kind) {
    switch (kind) {
        case OpKind::kAbs:
            return unary_loop<T, T, absolute<T>>;
        case OpKind::kNegate:
            return unary_loop<T, T, [](T x) { return subtract(T(0), x); }>;
        case OpKind::kNot:
            return unary_loop<T, T, [](T x) { return static_cast<T>(~x); }>;
        case OpKind::kSign:
            return unary_loop<T, T, sign<T>>;
        case OpKind::kAdd:
            return binary_loop<T, T, add<T>>;
        case OpKind::kSubtract:
            return binary_loop<T, T, subtract<T>>;
        case OpKind::kMultiply:
            return binary_loop<T, T, multiply<T>>;
        case OpKind::kDivide:
            return binary_loop<T, T, divide<T>>;
        case OpKind::kRemainder:
            return binary_loop<T, T, remainder<T>>;
        case OpKind::kPower:
            return binary_loop<T, T, power<T>>;
        case OpKind::kMaximum:
            return binary_loop<T, T, [](T a, T b) { return (a > b) ? a : b; }>;
        case OpKind::kMinimum:
            return binary_loop<T, T, [](T a, T b) { return (a < b) ? a : b; }>;
        case OpKind::kAnd:
            return binary_loop<T, T, [](T a, T b) { return static_cast<T>(a & b); }>;
        case OpKind::kOr:
            return binary_loop<T, T, [](T a, T b) { return static_cast<T>(a | b); }>;
        case OpKind::kXor:
            return binary_loop<T, T, [](T a, T b) { return static_cast<T>(a ^ b); }>;
        case OpKind::kClamp:
            return ternary_loop<T, [](T low, T x, T high) {
                const T above = x < low ? low : x;
                return (above > high) ? high : above;
            }>;
        default:
            return nullptr;
    }
}

template <class T>
ElementFunction width_function(OpKind kind) {
    switch (kind) {
        case OpKind::kShiftLeft:
            return binary_bits<T, shift_left<T>>;
        case OpKind::kShiftRightLogical:
            return binary_bits<T, shift_right_logical<T>>;
        case OpKind::kShiftRightArithmetic:
            return binary_bits<T, shift_right_arithmetic<T>>;
        case OpKind::kCountLeadingZeros:
            return unary_bits<T, count_leading_zeros<T>>;
        case OpKind::kPopcnt:
            return unary_bits<T, population<T>>;
        default:
            return nullptr;
    }
}

/// Arithmetic of the sub-byte types.
template <class T>
ElementFunction narrow_function(OpKind kind) {
    switch (kind) {
        case OpKind::kAbs:
            return unary_bits<T, [](T x, int) { return absolute(x); }>;
        case OpKind::kNegate:
            return unary_bits<T, [](T x, int) { return subtract(T(0), x); }>;
        case OpKind::kNot:
            return unary_bits<T, [](T x, int) { return static_cast<T>(~x); }>;
        case OpKind::kAdd:
            return binary_bits<T, [](T a, T b, int) { return add(a, b); }>;
        case OpKind::kSubtract:
            return binary_bits<T, [](T a, T b, int) { return subtract(a, b); }>;
        case OpKind::kMultiply:
            return binary_bits<T, [](T a, T b, int) { return multiply(a, b); }>;
        case OpKind::kDivide:
            return binary_bits<T, [](T a, T b, int) { return divide(a, b); }>;
        case OpKind::kPower:
            return binary_bits<T, [](T a, T b, int) { return power(a, b); }>;
        default:
            return exact_function<T>(kind);
    }
}

template <class T>
ElementFunction typed_function(OpKind kind, bool sub_byte) {
    if (const ElementFunction f = width_function<T>(kind)) return f;
    return sub_byte ? narrow_function<T>(kind) : exact_function<T>(kind);
}

/// Bools: add and maximum are "or", multiply and minimum are "and".
ElementFunction bool_function(OpKind kind) {
    using B = std::uint8_t;
    switch (kind) {
        case OpKind::kAdd:
        case OpKind::kMaximum:
        case OpKind::kOr:
            return binary_loop<B, B, [](B a, B b) { return static_cast<B>(a | b); }>;
        case OpKind::kMultiply:
        case OpKind::kMinimum:
        case OpKind::kAnd:
            return binary_loop<B, B, [](B a, B b) { return static_cast<B>(a & b); }>;
        case OpKind::kXor:
            return binary_loop<B, B, [](B a, B b) { return static_cast<B>(a ^ b); }>;
        case OpKind::kNot:
            return unary_loop<B, B, [](B a) { return static_cast<B>(a ^ 1); }>;
        case OpKind::kClamp:
            return ternary_loop<B, [](B low, B x, B high) {
                return static_cast<B>((x | low) & high);
            }>;
        default:
            return nullptr;
    }
}

}  // namespace

ElementFunction integer_function(OpKind kind, ElementType type) {
    switch (type) {
        case ElementType::kBool:
            return bool_function(kind);
        case ElementType::kS2:
        case ElementType::kS4:
            return typed_function<std::int8_t>(kind, true);
        case ElementType::kS8:
            return typed_function<std::int8_t>(kind, false);
        case ElementType::kS16:
            return typed_function<std::int16_t>(kind, false);
        case ElementType::kS32:
            return typed_function<std::int32_t>(kind, false);
        case ElementType::kS64:
            return typed_function<std::int64_t>(kind, false);
        case ElementType::kU2:
        case ElementType::kU4:
            return typed_function<std::uint8_t>(kind, true);
        case ElementType::kU8:
            return typed_function<std::uint8_t>(kind, false);
        case ElementType::kU16:
            return typed_function<std::uint16_t>(kind, false);
        case ElementType::kU32:
            return typed_function<std::uint32_t>(kind, false);
        case ElementType::kU64:
            return typed_function<std::uint64_t>(kind, false);
        default:
            return nullptr;
    }
}

}  // namespace shardwright::exec
