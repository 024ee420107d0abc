// reduce, windows, sort and top_k.
#include "ir/infer_context.h"

namespace shardwright::ir::inference {
namespace {

/// n inputs of one shape, then n scalar initial values.
Result<std::size_t> inputs_and_initials(const Context& c) {
    SW_CHECK(need_operands_at_least(c, 2));
    if (c.operand_count() % 2 != 0)
        return bad_input(fmt::format("{} has {} operands", c.op_name(), c.operand_count()),
                         "as many initial values as inputs");
    const std::size_t n = c.operand_count() / 2;
    for (std::size_t i = 0; i < n; ++i) {
        SW_CHECK(need_same_dims(c, c.operand(0), c.operand(i), fmt::format("operand {}", i)));
        SW_CHECK(need_scalar(c, n + i));
        SW_CHECK(
            need_element(c, c.operand(n + i).element == c.operand(i).element, n + i,
                         fmt::format("{} elements as its input", mlir_name(c.operand(i).element))));
    }
    return n;
}

Result<Dims> window_dims(const Context& c, const WindowAttributes& a, const Dims& dims,
                         bool dilations_optional) {
    const std::size_t rank = dims.size();
    SW_CHECK(need_entries(c, a.sizes.size(), rank, "window_dimensions"));
    SW_CHECK(need_entries(c, a.strides.size(), rank, "window_strides"));
    SW_CHECK(need_entries(c, a.pad_low.size(), rank, "low padding"));
    SW_CHECK(need_entries(c, a.pad_high.size(), rank, "high padding"));
    if (!dilations_optional || !a.base_dilation.empty())
        SW_CHECK(need_entries(c, a.base_dilation.size(), rank, "base_dilations"));
    if (!dilations_optional || !a.window_dilation.empty())
        SW_CHECK(need_entries(c, a.window_dilation.size(), rank, "window_dilations"));
    Dims result;
    for (std::size_t i = 0; i < rank; ++i) {
        SW_TRY(const std::int64_t size,
               windowed_size(c, dims[i], a.sizes[i], a.strides[i],
                             a.base_dilation.empty() ? 1 : a.base_dilation[i],
                             a.window_dilation.empty() ? 1 : a.window_dilation[i], a.pad_low[i],
                             a.pad_high[i]));
        result.push_back(size);
    }
    return result;
}

}  // namespace

Inferred reduce(const Context& c) {
    SW_CHECK(need_regions(c, 1));
    SW_TRY(const DimsAttributes* a, need_attributes<DimsAttributes>(c));
    SW_TRY(const std::size_t n, inputs_and_initials(c));
    const TensorType& first = c.operand(0);
    SW_CHECK(need_unique_dims(c, view(a->dims), first.rank(), "dimension"));
    SW_TRY(const std::vector<ElementType> elements, combiner_elements(c, 0, n));
    Dims kept;
    for (std::size_t d = 0; d < first.rank(); ++d)
        if (!contains(view(a->dims), static_cast<std::int64_t>(d))) kept.push_back(first.dims[d]);
    Types types;
    for (const ElementType e : elements) types.push_back({e, kept});
    return types;
}

Inferred reduce_window(const Context& c) {
    SW_CHECK(need_regions(c, 1));
    SW_TRY(const WindowAttributes* a, need_attributes<WindowAttributes>(c));
    SW_TRY(const std::size_t n, inputs_and_initials(c));
    SW_TRY(const Dims dims, window_dims(c, *a, c.operand(0).dims, false));
    SW_TRY(const std::vector<ElementType> elements, combiner_elements(c, 0, n));
    Types types;
    for (const ElementType e : elements) types.push_back({e, dims});
    return types;
}

Inferred select_and_scatter(const Context& c) {
    SW_CHECK(need_operands(c, 3));
    SW_CHECK(need_regions(c, 2));
    SW_TRY(const WindowAttributes* a, need_attributes<WindowAttributes>(c));
    const TensorType& operand = c.operand(0);
    SW_TRY(const Dims windows, window_dims(c, *a, operand.dims, true));
    SW_CHECK(need_element(c, c.operand(1) == TensorType{operand.element, windows}, 1,
                          mlir_text(TensorType{operand.element, windows})));
    SW_CHECK(need_element(c, c.operand(2) == TensorType{operand.element, {}}, 2,
                          mlir_text(TensorType{operand.element, {}})));
    const Types scalars(2, TensorType{operand.element, {}});
    SW_CHECK(need_region_arguments(c, 0, scalars));
    SW_TRY(const Types chosen, region_results(c, 0));
    if (chosen.size() != 1 || !(chosen[0] == TensorType{ElementType::kBool, {}}))
        return bad_input("the select region of select_and_scatter does not return a bool",
                         "one tensor<i1>");
    SW_TRY(const std::vector<ElementType> elements, combiner_elements(c, 1, 1));
    return Types{{elements[0], operand.dims}};
}

Inferred sort(const Context& c) {
    SW_CHECK(need_operands_at_least(c, 1));
    SW_CHECK(need_regions(c, 1));
    SW_TRY(const SortAttributes* a, need_attributes<SortAttributes>(c));
    SW_CHECK(need_dim(c, a->dim, c.operand(0).rank(), "dimension"));
    Types types, scalars;
    for (std::size_t i = 0; i < c.operand_count(); ++i) {
        SW_CHECK(need_same_dims(c, c.operand(0), c.operand(i), fmt::format("operand {}", i)));
        types.push_back(c.operand(i));
        scalars.insert(scalars.end(), 2, TensorType{c.operand(i).element, {}});
    }
    SW_CHECK(need_region_arguments(c, 0, scalars));
    SW_TRY(const Types results, region_results(c, 0));
    if (results.size() != 1 || !(results[0] == TensorType{ElementType::kBool, {}}))
        return bad_input("the comparator of sort does not return a bool", "one tensor<i1>");
    return types;
}

Inferred top_k(const Context& c) {
    SW_CHECK(need_operands(c, 1));
    SW_TRY(const TopKAttributes* a, need_attributes<TopKAttributes>(c));
    TensorType values = c.operand(0);
    SW_CHECK(need_element(
        c, values.rank() > 0 && (is_integer(values.element) || is_float(values.element)), 0,
        "integers or floats of rank 1 or more"));
    if (a->k < 0 || a->k > values.dims.back())
        return bad_input(fmt::format("top_k with k = {}", a->k),
                         fmt::format("0 to {}", values.dims.back()));
    values.dims.back() = a->k;
    return Types{values, {ElementType::kS32, values.dims}};
}

}  // namespace shardwright::ir::inference
