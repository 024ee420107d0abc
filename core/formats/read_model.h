#pragma once
// Reading a model, whatever its text format (design/10).

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "ir/module.h"

namespace shardwright::formats {

struct ReadOptions {
    /// Inlined size limit, counted before inlining (exit 3 naming the callee and the count).
    std::int64_t max_operations = 5'000'000;
};

/// A model file: one module, or several separated by `// -----`.
struct ModelFile {
    std::vector<ir::Module> modules;
};

/// Reads a file (`.gz` transparently); the format is told from the content, not the name.
Result<ModelFile> read_model(const std::string& path, const ReadOptions& options = {});
/// The same from memory; `file` is for messages.
Result<ModelFile> read_model_text(std::string_view text, const std::string& file,
                                  const ReadOptions& options = {});

/// StableHLO / MHLO text (pretty, quoted, generic), with sdy and mhlo.sharding. Calls are inlined.
Result<std::vector<ir::Module>> read_mlir(std::string_view text, const std::string& file,
                                          const ReadOptions& options);
/// HLO text. Calls and fusions are inlined, tuples flattened.
Result<ir::Module> read_hlo(std::string_view text, const std::string& file,
                            const ReadOptions& options);

}  // namespace shardwright::formats
