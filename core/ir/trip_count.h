#pragma once
// How often a `while` runs, when its condition says so.

#include <cstdint>
#include <optional>

#include "ir/module.h"

namespace shardwright::ir {

/// The trip count of a `while` whose condition compares a carried counter with a constant and whose
/// body adds a constant to it, from a constant start; or the file's `known_trip_count`.
std::optional<std::int64_t> trip_count(const Module& module, OpId while_op);

}  // namespace shardwright::ir
