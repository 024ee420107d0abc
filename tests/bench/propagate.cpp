// Time to complete the shardings, by policy and number of operations (design/30: 10,000 operations
// in 20 ms, 100,000 in 250 ms, linear); prints the fitted complexity.
#include "propagation/propagate.h"

#include <benchmark/benchmark.h>

#include "models.h"

using namespace shardwright;

namespace {

void propagate(benchmark::State& state, std::string_view kind, propagation::Policy policy) {
    ir::Module module = bench::model_of_size(kind, state.range(0));
    const sharding::MeshId mesh = bench::annotate(module, "data=2,model=2");
    const rules::RuleTable rules(module);
    propagation::Options options = propagation::default_options(module);
    options.policy = policy;
    for (auto _ : state)
        benchmark::DoNotOptimize(propagation::propagate(module, rules, mesh, options));
    state.counters["operations"] = static_cast<double>(module.op_count());
    state.SetComplexityN(static_cast<std::int64_t>(module.op_count()));
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(module.op_count()));
}

void make_rules(benchmark::State& state) {
    const ir::Module module = bench::model_of_size("transformer", state.range(0));
    for (auto _ : state) benchmark::DoNotOptimize(rules::RuleTable(module));
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(module.op_count()));
}

BENCHMARK_CAPTURE(propagate, transformer_gspmd, "transformer", propagation::Policy::kGspmd)
    ->Arg(1'000)
    ->Arg(10'000)
    ->Arg(100'000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity();
BENCHMARK_CAPTURE(propagate, transformer_shardy, "transformer", propagation::Policy::kShardy)
    ->Arg(1'000)
    ->Arg(10'000)
    ->Arg(100'000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity();
BENCHMARK_CAPTURE(propagate, mlp_gspmd, "mlp", propagation::Policy::kGspmd)
    ->Arg(1'000)
    ->Arg(10'000)
    ->Arg(100'000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity();
BENCHMARK(make_rules)->Arg(1'000)->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMillisecond);

}  // namespace
