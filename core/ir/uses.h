#pragma once
// Use-lists, built once for a module and kept beside it.

#include <span>
#include <vector>

#include "ir/module.h"

namespace shardwright::ir {

struct Use {
    OpId op;
    std::uint32_t operand = 0;
};

/// For every value the operations that use it, in program order; one contiguous table.
class Uses {
  public:
    explicit Uses(const Module& module);
    std::span<const Use> of(ValueId id) const {
        return {uses_.data() + begin_[id.index], begin_[id.index + 1] - begin_[id.index]};
    }

  private:
    std::vector<std::uint32_t> begin_;
    std::vector<Use> uses_;
};

}  // namespace shardwright::ir
