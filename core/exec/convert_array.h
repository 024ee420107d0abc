#pragma once
// Whole arrays from one element type to another, in parallel blocks.

#include <cstddef>
#include <cstdint>

#include "ir/element_type.h"

namespace shardwright::exec {

/// True when `convert_array` knows the pair (complex to real is not there).
bool can_convert(ir::ElementType from, ir::ElementType to);
void convert_array(ir::ElementType from, const std::byte* in, ir::ElementType to, std::byte* out,
                   std::int64_t count);

}  // namespace shardwright::exec
