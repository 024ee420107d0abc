// dot_general and convolution. Their element type is what the file states (the preferred element
// type), else the wider of the operands'.
#include "ir/infer_context.h"

namespace shardwright::ir::inference {
namespace {

Result<ElementType> contraction_element(const Context& c) {
    const ElementType a = c.operand(0).element;
    const ElementType b = c.operand(1).element;
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}})
        SW_CHECK(need_element(c, c.operand(i).element != ElementType::kToken, i, "a tensor"));
    if (is_complex(a) != is_complex(b))
        SW_CHECK(need_element(c, false, 1, fmt::format("{} elements as operand 0", mlir_name(a))));
    if (c.stated.size() == 1 && c.stated[0].element != ElementType::kToken)
        return c.stated[0].element;
    return bit_width(b) > bit_width(a) ? b : a;
}

/// Batch and contracting dims of one side: in range and none twice.
Status need_dot_side(const Context& c, const Dims& batch, const Dims& contracting,
                     std::size_t operand) {
    Dims all = batch;
    all.insert(all.end(), contracting.begin(), contracting.end());
    return need_unique_dims(c, view(all), c.operand(operand).rank(),
                            operand == 0 ? "lhs dimension" : "rhs dimension");
}

Status need_equal_sizes(const Context& c, const Dims& lhs, const Dims& rhs, std::string_view what) {
    if (lhs.size() != rhs.size())
        return bad_input(fmt::format("dot_general has {} {} dimensions of rhs", rhs.size(), what),
                         fmt::format("{} as of lhs", lhs.size()));
    for (std::size_t i = 0; i < lhs.size(); ++i) {
        const std::int64_t a = c.operand(0).dims[static_cast<std::size_t>(lhs[i])];
        const std::int64_t b = c.operand(1).dims[static_cast<std::size_t>(rhs[i])];
        if (a != b)
            return bad_input(
                fmt::format("{} dimension {} of dot_general's rhs has size {}", what, rhs[i], b),
                fmt::format("{}, the size of lhs dimension {}", a, lhs[i]));
    }
    return {};
}

/// Sizes of one operand of a convolution, by what each dimension is.
struct Side {
    std::int64_t batch, feature;  ///< of the kernel: output feature, input feature
    Dims spatial;
};

Result<Side> side_of(const Context& c, const TensorType& t, std::int64_t batch,
                     std::int64_t feature, const Dims& spatial, std::string_view what) {
    Dims all = spatial;
    all.push_back(batch);
    all.push_back(feature);
    SW_CHECK(need_entries(c, all.size(), t.rank(), fmt::format("{} dimension numbers", what)));
    SW_CHECK(need_unique_dims(c, view(all), t.rank(), fmt::format("{} dimension", what)));
    const auto size = [&](std::int64_t dim) { return t.dims[static_cast<std::size_t>(dim)]; };
    Side side{size(batch), size(feature), {}};
    for (const std::int64_t dim : spatial) side.spatial.push_back(size(dim));
    return side;
}

Status need_groups(const ConvolutionAttributes& a, const Side& lhs, const Side& rhs) {
    if (a.feature_groups < 1 || a.batch_groups < 1 || (a.feature_groups > 1 && a.batch_groups > 1))
        return bad_input(fmt::format("convolution with {} feature groups and {} batch groups",
                                     a.feature_groups, a.batch_groups),
                         "both at least 1 and one of them 1");
    if (lhs.feature % a.feature_groups != 0 || lhs.feature / a.feature_groups != rhs.feature)
        return bad_input(fmt::format("convolution's kernel has {} input features", rhs.feature),
                         fmt::format("{} over {} groups", lhs.feature, a.feature_groups));
    if (lhs.batch % a.batch_groups != 0)
        return bad_input(fmt::format("convolution's batch of {}", lhs.batch),
                         fmt::format("a multiple of its {} batch groups", a.batch_groups));
    const std::int64_t groups = std::max(a.feature_groups, a.batch_groups);
    if (rhs.batch % groups != 0)
        return bad_input(fmt::format("convolution's kernel has {} output features", rhs.batch),
                         fmt::format("a multiple of its {} groups", groups));
    return {};
}

}  // namespace

