#pragma once
// Blocks of narrow floats (16 bits and less) to f32 and back. Arithmetic on them happens in f32.

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "ir/element_type.h"

namespace shardwright::exec {

inline float from_bf16(std::uint16_t bits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

/// Rounds to nearest, ties to even; NaN stays a (quiet) NaN.
inline std::uint16_t to_bf16(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t rounded = bits + 0x7FFFu + ((bits >> 16) & 1u);
    const bool nan = (bits & 0x7FFFFFFFu) > 0x7F800000u;
    return static_cast<std::uint16_t>(nan ? (bits >> 16) | 0x40u : rounded >> 16);
}

float from_f16(std::uint16_t bits);
std::uint16_t to_f16(float value);

/// True for the floats that kernels see as f32: f4 … f16 and bf16.
bool is_narrow_float(ir::ElementType type);
/// The type in which kernels compute: f32 for narrow floats, the type itself otherwise.
ir::ElementType compute_type(ir::ElementType type);

void widen(ir::ElementType type, const std::byte* in, float* out, std::size_t count);
void narrow(ir::ElementType type, const float* in, std::byte* out, std::size_t count);

}  // namespace shardwright::exec
