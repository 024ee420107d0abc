// shardwright: the headless program. Exit codes: 0 good, 1 ran and the check failed, 2 bad usage or
// input, 3 not supported, 130 interrupted.

#include <fmt/format.h>

#include <cstdio>
#include <map>
#include <new>
#include <string>

#include "command_line.h"
#include "commands.h"
#include "interrupt.h"

namespace {

using namespace shardwright::cli;

/// Commands of the contract that this version does not have yet: they answer, with exit 3.
constexpr const char* kLater[] = {"search", "export", "sweep", "compare"};

int parse_and_run(int argc, char** argv) {
    Program program("Design how a machine-learning model is spread over a mesh of accelerators.",
                    SHARDWRIGHT_VERSION);
    std::map<std::string, Command> commands;
    const auto declare = [&](const char* name, const char* what, Command (*add)(CommandLine&)) {
        CommandLine line = program.add(name, what);
        commands[name] = add(line);
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
        program.add_hidden(name);
        commands[name] = [name] {
            fmt::print(stderr, "error: not supported: {}\n", name);
            return 3;
        };
    }
    const Program::Choice choice = program.parse(argc, argv);
    return choice.command.empty() ? choice.exit_code : commands.at(choice.command)();
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
