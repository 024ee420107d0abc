#pragma once
// The sub-commands of the headless program, one file each. `add_X` declares options; the returned
// function runs the command and gives the exit code of design/00's contract.

#include <functional>

#include "command_line.h"

namespace shardwright::cli {

using Command = std::function<int()>;

Command add_info(CommandLine& line);
Command add_eval(CommandLine& line);
Command add_propagate(CommandLine& line);
Command add_partition(CommandLine& line);
Command add_verify(CommandLine& line);
Command add_run(CommandLine& line);
Command add_estimate(CommandLine& line);
Command add_new(CommandLine& line);
Command add_convert(CommandLine& line);

}  // namespace shardwright::cli
