#pragma once
// The text being read, and how a place in it becomes a diagnostic.

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace shardwright::formats::mlir {

/// Offset of a character in the source text.
using Pos = std::uint32_t;

/// The whole file's text with its name; `begin`..`end` is the piece that is one module.
struct Source {
    std::string_view text;
    std::string file;
    Pos begin = 0, end = 0;

    /// A diagnostic at `pos`. Counts lines from the start: for the one error that ends the reading.
    Diagnostic at(Pos pos, std::string what, std::string expected = {}) const;
    /// "not supported: what" at `pos` (exit 3).
    Diagnostic unsupported_at(Pos pos, std::string what) const;
    /// Gives a diagnostic without a place that of `pos`.
    Diagnostic placed(Diagnostic diagnostic, Pos pos) const;
};

}  // namespace shardwright::formats::mlir
