#pragma once
// Moves a module's own shardings from its mesh onto another that has the same axes by name and
// size.

#include "base/result.h"
#include "ir/module.h"

namespace shardwright::plan {

/// True when every axis of `from` that is larger than 1 is in `to` with the same size.
bool includes(const mesh::Mesh& to, const mesh::Mesh& from);

/// Rewrites annotations, result annotations, constraints, manual regions and collectives that speak
/// of mesh `from` so that they speak of `to`. Axes of size 1 that `to` lacks disappear.
void translate_mesh(ir::Module& module, sharding::MeshId from, sharding::MeshId to);

/// Drops what speaks of mesh `from`: annotations go, constraints become fully open. For modules
/// whose mesh the user replaced. Returns how many statements were dropped.
std::size_t drop_mesh(ir::Module& module, sharding::MeshId from);

/// True when the module has a manual region over mesh `from`.
bool has_manual_region(const ir::Module& module, sharding::MeshId from);

}  // namespace shardwright::plan
