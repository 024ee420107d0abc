#pragma once
// The loop that the commands over a model share.

#include <functional>
#include <memory>
#include <vector>

#include "formats/write_model.h"
#include "options.h"
#include "output.h"

namespace shardwright::cli {

using ModelPtr = std::shared_ptr<const plan::Model>;
using DerivedPtr = std::shared_ptr<const plan::Derived>;
/// Derives a model under a plan; it may first set in the plan what its command's options say.
using Derive = std::function<Result<DerivedPtr>(const ModelPtr&, plan::Plan&)>;
/// Prints a derived model, or adds its documents; gives an exit code.
using Use = std::function<int(const plan::Model&, const plan::Plan&, const plan::Derived&,
                              std::vector<json>& documents)>;

/// Opens every module of MODEL and hands each one, derived, to `use`. A module that fails is named
/// on stderr and becomes `{name, error}`; the others still run. Prints the documents at the end if
/// `as_json`. The worst exit code of all.
int for_each_model(const ModelOptions& model, const ShardingOptions& sharding, bool as_json,
                   const Derive& derive, const Use& use);

/// Derive with the partitioned program; a model that cannot be partitioned is an error.
Derive with_program(const ShardingOptions& sharding, const plan::Pricing& pricing = {});

/// Prints a module as `mlir` or `hlo` text; every module but a run's first after a split marker.
void print_module(const ir::Module& module, const std::string& format,
                  const formats::WriteOptions& write, bool first);

}  // namespace shardwright::cli
