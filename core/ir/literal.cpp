#include "ir/literal.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>

#include "ir/float_format.h"

namespace shardwright::ir {
namespace {

static_assert(std::endian::native == std::endian::little, "buffers are little endian");

template <class T>
void append_raw(std::vector<std::byte>& out, T value) {
    const std::size_t at = out.size();
    out.resize(at + sizeof(T));
    std::memcpy(out.data() + at, &value, sizeof(T));
}

template <class T>
T read_raw(std::span<const std::byte> data, std::int64_t index) {
    T value;
    const auto at = static_cast<std::size_t>(index) * sizeof(T);
    assert(at + sizeof(T) <= data.size());
    std::memcpy(&value, data.data() + at, sizeof(T));
    return value;
}

/// Appends the low bytes of a two's complement integer (sub-byte types: sign-extended to a byte).
void append_integer_bits(std::vector<std::byte>& out, ElementType type, std::uint64_t bits) {
    switch (storage_bytes(type)) {
        case 1:
            append_raw(out, static_cast<std::uint8_t>(bits));
            break;
        case 2:
            append_raw(out, static_cast<std::uint16_t>(bits));
            break;
        case 4:
            append_raw(out, static_cast<std::uint32_t>(bits));
            break;
        default:
            append_raw(out, bits);
            break;
    }
}

std::int64_t signed_max(ElementType type) {
    return static_cast<std::int64_t>(~std::uint64_t{0} >> (65 - bit_width(type)));
}
std::uint64_t unsigned_max(ElementType type) {
    return ~std::uint64_t{0} >> (64 - bit_width(type));
}

/// `value` as a double that rounds to any narrower float as the integer itself would: bits lost
/// beyond 53 leave a mark in the last one ("round to odd").
double sticky_double(std::int64_t value) {
    const bool negative = value < 0;
    std::uint64_t magnitude =
        negative ? ~static_cast<std::uint64_t>(value) + 1 : static_cast<std::uint64_t>(value);
    const int excess = std::max(0, static_cast<int>(std::bit_width(magnitude)) - 53);
    if (excess > 0) {
        const std::uint64_t lost = magnitude & ((std::uint64_t{1} << excess) - 1);
        magnitude >>= excess;
        if (lost != 0) magnitude |= 1;
    }
    const double result = std::ldexp(static_cast<double>(magnitude), excess);
    return negative ? -result : result;
}

void append_float(std::vector<std::byte>& out, ElementType type, double value) {
    if (type == ElementType::kF64) return append_raw(out, value);
    if (type == ElementType::kF32) return append_raw(out, static_cast<float>(value));
    const std::uint16_t code = encode_narrow_float(type, value);
    if (storage_bytes(type) == 2) return append_raw(out, code);
    append_raw(out, static_cast<std::uint8_t>(code));
}

double read_float(std::span<const std::byte> data, ElementType type, std::int64_t index) {
    if (type == ElementType::kF64) return read_raw<double>(data, index);
    if (type == ElementType::kF32) return static_cast<double>(read_raw<float>(data, index));
    if (storage_bytes(type) == 2)
        return decode_narrow_float(type, read_raw<std::uint16_t>(data, index));
    return decode_narrow_float(type, read_raw<std::uint8_t>(data, index));
}

std::int64_t read_signed(std::span<const std::byte> data, ElementType type, std::int64_t index) {
    switch (storage_bytes(type)) {
        case 1:
            return read_raw<std::int8_t>(data, index);
        case 2:
            return read_raw<std::int16_t>(data, index);
        case 4:
            return read_raw<std::int32_t>(data, index);
        default:
            return read_raw<std::int64_t>(data, index);
    }
}

std::uint64_t read_unsigned(std::span<const std::byte> data, ElementType type, std::int64_t index) {
    switch (storage_bytes(type)) {
        case 1:
            return read_raw<std::uint8_t>(data, index);
        case 2:
            return read_raw<std::uint16_t>(data, index);
        case 4:
            return read_raw<std::uint32_t>(data, index);
        default:
            return read_raw<std::uint64_t>(data, index);
    }
}

std::int64_t saturated_int(double value) {
    if (std::isnan(value)) return 0;
    if (value >= 0x1p63) return std::numeric_limits<std::int64_t>::max();
    if (value < -0x1p63) return std::numeric_limits<std::int64_t>::min();
    return static_cast<std::int64_t>(value);
}

}  // namespace

Literal Literal::splat(TensorType type, std::vector<std::byte> element) {
    assert(element.size() == static_cast<std::size_t>(storage_bytes(type.element)));
    return {std::move(type), Kind::kSplat,
            std::make_shared<const std::vector<std::byte>>(std::move(element))};
}

Literal Literal::dense(TensorType type, std::vector<std::byte> data) {
    return {std::move(type), Kind::kDense,
            std::make_shared<const std::vector<std::byte>>(std::move(data))};
}

Literal Literal::elided(TensorType type) {
    return {std::move(type), Kind::kElided, nullptr};
}

Literal Literal::splat_of(TensorType type, double value) {
    std::vector<std::byte> element;
    append_element(element, type.element, value);
    return splat(std::move(type), std::move(element));
}

Literal Literal::splat_of_int(TensorType type, std::int64_t value) {
    std::vector<std::byte> element;
    append_element_int(element, type.element, value);
    return splat(std::move(type), std::move(element));
}

bool operator==(const Literal& a, const Literal& b) {
    if (a.kind != b.kind || !(a.type == b.type)) return false;
    if (a.bytes == b.bytes) return true;
    const auto x = a.data();
    const auto y = b.data();
    return x.size() == y.size() && (x.empty() || std::memcmp(x.data(), y.data(), x.size()) == 0);
}

void append_element(std::vector<std::byte>& out, ElementType type, double value) {
    if (type == ElementType::kToken) return;
    if (is_complex(type)) {
        append_float(out, real_type(type), value);
        append_float(out, real_type(type), 0);
    } else if (is_float(type)) {
        append_float(out, type, value);
    } else if (type == ElementType::kBool) {
        append_raw(out, static_cast<std::uint8_t>(value != 0));
    } else if (type == ElementType::kU64 && value >= 0x1p63) {
        append_raw(out, value >= 0x1p64 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(value));
    } else {
        append_element_int(out, type, saturated_int(value));
    }
}

void append_element_int(std::vector<std::byte>& out, ElementType type, std::int64_t value) {
    if (type == ElementType::kToken) return;
    if (type == ElementType::kF32) {
        append_raw(out, static_cast<float>(value));
    } else if (is_float(type)) {
        const bool narrow = type != ElementType::kF64;
        append_float(out, type, narrow ? sticky_double(value) : static_cast<double>(value));
    } else if (is_complex(type)) {
        append_element_int(out, real_type(type), value);
        append_float(out, real_type(type), 0);
    } else if (type == ElementType::kBool) {
        append_raw(out, static_cast<std::uint8_t>(value != 0));
    } else if (is_signed(type)) {
        const std::int64_t top = signed_max(type);
        append_integer_bits(out, type,
                            static_cast<std::uint64_t>(std::clamp(value, -top - 1, top)));
    } else {
        const auto positive = static_cast<std::uint64_t>(std::max<std::int64_t>(value, 0));
        append_integer_bits(out, type, std::min(positive, unsigned_max(type)));
    }
}

double element_as_double(std::span<const std::byte> data, ElementType type, std::int64_t index) {
    if (type == ElementType::kToken) return 0;
    if (is_complex(type)) return read_float(data, real_type(type), 2 * index);
    if (is_float(type)) return read_float(data, type, index);
    if (is_signed(type)) return static_cast<double>(read_signed(data, type, index));
    return static_cast<double>(read_unsigned(data, type, index));
}

std::int64_t element_as_int(std::span<const std::byte> data, ElementType type, std::int64_t index) {
    if (type == ElementType::kToken) return 0;
    if (is_complex(type) || is_float(type))
        return saturated_int(element_as_double(data, type, index));
    if (is_signed(type)) return read_signed(data, type, index);
    const std::uint64_t value = read_unsigned(data, type, index);
    constexpr auto top = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    return static_cast<std::int64_t>(std::min(value, top));
}

}  // namespace shardwright::ir
