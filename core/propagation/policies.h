#pragma once
// The two policies: each completes the shardings of an engine (engine.h says how).

#include "propagation/engine.h"

namespace shardwright::propagation {

/// The GSPMD paper's preferences (design/30, design/35 section 2).
void complete_gspmd(Engine& engine);
/// User priorities, then operation priorities, then conflicts settled tensor by tensor, as Shardy
/// documents them.
void complete_shardy(Engine& engine);

}  // namespace shardwright::propagation
