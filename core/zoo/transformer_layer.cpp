#include "zoo/transformer_layer.h"

namespace shardwright::zoo {
namespace {

void add_norm(const TransformerConfig& c, const std::string& path, std::vector<Parameter>& out) {
    out.push_back({path, {c.element, {c.model}}});
    if (c.norm == "layer") out.push_back({path + "_bias", {c.element, {c.model}}});
}

ValueId feed_forward(Graph& g, const TransformerConfig& c, const LayerWeights& weights, ValueId x,
                     const std::string& prefix) {
    const Graph::Scope scope(g, "ffn");
    const auto label = [&](ValueId v, const char* name) {
        return prefix.empty() ? v : g.named(v, prefix + "/ffn/" + name);
    };
    ValueId hidden;
    if (c.gated) {
        const ValueId gate = label(g.dot(x, weights.at("ffn/w_gate"), {2}, {0}), "gate");
        const ValueId up = label(g.dot(x, weights.at("ffn/w_up"), {2}, {0}), "up");
        hidden = g.multiply(g.activation(gate, c.activation), up);
    } else {
        const ValueId up = label(g.dot(x, weights.at("ffn/w_up"), {2}, {0}), "up");
        hidden = g.activation(up, c.activation);
    }
    label(hidden, "hidden");
    return label(g.dot(hidden, weights.at("ffn/w_down"), {2}, {0}), "out");
}

}  // namespace

std::vector<Parameter> layer_parameters(const TransformerConfig& c) {
    const auto weight = [&](const char* path, Dims dims) {
        return Parameter{path, {c.element, std::move(dims)}};
    };
    std::vector<Parameter> p;
    add_norm(c, "attention_norm", p);
    p.push_back(weight("attention/wq", {c.model, c.heads, c.head_dim}));
    p.push_back(weight("attention/wk", {c.model, c.kv_heads, c.head_dim}));
    p.push_back(weight("attention/wv", {c.model, c.kv_heads, c.head_dim}));
    p.push_back(weight("attention/wo", {c.heads, c.head_dim, c.model}));
    if (c.relative()) p.push_back(weight("attention/relative_bias", {kRelativeBuckets, c.heads}));
    add_norm(c, "ffn_norm", p);
    if (c.gated) p.push_back(weight("ffn/w_gate", {c.model, c.hidden}));
    p.push_back(weight("ffn/w_up", {c.model, c.hidden}));
    p.push_back(weight("ffn/w_down", {c.hidden, c.model}));
    return p;
}

ValueId normalise(Graph& g, const TransformerConfig& c, ValueId x, const LayerWeights& weights,
                  const std::string& path) {
    const Graph::Scope scope(g, path);
    if (c.norm == "layer") return g.layer_norm(x, weights.at(path), weights.at(path + "_bias"));
    return g.rms_norm(x, weights.at(path));
}

ValueId transformer_layer(Graph& g, const TransformerConfig& c, const Shared& shared,
                          const LayerWeights& weights, ValueId x, const std::string& prefix) {
    const auto label = [&](ValueId v, const char* name) {
        return prefix.empty() ? v : g.named(v, prefix + "/" + name);
    };
    if (c.post_norm) {
        x = g.add(x, attention(g, c, shared, weights, x, prefix));
        x = label(normalise(g, c, x, weights, "attention_norm"), "attention_norm_out");
        x = g.add(x, feed_forward(g, c, weights, x, prefix));
        return label(normalise(g, c, x, weights, "ffn_norm"), "out");
    }
    const ValueId a = label(normalise(g, c, x, weights, "attention_norm"), "attention_norm_out");
    x = label(g.add(x, attention(g, c, shared, weights, a, prefix)), "after_attention");
    const ValueId f = label(normalise(g, c, x, weights, "ffn_norm"), "ffn_norm_out");
    return label(g.add(x, feed_forward(g, c, weights, f, prefix)), "out");
}

}  // namespace shardwright::zoo
