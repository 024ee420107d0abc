#include "models.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "sharding/text.h"

namespace shardwright::bench {
namespace {

template <class T>
T must(Result<T> result) {
    if (result.ok()) return *std::move(result);
    std::fprintf(stderr, "%s\n", result.error().text().c_str());
    std::abort();
}

ir::Module with_layers(std::string_view kind, std::int64_t layers, zoo::Options options) {
    options.emplace_back("layers", std::to_string(layers));
    return must(zoo::build(kind, options));
}

/// The sharding of an argument by the end of its path; "" = leave it to propagation.
std::string_view wanted(std::string_view path) {
    struct Row {
        std::string_view ending, sharding;
    };
    static constexpr Row kRows[] = {
        {"tokens", "[data, -]"},        {"wq", "[data, model, -]"},
        {"wk", "[data, model, -]"},     {"wv", "[data, model, -]"},
        {"wo", "[model, -, data]"},     {"w_gate", "[data, model]"},
        {"w_up", "[data, model]"},      {"w_down", "[model, data]"},
        {"embedding", "[model, data]"}, {"unembedding", "[data, model]"},
    };
    const std::string_view last = path.substr(path.rfind('/') + 1);
    for (const Row& row : kRows)
        if (last == row.ending) return row.sharding;
    if (path == "x") return "[data, -]";
    // The weights of an mlp alternate, so that no activation has to move between layers.
    if (path.starts_with('w')) return (path.back() - '0') % 2 == 1 ? "[-, model]" : "[model, -]";
    return "";
}

}  // namespace

ir::Module model_of_size(std::string_view kind, std::int64_t operations,
                         const zoo::Options& options) {
    const auto one = static_cast<std::int64_t>(with_layers(kind, 2, options).op_count());
    const auto two = static_cast<std::int64_t>(with_layers(kind, 3, options).op_count());
    const std::int64_t layers = std::max<std::int64_t>(2 + (operations - one) / (two - one), 1);
    return with_layers(kind, layers, options);
}

sharding::MeshId annotate(ir::Module& module, std::string_view axes) {
    const sharding::MeshId id = module.add_mesh(must(mesh::Mesh::parse(axes)));
    module.num_partitions = module.mesh(id).device_count();
    const ir::Function& f = module.entry();
    for (std::size_t i = 0; i < f.arguments.size(); ++i) {
        const std::string_view text = wanted(module.text(f.arguments[i].path));
        if (text.empty()) continue;
        const ir::ValueId v = module.argument(f.body, i);
        module.annotate(
            v, must(sharding::parse_short(text, module.mesh(id), id, module.type(v).rank())));
    }
    return id;
}

zoo::Options divisible_transformer() {
    return {{"batch", "256"}, {"seq", "512"},      {"model", "8192"},  {"hidden", "32768"},
            {"heads", "256"}, {"head_dim", "128"}, {"vocab", "32768"}, {"dtype", "bf16"}};
}

}  // namespace shardwright::bench
