// gather and scatter.
#include "ir/infer_context.h"

namespace shardwright::ir::inference {
namespace {

/// Batching dims of the operand and of the indices go in pairs of equal size.
Status need_batching_pairs(const Context& c, const TensorType& operand, const TensorType& indices,
                           const Dims& operand_dims, const Dims& index_dims,
                           std::int64_t index_vector_dim) {
    SW_CHECK(need_unique_dims(c, view(index_dims), indices.rank(), "indices batching dimension"));
    if (contains(view(index_dims), index_vector_dim))
        return bad_input(fmt::format("index_vector_dim {} of {} is a batching dimension",
                                     index_vector_dim, c.op_name()),
                         "another dimension");
    if (operand_dims.size() != index_dims.size())
        return bad_input(fmt::format("{} has {} batching dimensions of the indices", c.op_name(),
                                     index_dims.size()),
                         fmt::format("{} as of the operand", operand_dims.size()));
    for (std::size_t i = 0; i < operand_dims.size(); ++i) {
        const std::int64_t a = operand.dims[static_cast<std::size_t>(operand_dims[i])];
        const std::int64_t b = indices.dims[static_cast<std::size_t>(index_dims[i])];
        if (a != b)
            return bad_input(
                fmt::format("indices batching dimension {} of {} has size {}", index_dims[i],
                            c.op_name(), b),
                fmt::format("{}, the size of operand dimension {}", a, operand_dims[i]));
    }
    return {};
}

/// The index vector has one entry for each dimension that it addresses.
Status need_index_vector(const Context& c, const TensorType& indices, std::int64_t index_vector_dim,
                         std::size_t addressed) {
    const auto rank = static_cast<std::int64_t>(indices.rank());
    if (index_vector_dim < 0 || index_vector_dim > rank)
        return bad_input(fmt::format("index_vector_dim {} of {}", index_vector_dim, c.op_name()),
                         fmt::format("0 to {}", rank));
    const std::int64_t entries =
        index_vector_dim < rank ? indices.dims[static_cast<std::size_t>(index_vector_dim)] : 1;
    if (entries != static_cast<std::int64_t>(addressed))
        return bad_input(
            fmt::format("the index vectors of {} have {} entries", c.op_name(), entries),
            fmt::format("{}, one an addressed dimension", addressed));
    return {};
}

Dims without_dim(const Dims& dims, std::int64_t dim) {
    Dims rest;
    for (std::size_t i = 0; i < dims.size(); ++i)
        if (static_cast<std::int64_t>(i) != dim) rest.push_back(dims[i]);
    return rest;
}

Dims joined(const Dims& a, const Dims& b) {
    Dims all = a;
    all.insert(all.end(), b.begin(), b.end());
    return all;
}

}  // namespace

Inferred gather(const Context& c) {
    SW_CHECK(need_operands(c, 2));
    SW_TRY(const GatherAttributes* a, need_attributes<GatherAttributes>(c));
    const TensorType& operand = c.operand(0);
    const TensorType& indices = c.operand(1);
    SW_CHECK(need_element(c, is_integer(indices.element), 1, "integer elements"));
    SW_CHECK(need_sorted(c, view(a->collapsed_slice_dims), "collapsed_slice_dims"));
    SW_CHECK(need_sorted(c, view(a->operand_batching_dims), "operand_batching_dims"));
    const Dims absent = joined(a->collapsed_slice_dims, a->operand_batching_dims);
    SW_CHECK(need_unique_dims(c, view(absent), operand.rank(), "collapsed or batching dimension"));
    SW_CHECK(need_unique_dims(c, view(joined(a->start_index_map, a->operand_batching_dims)),
                              operand.rank(), "start_index_map entry"));
    SW_CHECK(need_index_vector(c, indices, a->index_vector_dim, a->start_index_map.size()));
    SW_CHECK(need_batching_pairs(c, operand, indices, a->operand_batching_dims,
                                 a->start_indices_batching_dims, a->index_vector_dim));
    SW_CHECK(need_entries(c, a->slice_sizes.size(), operand.rank(), "slice_sizes"));
    Dims offset_sizes;
    for (std::size_t d = 0; d < operand.rank(); ++d) {
        const bool gone = contains(view(absent), static_cast<std::int64_t>(d));
        const std::int64_t size = a->slice_sizes[d];
        const std::int64_t most =
            gone ? std::min<std::int64_t>(operand.dims[d], 1) : operand.dims[d];
        if (size < 0 || size > most)
            return bad_input(fmt::format("slice size {} of dimension {} of gather", size, d),
                             fmt::format("0 to {}", most));
        if (!gone) offset_sizes.push_back(size);
    }
    if (a->offset_dims.size() != offset_sizes.size())
        return bad_input(fmt::format("gather has {} offset_dims", a->offset_dims.size()),
                         fmt::format("{}, the dimensions left of a slice", offset_sizes.size()));
    const Dims batch_sizes = without_dim(indices.dims, a->index_vector_dim);
    const std::size_t rank = batch_sizes.size() + offset_sizes.size();
    SW_CHECK(need_unique_dims(c, view(a->offset_dims), rank, "offset dimension"));
    SW_CHECK(need_sorted(c, view(a->offset_dims), "offset_dims"));
    TensorType to{operand.element, {}};
    std::size_t next_batch = 0, next_offset = 0;
    for (std::size_t d = 0; d < rank; ++d) {
        const bool offset = contains(view(a->offset_dims), static_cast<std::int64_t>(d));
        to.dims.push_back(offset ? offset_sizes[next_offset++] : batch_sizes[next_batch++]);
    }
    return Types{to};
}

Inferred scatter(const Context& c) {
    SW_CHECK(need_operands_at_least(c, 3));
    SW_CHECK(need_regions(c, 1));
    if (c.operand_count() % 2 == 0)
        return bad_input(fmt::format("scatter has {} operands", c.operand_count()),
                         "n inputs, the indices, n updates");
    SW_TRY(const ScatterAttributes* a, need_attributes<ScatterAttributes>(c));
    const std::size_t n = c.operand_count() / 2;
    const TensorType& input = c.operand(0);
    const TensorType& indices = c.operand(n);
    const TensorType& update = c.operand(n + 1);
    SW_CHECK(need_element(c, is_integer(indices.element), n, "integer elements"));
    for (std::size_t i = 0; i < n; ++i) {
        SW_CHECK(need_same_dims(c, input, c.operand(i), fmt::format("operand {}", i)));
        SW_CHECK(
            need_same_dims(c, update, c.operand(n + 1 + i), fmt::format("operand {}", n + 1 + i)));
        SW_CHECK(
            need_element(c, c.operand(n + 1 + i).element == c.operand(i).element, n + 1 + i,
                         fmt::format("{} elements as its input", mlir_name(c.operand(i).element))));
    }
    SW_CHECK(need_sorted(c, view(a->inserted_window_dims), "inserted_window_dims"));
    SW_CHECK(need_sorted(c, view(a->input_batching_dims), "input_batching_dims"));
    const Dims absent = joined(a->inserted_window_dims, a->input_batching_dims);
    SW_CHECK(need_unique_dims(c, view(absent), input.rank(), "inserted or batching dimension"));
    SW_CHECK(need_unique_dims(c,
                              view(joined(a->scatter_dims_to_operand_dims, a->input_batching_dims)),
                              input.rank(), "scatter_dims_to_operand_dims entry"));
    SW_CHECK(
        need_index_vector(c, indices, a->index_vector_dim, a->scatter_dims_to_operand_dims.size()));
    SW_CHECK(need_batching_pairs(c, input, indices, a->input_batching_dims,
                                 a->scatter_indices_batching_dims, a->index_vector_dim));
    SW_CHECK(
        need_unique_dims(c, view(a->update_window_dims), update.rank(), "update window dimension"));
    SW_CHECK(need_sorted(c, view(a->update_window_dims), "update_window_dims"));

    const Dims batch_sizes = without_dim(indices.dims, a->index_vector_dim);
    Dims window_limits;
    for (std::size_t d = 0; d < input.rank(); ++d)
        if (!contains(view(absent), static_cast<std::int64_t>(d)))
            window_limits.push_back(input.dims[d]);
    if (a->update_window_dims.size() != window_limits.size() ||
        update.rank() != batch_sizes.size() + window_limits.size())
        return bad_input(
            fmt::format("the updates of scatter have rank {} with {} window dimensions",
                        update.rank(), a->update_window_dims.size()),
            fmt::format("{} window dimensions and {} of the indices", window_limits.size(),
                        batch_sizes.size()));
    std::size_t next_batch = 0, next_window = 0;
    for (std::size_t d = 0; d < update.rank(); ++d) {
        const bool window = contains(view(a->update_window_dims), static_cast<std::int64_t>(d));
        const std::int64_t limit =
            window ? window_limits[next_window++] : batch_sizes[next_batch++];
        if (window ? update.dims[d] > limit : update.dims[d] != limit)
            return bad_input(
                fmt::format("dimension {} of scatter's updates has size {}", d, update.dims[d]),
                fmt::format("{}{}", window ? "at most " : "", limit));
    }
    SW_TRY(const std::vector<ElementType> elements, combiner_elements(c, 0, n));
    Types types;
    for (std::size_t i = 0; i < n; ++i) types.push_back({elements[i], input.dims});
    return types;
}

}  // namespace shardwright::ir::inference