Inferred dot_general(const Context& c) {
    SW_CHECK(need_operands(c, 2));
    SW_TRY(const DotAttributes* a, need_attributes<DotAttributes>(c));
    SW_CHECK(need_dot_side(c, a->lhs_batch, a->lhs_contracting, 0));
    SW_CHECK(need_dot_side(c, a->rhs_batch, a->rhs_contracting, 1));
    SW_CHECK(need_equal_sizes(c, a->lhs_batch, a->rhs_batch, "batching"));
    SW_CHECK(need_equal_sizes(c, a->lhs_contracting, a->rhs_contracting, "contracting"));
    TensorType to;
    SW_TRY(to.element, contraction_element(c));
    const TensorType& lhs = c.operand(0);
    const TensorType& rhs = c.operand(1);
    for (const std::int64_t d : a->lhs_batch)
        to.dims.push_back(lhs.dims[static_cast<std::size_t>(d)]);
    const auto add_free = [&](const TensorType& t, const Dims& batch, const Dims& contracting) {
        for (std::size_t d = 0; d < t.rank(); ++d) {
            const auto dim = static_cast<std::int64_t>(d);
            if (!contains(view(batch), dim) && !contains(view(contracting), dim))
                to.dims.push_back(t.dims[d]);
        }
    };
    add_free(lhs, a->lhs_batch, a->lhs_contracting);
    add_free(rhs, a->rhs_batch, a->rhs_contracting);
    return Types{to};
}

Inferred convolution(const Context& c) {
    SW_CHECK(need_operands(c, 2));
    SW_TRY(const ConvolutionAttributes* a, need_attributes<ConvolutionAttributes>(c));
    SW_TRY(const Side lhs,
           side_of(c, c.operand(0), a->lhs_batch, a->lhs_feature, a->lhs_spatial, "input"));
    SW_TRY(const Side rhs, side_of(c, c.operand(1), a->rhs_output_feature, a->rhs_input_feature,
                                   a->rhs_spatial, "kernel"));
    const std::size_t spatial = lhs.spatial.size();
    SW_CHECK(need_entries(c, rhs.spatial.size(), spatial, "kernel_spatial_dimensions"));
    SW_CHECK(need_entries(c, a->result_spatial.size(), spatial, "output_spatial_dimensions"));
    SW_CHECK(need_entries(c, a->strides.size(), spatial, "window_strides"));
    SW_CHECK(need_entries(c, a->pad_low.size(), spatial, "low padding"));
    SW_CHECK(need_entries(c, a->pad_high.size(), spatial, "high padding"));
    SW_CHECK(need_entries(c, a->lhs_dilation.size(), spatial, "lhs_dilation"));
    SW_CHECK(need_entries(c, a->rhs_dilation.size(), spatial, "rhs_dilation"));
    if (!a->window_reversal.empty())
        SW_CHECK(need_entries(c, a->window_reversal.size(), spatial, "window_reversal"));
    SW_CHECK(need_groups(*a, lhs, rhs));

    Dims places = a->result_spatial;
    places.push_back(a->result_batch);
    places.push_back(a->result_feature);
    SW_CHECK(need_unique_dims(c, view(places), spatial + 2, "output dimension"));
    TensorType to;
    SW_TRY(to.element, contraction_element(c));
    to.dims.resize(spatial + 2);
    to.dims[static_cast<std::size_t>(a->result_batch)] = lhs.batch / a->batch_groups;
    to.dims[static_cast<std::size_t>(a->result_feature)] = rhs.batch;
    for (std::size_t i = 0; i < spatial; ++i) {
        // An empty kernel has no window at all; the result is then empty too.
        SW_TRY(const std::int64_t size,
               windowed_size(c, lhs.spatial[i], std::max<std::int64_t>(rhs.spatial[i], 1),
                             a->strides[i], a->lhs_dilation[i], a->rhs_dilation[i], a->pad_low[i],
                             a->pad_high[i]));
        to.dims[static_cast<std::size_t>(a->result_spatial[i])] = size;
    }
    return Types{to};
}

}  // namespace shardwright::ir::inference
