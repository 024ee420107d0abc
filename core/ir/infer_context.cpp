#include "ir/infer_context.h"

namespace shardwright::ir::inference {

Status need_operands(const Context& c, std::size_t count) {
    if (c.operand_count() == count) return {};
    return bad_input(fmt::format("{} has {} operands", c.op_name(), c.operand_count()),
                     fmt::format("{}", count));
}

Status need_operands_at_least(const Context& c, std::size_t count) {
    if (c.operand_count() >= count) return {};
    return bad_input(fmt::format("{} has {} operands", c.op_name(), c.operand_count()),
                     fmt::format("at least {}", count));
}

Status need_regions(const Context& c, std::size_t count) {
    if (c.op.regions.size() == count) return {};
    return bad_input(fmt::format("{} has {} regions", c.op_name(), c.op.regions.size()),
                     fmt::format("{}", count));
}

Result<TensorType> need_stated(const Context& c) {
    if (c.stated.size() == 1) return c.stated.front();
    return bad_input(fmt::format("{} states {} result types", c.op_name(), c.stated.size()), "1");
}

Status need_dim(const Context& c, std::int64_t dim, std::size_t rank, std::string_view what) {
    if (dim >= 0 && dim < static_cast<std::int64_t>(rank)) return {};
    return bad_input(
        fmt::format("{} {} of {} is out of range", what, dim, c.op_name()),
        rank == 0 ? std::string("none, as the rank is 0") : fmt::format("0 to {}", rank - 1));
}

Status need_unique_dims(const Context& c, std::span<const std::int64_t> dims, std::size_t rank,
                        std::string_view what) {
    for (std::size_t i = 0; i < dims.size(); ++i) {
        SW_CHECK(need_dim(c, dims[i], rank, what));
        if (contains(dims.first(i), dims[i]))
            return bad_input(fmt::format("{} {} of {} occurs twice", what, dims[i], c.op_name()),
                             "each dimension at most once");
    }
    return {};
}

Status need_sorted(const Context& c, std::span<const std::int64_t> dims, std::string_view what) {
    if (std::is_sorted(dims.begin(), dims.end())) return {};
    return bad_input(fmt::format("{} {} of {} is not sorted", what, text(dims), c.op_name()),
                     "ascending dimensions");
}

Status need_entries(const Context& c, std::size_t entries, std::size_t rank,
                    std::string_view what) {
    if (entries == rank) return {};
    return bad_input(fmt::format("{} of {} has {} entries", what, c.op_name(), entries),
                     fmt::format("{}, one a dimension", rank));
}

Status need_element(const Context& c, bool allowed, std::size_t operand,
                    std::string_view expected) {
    if (allowed) return {};
    return bad_input(
        fmt::format("operand {} of {} is {}", operand, c.op_name(), mlir_text(c.operand(operand))),
        std::string(expected));
}

Status need_scalar(const Context& c, std::size_t operand) {
    return need_element(c, c.operand(operand).rank() == 0, operand, "a scalar");
}

Status need_scalar_index(const Context& c, std::size_t operand) {
    const TensorType& t = c.operand(operand);
    return need_element(c, t.rank() == 0 && is_integer(t.element), operand, "an integer scalar");
}

Status need_same_type(const Context& c, std::size_t a, std::size_t b) {
    if (c.operand(a) == c.operand(b)) return {};
    return bad_input(fmt::format("operand {} of {} is {}", b, c.op_name(), mlir_text(c.operand(b))),
                     fmt::format("{} as operand {}", mlir_text(c.operand(a)), a));
}

Status need_same_dims(const Context& c, const TensorType& a, const TensorType& b,
                      std::string_view what) {
    if (a.dims == b.dims) return {};
    return bad_input(fmt::format("{} of {} has shape {}", what, c.op_name(), text(b.dims)),
                     text(a.dims));
}

Inferred region_results(const Context& c, std::size_t i) {
    const Region& region = c.module.region(c.op.regions[i]);
    if (region.ops.empty() || c.module.op(region.ops.back()).kind != OpKind::kReturn)
        return bad_input(fmt::format("region {} of {} does not end in return", i, c.op_name()));
    Types types;
    for (const ValueId v : c.module.operands(region.ops.back())) types.push_back(c.module.type(v));
    return types;
}

Status need_region_arguments(const Context& c, std::size_t i, std::span<const TensorType> types) {
    const RegionId id = c.op.regions[i];
    const Region& region = c.module.region(id);
    if (region.argument_count != types.size())
        return bad_input(fmt::format("region {} of {} takes {} arguments", i, c.op_name(),
                                     region.argument_count),
                         fmt::format("{}", types.size()));
    for (std::size_t k = 0; k < types.size(); ++k) {
        const TensorType& t = c.module.type(c.module.argument(id, k));
        if (!(t == types[k]))
            return bad_input(fmt::format("argument {} of region {} of {} is {}", k, i, c.op_name(),
                                         mlir_text(t)),
                             mlir_text(types[k]));
    }
    return {};
}

Result<std::vector<ElementType>> combiner_elements(const Context& c, std::size_t i, std::size_t n) {
    SW_TRY(const Types results, region_results(c, i));
    if (results.size() != n)
        return bad_input(
            fmt::format("region {} of {} returns {} values", i, c.op_name(), results.size()),
            fmt::format("{}", n));
    std::vector<ElementType> elements;
    for (const TensorType& t : results) {
        if (t.rank() != 0)
            return bad_input(
                fmt::format("region {} of {} returns {}", i, c.op_name(), mlir_text(t)), "scalars");
        elements.push_back(t.element);
    }
    Types arguments = results;
    arguments.insert(arguments.end(), results.begin(), results.end());
    SW_CHECK(need_region_arguments(c, i, arguments));
    return elements;
}

Result<std::int64_t> windowed_size(const Context& c, std::int64_t size, std::int64_t window,
                                   std::int64_t stride, std::int64_t base_dilation,
                                   std::int64_t window_dilation, std::int64_t low,
                                   std::int64_t high) {
    if (window < 1 || stride < 1 || base_dilation < 1 || window_dilation < 1)
        return bad_input(fmt::format("a window of {} has size {}, stride {}, dilations {} and {}",
                                     c.op_name(), window, stride, base_dilation, window_dilation),
                         "all at least 1");
    const Checked base = size == 0 ? Checked(0) : (Checked(size) - 1) * base_dilation + 1;
    const Checked padded = Checked(low) + base + high;
    const Checked reach = (Checked(window) - 1) * window_dilation + 1;
    if (padded.overflow || reach.overflow)
        return bad_input(fmt::format("the window of {} is too large", c.op_name()));
    if (padded.value < 0)
        return bad_input(
            fmt::format("the padding of {} makes a size of {}", c.op_name(), padded.value),
            "at least 0");
    if (padded.value == 0 || reach.value > padded.value) return std::int64_t{0};
    return (padded.value - reach.value) / stride + 1;
}

}  // namespace shardwright::ir::inference
