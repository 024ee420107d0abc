#include "ir/float_format.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace shardwright::ir {
namespace {

enum class NonFinite : std::uint8_t {
    kIeee,        ///< infinities and NaNs in the top exponent
    kNanAllOnes,  ///< "FN": only the all-ones code is NaN, no infinity
    kNanNegZero,  ///< "FNUZ": the code of -0 is the only NaN
    kNone,        ///< f6, f4: every code is a number
    kUnsigned,    ///< E8M0: exponent alone, all ones is NaN
};

struct Format {
    int exponent_bits;
    int mantissa_bits;
    int bias;
    NonFinite kind;

    int sign_shift() const { return exponent_bits + mantissa_bits; }
    /// The exponent of the smallest normal number.
    int min_exponent() const { return kind == NonFinite::kUnsigned ? -bias : 1 - bias; }
};

Format format_of(ElementType type) {
    using enum ElementType;
    switch (type) {
        case kF4E2M1FN:
            return {2, 1, 1, NonFinite::kNone};
        case kF6E2M3FN:
            return {2, 3, 1, NonFinite::kNone};
        case kF6E3M2FN:
            return {3, 2, 3, NonFinite::kNone};
        case kF8E3M4:
            return {3, 4, 3, NonFinite::kIeee};
        case kF8E4M3:
            return {4, 3, 7, NonFinite::kIeee};
        case kF8E4M3FN:
            return {4, 3, 7, NonFinite::kNanAllOnes};
        case kF8E4M3FNUZ:
            return {4, 3, 8, NonFinite::kNanNegZero};
        case kF8E4M3B11FNUZ:
            return {4, 3, 11, NonFinite::kNanNegZero};
        case kF8E5M2:
            return {5, 2, 15, NonFinite::kIeee};
        case kF8E5M2FNUZ:
            return {5, 2, 16, NonFinite::kNanNegZero};
        case kF8E8M0FNU:
            return {8, 0, 127, NonFinite::kUnsigned};
        case kBF16:
            return {8, 7, 127, NonFinite::kIeee};
        case kF16:
            return {5, 10, 15, NonFinite::kIeee};
        default:
            break;
    }
    assert(false && "not a narrow float");
    return {5, 10, 15, NonFinite::kIeee};
}

std::uint32_t nan_code(const Format& f) {
    const std::uint32_t ones = (1u << f.sign_shift()) - 1;
    switch (f.kind) {
        case NonFinite::kIeee:
            return ones & ~((1u << (f.mantissa_bits - 1)) - 1);  // quiet
        case NonFinite::kNanAllOnes:
        case NonFinite::kUnsigned:
            return ones;
        case NonFinite::kNanNegZero:
        case NonFinite::kNone:
            return 1u << f.sign_shift();
    }
    return ones;
}

/// What a magnitude too large for the format becomes.
std::uint32_t overflow_code(const Format& f, std::uint32_t sign) {
    const std::uint32_t ones = (1u << f.sign_shift()) - 1;
    switch (f.kind) {
        case NonFinite::kIeee:
            return sign | (((1u << f.exponent_bits) - 1) << f.mantissa_bits);
        case NonFinite::kNanAllOnes:
            return sign | ones;
        case NonFinite::kNone:
            return sign | ones;
        case NonFinite::kNanNegZero:
        case NonFinite::kUnsigned:
            return nan_code(f);
    }
    return ones;
}

/// The largest code that is a finite number.
std::uint32_t max_finite(const Format& f) {
    const std::uint32_t ones = (1u << f.sign_shift()) - 1;
    switch (f.kind) {
        case NonFinite::kIeee:
            return (((1u << f.exponent_bits) - 1) << f.mantissa_bits) - 1;
        case NonFinite::kNanAllOnes:
        case NonFinite::kUnsigned:
            return ones - 1;
        case NonFinite::kNanNegZero:
        case NonFinite::kNone:
            return ones;
    }
    return ones;
}

}  // namespace

std::uint16_t encode_narrow_float(ElementType type, double value) {
    const Format f = format_of(type);
    if (std::isnan(value)) return static_cast<std::uint16_t>(nan_code(f));
    const bool negative = std::signbit(value);
    const double magnitude = std::fabs(value);
    if (f.kind == NonFinite::kUnsigned && negative && magnitude != 0)
        return static_cast<std::uint16_t>(nan_code(f));
    const bool keeps_sign = f.kind != NonFinite::kUnsigned;
    const std::uint32_t sign = negative && keeps_sign ? 1u << f.sign_shift() : 0u;
    if (std::isinf(magnitude)) return static_cast<std::uint16_t>(overflow_code(f, sign));

    std::uint32_t code = 0;
    if (magnitude != 0) {
        const int exponent = std::max(std::ilogb(magnitude), f.min_exponent());
        // The number in units of its last place; scaling by a power of two is exact.
        const double scaled = std::ldexp(magnitude, f.mantissa_bits - exponent);
        const double floor = std::floor(scaled);
        auto units = static_cast<std::uint32_t>(std::min(floor, 1e9));
        const double rest = scaled - floor;
        const std::uint32_t step = static_cast<std::uint32_t>(exponent - f.min_exponent());
        // E8M0 codes the exponent alone, so that evenness is the exponent's.
        const bool odd = f.mantissa_bits == 0 ? (step & 1u) != 0 : (units & 1u) != 0;
        if (rest > 0.5 || (rest == 0.5 && odd)) ++units;
        // A carry out of the mantissa lands in the exponent by itself.
        code = (step << f.mantissa_bits) + units;
        if (f.kind == NonFinite::kUnsigned) code = code == 0 ? 0 : code - 1;
        if (exponent > 2000 || code > max_finite(f))
            return static_cast<std::uint16_t>(overflow_code(f, sign));
    }
    // FNUZ types have one zero only: their -0 means NaN.
    if (code == 0 && f.kind == NonFinite::kNanNegZero) return 0;
    return static_cast<std::uint16_t>(sign | code);
}

double decode_narrow_float(ElementType type, std::uint16_t code) {
    const Format f = format_of(type);
    const std::uint32_t magnitude = code & ((1u << f.sign_shift()) - 1);
    const bool negative = f.kind != NonFinite::kUnsigned && ((code >> f.sign_shift()) & 1u) != 0;
    const double sign = negative ? -1.0 : 1.0;
    if (f.kind == NonFinite::kNanNegZero && negative && magnitude == 0)
        return std::numeric_limits<double>::quiet_NaN();
    if (magnitude > max_finite(f)) {
        const bool infinity = f.kind == NonFinite::kIeee && magnitude == max_finite(f) + 1;
        return infinity ? sign * std::numeric_limits<double>::infinity()
                        : std::numeric_limits<double>::quiet_NaN();
    }
    if (f.kind == NonFinite::kUnsigned)
        return std::ldexp(1.0, static_cast<int>(magnitude) - f.bias);
    const std::uint32_t exponent = magnitude >> f.mantissa_bits;
    const std::uint32_t mantissa = magnitude & ((1u << f.mantissa_bits) - 1);
    const std::uint32_t hidden = exponent == 0 ? 0u : 1u << f.mantissa_bits;
    const int scale = std::max(static_cast<int>(exponent), 1) - f.bias - f.mantissa_bits;
    return sign * std::ldexp(static_cast<double>(mantissa + hidden), scale);
}

}  // namespace shardwright::ir
