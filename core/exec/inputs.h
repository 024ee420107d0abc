#pragma once
// Numbers from seeds: inputs, and constants that the file leaves out.

#include <cstddef>
#include <cstdint>

#include "ir/element_type.h"

namespace shardwright::exec {

/// Fills a buffer of `type` from (seed, id): floats uniform in ±0.05, the size of trained weights;
/// integers in [0, 8); bools even. The same on every machine and for any number of threads.
void fill_elided(const ir::TensorType& type, std::uint64_t seed, std::uint64_t id, std::byte* out);

/// Floats uniform in [low, high), integers in [0, integers).
struct RandomRange {
    double low = -1, high = 1;
    std::int64_t integers = 16;
};
void fill_random(const ir::TensorType& type, std::uint64_t seed, std::uint64_t id,
                 const RandomRange& range, std::byte* out);

}  // namespace shardwright::exec
