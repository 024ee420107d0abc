// Operations that compute each element from the elements at the same place.
#include <algorithm>

#include "rules/families.h"

namespace shardwright::rules {

void elementwise_rule(RuleBuilder& b) {
    const std::size_t rank = b.dims(b.result()).size();
    Places places;
    for (std::size_t d = 0; d < rank; ++d) {
        places.clear();
        // The predicate of a select and the bounds of a clamp may be scalars: they have no dims.
        for (std::size_t t = 0; t < b.tensor_count(); ++t)
            if (b.dims(t).size() == rank) places.push_back({t, d});
        b.tie(FactorKind::kPassThrough, view(places), kFirst);
    }
}

void identity_rule(RuleBuilder& b, Travel travel) {
    const std::size_t pairs = std::min(b.operand_count(), b.result_count());
    for (std::size_t i = 0; i < pairs; ++i)
        if (b.dims(i) == b.dims(b.result(i))) b.tie_alike(i, b.result(i), travel);
}

void barrier_rule(RuleBuilder& b) {
    std::uint8_t ways = kBlocked;
    if (const auto* a = b.module().attributes_if<ir::BarrierAttributes>(b.op())) {
        switch (a->allowed) {
            case ir::BarrierDirection::kForward:
                ways = kForward;
                break;
            case ir::BarrierDirection::kBackward:
                ways = kBackward;
                break;
            case ir::BarrierDirection::kBoth:
                ways = kBoth;
                break;
            case ir::BarrierDirection::kNone:
                break;
        }
    }
    identity_rule(b, Travel{ways, ways, 0, 0});
}

}  // namespace shardwright::rules
