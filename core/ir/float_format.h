#pragma once
// Bits of the floating types narrower than f32, and their exact rounding.

#include <cstdint>

#include "ir/element_type.h"

namespace shardwright::ir {

/// The code (in the low bits) of `value` rounded to nearest, ties to even, in a float type of 16
/// bits or less. What does not fit becomes infinity where the type has one, else NaN where it has
/// one (f8E4M3FN above 464), else the largest value (f6, f4). f8E8M0FNU holds no sign and no zero:
/// negative numbers are NaN, zero is its smallest number. f6 and f4 have no NaN: it becomes -0.
std::uint16_t encode_narrow_float(ElementType type, double value);
/// The exact number behind a code.
double decode_narrow_float(ElementType type, std::uint16_t code);

}  // namespace shardwright::ir
