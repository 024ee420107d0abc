#pragma once
// Elements as integers in the order of their values.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ir/element_type.h"

namespace shardwright::exec {

struct OrderKeys {
    std::vector<std::int64_t> keys;
    bool has_nan = false;
};

/// Keys of `count` elements that lie `stride` apart: a < b exactly when key(a) < key(b), in the
/// total order (-NaN … -0 < +0 … NaN), or with both zeros equal when `total` is false. Not for
/// complex.
OrderKeys order_keys(ir::ElementType type, const std::byte* data, std::int64_t stride,
                     std::int64_t count, bool total);

}  // namespace shardwright::exec
