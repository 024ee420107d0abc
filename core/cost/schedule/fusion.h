#pragma once
// Values that stay in registers when a compiler fuses elementwise chains.

#include <vector>

#include "ir/module.h"
#include "ir/uses.h"

namespace shardwright::cost {

/// By ValueId: true when the value is never written to memory. An elementwise result with one use
/// by an operation that can take it in (elementwise, reduce, broadcast, dynamic slices and updates)
/// in the same region does not materialise; a broadcast, an iota or a convert of such is made again
/// by each user, however many there are.
std::vector<bool> fused_values(const ir::Module& module, const ir::Uses& uses);

}  // namespace shardwright::cost
