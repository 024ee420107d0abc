#pragma once
// numpy's `.npy` and `.npz` files.

#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "exec/tensor.h"

namespace shardwright::exec {

using NamedTensors = std::vector<std::pair<std::string, Tensor>>;
/// Reads `.npz` (stored or deflated) or `.npy` (one tensor, named "").
Result<NamedTensors> read_npz(const std::string& path);
/// Writes atomically (temporary file, then rename). bf16 and f8 go as raw `|V2`/`|V1` with a note.
Status write_npz(const std::string& path, const NamedTensors& tensors);

}  // namespace shardwright::exec
