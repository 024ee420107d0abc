#pragma once
// Scope paths as people think of them: without the wrappers that tracing puts around them.

#include <string>
#include <string_view>
#include <vector>

namespace shardwright::draw {

/// The components that name a place in the model. Transformations (`jvp(…)`, `transpose(…)`,
/// `vmap(…)`) give way to what they wrap, calls (`jit(…)`, `while/body`, `checkpoint`) vanish, and
/// a last component that only names the operation is dropped:
/// `jit(step)/transpose(jvp(Model))/layer_3/checkpoint/dot_general` -> {"Model", "layer_3"}.
std::vector<std::string> scope_components(std::string_view path);

}  // namespace shardwright::draw
