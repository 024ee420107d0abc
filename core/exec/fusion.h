#pragma once
// Which elementwise operations of a region run as one pass.

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "exec/run_plan.h"

namespace shardwright::exec {

/// Turns every elementwise step into a chain. With `fuse`, producers whose results only one chain
/// reads join it and their steps are gone; broadcasts that only chains read are read in place by
/// them. Fusing never keeps more bytes alive than it saves, and values that follow from constants
/// alone stay apart: they are computed once for all devices.
void form_chains(const ir::Module& module, ir::RegionId region, std::vector<Step>& steps,
                 bool fuse);

}  // namespace shardwright::exec
