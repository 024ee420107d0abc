// Values made from nothing: every device makes its own part.
#include "rules/families.h"

namespace shardwright::rules {

void made_rule(RuleBuilder& b) {
    for (std::size_t d = 0; d < b.dims(b.result()).size(); ++d)
        b.tie(FactorKind::kBroadcast, {{b.result(), d}}, kFirst);
}

void rng_bit_generator_rule(RuleBuilder& b) {
    // (state) -> (state, bits): the state is one small value, whole on every device.
    b.tie(FactorKind::kNeedReplication, {{0, 0}, {b.result(0), 0}}, kNowhere);
    for (std::size_t d = 0; d < b.dims(b.result(1)).size(); ++d)
        b.tie(FactorKind::kBroadcast, {{b.result(1), d}}, kSecond);
}

}  // namespace shardwright::rules
