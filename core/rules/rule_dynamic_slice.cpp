// dynamic_slice and dynamic_update_slice; their start indices are scalars.
#include "rules/families.h"

namespace shardwright::rules {

void dynamic_slice_rule(RuleBuilder& b) {
    constexpr Travel kUntouched{kBoth, kBoth, 0, 1};
    for (std::size_t d = 0; d < b.dims(0).size(); ++d) {
        if (b.size({0, d}) == b.size({b.result(), d}))
            b.tie(FactorKind::kPassThrough, {{0, d}, {b.result(), d}}, kUntouched);
        else
            b.tie(FactorKind::kIndexed, {{0, d}}, kNowhere);
    }
}

void dynamic_update_slice_rule(RuleBuilder& b) {
    for (std::size_t d = 0; d < b.dims(0).size(); ++d) {
        if (b.size({0, d}) == b.size({1, d}))
            b.tie(FactorKind::kPassThrough, {{0, d}, {1, d}, {b.result(), d}}, kFirst);
        else
            b.tie(FactorKind::kIndexed, {{0, d}, {b.result(), d}}, kShardyOnly);
    }
}

}  // namespace shardwright::rules
