#pragma once
// Comparison of outputs: what `verify` judges by.

#include <cstdint>
#include <string>
#include <vector>

#include "exec/tensor.h"
#include "ir/module.h"

namespace shardwright::exec {

struct Comparison {
    double max_abs = 0;
    double max_rel = 0;  ///< against max(|expected|) of the output
    bool equal = true;   ///< within tolerance; integers and bools exactly; NaN = NaN, inf = inf
    std::int64_t worst = -1;  ///< flat index of the worst element
    double tolerance = 0;     ///< absolute, as used
};

struct Tolerance {
    double rtol = -1, atol = -1;  ///< negative: c · eps(type) · √K · max|expected|, c = 8
};

/// `chain` is K, the longest reduction chain that the output depends on.
Comparison compare(const Tensor& actual, const Tensor& expected, const Tolerance& tolerance,
                   std::int64_t chain);

/// The distance from 1 to the next number of a float type (or of a complex type's parts).
double epsilon(ir::ElementType type);

/// The longest chain of additions on any path to each result of the function: the lengths of its
/// reductions (dot, reduce, convolution, window, scatter) one after the other, saturating; loops
/// count their trips. A sum in f32 that is rounded to bf16 counts its one rounding, and a bf16
/// value on the way to an f32 result counts (eps(bf16)/eps(f32))²: K is in units of the result's
/// own eps².
std::vector<std::int64_t> reduction_chains(const ir::Module& module, std::size_t function);

}  // namespace shardwright::exec
