// shardwright: the headless program. Exit codes: 0 good, 1 ran and the check failed, 2 bad usage or
// input, 3 not supported, 130 interrupted.

#include <fmt/format.h>

#include <cstdio>
#include <new>

#include "commands.h"
#include "interrupt.h"

namespace {

using namespace shardwright::cli;

/// Commands of the contract that this version does not have yet: they answer, with exit 3.
constexpr const char* kLater[] = {"search", "export", "sweep", "compare"};

struct Declared {
    CLI::App* app;
    Command run;
};

int parse_and_run(int argc, char** argv) {
    CLI::App app("Design how a machine-learning model is spread over a mesh of accelerators.");
    app.set_version_flag("--version", SHARDWRIGHT_VERSION);
    app.require_subcommand(1);
    app.get_formatter()->column_width(34);
    std::vector<Declared> commands;
    const auto declare = [&](const char* name, const char* what, Command (*add)(CLI::App&)) {
        CLI::App* sub = app.add_subcommand(name, what);
        commands.push_back({sub, add(*sub)});
    };
    declare("info", "What is in a model: operations, parameters, FLOPs, mesh, annotations",
            add_info);
    declare("eval", "Run a model on one device", add_eval);
    declare("propagate", "Complete the shardings", add_propagate);
    declare("partition", "The per-device SPMD program and its collectives", add_partition);
    declare("verify", "Partition, run on the virtual mesh, compare with one device", add_verify);
    declare("run", "Run the partitioned program", add_run);
    declare("estimate", "Memory per device, step time, collectives", add_estimate);
    declare("new", "Build a model: mlp, transformer", add_new);
    declare("convert", "Rewrite a model as StableHLO text", add_convert);
    for (const char* name : kLater) {
        CLI::App* sub = app.add_subcommand(name, "(not in this version)")->group("");
        sub->allow_extras();
        commands.push_back({sub, [name] {
                                fmt::print(stderr, "error: not supported: {}\n", name);
                                return 3;
                            }});
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        // Help and version leave with 0; every other fault of usage is 2.
        return app.exit(e) == 0 ? 0 : 2;
    }
    for (const Declared& command : commands)
        if (command.app->parsed()) return command.run();
    return 2;
}

}  // namespace

int main(int argc, char** argv) {
    watch_interrupts();
    try {
        return parse_and_run(argc, argv);
    } catch (const std::bad_alloc&) {
        fmt::print(stderr, "error: out of memory\n");
        return 2;
    }
}
