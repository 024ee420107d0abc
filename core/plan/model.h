#pragma once
// A model as opened: the module, its names as people see them, and what is computed once for it.

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "ir/module.h"
#include "ir/uses.h"
#include "rules/rule.h"

namespace shardwright::plan {

/// Immutable after loading; shared by everything that shows or computes.
struct Model {
    explicit Model(ir::Module m);
    std::string path;
    ir::Module module;  ///< exactly as read
    ir::Uses uses;
    rules::RuleTable rules;
    std::string structure_hash;  ///< of operations and types; names and shardings aside
    /// `state/params/decoder/layers/mlp/wi_0/kernel`: arguments by their path, other values by
    /// scope and name.
    std::string display_path(ir::ValueId value) const;
    /// The name that `--shard`, `--why` and reports use; unique in the module.
    std::string value_name(ir::ValueId value) const;
    /// Values whose name or display path matches (exact first, then glob). Arguments, results of
    /// operations, and "result N" / a result's own name for the entry's results.
    std::vector<ir::ValueId> find(std::string_view target) const;

  private:
    std::unordered_map<std::string, std::vector<ir::ValueId>> by_name_;
};

/// Opens a file: one model for each module in it.
Result<std::vector<std::shared_ptr<const Model>>> open_models(const std::string& path);

/// Cleans a path: `state.params['params']['decoder']` -> `state/params/params/decoder`; strips
/// jit(...), jvp(...), transpose(...), checkpoint wrappers from scope paths.
std::string clean_path(std::string_view path);
/// `*` any run (also over '/'), `?` one character.
bool glob_match(std::string_view pattern, std::string_view text);

}  // namespace shardwright::plan
