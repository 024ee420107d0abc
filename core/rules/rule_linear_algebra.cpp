// Operations along whole dims: sort, top_k, fft, matrix decompositions, batch normalisation.
#include <algorithm>

#include "rules/families.h"

namespace shardwright::rules {
namespace {

/// Operands and results alike, pass-through but for the dims that `is_whole` names. `alone`: where
/// those may travel under policy shardy.
template <class IsWhole>
void all_alike_but(RuleBuilder& b, Travel alone, IsWhole&& is_whole) {
    Places places;
    for (std::size_t d = 0; d < b.dims(0).size(); ++d) {
        places.clear();
        for (std::size_t t = 0; t < b.tensor_count(); ++t) places.push_back({t, d});
        const bool whole = is_whole(d);
        const bool same = b.size({0, d}) == b.size({b.result(), d});
        b.tie(whole ? FactorKind::kNeedReplication : FactorKind::kPassThrough, view(places),
              !whole ? kSecond
              : same ? alone
                     : kNowhere);
    }
}

}  // namespace

void sort_rule(RuleBuilder& b) {
    const auto sorted =
        static_cast<std::size_t>(b.module().attributes<ir::SortAttributes>(b.op()).dim);
    bool others = false;
    for (std::size_t d = 0; d < b.dims(0).size(); ++d) others |= d != sorted && b.size({0, d}) > 1;
    // Its axes may move to another dim, if there is one.
    all_alike_but(b, others ? kShardyOnly : kNowhere, [&](std::size_t d) { return d == sorted; });
}

void top_k_rule(RuleBuilder& b) {
    all_alike_but(b, kNowhere, [&](std::size_t d) { return d + 1 == b.dims(0).size(); });
}

void fft_rule(RuleBuilder& b) {
    const std::size_t transformed = b.module().attributes<ir::FftAttributes>(b.op()).length.size();
    all_alike_but(b, kShardyOnly,
                  [&](std::size_t d) { return d + transformed >= b.dims(0).size(); });
}

void cholesky_rule(RuleBuilder& b) {
    all_alike_but(b, kShardyOnly, [&](std::size_t d) { return d + 2 >= b.dims(0).size(); });
}

void triangular_solve_rule(RuleBuilder& b) {
    // (a, b) -> x: each column (or row, from the right) of b is solved for itself.
    const bool left = b.module().attributes<ir::TriangularSolveAttributes>(b.op()).left_side;
    const std::size_t rank = b.dims(0).size();
    const std::size_t solved = left ? rank - 2 : rank - 1;
    for (std::size_t d = 0; d < rank; ++d) {
        if (d + 2 < rank) {
            b.tie(FactorKind::kPassThrough, {{0, d}, {1, d}, {b.result(), d}}, kSecond);
            continue;
        }
        b.tie(FactorKind::kNeedReplication, {{0, d}}, kNowhere);
        if (d == solved)
            b.tie(FactorKind::kNeedReplication, {{1, d}, {b.result(), d}}, kNowhere);
        else
            b.tie(FactorKind::kPassThrough, {{1, d}, {b.result(), d}}, kSecond);
    }
}

void batch_norm_rule(RuleBuilder& b) {
    const auto feature =
        static_cast<std::size_t>(b.module().attributes<ir::BatchNormAttributes>(b.op()).feature);
    const std::size_t rank = b.dims(0).size();
    // Inference is elementwise. Training and gradient sum over the other dims on the way.
    const bool sums = b.result_count() > 1;
    Places places;
    for (std::size_t d = 0; d < rank; ++d) {
        places.clear();
        for (std::size_t t = 0; t < b.tensor_count(); ++t) {
            if (b.dims(t).size() == rank)
                places.push_back({t, d});
            else if (d == feature)
                places.push_back({t, 0});
        }
        b.tie(d == feature || !sums ? FactorKind::kPassThrough : FactorKind::kNeedReplication,
              view(places), kSecond);
    }
}

}  // namespace shardwright::rules
