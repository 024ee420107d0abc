#pragma once
// Functions that the C library lacks.

namespace shardwright::exec {

/// The x with erf(x) = y; ±inf at ±1, NaN outside. Accurate to a few ulp of f64.
double erf_inverse(double y);

}  // namespace shardwright::exec
