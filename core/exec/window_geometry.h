#pragma once
// Which operand elements a window sees, as tables: one look-up a dimension, no division.

#include <cstdint>
#include <vector>

#include "exec/strided_copy.h"
#include "ir/attributes.h"

namespace shardwright::exec {

/// For every output position and window position of a dimension the operand offset (in elements,
/// already multiplied by the stride), or -1 where the window sees padding or a dilation's hole.
struct WindowTables {
    struct Dim {
        std::int64_t outputs, window;
        std::vector<std::int64_t> offsets;  // [output][window]
        std::int64_t at(std::int64_t output, std::int64_t position) const {
            return offsets[static_cast<std::size_t>(output * window + position)];
        }
    };
    std::vector<Dim> dims;
    std::int64_t outputs = 1, positions = 1;

    /// `results`: the dims of the windows' grid (the result, or select_and_scatter's source).
    WindowTables(const ir::WindowAttributes& a, const Dims& operand, const Dims& results) {
        const Dims strides = row_major(view(operand));
        const auto entry = [](const Dims& list, std::size_t d, std::int64_t otherwise) {
            return d < list.size() ? list[d] : otherwise;
        };
        for (std::size_t d = 0; d < operand.size(); ++d) {
            Dim dim{results[d], a.sizes[d], {}};
            const std::int64_t stride = entry(a.strides, d, 1), low = entry(a.pad_low, d, 0);
            const std::int64_t base = entry(a.base_dilation, d, 1);
            const std::int64_t dilation = entry(a.window_dilation, d, 1);
            for (std::int64_t o = 0; o < dim.outputs; ++o)
                for (std::int64_t w = 0; w < dim.window; ++w) {
                    const std::int64_t at = o * stride - low + w * dilation;
                    const bool inside = at >= 0 && at % base == 0 && at / base < operand[d];
                    dim.offsets.push_back(inside ? at / base * strides[d] : -1);
                }
            outputs *= dim.outputs;
            positions *= dim.window;
            dims.push_back(std::move(dim));
        }
    }

    /// Splits a row-major index into one index a dimension.
    template <class Get>
    static void split(std::int64_t index, std::size_t rank, Dims& out, const Get& size) {
        out.resize(rank);
        for (std::size_t d = rank; d-- > 0;) {
            out[d] = index % size(d);
            index /= size(d);
        }
    }
    void output_index(std::int64_t index, Dims& out) const {
        split(index, dims.size(), out, [&](std::size_t d) { return dims[d].outputs; });
    }
    void window_index(std::int64_t index, Dims& out) const {
        split(index, dims.size(), out, [&](std::size_t d) { return dims[d].window; });
    }
    std::int64_t offset(const Dims& output, const Dims& window) const {
        std::int64_t sum = 0;
        for (std::size_t d = 0; d < dims.size(); ++d) {
            const std::int64_t part = dims[d].at(output[d], window[d]);
            if (part < 0) return -1;
            sum += part;
        }
        return sum;
    }
};

}  // namespace shardwright::exec
