#include "exec/narrow.h"

#include <array>
#include <memory>

#include "ir/float_format.h"

namespace shardwright::exec {

using ir::ElementType;

float from_f16(std::uint16_t bits) {
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
    const std::uint32_t magnitude = bits & 0x7FFFu;
    if (magnitude >= 0x7C00u)
        return std::bit_cast<float>(sign | 0x7F800000u | ((magnitude & 0x3FFu) << 13));
    // A multiplication by 2^112 re-biases the exponent and normalises subnormals exactly.
    const float scaled = std::bit_cast<float>(magnitude << 13) * 0x1p112f;
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(scaled) | sign);
}

std::uint16_t to_f16(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000u);
    const std::uint32_t magnitude = bits & 0x7FFFFFFFu;
    if (magnitude > 0x7F800000u) return static_cast<std::uint16_t>(sign | 0x7E00u);
    if (magnitude >= 0x477FF000u) return static_cast<std::uint16_t>(sign | 0x7C00u);  // >= 65520
    if (magnitude < 0x38800000u) {
        // Subnormal: adding 0.5 leaves the result in the low bits, rounded by the adder itself.
        const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
        return static_cast<std::uint16_t>(sign |
                                          (std::bit_cast<std::uint32_t>(shifted) - 0x3F000000u));
    }
    const std::uint32_t rounded = magnitude + 0xFFFu + ((magnitude >> 13) & 1u);
    return static_cast<std::uint16_t>(sign | ((rounded >> 13) - (112u << 10)));
}

bool is_narrow_float(ElementType type) {
    return ir::is_float(type) && type != ElementType::kF32 && type != ElementType::kF64;
}

ElementType compute_type(ElementType type) {
    return is_narrow_float(type) ? ElementType::kF32 : type;
}

namespace {

/// The numbers behind all codes of a type of 8 bits or less; made once a type.
const std::array<float, 256>& byte_float_table(ElementType type) {
    static const auto* const tables = [] {
        auto* all = new std::array<std::array<float, 256>, 32>;
        for (int t = static_cast<int>(ElementType::kF4E2M1FN);
             t <= static_cast<int>(ElementType::kF8E8M0FNU); ++t) {
            const auto element = static_cast<ElementType>(t);
            const int codes = 1 << ir::bit_width(element);
            for (int code = 0; code < 256; ++code)
                (*all)[static_cast<std::size_t>(t)][static_cast<std::size_t>(code)] =
                    static_cast<float>(
                        ir::decode_narrow_float(element, static_cast<std::uint16_t>(code % codes)));
        }
        return all;
    }();
    return (*tables)[static_cast<std::size_t>(type)];
}

}  // namespace

void widen(ElementType type, const std::byte* in, float* out, std::size_t count) {
    if (type == ElementType::kBF16) {
        const auto* codes = reinterpret_cast<const std::uint16_t*>(in);
        for (std::size_t i = 0; i < count; ++i) out[i] = from_bf16(codes[i]);
    } else if (type == ElementType::kF16) {
        const auto* codes = reinterpret_cast<const std::uint16_t*>(in);
        for (std::size_t i = 0; i < count; ++i) out[i] = from_f16(codes[i]);
    } else {
        const auto& table = byte_float_table(type);
        for (std::size_t i = 0; i < count; ++i) out[i] = table[static_cast<std::uint8_t>(in[i])];
    }
}

void narrow(ElementType type, const float* in, std::byte* out, std::size_t count) {
    if (type == ElementType::kBF16) {
        auto* codes = reinterpret_cast<std::uint16_t*>(out);
        for (std::size_t i = 0; i < count; ++i) codes[i] = to_bf16(in[i]);
    } else if (type == ElementType::kF16) {
        auto* codes = reinterpret_cast<std::uint16_t*>(out);
        for (std::size_t i = 0; i < count; ++i) codes[i] = to_f16(in[i]);
    } else {
        for (std::size_t i = 0; i < count; ++i)
            out[i] =
                static_cast<std::byte>(ir::encode_narrow_float(type, static_cast<double>(in[i])));
    }
}

}  // namespace shardwright::exec
