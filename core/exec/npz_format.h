#pragma once
// What reader and writer of .npz share: magic numbers and element type codes.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ir/element_type.h"

namespace shardwright::exec {

inline constexpr char kNpyMagic[] = "\x93NUMPY";
inline constexpr std::uint32_t kZipLocal = 0x04034B50, kZipCentral = 0x02014B50;
inline constexpr std::uint32_t kZipEnd = 0x06054B50;

/// numpy's code of an element type ("<f4"). Types that numpy lacks go as raw bytes ("|V2" for bf16,
/// "|V1" for f8 and sub-byte floats); sub-byte integers widen to a byte as they are.
std::string code_of_element(ir::ElementType type);
/// The type of a code; "|V2" reads as bf16, "|V1" as f8E4M3FN. Big endian has none.
std::optional<ir::ElementType> element_of_code(std::string_view code);

}  // namespace shardwright::exec
