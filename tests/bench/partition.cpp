// Time to partition, by number of operations and by number of devices.
#include "partition/partition.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "models.h"

using namespace shardwright;

namespace {

/// A model with its completed shardings.
struct Annotated {
    ir::Module module;
    sharding::MeshId mesh;
    rules::RuleTable rules;

    Annotated(ir::Module m, std::string_view axes)
        : module(std::move(m)), mesh(bench::annotate(module, axes)), rules(module) {}
    propagation::Result propagate() const {
        return propagation::propagate(module, rules, mesh, propagation::default_options(module));
    }
};

void partition(benchmark::State& state) {
    const Annotated a(bench::model_of_size("transformer", state.range(0)), "data=2,model=2");
    const propagation::Result shardings = a.propagate();
    for (auto _ : state)
        benchmark::DoNotOptimize(partition::partition(a.module, a.rules, shardings, a.mesh).ok());
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(a.module.op_count()));
}
BENCHMARK(partition)->Arg(1'000)->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMillisecond);

std::vector<ir::OpKind> kinds_of(const ir::Module& module) {
    std::vector<ir::OpKind> kinds;
    ir::walk(module, module.entry().body,
             [&](ir::OpId op) { kinds.push_back(module.op(op).kind); });
    return kinds;
}

/// Propagates and partitions one model for 8 and for 65,536 devices in turn, and compares the least
/// times: nothing in either may cost time in the number of devices.
void devices_8_and_65536(benchmark::State& state) {
    constexpr int kRuns = 20;
    const ir::Module model =
        bench::model_of_size("transformer", 2'000, bench::divisible_transformer());
    const Annotated sides[] = {Annotated(model, "data=4,model=2"),
                               Annotated(model, "data=256,model=256")};
    std::vector<ir::OpKind> kinds[2];
    double least[2] = {1e9, 1e9};
    for (auto _ : state) {
        for (int run = 0; run < kRuns; ++run)
            for (const int side : {0, 1}) {
                const Annotated& a = sides[side];
                const auto start = std::chrono::steady_clock::now();
                const propagation::Result shardings = a.propagate();
                const auto program = partition::partition(a.module, a.rules, shardings, a.mesh);
                const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
                if (!program.ok()) {
                    state.SkipWithError(program.error().text().c_str());
                    return;
                }
                least[side] = std::min(least[side], time.count());
                if (run == 0) kinds[side] = kinds_of(program->module);
            }
    }
    const bool same = kinds[0] == kinds[1];
    state.counters["ratio"] = least[1] / least[0];
    state.counters["same_operations"] = same ? 1 : 0;
    fmt::print(
        stderr,
        "8 and 65,536 devices: {} and {} operations ({}), {:.2f} and {:.2f} ms, ratio {:.3f}\n",
        kinds[0].size(), kinds[1].size(), same ? "the same sequence" : "DIFFERENT", 1e3 * least[0],
        1e3 * least[1], least[1] / least[0]);
}
BENCHMARK(devices_8_and_65536)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
