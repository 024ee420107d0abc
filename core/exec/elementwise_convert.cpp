// convert, compare and select.
#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <type_traits>

#include "exec/element_width.h"
#include "exec/elementwise_loops.h"
#include "exec/narrow.h"
#include "ir/float_format.h"

namespace shardwright::exec {
namespace {

using ir::CompareType;
using ir::Direction;
using ir::ElementType;

/// Integers wrap, floats to integers saturate (NaN gives 0), anything but zero is true.
template <class To, class From>
To convert_one(From x) {
    if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
        if (x != x) return 0;
        // The limits as floats: above the true limit where they round, so ">=" saturates rightly.
        constexpr auto low = static_cast<From>(std::numeric_limits<To>::min());
        constexpr auto high = static_cast<From>(std::numeric_limits<To>::max());
        if (x >= high) return std::numeric_limits<To>::max();
        if (x <= low) return std::numeric_limits<To>::min();
        return static_cast<To>(x);
    } else {
        return static_cast<To>(x);
    }
}

/// Sub-byte targets: from floats they saturate at their own limits, from integers they wrap.
template <class From>
std::uint8_t convert_sub_byte(From x, int bits, bool is_signed) {
    std::int64_t value = 0;
    if constexpr (std::is_floating_point_v<From>) {
        const std::int64_t high = (std::int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
        const std::int64_t low = is_signed ? -high - 1 : 0;
        const auto wide = convert_one<std::int64_t>(x);
        value = wide < low ? low : wide > high ? high : wide;
    } else {
        value = static_cast<std::int64_t>(x);
    }
    const std::int64_t code = value & ((std::int64_t{1} << bits) - 1);
    const bool negative = is_signed && ((code >> (bits - 1)) & 1) != 0;
    return static_cast<std::uint8_t>(negative ? code - (std::int64_t{1} << bits) : code);
}

template <class From>
void to_sub_byte(const std::byte* const* in, std::byte* out, std::size_t count,
                 const ElementParameters& p) {
    const auto* a = reinterpret_cast<const From*>(in[0]);
    const int bits = ir::bit_width(p.out);
    const bool is_signed = ir::is_signed(p.out);
    for (std::size_t i = 0; i < count; ++i)
        out[i] = static_cast<std::byte>(convert_sub_byte(a[i], bits, is_signed));
}

/// Wide numbers to narrow floats round once, from the double.
template <class From>
void to_narrow_float(const std::byte* const* in, std::byte* out, std::size_t count,
                     const ElementParameters& p) {
    const auto* a = reinterpret_cast<const From*>(in[0]);
    const bool two_bytes = ir::storage_bytes(p.out) == 2;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint16_t code = ir::encode_narrow_float(p.out, static_cast<double>(a[i]));
        if (two_bytes)
            reinterpret_cast<std::uint16_t*>(out)[i] = code;
        else
            out[i] = static_cast<std::byte>(code);
    }
}

template <class From>
ElementFunction convert_from(ElementType to) {
    if constexpr (!std::is_same_v<From, float>)
        if (is_narrow_float(to)) return to_narrow_float<From>;
    switch (to) {
        case ElementType::kBool:
            return unary_loop<From, std::uint8_t,
                              [](From x) { return static_cast<std::uint8_t>(x != From(0)); }>;
        case ElementType::kS2:
        case ElementType::kS4:
        case ElementType::kU2:
        case ElementType::kU4:
            return to_sub_byte<From>;
        case ElementType::kS8:
            return unary_loop<From, std::int8_t, convert_one<std::int8_t, From>>;
        case ElementType::kS16:
            return unary_loop<From, std::int16_t, convert_one<std::int16_t, From>>;
        case ElementType::kS32:
            return unary_loop<From, std::int32_t, convert_one<std::int32_t, From>>;
        case ElementType::kS64:
            return unary_loop<From, std::int64_t, convert_one<std::int64_t, From>>;
        case ElementType::kU8:
            return unary_loop<From, std::uint8_t, convert_one<std::uint8_t, From>>;
        case ElementType::kU16:
            return unary_loop<From, std::uint16_t, convert_one<std::uint16_t, From>>;
        case ElementType::kU32:
            return unary_loop<From, std::uint32_t, convert_one<std::uint32_t, From>>;
        case ElementType::kU64:
            return unary_loop<From, std::uint64_t, convert_one<std::uint64_t, From>>;
        case ElementType::kF32:
            return unary_loop<From, float, convert_one<float, From>>;
        case ElementType::kF64:
            return unary_loop<From, double, convert_one<double, From>>;
        case ElementType::kC64:
            return unary_loop<From, std::complex<float>, [](From x) {
                return std::complex<float>(static_cast<float>(x), 0.0f);
            }>;
        case ElementType::kC128:
            return unary_loop<From, std::complex<double>, [](From x) {
                return std::complex<double>(static_cast<double>(x), 0.0);
            }>;
        default:
            return nullptr;
    }
}

/// Complex numbers to real types: their real part.
template <class T>
void convert_real_part(const std::byte* const* in, std::byte* out, std::size_t count,
                       const ElementParameters& p) {
    const auto* a = reinterpret_cast<const std::complex<T>*>(in[0]);
    constexpr ElementType kPart = std::is_same_v<T, float> ? ElementType::kF32 : ElementType::kF64;
    const ElementFunction function =
        p.out == kPart ? copy_function(sizeof(T)) : convert_function(kPart, p.out);
    T block[Elementwise::kBlock];
    for (std::size_t first = 0; first < count; first += Elementwise::kBlock) {
        const std::size_t n = std::min(Elementwise::kBlock, count - first);
        for (std::size_t i = 0; i < n; ++i) block[i] = a[first + i].real();
        const auto* source = reinterpret_cast<const std::byte*>(block);
        std::byte* target = out + first * static_cast<std::size_t>(ir::storage_bytes(p.out));
        if (is_narrow_float(p.out))
            to_narrow_float<T>(&source, target, n, p);
        else
            function(&source, target, n, p);
    }
}

template <class T>
bool holds(T a, T b, Direction direction) {
    switch (direction) {
        case Direction::kEq:
            return a == b;
        case Direction::kNe:
            return a != b;
        case Direction::kGe:
            return a >= b;
        case Direction::kGt:
            return a > b;
        case Direction::kLe:
            return a <= b;
        case Direction::kLt:
            return a < b;
    }
    return false;
}

template <class T, Direction kDirection>
void compare_loop(const std::byte* const* in, std::byte* out, std::size_t count,
                  const ElementParameters& p) {
    binary_loop<T, std::uint8_t, [](T a, T b) {
        return static_cast<std::uint8_t>(holds(a, b, kDirection));
    }>(in, out, count, p);
}

template <class T>
void compare_numbers(const std::byte* const* in, std::byte* out, std::size_t count,
                     const ElementParameters& p) {
    switch (p.direction) {
        case Direction::kEq:
            return compare_loop<T, Direction::kEq>(in, out, count, p);
        case Direction::kNe:
            return compare_loop<T, Direction::kNe>(in, out, count, p);
        case Direction::kGe:
            return compare_loop<T, Direction::kGe>(in, out, count, p);
        case Direction::kGt:
            return compare_loop<T, Direction::kGt>(in, out, count, p);
        case Direction::kLe:
            return compare_loop<T, Direction::kLe>(in, out, count, p);
        case Direction::kLt:
            return compare_loop<T, Direction::kLt>(in, out, count, p);
    }
}

/// -NaN < -inf < … < -0 < +0 < … < inf < NaN: the bits as a signed number, negatives flipped.
template <class T, class Bits>
void compare_total_order(const std::byte* const* in, std::byte* out, std::size_t count,
                         const ElementParameters& p) {
    const auto* a = reinterpret_cast<const Bits*>(in[0]);
    const auto* b = reinterpret_cast<const Bits*>(in[1]);
    const auto key = [](Bits bits) {
        return bits < 0 ? static_cast<Bits>(bits ^ std::numeric_limits<Bits>::max()) : bits;
    };
    for (std::size_t i = 0; i < count; ++i)
        out[i] = static_cast<std::byte>(holds(key(a[i]), key(b[i]), p.direction));
}

template <class T>
void compare_complex(const std::byte* const* in, std::byte* out, std::size_t count,
                     const ElementParameters& p) {
    const auto* a = reinterpret_cast<const std::complex<T>*>(in[0]);
    const auto* b = reinterpret_cast<const std::complex<T>*>(in[1]);
    for (std::size_t i = 0; i < count; ++i)
        out[i] = static_cast<std::byte>((a[i] == b[i]) == (p.direction == Direction::kEq));
}

template <std::size_t kBytes>
void copy_loop(const std::byte* const* in, std::byte* out, std::size_t count,
               const ElementParameters&) {
    if (in[0] != out && count > 0) std::memcpy(out, in[0], count * kBytes);
}

template <class T>
void select_loop(const std::byte* const* in, std::byte* out, std::size_t count,
                 const ElementParameters&) {
    const auto* predicate = reinterpret_cast<const std::uint8_t*>(in[0]);
    const auto* yes = reinterpret_cast<const T*>(in[1]);
    const auto* no = reinterpret_cast<const T*>(in[2]);
    auto* r = reinterpret_cast<T*>(out);
    for (std::size_t i = 0; i < count; ++i) r[i] = predicate[i] != 0 ? yes[i] : no[i];
}

}  // namespace

