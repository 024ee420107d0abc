#pragma once
// Indices of gathers and scatters that count along one of their own dimensions.

#include "ir/module.h"

namespace shardwright::rules {

/// For every component of the index vectors in `indices`: the dimension of `indices` along which it
/// is an iota (0, 1, 2, …), or -1. Looks through converts, copies, broadcasts, transposes, reshapes
/// that only add or drop size-1 dims, and the concatenation that makes the vectors.
Dims iota_components(const ir::Module& module, ir::ValueId indices, std::int64_t index_vector_dim);

}  // namespace shardwright::rules
