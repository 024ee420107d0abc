#pragma once
// Locations to scope paths: `loc("jit(f)/layer_0/dot"(#loc3))` says "jit(f)/layer_0/dot".

#include <string>
#include <string_view>
#include <unordered_map>

#include "formats/mlir_syntax.h"

namespace shardwright::formats::mlir {

/// Resolves locations of one module, aliases included. File places give no path; of a fused
/// location the first part with a path counts, of a call site the callee's, then the caller's.
class Locations {
  public:
    explicit Locations(const Syntax& syntax) : syntax_(syntax) {}
    /// "" when the location says nothing that names a part of the model.
    std::string_view path(LocationId id);

  private:
    std::string resolve(std::string_view text, int depth);
    const Syntax& syntax_;
    std::unordered_map<std::string_view, std::string> by_text_;
};

}  // namespace shardwright::formats::mlir