ElementFunction convert_function(ElementType from, ElementType to) {
    switch (from) {
        case ElementType::kBool:
        case ElementType::kU2:
        case ElementType::kU4:
        case ElementType::kU8:
            return convert_from<std::uint8_t>(to);
        case ElementType::kS2:
        case ElementType::kS4:
        case ElementType::kS8:
            return convert_from<std::int8_t>(to);
        case ElementType::kS16:
            return convert_from<std::int16_t>(to);
        case ElementType::kS32:
            return convert_from<std::int32_t>(to);
        case ElementType::kS64:
            return convert_from<std::int64_t>(to);
        case ElementType::kU16:
            return convert_from<std::uint16_t>(to);
        case ElementType::kU32:
            return convert_from<std::uint32_t>(to);
        case ElementType::kU64:
            return convert_from<std::uint64_t>(to);
        case ElementType::kF64:
            return convert_from<double>(to);
        case ElementType::kC64:
            if (to == ElementType::kC128)
                return unary_loop<std::complex<float>, std::complex<double>,
                                  [](std::complex<float> z) { return std::complex<double>(z); }>;
            return convert_real_part<float>;
        case ElementType::kC128:
            if (to == ElementType::kC64)
                return unary_loop<std::complex<double>, std::complex<float>,
                                  [](std::complex<double> z) { return std::complex<float>(z); }>;
            return convert_real_part<double>;
        default:
            return convert_from<float>(to);
    }
}

