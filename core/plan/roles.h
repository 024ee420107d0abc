#pragma once
// What an argument is for, inferred from its path, its type and aliasing (design/92).

#include <string_view>
#include <vector>

#include "ir/module.h"

namespace shardwright::plan {

enum class Role : std::uint8_t { kParameter, kOptimizerState, kInput, kCache, kScalar };
std::string_view text(Role role);

/// One role for each argument of the function. Optimiser state: a path part such as `opt_state`,
/// `mu`, `nu`. Cache: `cache` parts. Inputs: integer or boolean tensors and paths such as `batch`,
/// `inputs`, `tokens`, `x`. Parameters: every other real or complex tensor of rank 1 or more.
std::vector<Role> argument_roles(const ir::Module& module, const ir::Function& function);

}  // namespace shardwright::plan
