// shardwright-bench: time of reading, propagation, partitioning and running on models made to
// order.
// `--benchmark_filter=propagate` picks some; the device-count comparison is `devices_8_and_65536`.
#include <benchmark/benchmark.h>

BENCHMARK_MAIN();
