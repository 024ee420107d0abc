// shardwright new: builds a model and writes it as StableHLO text.

#include <fmt/format.h>

#include "base/atomic_file.h"
#include "commands.h"
#include "formats/write_model.h"
#include "options.h"
#include "zoo/zoo.h"

namespace shardwright::cli {
namespace {

struct NewOptions {
    std::string kind, output;
    std::vector<std::string> settings;
    bool list = false;
};

void print_kinds() {
    for (const zoo::KindInfo& kind : zoo::kinds()) {
        fmt::print("{}: {}\n", kind.name, kind.description);
        for (const zoo::OptionInfo& option : kind.options) {
            std::string choices;
            if (!option.choices.empty())
                choices = fmt::format(" ({})", fmt::join(option.choices, "|"));
            fmt::print("  {:<24} {}{}\n", option.name + "=" + option.default_value,
                       option.description, choices);
        }
    }
}

int run_new(const NewOptions& options) {
    if (options.list) {
        print_kinds();
        return 0;
    }
    if (options.kind.empty())
        return fail(bad_input("no kind of model given", "a kind (see `shardwright new --list`)"));
    zoo::Options settings;
    for (const std::string& text : options.settings) {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos || equals == 0)
            return fail(bad_input(fmt::format("'{}'", text), "option=value"));
        settings.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
    const Result<ir::Module> module = zoo::build(options.kind, settings);
    if (!module.ok()) return fail(module.error());
    formats::WriteOptions write;
    write.locations = true;
    const std::string text = formats::write_mlir(*module, write);
    if (options.output.empty() || options.output == "-") {
        fmt::print("{}", text);
        return 0;
    }
    if (Status status = write_file_atomically(options.output, text); !status.ok())
        return fail(status.error());
    return 0;
}

}  // namespace

Command add_new(CommandLine& line) {
    auto options = std::make_shared<NewOptions>();
    line.text("KIND", options->kind, "mlp or transformer");
    line.rest("SETTINGS", options->settings, "option=value, repeatable");
    line.text("-o,--output", options->output, "file to write; default: stdout");
    line.flag("--list", options->list, "kinds and their options");
    return [options] { return run_new(*options); };
}

}  // namespace shardwright::cli
