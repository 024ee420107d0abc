// shardwright convert: between model formats.

#include <fmt/format.h>

#include "base/atomic_file.h"
#include "commands.h"
#include "formats/read_model.h"
#include "formats/write_model.h"
#include "options.h"

namespace shardwright::cli {
namespace {

struct ConvertOptions {
    std::string in, out;
    formats::WriteOptions write;
    bool mhlo = false;
};

int run_convert(const ConvertOptions& options) {
    const bool to_hlo = options.out.ends_with(".hlo") || options.out.ends_with(".txt");
    if (!to_hlo && !options.out.ends_with(".mlir"))
        return fail(bad_input(fmt::format("output '{}'", options.out),
                              "a name that ends in .mlir (StableHLO text) or .hlo (HLO text)"));
    auto file = formats::read_model(options.in);
    if (!file.ok()) return fail(file.error());
    if (to_hlo && file->modules.size() != 1)
        return fail(unsupported("several modules in one HLO file"));
    formats::WriteOptions write = options.write;
    write.annotate = options.mhlo ? formats::Annotate::kMhlo : formats::Annotate::kSdy;
    std::string text;
    for (const ir::Module& module : file->modules) {
        if (!text.empty()) text += "\n// -----\n\n";
        text += to_hlo ? formats::write_hlo(module, write) : formats::write_mlir(module, write);
    }
    if (Status status = write_file_atomically(options.out, text); !status.ok())
        return fail(status.error());
    return 0;
}

}  // namespace

Command add_convert(CommandLine& line) {
    auto options = std::make_shared<ConvertOptions>();
    line.required("IN", options->in, "model file");
    line.required("OUT", options->out, "file to write: .mlir or .hlo");
    line.flag("--generic", options->write.generic, "MLIR's generic form");
    line.flag("--locations", options->write.locations, "with loc(\"scope/path\")");
    line.flag("--mhlo-sharding", options->mhlo, "mhlo.sharding instead of sdy");
    return [options] { return run_convert(*options); };
}

}  // namespace shardwright::cli
