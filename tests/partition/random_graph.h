#pragma once
// Small random programs from a seed.

#include "harness.h"

namespace shardwright::test {

/// Fills `c` with a function of a few arguments and `ops` random operations, sizes mostly uneven;
/// every value that nothing uses is a result. The first n operations are the same for every `ops`
/// that is n or more: a failing case shrinks by asking for fewer.
void random_graph(Case& c, std::uint64_t seed, int ops);

}  // namespace shardwright::test
