// Time to read a model's text: bytes a second, by number of operations.
#include <benchmark/benchmark.h>

#include "formats/read_model.h"
#include "formats/write_model.h"
#include "models.h"

using namespace shardwright;

namespace {

void read_back(benchmark::State& state, const std::string& text, std::size_t operations) {
    for (auto _ : state) {
        const auto file = formats::read_model_text(text, "bench");
        if (!file.ok()) state.SkipWithError(file.error().text().c_str());
        benchmark::DoNotOptimize(&file);
    }
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(operations));
}

void parse_mlir(benchmark::State& state) {
    const ir::Module module = bench::model_of_size("transformer", state.range(0));
    read_back(state, formats::write_mlir(module, {}), module.op_count());
}
BENCHMARK(parse_mlir)->Arg(1'000)->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMillisecond);

void parse_hlo(benchmark::State& state) {
    const ir::Module module = bench::model_of_size("transformer", state.range(0));
    read_back(state, formats::write_hlo(module, {}), module.op_count());
}
BENCHMARK(parse_hlo)->Arg(1'000)->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMillisecond);

}  // namespace
