#include "formats/mlir_source.h"

#include <algorithm>

namespace shardwright::formats::mlir {

Diagnostic Source::placed(Diagnostic diagnostic, Pos pos) const {
    const std::string_view before = text.substr(0, std::min<std::size_t>(pos, text.size()));
    const std::size_t newline = before.rfind('\n');
    diagnostic.file = file;
    diagnostic.line = 1 + std::count(before.begin(), before.end(), '\n');
    diagnostic.column = static_cast<std::int64_t>(
        newline == std::string_view::npos ? before.size() + 1 : before.size() - newline);
    return diagnostic;
}

Diagnostic Source::at(Pos pos, std::string what, std::string expected) const {
    return placed(bad_input(std::move(what), std::move(expected)), pos);
}

Diagnostic Source::unsupported_at(Pos pos, std::string what) const {
    return placed(unsupported(std::move(what)), pos);
}

}  // namespace shardwright::formats::mlir
