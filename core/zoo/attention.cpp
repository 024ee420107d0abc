// Attention: multi-head, grouped and multi-query alike, with causal mask and position schemes.
#include <cmath>

#include "zoo/transformer_layer.h"

namespace shardwright::zoo {
namespace {

/// Columns of an [S, T] table: 0 … T-1 in each row; `dim` 0 counts rows instead.
ValueId counted(Graph& g, std::int64_t seq, std::int64_t dim) {
    return g.build().iota({ElementType::kS32, {seq, seq}}, dim);
}

/// Angles position · 10000^(-2i/D) of the rotary scheme, [S, D/2].
ValueId rotary_angles(Graph& g, std::int64_t seq, std::int64_t head_dim) {
    ir::Builder& b = g.build();
    const TensorType table{ElementType::kF32, {seq, head_dim / 2}};
    const ValueId exponent =
        g.scale(b.iota(table, 1), -2.0 * std::log(10000.0) / static_cast<double>(head_dim));
    return g.multiply(b.iota(table, 0), g.unary(OpKind::kExponential, exponent));
}

/// Turns pairs (first half, second half) of [B,S,N,D] by the angles.
ValueId rotate(Graph& g, const Shared& shared, ValueId v) {
    const Graph::Scope scope(g, "rotary");
    ir::Builder& b = g.build();
    const Dims dims = g.type(v).dims;
    const std::int64_t half = dims[3] / 2;
    ir::SliceAttributes first{{0, 0, 0, 0}, dims, {1, 1, 1, 1}};
    ir::SliceAttributes second = first;
    first.limit[3] = half;
    second.start[3] = half;
    const ValueId a = b.slice(v, first);
    const ValueId c = b.slice(v, second);
    const ElementType element = g.type(v).element;
    const ValueId cosine = g.spread(b.convert(shared.cosine, element), a, {1, 3});
    const ValueId sine = g.spread(b.convert(shared.sine, element), a, {1, 3});
    const ValueId halves[] = {g.subtract(g.multiply(a, cosine), g.multiply(c, sine)),
                              g.add(g.multiply(c, cosine), g.multiply(a, sine))};
    return b.concatenate(halves, 3);
}

/// The learned bias of each relative distance, [N,S,T].
ValueId relative_bias(Graph& g, const Shared& shared, ValueId table) {
    const Graph::Scope scope(g, "relative_bias");
    ir::Builder& b = g.build();
    const Dims dims = g.type(shared.distance).dims;
    const std::int64_t heads = g.type(table).dims[1];
    const std::int64_t with_vector[] = {dims[0], dims[1], 1};
    ir::GatherAttributes a;
    a.offset_dims = {2};
    a.collapsed_slice_dims = {0};
    a.start_index_map = {0};
    a.index_vector_dim = 2;
    a.slice_sizes = {1, heads};
    const ValueId rows =
        b.add(OpKind::kGather, {table, b.reshape(shared.distance, with_vector)}, a);
    const std::int64_t heads_first[] = {2, 0, 1};
    return b.transpose(rows, heads_first);
}

/// Adds the bias and hides what a row may not see; scores are [B,K,S,(G,)T].
ValueId biased_and_masked(Graph& g, const TransformerConfig& c, const Shared& shared,
                          const LayerWeights& weights, ValueId scores) {
    ir::Builder& b = g.build();
    const bool grouped = c.heads != c.kv_heads;
    const std::int64_t last = grouped ? 4 : 3;
    if (c.relative()) {
        ValueId bias = g.widened(relative_bias(g, shared, weights.at("attention/relative_bias")));
        if (grouped) {
            const std::int64_t split[] = {c.kv_heads, c.heads / c.kv_heads, c.seq, c.seq};
            bias = g.spread(b.reshape(bias, split), scores, {1, 3, 2, 4});
        } else {
            bias = g.spread(bias, scores, {1, 2, 3});
        }
        scores = g.add(scores, bias);
    }
    if (c.causal) {
        const TensorType whole{ElementType::kBool, g.type(scores).dims};
        const std::int64_t places[] = {2, last};
        const ValueId visible = b.broadcast(shared.mask, whole, places);
        scores = b.select(visible, scores, b.splat(g.type(scores), -1e30));
    }
    return scores;
}

}  // namespace

std::vector<ValueId*> Shared::all() {
    std::vector<ValueId*> values;
    for (ValueId* v : {&mask, &cosine, &sine, &distance})
        if (v->valid()) values.push_back(v);
    return values;
}

Shared make_shared_values(Graph& g, const TransformerConfig& c) {
    Shared shared;
    ir::Builder& b = g.build();
    if (c.causal) {
        const Graph::Scope scope(g, "mask");
        shared.mask = b.compare(counted(g, c.seq, 0), counted(g, c.seq, 1), ir::Direction::kGe);
        g.named(shared.mask, "causal_mask");
    }
    if (c.rotary()) {
        const Graph::Scope scope(g, "rotary");
        const ValueId angles = rotary_angles(g, c.seq, c.head_dim);
        shared.cosine = g.named(g.unary(OpKind::kCosine, angles), "rotary/cos");
        shared.sine = g.named(g.unary(OpKind::kSine, angles), "rotary/sin");
    }
    if (c.relative()) {
        const Graph::Scope scope(g, "relative_distance");
        const ValueId distance = g.subtract(counted(g, c.seq, 0), counted(g, c.seq, 1));
        const ValueId none = b.scalar(ElementType::kS32, 0);
        const ValueId most = b.scalar(ElementType::kS32, kRelativeBuckets - 1);
        shared.distance =
            g.named(b.add(OpKind::kClamp, {none, distance, most}), "relative_distance");
    }
    return shared;
}

ValueId attention(Graph& g, const TransformerConfig& c, const Shared& shared,
                  const LayerWeights& weights, ValueId x, const std::string& prefix) {
    const Graph::Scope scope(g, "attention");
    const auto label = [&](ValueId v, const char* name) {
        return prefix.empty() ? v : g.named(v, prefix + "/attention/" + name);
    };
    ir::Builder& b = g.build();
    ValueId q = label(g.dot(x, weights.at("attention/wq"), {2}, {0}), "q");  // [B,S,N,D]
    ValueId k = label(g.dot(x, weights.at("attention/wk"), {2}, {0}), "k");  // [B,T,K,D]
    const ValueId v = label(g.dot(x, weights.at("attention/wv"), {2}, {0}), "v");
    if (c.rotary()) {
        q = rotate(g, shared, q);
        k = rotate(g, shared, k);
    }
    q = g.scale(q, 1 / std::sqrt(static_cast<double>(c.head_dim)));
    const bool grouped = c.heads != c.kv_heads;
    if (grouped) {
        const std::int64_t split[] = {c.batch, c.seq, c.kv_heads, c.heads / c.kv_heads, c.head_dim};
        q = b.reshape(q, split);
    }
    // [B,K,S,(G,)T], in f32: sums of exponentials want the range.
    const ValueId products = g.dot(q, k, {grouped ? 4 : 3}, {3}, {0, 2}, {0, 2});
    const ValueId scores =
        label(biased_and_masked(g, c, shared, weights, g.widened(products)), "scores");
    const ValueId weighting = label(b.convert(g.softmax(scores), c.element), "probabilities");
    ValueId mixed = g.dot(weighting, v, {grouped ? 4 : 3}, {1}, {0, 1}, {0, 2});  // [B,K,S,(G,)D]
    if (grouped) {
        const std::int64_t heads_last[] = {0, 2, 1, 3, 4};
        const std::int64_t joined[] = {c.batch, c.seq, c.heads, c.head_dim};
        mixed = b.reshape(b.transpose(mixed, heads_last), joined);
    } else {
        const std::int64_t heads_last[] = {0, 2, 1, 3};
        mixed = b.transpose(mixed, heads_last);
    }
    label(mixed, "mixed");
    return label(g.dot(mixed, weights.at("attention/wo"), {2, 3}, {0, 1}), "out");
}

}  // namespace shardwright::zoo
