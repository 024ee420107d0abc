// dot_general: batch, contracting and free dimensions.
#include "rules/families.h"

namespace shardwright::rules {

void dot_rule(RuleBuilder& b) {
    const auto& a = b.module().attributes<ir::DotAttributes>(b.op());
    b.set_preference(Preference::kContraction);
    const std::size_t result = b.result();
    std::size_t out = 0;  // the result's dims: batch, lhs free, rhs free
    for (std::size_t i = 0; i < a.lhs_batch.size(); ++i)
        b.tie(FactorKind::kPassThrough,
              {{0, static_cast<std::size_t>(a.lhs_batch[i])},
               {1, static_cast<std::size_t>(a.rhs_batch[i])},
               {result, out++}},
              kSecond);
    const Dims* const batch[] = {&a.lhs_batch, &a.rhs_batch};
    const Dims* const contracting[] = {&a.lhs_contracting, &a.rhs_contracting};
    for (std::size_t t = 0; t < 2; ++t)
        for (std::size_t d = 0; d < b.dims(t).size(); ++d) {
            const auto dim = static_cast<std::int64_t>(d);
            if (has(*batch[t], dim) || has(*contracting[t], dim)) continue;
            b.tie(FactorKind::kPassThrough, {{t, d}, {result, out++}}, kSecond);
        }
    for (std::size_t i = 0; i < a.lhs_contracting.size(); ++i)
        b.tie(FactorKind::kReduction,
              {{0, static_cast<std::size_t>(a.lhs_contracting[i])},
               {1, static_cast<std::size_t>(a.rhs_contracting[i])}},
              kSiblings);
}

}  // namespace shardwright::rules
