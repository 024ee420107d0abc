#pragma once
// The one loop behind broadcast, transpose, slice, reverse, pad, concatenate and their kin: copies
// an index space between two strided views.

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/inline_vector.h"

namespace shardwright::exec {

/// Row-major strides in elements.
Dims row_major(std::span<const std::int64_t> dims);

/// For every index of `sizes`: dst[Σ index·dst_strides] = src[Σ index·src_strides], elements of
/// `bytes` (1, 2, 4, 8 or 16). Strides are in elements; source strides may be 0 (broadcast) or
/// negative (reverse). The views must not overlap, destination elements must be distinct.
/// Example: a transpose of [2,3] has sizes {3,2}, src_strides {1,3}, dst_strides {2,1}.
void strided_copy(int bytes, std::span<const std::int64_t> sizes, const std::byte* src,
                  std::span<const std::int64_t> src_strides, std::byte* dst,
                  std::span<const std::int64_t> dst_strides);

/// Fills `count` elements of `bytes` with the element at `value`.
void fill(int bytes, const std::byte* value, std::byte* dst, std::int64_t count);

}  // namespace shardwright::exec
