// A multi-layer perceptron: x -> activation(x·w + b) …, the last layer without activation.
#include <fmt/format.h>

#include <algorithm>

#include "zoo/graph.h"
#include "zoo/models.h"

namespace shardwright::zoo {

KindInfo mlp_kind() {
    return {"mlp",
            "multi-layer perceptron: dense layers with an activation between them",
            {
                number_option("layers", 3, "dense layers", 1, 100'000),
                number_option("batch", 32, "examples at once"),
                number_option("input", 64, "size of an input"),
                number_option("hidden", 128, "size between layers"),
                number_option("output", 16, "size of an output"),
                choice_option("activation", {"relu", "gelu", "silu"}, "between layers"),
                flag_option("bias", true, "add a bias in each layer"),
                element_option(),
            }};
}

Result<ir::Module> build_mlp(const Settings& s) {
    const std::int64_t layers = s.number("layers"), batch = s.number("batch");
    const std::int64_t input = s.number("input"), hidden = s.number("hidden");
    const std::int64_t output = s.number("output");
    const ElementType element = s.element("dtype");
    SW_CHECK(need_buildable({batch, std::max({input, hidden, output})}, "an activation"));
    SW_CHECK(need_buildable({std::max(input, hidden), std::max(hidden, output)}, "a weight"));

    std::vector<Parameter> parameters = {{"x", {element, {batch, input}}}};
    for (std::int64_t i = 1; i <= layers; ++i) {
        const std::int64_t in = i == 1 ? input : hidden;
        const std::int64_t out = i == layers ? output : hidden;
        parameters.push_back({fmt::format("w{}", i), {element, {in, out}}});
        if (s.flag("bias")) parameters.push_back({fmt::format("b{}", i), {element, {out}}});
    }

    Graph g("mlp", parameters);
    ValueId x = g.parameter("x");
    for (std::int64_t i = 1; i <= layers; ++i) {
        const Graph::Scope scope(g, fmt::format("layer_{}", i));
        x = g.dot(x, g.parameter(fmt::format("w{}", i)), {1}, {0});
        if (s.flag("bias")) x = g.add(x, g.spread(g.parameter(fmt::format("b{}", i)), x, {1}));
        if (i < layers) {
            x = g.activation(x, s.text("activation"));
            g.named(x, i == 1 ? "hidden" : fmt::format("hidden{}", i));
        }
    }
    g.named(x, "output");
    return g.finish(x, "output");
}

}  // namespace shardwright::zoo
