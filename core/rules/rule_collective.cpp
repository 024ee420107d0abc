// Collectives that the input itself contains: dims that they move are whole, the others pass.
#include <algorithm>

#include "rules/families.h"

namespace shardwright::rules {

void collective_rule(RuleBuilder& b) {
    const auto* a = b.module().attributes_if<ir::CollectiveAttributes>(b.op());
    const std::int64_t dim = a ? a->dim : -1, concat_dim = a ? a->concat_dim : -1;
    const std::size_t pairs = std::min(b.operand_count(), b.result_count());
    for (std::size_t i = 0; i < pairs; ++i) {
        const std::size_t r = b.result(i);
        if (b.dims(i).size() != b.dims(r).size()) continue;
        for (std::size_t d = 0; d < b.dims(i).size(); ++d) {
            const auto number = static_cast<std::int64_t>(d);
            const bool moved =
                number == dim || number == concat_dim || b.size({i, d}) != b.size({r, d});
            b.tie(moved ? FactorKind::kNeedReplication : FactorKind::kPassThrough, {{i, d}, {r, d}},
                  moved ? kNowhere : kFirst);
        }
    }
}

}  // namespace shardwright::rules
