// gather: for every batch index a clamped slice of the operand.
#include <algorithm>
#include <cstring>
#include <memory>

#include "exec/index_values.h"
#include "exec/kernel.h"
#include "exec/parallel.h"
#include "exec/strided_copy.h"

namespace shardwright::exec {
namespace {

bool holds(const Dims& dims, std::size_t d) {
    return std::find(dims.begin(), dims.end(), static_cast<std::int64_t>(d)) != dims.end();
}

/// One result batch dim: how far it moves in the result, the indices and (batching dims) the
/// operand.
struct BatchDim {
    std::int64_t size, result, indices, operand;
};

struct Gather {
    int bytes = 0;
    ir::ElementType index_type{};
    InlineVector<BatchDim, 4> batch;
    std::int64_t batch_count = 1;
    std::int64_t index_step = 0;                    // between the entries of one index vector
    InlineVector<std::int64_t, 4> limits, strides;  // of the operand dims that an entry addresses
    Dims sizes, src_strides, dst_strides;           // the slice
    std::int64_t slice_count = 1;
    bool contiguous = false;

    explicit Gather(const Preparation& p);
    void run(const Call& call) const;
};

Gather::Gather(const Preparation& p) {
    const auto& a = p.attributes<ir::GatherAttributes>();
    const ir::TensorType &operand = p.operand(0), &indices = p.operand(1), &result = p.result();
    bytes = ir::storage_bytes(operand.element);
    index_type = indices.element;
    const Dims operand_strides = row_major(view(operand.dims));
    const Dims index_strides = row_major(view(indices.dims));
    const Dims result_strides = row_major(view(result.dims));
    const auto vector_dim = static_cast<std::size_t>(a.index_vector_dim);
    if (vector_dim < indices.rank()) index_step = index_strides[vector_dim];

    std::size_t index_dim = 0;
    for (std::size_t d = 0; d < result.rank(); ++d) {
        if (holds(a.offset_dims, d)) continue;
        if (index_dim == vector_dim) ++index_dim;
        BatchDim dim{result.dims[d], result_strides[d], index_strides[index_dim], 0};
        for (std::size_t i = 0; i < a.start_indices_batching_dims.size(); ++i)
            if (a.start_indices_batching_dims[i] == static_cast<std::int64_t>(index_dim))
                dim.operand = operand_strides[static_cast<std::size_t>(a.operand_batching_dims[i])];
        batch_count *= dim.size;
        batch.push_back(dim);
        ++index_dim;
    }
    for (const std::int64_t mapped : a.start_index_map) {
        const auto d = static_cast<std::size_t>(mapped);
        limits.push_back(operand.dims[d] - a.slice_sizes[d]);
        strides.push_back(operand_strides[d]);
    }
    std::size_t offset = 0;
    for (std::size_t d = 0; d < operand.rank(); ++d) {
        if (holds(a.collapsed_slice_dims, d) || holds(a.operand_batching_dims, d)) continue;
        sizes.push_back(a.slice_sizes[d]);
        src_strides.push_back(operand_strides[d]);
        dst_strides.push_back(result_strides[static_cast<std::size_t>(a.offset_dims[offset++])]);
        slice_count *= a.slice_sizes[d];
    }
    std::int64_t expected = 1;
    contiguous = true;
    for (std::size_t d = sizes.size(); d-- > 0;) {
        if (sizes[d] == 1) continue;
        contiguous = contiguous && src_strides[d] == expected && dst_strides[d] == expected;
        expected *= sizes[d];
    }
}

void Gather::run(const Call& call) const {
    if (slice_count == 0) return;
    parallel_for(
        batch_count, grain_for(slice_count + 8), [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t b = begin; b < end; ++b) {
                std::int64_t rest = b, at_result = 0, at_indices = 0, at_operand = 0;
                for (std::size_t d = batch.size(); d-- > 0;) {
                    const std::int64_t i = rest % batch[d].size;
                    rest /= batch[d].size;
                    at_result += i * batch[d].result;
                    at_indices += i * batch[d].indices;
                    at_operand += i * batch[d].operand;
                }
                for (std::size_t k = 0; k < limits.size(); ++k) {
                    const std::int64_t start =
                        index_value(call.in[1], index_type,
                                    at_indices + static_cast<std::int64_t>(k) * index_step);
                    at_operand += std::clamp<std::int64_t>(start, 0, limits[k]) * strides[k];
                }
                const std::byte* from = call.in[0] + at_operand * bytes;
                std::byte* to = call.out[0] + at_result * bytes;
                if (contiguous)
                    std::memcpy(to, from, static_cast<std::size_t>(slice_count * bytes));
                else
                    strided_copy(bytes, view(sizes), from, view(src_strides), to,
                                 view(dst_strides));
            }
        });
}

}  // namespace

Result<Kernel> prepare_gather(const Preparation& p) {
    if (p.result().element_count() > 0)
        for (std::size_t d = 0; d < p.operand(0).rank(); ++d)
            if (p.attributes<ir::GatherAttributes>().slice_sizes[d] > p.operand(0).dims[d])
                return p.unsupported_here("a slice larger than its operand");
    Kernel kernel;
    auto gather = std::make_shared<const Gather>(p);
    kernel.run = [gather](const Call& call) -> Status {
        gather->run(call);
        return {};
    };
    return kernel;
}

}  // namespace shardwright::exec
