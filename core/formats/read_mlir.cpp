// Entry of the MLIR reader: pieces between `// -----`, each parsed, then imported.
#include "formats/mlir_import.h"
#include "formats/mlir_parser.h"
#include "formats/read_model.h"

namespace shardwright::formats {
namespace {

/// Ends of the pieces that lines of `// -----` separate, the text's own end last.
std::vector<std::size_t> piece_ends(std::string_view text) {
    std::vector<std::size_t> ends;
    static constexpr std::string_view kMark = "// -----";
    for (std::size_t at = text.find(kMark); at != std::string_view::npos;
         at = text.find(kMark, at + 1)) {
        const bool at_start = at == 0 || text[at - 1] == '\n';
        if (at_start) ends.push_back(at);
    }
    ends.push_back(text.size());
    return ends;
}

}  // namespace

Result<std::vector<ir::Module>> read_mlir(std::string_view text, const std::string& file,
                                          const ReadOptions& options) {
    mlir::Source source{text, file, 0, 0};
    if (text.size() >= std::size_t{1} << 32)
        return source.unsupported_at(0, "text of 4 GiB or more");
    std::vector<ir::Module> modules;
    const std::vector<std::size_t> ends = piece_ends(text);
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
        source.begin = static_cast<mlir::Pos>(begin);
        source.end = static_cast<mlir::Pos>(end);
        begin = end;
        ir::Module module;
        mlir::Syntax syntax;
        SW_CHECK(mlir::Parser(source, module, syntax).parse());
        const bool empty = syntax.functions.empty() && syntax.top_level.empty();
        if (empty && (ends.size() > 1 || !modules.empty())) continue;
        if (empty) return source.at(source.begin, "no function in this text", "func.func");
        SW_CHECK(mlir::Importer(source, syntax, module, options).run());
        if (Status status = ir::verify_module(module); !status.ok()) {
            Diagnostic error = status.error();
            if (error.file.empty()) error.file = file;
            return error;
        }
        modules.push_back(std::move(module));
    }
    if (modules.empty()) return source.at(0, "no function in this text", "func.func");
    return modules;
}

}  // namespace shardwright::formats