ElementFunction compare_function(ElementType type, CompareType order) {
    const bool total = order == CompareType::kTotalOrder;
    switch (type) {
        case ElementType::kBool:
        case ElementType::kU2:
        case ElementType::kU4:
        case ElementType::kU8:
            return compare_numbers<std::uint8_t>;
        case ElementType::kS2:
        case ElementType::kS4:
        case ElementType::kS8:
            return compare_numbers<std::int8_t>;
        case ElementType::kS16:
            return compare_numbers<std::int16_t>;
        case ElementType::kS32:
            return compare_numbers<std::int32_t>;
        case ElementType::kS64:
            return compare_numbers<std::int64_t>;
        case ElementType::kU16:
            return compare_numbers<std::uint16_t>;
        case ElementType::kU32:
            return compare_numbers<std::uint32_t>;
        case ElementType::kU64:
            return compare_numbers<std::uint64_t>;
        case ElementType::kF32:
            return total ? compare_total_order<float, std::int32_t> : compare_numbers<float>;
        case ElementType::kF64:
            return total ? compare_total_order<double, std::int64_t> : compare_numbers<double>;
        case ElementType::kC64:
            return compare_complex<float>;
        case ElementType::kC128:
            return compare_complex<double>;
        default:
            return nullptr;
    }
}

ElementFunction select_function(int bytes) {
    return with_width(bytes, []<class T>(T) -> ElementFunction { return select_loop<T>; });
}

ElementFunction copy_function(int bytes) {
    return with_width(bytes, []<class T>(T) -> ElementFunction { return copy_loop<sizeof(T)>; });
}

}  // namespace shardwright::exec
