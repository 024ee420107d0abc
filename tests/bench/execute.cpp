// Time to run models: on one device, and partitioned on a virtual mesh of 8.
#include "exec/execute.h"

#include <benchmark/benchmark.h>

#include "models.h"
#include "partition/partition.h"

using namespace shardwright;

namespace {

const zoo::Options kLanguage = {
    {"batch", "8"}, {"seq", "64"}, {"model", "256"}, {"heads", "8"}, {"vocab", "512"}};

void evaluate(benchmark::State& state) {
    const ir::Module module = bench::model_of_size("transformer", state.range(0), kLanguage);
    const auto inputs = exec::random_inputs(module, 0, 1);
    for (auto _ : state) {
        const auto outputs = exec::evaluate(module, 0, inputs, {});
        if (!outputs.ok()) {
            state.SkipWithError(outputs.error().text().c_str());
            return;
        }
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(module.op_count()));
}
BENCHMARK(evaluate)->Arg(1'000)->Unit(benchmark::kMillisecond)->UseRealTime();

void execute_on_8(benchmark::State& state) {
    ir::Module module = bench::model_of_size("transformer", state.range(0), kLanguage);
    const sharding::MeshId mesh = bench::annotate(module, "data=4,model=2");
    const rules::RuleTable rules(module);
    const auto shardings =
        propagation::propagate(module, rules, mesh, propagation::default_options(module));
    const auto program = partition::partition(module, rules, shardings, mesh);
    if (!program.ok()) {
        state.SkipWithError(program.error().text().c_str());
        return;
    }
    const auto inputs = exec::random_inputs(module, 0, 1);
    const auto& signature = program->signatures.at(0);
    for (auto _ : state) {
        const auto outputs = exec::execute(program->module, 0, mesh, signature.arguments,
                                           signature.results, inputs, {});
        if (!outputs.ok()) {
            state.SkipWithError(outputs.error().text().c_str());
            return;
        }
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(module.op_count()));
}
BENCHMARK(execute_on_8)->Arg(1'000)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
