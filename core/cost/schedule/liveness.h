#pragma once
// Live bytes of a per-device program over its own order.

#include <cstdint>
#include <string>
#include <vector>

#include "ir/module.h"

namespace shardwright::cost {

struct MemoryOptions {
    bool fused = true;           ///< elementwise chains do not materialise; else every result does
    bool share_in_place = true;  ///< updates and loops write over an operand that dies there
};

enum class BufferClass : std::uint8_t { kArgument, kOutput, kTemporary, kCollective, kLoopState };

struct Buffer {
    ir::ValueId value;
    std::int64_t bytes = 0;
    BufferClass kind = BufferClass::kTemporary;
};

/// Memory of one device while the entry function runs.
struct Memory {
    std::int64_t argument_bytes = 0;
    std::int64_t output_bytes = 0;         ///< without those that share an argument's storage
    std::int64_t aliased_bytes = 0;        ///< outputs that share an argument's storage
    std::int64_t peak_bytes = 0;           ///< arguments included
    std::vector<std::int64_t> live_bytes;  ///< by operation of the entry: the most while it runs
    ir::OpId peak_op;                      ///< operation of the entry at which the peak is
    std::vector<Buffer> at_peak;  ///< what is alive there, largest first, inside loops too: adds up
                                  ///< to the peak
    std::vector<std::string> lost_donations;  ///< donated arguments that could not be shared, why
};

/// Arguments live throughout unless donated; a donated argument whose output has the same shape
/// shares its storage with it. A while adds the peak of its body; what it carries is counted once.
/// `lost` marks (by argument) donations that must not share, as the shardings differ.
Memory memory_of(const ir::Module& module, const MemoryOptions& options = {},
                 const std::vector<bool>& lost = {});

}  // namespace shardwright::cost
