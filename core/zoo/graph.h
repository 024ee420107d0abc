#pragma once
// A model under construction: named weights, scope paths, and the mathematics that layers share.

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ir/builder.h"

namespace shardwright::zoo {

using ir::ElementType;
using ir::OpKind;
using ir::TensorType;
using ir::ValueId;

/// An argument of the model. Its path is "layer_3/attention/wq"; in text, where '/' may not stand,
/// its name is "layer_3.attention.wq".
struct Parameter {
    std::string path;
    TensorType type;
};

/// Builds the one function of a module.
class Graph {
  public:
    Graph(std::string_view title, const std::vector<Parameter>& parameters);

    ir::Builder& build() { return builder_; }
    ValueId parameter(const std::string& path) const { return parameters_.at(path); }
    const TensorType& type(ValueId v) const { return module_.type(v); }
    /// Names a value for messages, plans and drawings ('/' becomes '.').
    ValueId named(ValueId v, std::string_view path);
    /// Returns from the function; the module is then complete.
    ir::Module finish(ValueId result, std::string_view result_name);

    /// Operations made during its life have scope "…/part/operation".
    class Scope {
      public:
        Scope(Graph& graph, std::string_view part);
        ~Scope();
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

      private:
        Graph& graph_;
        std::size_t length_;
    };

    // --- numbers, element by element
    // --------------------------------------------------------------
    ValueId add(ValueId a, ValueId b) { return builder_.add(OpKind::kAdd, {a, b}); }
    ValueId subtract(ValueId a, ValueId b) { return builder_.add(OpKind::kSubtract, {a, b}); }
    ValueId multiply(ValueId a, ValueId b) { return builder_.add(OpKind::kMultiply, {a, b}); }
    ValueId divide(ValueId a, ValueId b) { return builder_.add(OpKind::kDivide, {a, b}); }
    ValueId unary(OpKind kind, ValueId a) { return builder_.add(kind, {a}); }
    /// v · number, v + number.
    ValueId scale(ValueId v, double number);
    ValueId shift(ValueId v, double number);
    /// `v` put at dimensions `dims` of a tensor of `like`'s shape.
    ValueId spread(ValueId v, ValueId like, std::initializer_list<std::int64_t> dims);
    /// relu, gelu (tanh form), silu.
    ValueId activation(ValueId v, const std::string& kind);

    // --- along a dimension
    // --------------------------------------------------------------------------
    /// Reduced over the last dimension.
    ValueId sum_last(ValueId v) { return reduce_last(v, OpKind::kAdd); }
    ValueId max_last(ValueId v) { return reduce_last(v, OpKind::kMaximum); }
    /// A tensor of all but `v`'s last dimension, repeated along it.
    ValueId spread_last(ValueId v, ValueId like);
    /// exp(v - max) / sum, over the last dimension.
    ValueId softmax(ValueId v);
    /// v / sqrt(mean(v²) + ε) · scale, over the last dimension; computed in f32 when v is narrower.
    ValueId rms_norm(ValueId v, ValueId scale);
    /// (v - mean) / sqrt(variance + ε) · scale + bias, likewise.
    ValueId layer_norm(ValueId v, ValueId scale, ValueId bias);
    /// f32, or f64 when the model is in it: where sums and exponentials are computed.
    ValueId widened(ValueId v);

    /// Contracts these dimensions, with these in batch; the result has lhs's element type.
    ValueId dot(ValueId lhs, ValueId rhs, Dims lhs_contracting, Dims rhs_contracting,
                Dims lhs_batch = {}, Dims rhs_batch = {});

  private:
    ValueId reduce_last(ValueId v, OpKind combiner);
    void label_new_operations();

    ir::Module module_;
    ir::Builder builder_;
    std::unordered_map<std::string, ValueId> parameters_;
    std::string scope_;
    std::size_t labelled_ = 0;  ///< operations below this index have their scope
};

}  // namespace shardwright::zoo
