// The decoder-only language model: tokens to logits.
#include <fmt/format.h>

#include <algorithm>

#include "zoo/models.h"
#include "zoo/transformer_layer.h"

namespace shardwright::zoo {
namespace {

Result<TransformerConfig> make_config(const Settings& s) {
    TransformerConfig c;
    c.layers = s.number("layers"), c.batch = s.number("batch"), c.seq = s.number("seq");
    c.model = s.number("model"), c.heads = s.number("heads"), c.vocab = s.number("vocab");
    c.kv_heads = s.number("kv_heads") == 0 ? c.heads : s.number("kv_heads");
    c.gated = s.flag("gated"), c.tied = s.flag("tied"), c.causal = s.flag("causal");
    c.scan = s.flag("scan"), c.post_norm = s.text("norm_place") == "post";
    c.element = s.element("dtype"), c.activation = s.text("activation");
    c.positions = s.text("positions"), c.norm = s.text("norm"), c.lookup = s.text("lookup");
    c.head_dim = s.number("head_dim");
    if (c.head_dim == 0) {
        if (c.model % c.heads != 0)
            return bad_input(
                fmt::format("model={} is not a multiple of heads={}", c.model, c.heads),
                "a multiple, or head_dim given");
        c.head_dim = c.model / c.heads;
    }
    c.hidden = s.number("hidden") == 0 ? 4 * c.model : s.number("hidden");
    if (c.heads % c.kv_heads != 0)
        return bad_input(
            fmt::format("heads={} is not a multiple of kv_heads={}", c.heads, c.kv_heads),
            "kv_heads a divisor of heads");
    if (c.rotary() && c.head_dim % 2 != 0)
        return bad_input(fmt::format("rotary positions with head_dim={}", c.head_dim),
                         "an even head_dim");
    SW_CHECK(need_buildable({c.batch, c.seq, std::max(c.vocab, c.hidden)}, "an activation"));
    SW_CHECK(
        need_buildable({c.batch, c.seq, c.heads, std::max(c.head_dim, c.model)}, "an activation"));
    SW_CHECK(need_buildable({c.batch, c.heads, c.seq, c.seq}, "the attention scores"));
    SW_CHECK(need_buildable({c.layers, c.model, c.hidden}, "a weight"));
    SW_CHECK(need_buildable({c.layers, c.model, c.heads, c.head_dim}, "a weight"));
    SW_CHECK(need_buildable({c.vocab, c.model}, "the embedding"));
    return c;
}

std::string layer_prefix(std::int64_t layer) {
    return fmt::format("layer_{}", layer);
}

std::vector<Parameter> all_parameters(const TransformerConfig& c) {
    std::vector<Parameter> p = {{"tokens", {ElementType::kS32, {c.batch, c.seq}}},
                                {"embedding", {c.element, {c.vocab, c.model}}}};
    if (c.positions == "learned")
        p.push_back({"position_embedding", {c.element, {c.seq, c.model}}});
    const std::vector<Parameter> layer = layer_parameters(c);
    if (c.scan) {
        for (const Parameter& w : layer) {
            TensorType stacked = w.type;
            stacked.dims.insert(stacked.dims.begin(), c.layers);
            p.push_back({"layers/" + w.path, stacked});
        }
    } else {
        for (std::int64_t i = 0; i < c.layers; ++i)
            for (const Parameter& w : layer) p.push_back({layer_prefix(i) + "/" + w.path, w.type});
    }
    p.push_back({"final_norm", {c.element, {c.model}}});
    if (c.norm == "layer") p.push_back({"final_norm_bias", {c.element, {c.model}}});
    if (!c.tied) p.push_back({"unembedding", {c.element, {c.model, c.vocab}}});
    return p;
}

/// Rows of the embedding, by look-up or as the product with one-hot rows.
ValueId embed(Graph& g, const TransformerConfig& c) {
    const Graph::Scope scope(g, "embed");
    ir::Builder& b = g.build();
    const ValueId table = g.parameter("embedding");
    const ValueId tokens = g.parameter("tokens");
    ValueId x;
    if (c.lookup == "onehot") {
        const TensorType wide{ElementType::kS32, {c.batch, c.seq, c.vocab}};
        const std::int64_t places[] = {0, 1};
        const ValueId hit =
            b.compare(b.broadcast(tokens, wide, places), b.iota(wide, 2), ir::Direction::kEq);
        x = g.dot(b.convert(hit, c.element), table, {2}, {0});
    } else {
        const std::int64_t with_vector[] = {c.batch, c.seq, 1};
        ir::GatherAttributes a;
        a.offset_dims = {2};
        a.collapsed_slice_dims = {0};
        a.start_index_map = {0};
        a.index_vector_dim = 2;
        a.slice_sizes = {1, c.model};
        x = b.add(OpKind::kGather, {table, b.reshape(tokens, with_vector)}, a);
    }
    if (c.positions == "learned")
        x = g.add(x, g.spread(g.parameter("position_embedding"), x, {1, 2}));
    return g.named(x, "embedded");
}

ValueId unrolled_layers(Graph& g, const TransformerConfig& c, const Shared& shared, ValueId x) {
    const std::vector<Parameter> parameters = layer_parameters(c);
    for (std::int64_t i = 0; i < c.layers; ++i) {
        const std::string prefix = layer_prefix(i);
        const Graph::Scope scope(g, prefix);
        LayerWeights weights;
        for (const Parameter& w : parameters)
            weights.emplace(w.path, g.parameter(prefix + "/" + w.path));
        x = transformer_layer(g, c, shared, weights, x, prefix);
    }
    return x;
}

/// Layer `i`'s part of a stacked weight.
ValueId weight_of_layer(Graph& g, ValueId stacked, ValueId i) {
    ir::Builder& b = g.build();
    Dims sizes = g.type(stacked).dims;
    sizes[0] = 1;
    std::vector<ValueId> operands = {stacked, i};
    const ValueId zero = b.scalar(ElementType::kS32, 0);
    operands.resize(sizes.size() + 1, zero);
    const ValueId part = b.module().result(
        b.add_op(OpKind::kDynamicSlice, operands, ir::DynamicSliceAttributes{sizes}));
    return b.reshape(part, std::span(sizes.data() + 1, sizes.size() - 1));
}

/// One `while` that carries the counter, x, what layers share, and the stacked weights.
ValueId scanned_layers(Graph& g, const TransformerConfig& c, Shared shared, ValueId x) {
    const Graph::Scope scope(g, "layers");
    ir::Builder& b = g.build();
    ir::Module& m = b.module();
    const std::vector<Parameter> parameters = layer_parameters(c);
    std::vector<ValueId> carried = {b.scalar(ElementType::kS32, 0), x};
    for (const ValueId* v : shared.all()) carried.push_back(*v);
    for (const Parameter& w : parameters) carried.push_back(g.parameter("layers/" + w.path));
    std::vector<TensorType> types;
    for (const ValueId v : carried) types.push_back(g.type(v));

    const ir::RegionId outside = b.region();
    const ir::RegionId condition = b.make_region(types);
    b.set_region(condition);
    const ValueId limit = b.scalar(ElementType::kS32, static_cast<double>(c.layers));
    const ValueId more = b.compare(m.argument(condition, 0), limit, ir::Direction::kLt);
    b.ret({&more, 1});

    const ir::RegionId body = b.make_region(types);
    b.set_region(body);
    std::vector<ValueId> next;
    for (std::size_t i = 0; i < types.size(); ++i) next.push_back(m.argument(body, i));
    std::size_t at = 2;
    for (ValueId* v : shared.all()) *v = next[at++];
    LayerWeights weights;
    for (const Parameter& w : parameters)
        weights.emplace(w.path, weight_of_layer(g, next[at++], next[0]));
    next[1] = transformer_layer(g, c, shared, weights, next[1], "layer");
    next[0] = g.add(next[0], b.scalar(ElementType::kS32, 1));
    b.ret(next);

    b.set_region(outside);
    const ir::RegionId regions[] = {condition, body};
    const ir::OpId loop = b.add_op(OpKind::kWhile, carried, ir::WhileAttributes{}, {}, regions);
    return g.named(m.result(loop, 1), "layers_out");
}

}  // namespace

KindInfo transformer_kind() {
    return {
        "transformer",
        "decoder-only language model: tokens to logits",
        {
            number_option("layers", 2, "layers", 1, 10'000),
            number_option("batch", 4, "sequences at once"),
            number_option("seq", 32, "tokens in a sequence"),
            number_option("model", 64, "size of a token's vector"),
            number_option("hidden", 0, "size inside the feed-forward part; 0 = 4 * model", 0),
            number_option("heads", 4, "attention heads"),
            number_option("kv_heads", 0, "key and value heads; 0 = heads, 1 = multi-query", 0),
            number_option("head_dim", 0, "size of a head; 0 = model / heads", 0),
            number_option("vocab", 256, "size of the vocabulary"),
            choice_option("positions", {"rotary", "learned", "relative", "none"},
                          "how positions are told"),
            choice_option("norm", {"rms", "layer"}, "normalisation"),
            choice_option("norm_place", {"pre", "post"}, "before or after each part of a layer"),
            flag_option("gated", true, "gated feed-forward part"),
            choice_option("activation", {"silu", "gelu", "relu"}, "in the feed-forward part"),
            flag_option("tied", false, "the embedding also makes the logits"),
            flag_option("causal", true, "a token sees only those before it"),
            choice_option("lookup", {"gather", "onehot"}, "how tokens are embedded"),
            flag_option("scan", false, "one loop over stacked weights instead of unrolled layers"),
            element_option(),
        }};
}

Result<ir::Module> build_transformer(const Settings& settings) {
    SW_TRY(const TransformerConfig c, make_config(settings));
    Graph g("transformer", all_parameters(c));
    ValueId x = embed(g, c);
    const Shared shared = make_shared_values(g, c);
    x = c.scan ? scanned_layers(g, c, shared, x) : unrolled_layers(g, c, shared, x);
    LayerWeights last = {{"final_norm", g.parameter("final_norm")}};
    if (c.norm == "layer") last.emplace("final_norm_bias", g.parameter("final_norm_bias"));
    x = g.named(normalise(g, c, x, last, "final_norm"), "final_norm_out");
    const Graph::Scope scope(g, "logits");
    x = c.tied ? g.dot(x, g.parameter("embedding"), {2}, {1})
               : g.dot(x, g.parameter("unembedding"), {2}, {0});
    return g.finish(g.named(x, "logits"), "logits");
}

}  // namespace shardwright::zoo
