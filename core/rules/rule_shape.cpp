// Operations that rename, add or regroup dimensions (reshape has a file of its own).
#include "rules/families.h"

namespace shardwright::rules {

void broadcast_rule(RuleBuilder& b) {
    // Backward from level 2; forward last, at 3: learning from the tensor with fewer dims causes
    // resharding later (design/30).
    constexpr Travel kBroadcastTravel{kBoth, kBoth, 3, 2};
    const Dims& to = b.module().attributes<ir::DimsAttributes>(b.op()).dims;
    const std::size_t result = b.result();
    InlineVector<bool, 6> mapped(b.dims(result).size(), false);
    for (std::size_t d = 0; d < to.size(); ++d) {
        const auto r = static_cast<std::size_t>(to[d]);
        if (b.size({0, d}) != b.size({result, r})) continue;  // size 1, expanded
        b.tie(FactorKind::kPassThrough, {{0, d}, {result, r}}, kBroadcastTravel);
        mapped[r] = true;
    }
    for (std::size_t r = 0; r < mapped.size(); ++r)
        if (!mapped[r]) b.tie(FactorKind::kBroadcast, {{result, r}}, kBroadcastTravel);
}

void transpose_rule(RuleBuilder& b) {
    const Dims& permutation = b.module().attributes<ir::DimsAttributes>(b.op()).dims;
    for (std::size_t r = 0; r < permutation.size(); ++r) {
        const auto d = static_cast<std::size_t>(permutation[r]);
        b.tie(FactorKind::kPassThrough, {{0, d}, {b.result(), r}}, kFirst);
    }
}

void bitcast_convert_rule(RuleBuilder& b) {
    const std::size_t shared = std::min(b.dims(0).size(), b.dims(b.result()).size());
    for (std::size_t d = 0; d < shared; ++d)
        b.tie(FactorKind::kPassThrough, {{0, d}, {b.result(), d}}, kFirst);
    // The minor dimension that holds the parts of one wider element stays whole.
    for (const std::size_t t : {std::size_t{0}, b.result()})
        if (b.dims(t).size() > shared) b.tie(FactorKind::kNeedReplication, {{t, shared}}, kNowhere);
}

void set_dimension_size_rule(RuleBuilder& b) {
    const std::int64_t changed = b.module().attributes<ir::DimAttributes>(b.op()).dim;
    for (std::size_t d = 0; d < b.dims(0).size(); ++d) {
        const bool whole = static_cast<std::int64_t>(d) == changed;
        b.tie(whole ? FactorKind::kNeedReplication : FactorKind::kPassThrough,
              {{0, d}, {b.result(), d}}, whole ? kNowhere : kSecond);
    }
}

}  // namespace shardwright::rules
