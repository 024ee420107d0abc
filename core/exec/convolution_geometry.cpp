#include "exec/convolution_geometry.h"

#include <algorithm>
#include <cstring>

namespace shardwright::exec {
namespace {

std::size_t index(std::int64_t d) {
    return static_cast<std::size_t>(d);
}

std::int64_t product(const Dims& dims) {
    std::int64_t n = 1;
    for (const std::int64_t d : dims) n *= d;
    return n;
}

std::int64_t entry(const Dims& list, std::size_t d, std::int64_t otherwise) {
    return d < list.size() ? list[d] : otherwise;
}

}  // namespace

void ConvolutionForm::Move::run(int bytes, const std::byte* src, std::byte* dst) const {
    if (clears) std::memset(dst, 0, static_cast<std::size_t>(count * bytes));
    strided_copy(bytes, view(sizes), src + from_offset * bytes, view(from), dst + to_offset * bytes,
                 view(to));
}

ConvolutionForm::ConvolutionForm(const Preparation& p) {
    const auto& a = p.attributes<ir::ConvolutionAttributes>();
    const Dims &lhs = p.operand(0).dims, &rhs = p.operand(1).dims, &out = p.result().dims;
    // Batch groups are feature groups of an input whose batch is cut and laid along its features.
    groups = std::max(a.feature_groups, a.batch_groups);
    batch = lhs[index(a.lhs_batch)] / a.batch_groups;
    in_channels = rhs[index(a.rhs_input_feature)];
    out_channels = rhs[index(a.rhs_output_feature)] / groups;
    for (std::size_t s = 0; s < a.lhs_spatial.size(); ++s) {
        kernel.push_back(rhs[index(a.rhs_spatial[s])]);
        result.push_back(out[index(a.result_spatial[s])]);
        strides.push_back(entry(a.strides, s, 1));
        dilation.push_back(entry(a.rhs_dilation, s, 1));
        pad_low.push_back(entry(a.pad_low, s, 0));
        pad_high.push_back(entry(a.pad_high, s, 0));
    }
    move_input(a, lhs);
    move_kernel(a, rhs);
    move_result(a, out);
}

void ConvolutionForm::move_input(const ir::ConvolutionAttributes& a, const Dims& lhs) {
    // Dilated inputs and negative padding are laid out; usual padding is left to the convolution.
    bool lay_out = false;
    for (std::size_t s = 0; s < a.lhs_spatial.size(); ++s)
        lay_out = lay_out || entry(a.lhs_dilation, s, 1) != 1 || pad_low[s] < 0 || pad_high[s] < 0;
    Dims first, count,
        step;  // per spatial dim: where element 0 lands, how many land, how far apart
    Dims skip;
    for (std::size_t s = 0; s < a.lhs_spatial.size(); ++s) {
        const std::int64_t size = lhs[index(a.lhs_spatial[s])];
        if (!lay_out) {
            input.push_back(size);
            first.push_back(0), count.push_back(size), step.push_back(1), skip.push_back(0);
            continue;
        }
        const std::int64_t apart = entry(a.lhs_dilation, s, 1);
        const std::int64_t dilated = size == 0 ? 0 : (size - 1) * apart + 1;
        const std::int64_t padded = std::max<std::int64_t>(0, dilated + pad_low[s] + pad_high[s]);
        const std::int64_t low = pad_low[s];
        const std::int64_t begin = low >= 0 ? 0 : (-low + apart - 1) / apart;
        const std::int64_t room = padded - 1 - low;
        const std::int64_t last = std::min(size - 1, room < 0 ? -1 : room / apart);
        input.push_back(padded);
        skip.push_back(begin);
        first.push_back(low + begin * apart);
        count.push_back(std::max<std::int64_t>(0, last - begin + 1));
        step.push_back(apart);
        pad_low[s] = pad_high[s] = 0;
    }
    const std::int64_t spatial = product(input);
    const std::int64_t features = lhs[index(a.lhs_feature)];
    const Dims from = row_major(view(lhs));
    Move& m = input_move;
    // [batch, batch group, feature, spatial…]
    const std::int64_t all_features = features * a.batch_groups;
    m.sizes = {batch, a.batch_groups, features};
    m.from = {from[index(a.lhs_batch)], from[index(a.lhs_batch)] * batch,
              from[index(a.lhs_feature)]};
    m.to = {all_features * spatial, features * spatial, spatial};
    const Dims to = row_major(view(input));
    for (std::size_t s = 0; s < input.size(); ++s) {
        m.sizes.push_back(count[s]);
        m.from.push_back(from[index(a.lhs_spatial[s])]);
        m.to.push_back(to[s] * step[s]);
        m.from_offset += skip[s] * from[index(a.lhs_spatial[s])];
        m.to_offset += first[s] * to[s];
    }
    m.count = batch * all_features * spatial;
    m.clears = lay_out;
}

void ConvolutionForm::move_kernel(const ir::ConvolutionAttributes& a, const Dims& rhs) {
    const Dims from = row_major(view(rhs));
    const std::int64_t spatial = product(kernel);
    Move& m = kernel_move;
    m.sizes = {groups * out_channels, in_channels};
    m.from = {from[index(a.rhs_output_feature)], from[index(a.rhs_input_feature)]};
    m.to = {in_channels * spatial, spatial};
    const Dims to = row_major(view(kernel));
    for (std::size_t s = 0; s < kernel.size(); ++s) {
        const std::int64_t stride = from[index(a.rhs_spatial[s])];
        const bool reversed = s < a.window_reversal.size() && a.window_reversal[s];
        m.sizes.push_back(kernel[s]);
        m.from.push_back(reversed ? -stride : stride);
        m.to.push_back(to[s]);
        if (reversed) m.from_offset += (kernel[s] - 1) * stride;
    }
    m.count = groups * out_channels * in_channels * spatial;
}

void ConvolutionForm::move_result(const ir::ConvolutionAttributes& a, const Dims& out) {
    const Dims to = row_major(view(out));
    const std::int64_t spatial = product(result), features = groups * out_channels;
    Move& m = result_move;
    m.sizes = {batch, features};
    m.from = {features * spatial, spatial};
    m.to = {to[index(a.result_batch)], to[index(a.result_feature)]};
    const Dims from = row_major(view(result));
    for (std::size_t s = 0; s < result.size(); ++s) {
        m.sizes.push_back(result[s]);
        m.from.push_back(from[s]);
        m.to.push_back(to[index(a.result_spatial[s])]);
    }
    m.count = batch * features * spatial;
}

std::int64_t ConvolutionForm::work() const {
    return batch * groups * out_channels * in_channels * product(kernel) * product(result);
}

}  // namespace shardwright::exec
