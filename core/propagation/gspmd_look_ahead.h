#pragma once
// What the users further down will want of a contraction's result.

#include <optional>
#include <span>
#include <vector>

#include "propagation/engine.h"

namespace shardwright::propagation {

/// Axes of a tensor's dims.
using DimAxes = std::vector<mesh::AxisList>;

/// Follows the chain of single uses that starts at `slot` to the first sharded tensor, and reads
/// back what that implies for `slot`. Nothing when there is no such chain, or it implies nothing.
std::optional<DimAxes> look_ahead(Engine& engine, SlotId slot);

/// True when the wish (axes a factor) for the first result of link `id` refines `axes`.
bool implies(Engine& engine, LinkId id, std::span<const AxesId> wish, const DimAxes& axes);

}  // namespace shardwright::propagation
