#include "zoo/graph.h"

#include <algorithm>

namespace shardwright::zoo {
namespace {

constexpr double kEpsilon = 1e-6;

std::string dotted(std::string_view path) {
    std::string name(path);
    std::replace(name.begin(), name.end(), '/', '.');
    return name;
}

}  // namespace

Graph::Graph(std::string_view title, const std::vector<Parameter>& parameters)
    : builder_(module_), scope_(title) {
    module_.title = title;
    std::vector<TensorType> types;
    for (const Parameter& p : parameters) types.push_back(p.type);
    const ir::RegionId body = builder_.begin_function("main", types);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const ValueId v = module_.argument(body, i);
        const std::string name = dotted(parameters[i].path);
        module_.set_name(v, name);
        ir::ArgumentInfo& info = module_.function(0).arguments[i];
        info.name = module_.intern(name);
        info.path = module_.intern(parameters[i].path);
        parameters_.emplace(parameters[i].path, v);
    }
}

ValueId Graph::named(ValueId v, std::string_view path) {
    module_.set_name(v, dotted(path));
    return v;
}

ir::Module Graph::finish(ValueId result, std::string_view result_name) {
    builder_.ret({&result, 1});
    label_new_operations();
    module_.function(0).results[0].name = module_.intern(result_name);
    return std::move(module_);
}

void Graph::label_new_operations() {
    for (; labelled_ < module_.op_count(); ++labelled_) {
        const ir::OpId op(labelled_);
        const std::string path = scope_ + "/" + std::string(name(module_.op(op).kind));
        module_.set_scope(op, module_.intern(path));
    }
}

Graph::Scope::Scope(Graph& graph, std::string_view part)
    : graph_(graph), length_(graph.scope_.size()) {
    graph_.label_new_operations();
    graph_.scope_ += "/";
    graph_.scope_ += part;
}

Graph::Scope::~Scope() {
    graph_.label_new_operations();
    graph_.scope_.resize(length_);
}

ValueId Graph::scale(ValueId v, double number) {
    return multiply(v, builder_.splat(type(v), number));
}

ValueId Graph::shift(ValueId v, double number) {
    return add(v, builder_.splat(type(v), number));
}

ValueId Graph::spread(ValueId v, ValueId like, std::initializer_list<std::int64_t> dims) {
    const TensorType to{type(v).element, type(like).dims};
    return builder_.broadcast(v, to, {dims.begin(), dims.size()});
}

ValueId Graph::activation(ValueId v, const std::string& kind) {
    if (kind == "relu") return builder_.add(OpKind::kMaximum, {v, builder_.splat(type(v), 0)});
    if (kind == "silu") return multiply(v, unary(OpKind::kLogistic, v));
    // gelu: v/2 · (1 + tanh(√(2/π) · (v + 0.044715 v³)))
    const ValueId cube = multiply(multiply(v, v), v);
    const ValueId inner = scale(add(v, scale(cube, 0.044715)), 0.7978845608028654);
    return multiply(scale(v, 0.5), shift(unary(OpKind::kTanh, inner), 1));
}

ValueId Graph::reduce_last(ValueId v, OpKind combiner) {
    const TensorType scalar{type(v).element, {}};
    const ValueId init = builder_.constant(ir::identity_literal(combiner, scalar));
    const auto last = static_cast<std::int64_t>(type(v).rank()) - 1;
    return builder_.reduce(v, init, {&last, 1}, combiner);
}

ValueId Graph::spread_last(ValueId v, ValueId like) {
    Dims dims;
    for (std::size_t d = 0; d + 1 < type(like).rank(); ++d)
        dims.push_back(static_cast<std::int64_t>(d));
    return builder_.broadcast(v, {type(v).element, type(like).dims}, view(dims));
}

ValueId Graph::softmax(ValueId v) {
    const ValueId e = unary(OpKind::kExponential, subtract(v, spread_last(max_last(v), v)));
    return divide(e, spread_last(sum_last(e), e));
}

ValueId Graph::widened(ValueId v) {
    return type(v).element == ElementType::kF64 ? v : builder_.convert(v, ElementType::kF32);
}

ValueId Graph::rms_norm(ValueId v, ValueId scale_vector) {
    const ElementType element = type(v).element;
    const ValueId x = widened(v);
    const auto size = static_cast<double>(type(v).dims.back());
    const ValueId mean_square = scale(sum_last(multiply(x, x)), 1 / size);
    const ValueId inverse = unary(OpKind::kRsqrt, shift(mean_square, kEpsilon));
    const ValueId normal = builder_.convert(multiply(x, spread_last(inverse, x)), element);
    const auto last = static_cast<std::int64_t>(type(v).rank()) - 1;
    return multiply(normal, spread(scale_vector, normal, {last}));
}

ValueId Graph::layer_norm(ValueId v, ValueId scale_vector, ValueId bias) {
    const ElementType element = type(v).element;
    const ValueId x = widened(v);
    const auto size = static_cast<double>(type(v).dims.back());
    const ValueId centred = subtract(x, spread_last(scale(sum_last(x), 1 / size), x));
    const ValueId variance = scale(sum_last(multiply(centred, centred)), 1 / size);
    const ValueId inverse = unary(OpKind::kRsqrt, shift(variance, kEpsilon));
    const ValueId normal =
        builder_.convert(multiply(centred, spread_last(inverse, centred)), element);
    const auto last = static_cast<std::int64_t>(type(v).rank()) - 1;
    return add(multiply(normal, spread(scale_vector, normal, {last})),
               spread(bias, normal, {last}));
}

ValueId Graph::dot(ValueId lhs, ValueId rhs, Dims lhs_contracting, Dims rhs_contracting,
                   Dims lhs_batch, Dims rhs_batch) {
    ir::DotAttributes a;
    a.lhs_contracting = std::move(lhs_contracting);
    a.rhs_contracting = std::move(rhs_contracting);
    a.lhs_batch = std::move(lhs_batch);
    a.rhs_batch = std::move(rhs_batch);
    return builder_.dot(lhs, rhs, std::move(a), type(lhs).element);
}

}  // namespace shardwright::zoo
