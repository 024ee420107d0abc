#pragma once
// The chip table: speeds, memory and network of accelerators (design/60, resources/chips.md).

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "ir/attributes.h"
#include "ir/element_type.h"

namespace shardwright::cost {

enum class Topology : std::uint8_t { kTorus, kSwitched };
enum class Wrap : std::uint8_t { kNever, kFullAxis, kMultipleOf };

/// One level of a switched network, from the inside out.
struct SwitchLevel {
    std::string name;
    std::int64_t devices = 0;     ///< in one domain; 0 = no limit
    double egress_bandwidth = 0;  ///< bytes/s that one device can send through it
    double latency = 0;           ///< seconds a step
};

struct Network {
    Topology topology = Topology::kTorus;
    std::vector<std::int64_t> torus;  ///< sizes of the largest slice
    Wrap wrap = Wrap::kNever;
    std::int64_t wrap_multiple = 1;
    double link_bandwidth = 0;  ///< bytes/s of one link, one way
    int links = 0;              ///< a chip
    double hop_latency = 0;
    double data_centre_bandwidth = 0;  ///< bytes/s a chip, between slices
    std::vector<SwitchLevel> levels;   ///< switched networks

    /// True when `size` chips in a row along torus axis `axis` have a wrap-around link.
    bool wraps(std::size_t axis, std::int64_t size) const;
};

struct Chip {
    std::string name;
    std::vector<std::string> aliases;
    std::string note;
    double bf16_flops = 0;  ///< peak of the matrix unit, FLOP/s
    double f16_flops = 0, int8_flops = 0, fp8_flops = 0;
    double f32_passes_default = 1, f32_passes_high = 3, f32_passes_highest = 6;
    double vector_flops = 0;
    std::int64_t memory_bytes = 0, reserve_bytes = 0;
    double memory_bandwidth = 0;
    std::int64_t matrix_tile = 128;
    Network network;

    /// Peak of a dot or convolution whose operands have this type.
    double matrix_flops(ir::ElementType type, ir::Precision precision) const;
    /// Memory that programs may use.
    std::int64_t usable_bytes() const { return memory_bytes - reserve_bytes; }
};

/// Fractions of the peaks that are reached.
struct Profile {
    double matrix = 1, memory = 1, links = 1;
    double launch = 0;  ///< seconds an operation
};

struct ChipTable {
    std::vector<Chip> chips;
    Profile ideal, achieved;

    /// By name or alias, whatever the case; also "TPU-v5e", "tpu_v5e". The error lists the names.
    Result<const Chip*> find(std::string_view name) const;
};

/// Reads a chip table. Errors name the file, and the place (syntax) or the key (content):
/// `chips.json: error: chips[2].memory_bytes is missing, expected a number above 0`.
Result<ChipTable> load_chips(const std::string& path);
Result<ChipTable> parse_chips(std::string_view text, const std::string& file);

}  // namespace shardwright::cost
