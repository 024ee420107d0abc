#pragma once
// Any float or complex array as complex<double>, for the kernels where accuracy matters more than
// speed: factorisations, transforms.

#include <complex>
#include <cstring>
#include <vector>

#include "exec/convert_array.h"
#include "exec/narrow.h"

namespace shardwright::exec {

using WideArray = std::vector<std::complex<double>>;

inline WideArray to_wide(ir::ElementType type, const std::byte* data, std::int64_t count) {
    WideArray out(static_cast<std::size_t>(count));
    auto* bytes = reinterpret_cast<std::byte*>(out.data());
    if (is_narrow_float(type)) {
        std::vector<float> middle(out.size());
        widen(type, data, middle.data(), out.size());
        convert_array(ir::ElementType::kF32, reinterpret_cast<const std::byte*>(middle.data()),
                      ir::ElementType::kC128, bytes, count);
    } else {
        convert_array(type, data, ir::ElementType::kC128, bytes, count);
    }
    return out;
}

/// Rounds to `type`; real types take the real part.
inline void from_wide(const WideArray& values, ir::ElementType type, std::byte* out) {
    const auto count = static_cast<std::int64_t>(values.size());
    if (ir::is_complex(type)) {
        convert_array(ir::ElementType::kC128, reinterpret_cast<const std::byte*>(values.data()),
                      type, out, count);
        return;
    }
    std::vector<double> real(values.size());
    for (std::size_t i = 0; i < real.size(); ++i) real[i] = values[i].real();
    convert_array(ir::ElementType::kF64, reinterpret_cast<const std::byte*>(real.data()), type, out,
                  count);
}

}  // namespace shardwright::exec
