// gather: batching, parallel, offset and indexed dimensions.
#include "rules/families.h"
#include "rules/index_parallel.h"

namespace shardwright::rules {
namespace {

constexpr std::size_t kOperand = 0, kIndices = 1;

/// The operand dim that a batch dim of the indices runs along, and whether run-time indices say so.
struct Partner {
    std::int64_t operand_dim = -1;
    bool by_iota = false;
};

}  // namespace

void gather_rule(RuleBuilder& b) {
    const auto& a = b.module().attributes<ir::GatherAttributes>(b.op());
    const Dims& operand = b.dims(kOperand);
    const Dims& indices = b.dims(kIndices);
    InlineVector<Partner, 6> partner(indices.size());
    for (std::size_t i = 0; i < a.start_indices_batching_dims.size(); ++i)
        partner[static_cast<std::size_t>(a.start_indices_batching_dims[i])].operand_dim =
            a.operand_batching_dims[i];
    const Dims iotas =
        iota_components(b.module(), b.module().operand(b.op(), kIndices), a.index_vector_dim);
    for (std::size_t k = 0; k < iotas.size() && k < a.start_index_map.size(); ++k) {
        if (iotas[k] < 0) continue;
        const auto i = static_cast<std::size_t>(iotas[k]);
        const auto d = static_cast<std::size_t>(a.start_index_map[k]);
        if (partner[i].operand_dim < 0 && a.slice_sizes[d] == 1 && operand[d] == indices[i])
            partner[i] = {static_cast<std::int64_t>(d), true};
    }

    // Batch dims of the indices are those of the result that are no offset dims, in order.
    InlineVector<bool, 6> tied(operand.size(), false);
    std::size_t r = 0;
    for (std::size_t i = 0; i < indices.size(); ++i) {
        if (static_cast<std::int64_t>(i) == a.index_vector_dim) {
            b.tie(FactorKind::kNeedReplication, {{kIndices, i}}, kNowhere);
            continue;
        }
        while (has(a.offset_dims, static_cast<std::int64_t>(r))) ++r;
        Places places;
        FactorKind kind = FactorKind::kPassThrough;
        if (partner[i].operand_dim >= 0) {
            const auto d = static_cast<std::size_t>(partner[i].operand_dim);
            places.push_back({kOperand, d});
            tied[d] = true;
            if (partner[i].by_iota) kind = FactorKind::kIndexed;
        }
        places.push_back({kIndices, i});
        places.push_back({b.result(), r++});
        b.tie(kind, view(places), kSecond);
    }
    // The operand's other dims: whole ones pass through, chosen ones are looked up.
    std::size_t offset = 0;
    for (std::size_t d = 0; d < operand.size(); ++d) {
        const auto dim = static_cast<std::int64_t>(d);
        const bool gone = has(a.collapsed_slice_dims, dim) || has(a.operand_batching_dims, dim);
        const std::size_t out = gone ? 0 : static_cast<std::size_t>(a.offset_dims[offset++]);
        if (tied[d]) continue;
        if (!gone && a.slice_sizes[d] == operand[d])
            b.tie(FactorKind::kPassThrough, {{kOperand, d}, {b.result(), out}}, kSecond);
        else
            b.tie(FactorKind::kIndexed, {{kOperand, d}}, kNowhere);
    }
}

}  // namespace shardwright::rules
