#pragma once
// Passes over the finished per-device program. Each reads one module and writes the next; each says
// in the notes what it changed.

#include "partition/partition.h"

namespace shardwright::partition {

/// Runs the passes that `options` asks for.
void clean_up(Partitioned& program, const Options& options);

/// all-reduce whose every use takes this device's part of it -> reduce-scatter.
void reduce_scatters(Partitioned& program);
/// sum of two all-reduces over the same axes -> all-reduce of the sum.
void merge_all_reduces(Partitioned& program);
/// Operations without a use or effect.
void remove_dead_code(Partitioned& program);

}  // namespace shardwright::partition
