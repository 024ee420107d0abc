#include "exec/convolution_onednn.h"

#include <dnnl.hpp>
#include <string>

#include "exec/onednn.h"

namespace shardwright::exec {

struct OneDnnConvolution::Primitive {
    dnnl::memory::desc input, kernel, result;
    dnnl::convolution_forward::primitive_desc description;
    dnnl::convolution_forward forward;
};

namespace {

using Sizes = dnnl::memory::dims;

Sizes dense_strides(const Sizes& sizes) {
    Sizes strides(sizes.size(), 1);
    for (std::size_t d = sizes.size(); d-- > 1;) strides[d - 1] = strides[d] * sizes[d];
    return strides;
}

Sizes with_spatial(Sizes head, const Dims& spatial) {
    for (const std::int64_t s : spatial) head.push_back(s);
    if (spatial.empty()) head.push_back(1);
    return head;
}

Sizes spatial_of(const Dims& dims, std::int64_t otherwise, std::int64_t add = 0) {
    Sizes sizes;
    for (const std::int64_t d : dims) sizes.push_back(d + add);
    if (sizes.empty()) sizes.push_back(otherwise);
    return sizes;
}

}  // namespace

std::shared_ptr<OneDnnConvolution> OneDnnConvolution::create(const ConvolutionForm& f) {
    if (f.kernel.size() > 3 || f.work() == 0) return nullptr;
    constexpr auto kF32 = dnnl::memory::data_type::f32;
    constexpr auto kAny = dnnl::memory::format_tag::any;
    const Sizes input = with_spatial({f.batch, f.groups * f.in_channels}, f.input);
    const Sizes kernel = f.groups == 1
                             ? with_spatial({f.out_channels, f.in_channels}, f.kernel)
                             : with_spatial({f.groups, f.out_channels, f.in_channels}, f.kernel);
    const Sizes result = with_spatial({f.batch, f.groups * f.out_channels}, f.result);
    auto primitive = std::make_shared<Primitive>();
    primitive->input = {input, kF32, dense_strides(input)};
    primitive->kernel = {kernel, kF32, dense_strides(kernel)};
    primitive->result = {result, kF32, dense_strides(result)};
    try {
        const dnnl::convolution_forward::desc description(
            dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct,
            dnnl::memory::desc(input, kF32, kAny), dnnl::memory::desc(kernel, kF32, kAny),
            dnnl::memory::desc(result, kF32, kAny), spatial_of(f.strides, 1),
            spatial_of(f.dilation, 0, -1), spatial_of(f.pad_low, 0), spatial_of(f.pad_high, 0));
        primitive->description =
            dnnl::convolution_forward::primitive_desc(description, onednn_engine());
        const std::string name = primitive->description.impl_info_str();
        if (name.find("ref") != std::string::npos) return nullptr;
        primitive->forward = dnnl::convolution_forward(primitive->description);
    } catch (const dnnl::error&) {
        return nullptr;
    }
    auto convolution = std::make_shared<OneDnnConvolution>();
    convolution->primitive_ = std::move(primitive);
    return convolution;
}

void OneDnnConvolution::run(const float* input, const float* kernel, float* result) const {
    const dnnl::engine& engine = onednn_engine();
    dnnl::stream stream(engine);
    // oneDNN takes writable pointers for inputs as well, and does not write to them.
    dnnl::memory in(primitive_->input, engine, const_cast<float*>(input));
    dnnl::memory weights(primitive_->kernel, engine, const_cast<float*>(kernel));
    dnnl::memory out(primitive_->result, engine, result);
    // The library's own layouts are faster than plain ones: operands are re-ordered into them.
    const auto reordered = [&](dnnl::memory& given, const dnnl::memory::desc& wanted) {
        if (given.get_desc() == wanted) return given;
        dnnl::memory own(wanted, engine);
        dnnl::reorder(given, own).execute(stream, given, own);
        return own;
    };
    dnnl::memory src = reordered(in, primitive_->description.src_desc());
    dnnl::memory wei = reordered(weights, primitive_->description.weights_desc());
    const bool direct = primitive_->description.dst_desc() == out.get_desc();
    dnnl::memory dst = direct ? out : dnnl::memory(primitive_->description.dst_desc(), engine);
    primitive_->forward.execute(
        stream, {{DNNL_ARG_SRC, src}, {DNNL_ARG_WEIGHTS, wei}, {DNNL_ARG_DST, dst}});
    if (!direct) dnnl::reorder(dst, out).execute(stream, dst, out);
    stream.wait();
}

}  // namespace shardwright::exec
