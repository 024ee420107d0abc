#pragma once
// A terse listing of a module for people who debug the core (the StableHLO writer is in formats).

#include <string>

#include "ir/module.h"

namespace shardwright::ir {

std::string print(const Module& module);
std::string print(const Module& module, OpId op);
/// `%name` or `%17`: the value as messages call it.
std::string display_name(const Module& module, ValueId value);

}  // namespace shardwright::ir
