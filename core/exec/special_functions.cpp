#include "exec/special_functions.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace shardwright::exec {

double erf_inverse(double y) {
    const double magnitude = std::fabs(y);
    if (!(magnitude <= 1)) return std::numeric_limits<double>::quiet_NaN();
    if (magnitude == 1) return std::copysign(std::numeric_limits<double>::infinity(), y);
    if (y == 0) return y;
    // Winitzki's closed approximation, then Newton steps. Near 1 they work on erfc, where 1 - y is
    // exact, so that the tail keeps its digits.
    const double a = 0.147;
    const double log_term = std::log1p(-magnitude) + std::log1p(magnitude);
    const double half = 2 / (std::numbers::pi * a) + log_term / 2;
    double x = std::sqrt(std::sqrt(half * half - log_term / a) - half);
    for (int step = 0; step < 4; ++step) {
        const double error =
            magnitude < 0.5 ? std::erf(x) - magnitude : (1 - magnitude) - std::erfc(x);
        const double slope = 2 * std::numbers::inv_sqrtpi * std::exp(-x * x);
        const double newton = error / slope;
        x -= newton / (1 + x * newton);  // Halley's correction: f''/f' = -2x
    }
    return std::copysign(x, y);
}

}  // namespace shardwright::exec
