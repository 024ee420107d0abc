#pragma once
// The sub-commands of the headless program, one file each. `add_X` declares options; the returned
// function runs the command and gives the exit code of design/00's contract.

#include <CLI/CLI.hpp>
#include <functional>

namespace shardwright::cli {

using Command = std::function<int()>;

Command add_info(CLI::App& app);
Command add_eval(CLI::App& app);
Command add_propagate(CLI::App& app);
Command add_partition(CLI::App& app);
Command add_verify(CLI::App& app);
Command add_run(CLI::App& app);
Command add_estimate(CLI::App& app);
Command add_new(CLI::App& app);
Command add_convert(CLI::App& app);

}  // namespace shardwright::cli
