// scatter, with any number of inputs: (inputs..., indices, updates...) -> results...
#include "rules/families.h"
#include "rules/index_parallel.h"

namespace shardwright::rules {
namespace {

/// The tensors of a scatter by role.
struct Scatter {
    const RuleBuilder& b;
    std::size_t inputs = b.result_count();
    std::size_t indices() const { return inputs; }
    std::size_t update(std::size_t i) const { return inputs + 1 + i; }
    void add_data(Places& places, std::size_t dim) const {
        for (std::size_t i = 0; i < inputs; ++i) places.push_back({i, dim});
        for (std::size_t i = 0; i < inputs; ++i) places.push_back({b.result(i), dim});
    }
    void add_updates(Places& places, std::size_t dim) const {
        for (std::size_t i = 0; i < inputs; ++i) places.push_back({update(i), dim});
    }
};

ir::Reduction combiner(const RuleBuilder& b) {
    const ir::Op& op = b.module().op(b.op());
    if (op.region_count != 1 || b.result_count() != 1) return ir::Reduction::kOther;
    return region_reduction(b.module(), b.module().region_of(b.op(), 0));
}

}  // namespace

void scatter_rule(RuleBuilder& b) {
    const auto& a = b.module().attributes<ir::ScatterAttributes>(b.op());
    const Scatter s{b};
    const Dims& input = b.dims(0);
    const Dims& indices = b.dims(s.indices());
    const Dims& update = b.dims(s.update(0));

    // Which input dim runs along with a dim of the indices.
    Dims along(indices.size(), -1);
    InlineVector<bool, 6> by_iota(indices.size(), false), tied(input.size(), false);
    for (std::size_t i = 0; i < a.scatter_indices_batching_dims.size(); ++i)
        along[static_cast<std::size_t>(a.scatter_indices_batching_dims[i])] =
            a.input_batching_dims[i];
    const Dims iotas =
        iota_components(b.module(), b.module().operand(b.op(), s.indices()), a.index_vector_dim);
    for (std::size_t k = 0; k < iotas.size() && k < a.scatter_dims_to_operand_dims.size(); ++k) {
        if (iotas[k] < 0) continue;
        const auto i = static_cast<std::size_t>(iotas[k]);
        const std::int64_t d = a.scatter_dims_to_operand_dims[k];
        if (along[i] >= 0 || !has(a.inserted_window_dims, d)) continue;
        if (input[static_cast<std::size_t>(d)] != indices[i]) continue;
        along[i] = d;
        by_iota[i] = true;
    }

    Places places;
    std::size_t u = 0;
    for (std::size_t i = 0; i < indices.size(); ++i) {
        if (static_cast<std::int64_t>(i) == a.index_vector_dim) {
            b.tie(FactorKind::kNeedReplication, {{s.indices(), i}}, kNowhere);
            continue;
        }
        while (has(a.update_window_dims, static_cast<std::int64_t>(u))) ++u;
        places.clear();
        places.push_back({s.indices(), i});
        s.add_updates(places, u++);
        if (along[i] < 0) {
            b.tie(FactorKind::kScattered, view(places), kSiblings, combiner(b));
            continue;
        }
        const auto d = static_cast<std::size_t>(along[i]);
        tied[d] = true;
        s.add_data(places, d);
        b.tie(by_iota[i] ? FactorKind::kIndexed : FactorKind::kPassThrough, view(places), kSecond);
    }
    std::size_t window = 0;
    for (std::size_t d = 0; d < input.size(); ++d) {
        const auto dim = static_cast<std::int64_t>(d);
        const bool gone = has(a.inserted_window_dims, dim) || has(a.input_batching_dims, dim);
        const std::size_t w = gone ? 0 : static_cast<std::size_t>(a.update_window_dims[window++]);
        if (tied[d]) continue;
        places.clear();
        s.add_data(places, d);
        const bool whole = !gone && update[w] == input[d];
        if (whole) s.add_updates(places, w);
        b.tie(whole ? FactorKind::kPassThrough : FactorKind::kIndexed, view(places), kSecond);
    }
}

}  // namespace shardwright::rules
