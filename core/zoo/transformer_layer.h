#pragma once
// One layer of the decoder: its sizes, its weights, its computation. Private to core/zoo.

#include <map>
#include <string>
#include <vector>

#include "zoo/graph.h"
#include "zoo/settings.h"

namespace shardwright::zoo {

/// Sizes and choices, in the paper's letters: B batch, S sequence, M model, H hidden, N heads, K
/// key and value heads, D per head, V vocabulary.
struct TransformerConfig {
    std::int64_t layers, batch, seq, model, hidden, heads, kv_heads, head_dim, vocab;
    ElementType element;
    bool gated, tied, causal, scan, post_norm;
    std::string activation, positions, norm, lookup;

    bool relative() const { return positions == "relative"; }
    bool rotary() const { return positions == "rotary"; }
};

/// Weights of one layer, by their path inside it ("attention/wq").
std::vector<Parameter> layer_parameters(const TransformerConfig& c);

/// What all layers use alike; a value that the configuration does not need is invalid.
struct Shared {
    ValueId mask;    ///< pred[S,S]: may the row see the column
    ValueId cosine;  ///< [S,D/2] of the rotary angles
    ValueId sine;
    ValueId distance;  ///< s32[S,S]: relative position, the index into the bias table

    /// The valid ones, to be carried through a loop and put back in the same order.
    std::vector<ValueId*> all();
};
Shared make_shared_values(Graph& g, const TransformerConfig& c);

/// A layer's weights as values.
using LayerWeights = std::map<std::string, ValueId>;

/// Names the layer's main values "prefix/attention/q" …; "" leaves them unnamed.
ValueId transformer_layer(Graph& g, const TransformerConfig& c, const Shared& shared,
                          const LayerWeights& weights, ValueId x, const std::string& prefix);
/// The normalisation of the configuration; weights `path` (and `path`_bias).
ValueId normalise(Graph& g, const TransformerConfig& c, ValueId x, const LayerWeights& weights,
                  const std::string& path);
/// x [B,S,M] -> [B,S,M].
ValueId attention(Graph& g, const TransformerConfig& c, const Shared& shared,
                  const LayerWeights& weights, ValueId x, const std::string& prefix);

/// Size of the table of relative position biases, per head.
constexpr std::int64_t kRelativeBuckets = 32;

}  // namespace shardwright::zoo
