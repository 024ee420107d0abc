// Time of propagation against the number of operations, for both policies (design/30: 10,000
// operations in 20 ms, 100,000 in 250 ms, linear). Prints the fitted complexity.
#include <benchmark/benchmark.h>

#include <map>

#include "propagation/propagate.h"
#include "zoo/zoo.h"

using namespace shardwright;

namespace {

struct Prepared {
    ir::Module module;
    sharding::MeshId mesh;
};

/// A transformer of `layers` layers (about 83 operations each) with two of three weights annotated.
const Prepared& transformer(int layers) {
    static std::map<int, Prepared> all;
    const auto found = all.find(layers);
    if (found != all.end()) return found->second;
    auto built = zoo::build("transformer",
                            {{"layers", std::to_string(layers)}, {"model", "256"}, {"heads", "8"}});
    Prepared p{std::move(*built), {}};
    p.mesh = p.module.add_mesh(mesh::Mesh("mesh", {{"data", 4}, {"model", 2}}));
    const ir::RegionId body = p.module.entry().body;
    for (std::size_t i = 0; i < p.module.region(body).argument_count; ++i) {
        const ir::ValueId value = p.module.argument(body, i);
        const std::size_t rank = p.module.type(value).dims.size();
        if (rank != 2 || i % 3 == 2) continue;
        sharding::Sharding s = sharding::Sharding::replicated_of(rank, true, p.mesh);
        s.dims[i % 2].axes = {p.module.mesh(p.mesh).full(i == 0 ? 0 : 1)};
        p.module.annotate(value, s);
    }
    return all.emplace(layers, std::move(p)).first->second;
}

void propagate(benchmark::State& state, propagation::Policy policy) {
    const Prepared& p = transformer(static_cast<int>(state.range(0)));
    const rules::RuleTable rules(p.module);
    propagation::Options options;
    options.policy = policy;
    for (auto _ : state) {
        const auto result = propagation::propagate(p.module, rules, p.mesh, options);
        benchmark::DoNotOptimize(result.placements.size());
    }
    state.SetComplexityN(static_cast<std::int64_t>(p.module.op_count()));
    state.counters["operations"] = static_cast<double>(p.module.op_count());
}

}  // namespace

BENCHMARK_CAPTURE(propagate, gspmd, propagation::Policy::kGspmd)
    ->Arg(12)
    ->Arg(120)
    ->Arg(1200)
    ->Unit(benchmark::kMillisecond)
    ->Complexity();
BENCHMARK_CAPTURE(propagate, shardy, propagation::Policy::kShardy)
    ->Arg(12)
    ->Arg(120)
    ->Arg(1200)
    ->Unit(benchmark::kMillisecond)
    ->Complexity();
