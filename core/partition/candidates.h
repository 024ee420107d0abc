#pragma once
// Ways to run an operation: axes for every factor of its rule.

#include <vector>

#include "partition/layout.h"
#include "rules/rule.h"

namespace shardwright::partition {

/// The axes of each factor, by factor number; the operation runs locally under them.
struct Assignment {
    InlineVector<AxisList, 6> axes;
    friend bool operator==(const Assignment&, const Assignment&) = default;
};

/// Which factors an operation can have sharded while it runs.
using Shardable = InlineVector<bool, 8>;

/// What tensor `t` of the operation (operands, then results) looks like under an assignment:
/// the axes of its dims. Reduction factors absent from it leave no trace.
Layout tensor_layout(const rules::Rule& rule, const Assignment& a, std::size_t t);
/// The axes of reduction, scattered and looked-up factors that the results do not have: what the
/// results are still to be reduced over.
AxisList reduction_axes(const rules::Rule& rule, const Assignment& a);

/// Factor axes that tensor `t` in `layout` suggests. Axes that a dimension of several factors
/// cannot give to one of them exactly are left out.
Assignment project(const rules::Rule& rule, const Layout& layout, std::size_t t,
                   const Shardable& shardable);

/// False when a dimension made of several factors would not be cut into contiguous equal blocks, or
/// an axis would serve two factors.
bool is_valid(const rules::Rule& rule, const Assignment& a);

/// All combinations of what the tensors suggest for each factor (and of leaving it whole), in a
/// fixed order: the result's suggestion first. At most `limit`; beyond that only each tensor's own
/// and pairwise merges.
std::vector<Assignment> candidates(const rules::Rule& rule, std::span<const Layout> tensors,
                                   const Shardable& shardable, std::size_t limit = 256);

}  // namespace shardwright::partition
