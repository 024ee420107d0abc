#pragma once
// Options that several sub-commands share.

#include <memory>
#include <string>
#include <vector>

#include "command_line.h"
#include "exec/execute.h"
#include "plan/derive.h"
#include "plan/verify.h"

namespace shardwright::cli {

/// `MODEL` and `--json`.
struct ModelOptions {
    std::string model;
    bool json = false;
    void add(CommandLine& line);
};

/// SHARDING of design/00: mesh, annotations, plan, policy, random shardings.
struct ShardingOptions {
    std::string mesh, plan_file, preset, policy;
    std::vector<std::string> shard;
    std::int64_t random_seed = -1;
    bool allow_unmatched = false, allow_inputs = false, allow_outputs = false;
    bool no_allow_inputs = false, no_allow_outputs = false, ignore_file = false;
    void add(CommandLine& line);
    /// The plan that these options mean; a plan file first, then the options on top.
    Result<plan::Plan> to_plan(const std::string& model) const;
};

/// --inputs, --fill-elided, --max-memory.
struct RunOptions {
    std::string inputs = "random", fill_elided, max_memory;
    bool no_fuse = false;
    void add(CommandLine& line);
    Result<exec::Options> to_exec() const;
};

/// Parses `16GiB`, `512MB`, `1000`.
Result<std::int64_t> parse_bytes(std::string_view text);

/// Prints the diagnostic to stderr and gives its exit code.
int fail(const Diagnostic& diagnostic);
/// The worse of two exit codes in the contract's sense (any non-zero over zero, 2 and 3 over 1).
int worst(int a, int b);

/// Derives (model, plan); targets that named nothing are an error unless allowed.
Result<std::shared_ptr<const plan::Derived>> derive_or_explain(
    const std::shared_ptr<const plan::Model>& model, const plan::Plan& plan, bool allow_unmatched,
    const plan::Pricing& pricing = {});

/// The same without partitioning.
Result<std::shared_ptr<const plan::Derived>> propagate_or_explain(
    const std::shared_ptr<const plan::Model>& model, const plan::Plan& plan, bool allow_unmatched);

}  // namespace shardwright::cli
