#include "exec/convert_array.h"

#include <algorithm>
#include <cstring>

#include "exec/elementwise.h"
#include "exec/narrow.h"
#include "exec/parallel.h"

namespace shardwright::exec {

using ir::ElementType;

bool can_convert(ElementType from, ElementType to) {
    return from == to || (is_narrow_float(to) && compute_type(from) == ElementType::kF32) ||
           compute_type(from) == to || convert_function(compute_type(from), to) != nullptr;
}

void convert_array(ElementType from, const std::byte* in, ElementType to, std::byte* out,
                   std::int64_t count) {
    const std::int64_t in_bytes = ir::storage_bytes(from), out_bytes = ir::storage_bytes(to);
    const bool widens = is_narrow_float(from);
    const ElementType middle = compute_type(from);
    const bool narrows = is_narrow_float(to) && middle == ElementType::kF32;
    ElementParameters parameters;
    parameters.in = middle;
    parameters.out = to;
    const ElementFunction function =
        narrows || middle == to ? nullptr : convert_function(middle, to);
    constexpr auto kBlock = static_cast<std::int64_t>(Elementwise::kBlock);
    parallel_for((count + kBlock - 1) / kBlock, 16, [&](std::int64_t begin, std::int64_t end) {
        float wide[Elementwise::kBlock];
        for (std::int64_t at = begin * kBlock; at < std::min(count, end * kBlock); at += kBlock) {
            const auto n = static_cast<std::size_t>(std::min(kBlock, count - at));
            const std::byte* source = in + at * in_bytes;
            std::byte* target = out + at * out_bytes;
            if (from == to) {
                std::memcpy(target, source, n * static_cast<std::size_t>(in_bytes));
                continue;
            }
            if (widens) {
                if (middle == to) {
                    widen(from, source, reinterpret_cast<float*>(target), n);
                    continue;
                }
                widen(from, source, wide, n);
                source = reinterpret_cast<const std::byte*>(wide);
            }
            if (narrows)
                narrow(to, reinterpret_cast<const float*>(source), target, n);
            else
                function(&source, target, n, parameters);
        }
    });
}

}  // namespace shardwright::exec
