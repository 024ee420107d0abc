#pragma once
// What a rule depends on, as a flat list of numbers. Internal to core/rules.

#include <unordered_map>
#include <vector>

#include "ir/module.h"

namespace shardwright::rules {

/// Writes signatures: operations with equal ones have equal rules. Element types and the kinds of
/// elementwise operations do not count.
class SignatureWriter {
  public:
    explicit SignatureWriter(const ir::Module& module) : module_(module) {}
    /// Replaces `out` by the signature of `op`.
    void write(ir::OpId op, std::vector<std::int64_t>& out);

  private:
    /// A number for the dims of a value; equal dims, equal number.
    std::int64_t shape(ir::ValueId value);

    const ir::Module& module_;
    std::vector<std::int64_t> shape_of_type_;  ///< by TypeId; -1 = not met yet
    std::unordered_map<std::string, std::int64_t> shapes_;
};

}  // namespace shardwright::rules
