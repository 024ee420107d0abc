#include "ir/uses.h"

namespace shardwright::ir {

Uses::Uses(const Module& module) : begin_(module.value_count() + 1, 0) {
    // Counting sort by value: operations are visited in id order, which is program order.
    for (std::size_t i = 0; i < module.op_count(); ++i)
        for (const ValueId v : module.operands(OpId(i))) ++begin_[v.index + 1];
    for (std::size_t v = 1; v < begin_.size(); ++v) begin_[v] += begin_[v - 1];
    uses_.resize(begin_.back());
    std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
    for (std::size_t i = 0; i < module.op_count(); ++i) {
        std::uint32_t number = 0;
        for (const ValueId v : module.operands(OpId(i)))
            uses_[next[v.index]++] = {OpId(i), number++};
    }
}

}  // namespace shardwright::ir
