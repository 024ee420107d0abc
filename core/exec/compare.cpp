#include "exec/compare.h"

#include <algorithm>
#include <cmath>

namespace shardwright::exec {
namespace {

Comparison compare_exactly(const Tensor& actual, const Tensor& expected) {
    Comparison result;
    for (std::int64_t i = 0; i < expected.element_count(); ++i) {
        const std::int64_t a = ir::element_as_int(actual.data, actual.type.element, i);
        const std::int64_t e = ir::element_as_int(expected.data, expected.type.element, i);
        if (a == e) continue;
        const double difference = std::fabs(static_cast<double>(a) - static_cast<double>(e));
        if (result.equal || difference > result.max_abs) result.worst = i;
        result.equal = false;
        result.max_abs = std::max(result.max_abs, difference);
    }
    return result;
}

}  // namespace

double epsilon(ir::ElementType type) {
    switch (ir::real_type(type)) {
        case ir::ElementType::kF64:
            return 0x1p-52;
        case ir::ElementType::kF32:
            return 0x1p-23;
        case ir::ElementType::kF16:
            return 0x1p-10;
        case ir::ElementType::kBF16:
            return 0x1p-7;
        case ir::ElementType::kF8E3M4:
            return 0x1p-4;
        case ir::ElementType::kF8E4M3:
        case ir::ElementType::kF8E4M3FN:
        case ir::ElementType::kF8E4M3FNUZ:
        case ir::ElementType::kF8E4M3B11FNUZ:
        case ir::ElementType::kF6E2M3FN:
            return 0x1p-3;
        case ir::ElementType::kF8E5M2:
        case ir::ElementType::kF8E5M2FNUZ:
        case ir::ElementType::kF6E3M2FN:
            return 0x1p-2;
        case ir::ElementType::kF4E2M1FN:
            return 0x1p-1;
        default:
            return 1;
    }
}

Comparison compare(const Tensor& actual, const Tensor& expected, const Tolerance& tolerance,
                   std::int64_t chain) {
    Comparison result;
    if (!(actual.type == expected.type)) {
        result.equal = false;
        result.max_abs = result.max_rel = INFINITY;
        return result;
    }
    const ir::ElementType type = expected.type.element;
    if (!ir::is_float(type) && !ir::is_complex(type)) return compare_exactly(actual, expected);
    const ir::ElementType part = ir::real_type(type);
    const std::int64_t count = expected.element_count() * (ir::is_complex(type) ? 2 : 1);
    double reference = 0;
    for (std::int64_t i = 0; i < count; ++i) {
        const double e = ir::element_as_double(expected.data, part, i);
        if (std::isfinite(e)) reference = std::max(reference, std::fabs(e));
    }
    constexpr double kFactor = 8;
    const double relative =
        tolerance.rtol >= 0 ? tolerance.rtol
                            : kFactor * epsilon(part) *
                                  std::sqrt(static_cast<double>(std::max<std::int64_t>(chain, 1)));
    result.tolerance = std::max(relative * reference, std::max(tolerance.atol, 0.0));
    for (std::int64_t i = 0; i < count; ++i) {
        const double a = ir::element_as_double(actual.data, part, i);
        const double e = ir::element_as_double(expected.data, part, i);
        if (std::isnan(e) || std::isinf(e)) {
            if (std::isnan(e) ? std::isnan(a) : a == e) continue;
            if (result.equal) result.worst = ir::is_complex(type) ? i / 2 : i;
            result.equal = false;
            result.max_abs = INFINITY;
            continue;
        }
        const double difference = std::fabs(a - e);
        const bool fails = !(difference <= result.tolerance);
        if (fails) result.equal = false;
        if (!(difference <= result.max_abs)) {
            result.max_abs = std::isnan(difference) ? INFINITY : difference;
            result.worst = ir::is_complex(type) ? i / 2 : i;
        }
    }
    result.max_rel = reference > 0 ? result.max_abs / reference : result.max_abs;
    return result;
}

}  // namespace shardwright::exec
