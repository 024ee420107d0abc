// convolution: brought to one dense form, then oneDNN for f32 (narrow floats pass through f32) or
// our own loops.
#include <algorithm>
#include <complex>
#include <memory>

#include "exec/convert_array.h"
#include "exec/convolution_geometry.h"
#include "exec/convolution_onednn.h"
#include "exec/narrow.h"
#include "exec/parallel.h"

namespace shardwright::exec {
namespace {

using ir::ElementType;

template <class T>
void add_product(T& sum, T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
        sum += a * b;
    else if constexpr (std::is_integral_v<T>)
        sum = static_cast<T>(std::uint64_t{sum} + std::uint64_t{a} * b);
    else
        sum +=
            T(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
}

/// One output plane (a batch element and an output channel) after the other, in index order.
template <class T>
void direct(const ConvolutionForm& f, const std::byte* in_bytes, const std::byte* kernel_bytes,
            std::byte* out_bytes) {
    const T* in = reinterpret_cast<const T*>(in_bytes);
    const T* kernel = reinterpret_cast<const T*>(kernel_bytes);
    T* out = reinterpret_cast<T*>(out_bytes);
    std::int64_t in_size = 1, kernel_size = 1, out_size = 1;
    for (const std::int64_t d : f.input) in_size *= d;
    for (const std::int64_t d : f.kernel) kernel_size *= d;
    for (const std::int64_t d : f.result) out_size *= d;
    const std::size_t rank = f.kernel.size();
    const Dims in_strides = row_major(view(f.input));
    const std::int64_t channels = f.groups * f.out_channels;
    parallel_for(f.batch * channels, grain_for(out_size * kernel_size * f.in_channels),
                 [&](std::int64_t begin, std::int64_t end) {
                     Dims at(rank), k(rank);
                     for (std::int64_t plane = begin; plane < end; ++plane) {
                         const std::int64_t n = plane / channels, o = plane % channels;
                         const std::int64_t group = o / f.out_channels;
                         const T* source = in + (n * f.groups + group) * f.in_channels * in_size;
                         const T* weights = kernel + o * f.in_channels * kernel_size;
                         for (std::int64_t r = 0; r < out_size; ++r) {
                             std::int64_t rest = r;
                             for (std::size_t d = rank; d-- > 0;) {
                                 at[d] = rest % f.result[d] * f.strides[d] - f.pad_low[d];
                                 rest /= f.result[d];
                             }
                             T sum(0);
                             for (std::int64_t w = 0; w < kernel_size; ++w) {
                                 std::int64_t left = w, offset = 0;
                                 bool inside = true;
                                 for (std::size_t d = rank; d-- > 0;) {
                                     const std::int64_t x =
                                         at[d] + left % f.kernel[d] * f.dilation[d];
                                     left /= f.kernel[d];
                                     inside = inside && x >= 0 && x < f.input[d];
                                     offset += x * in_strides[d];
                                 }
                                 if (!inside) continue;
                                 for (std::int64_t c = 0; c < f.in_channels; ++c)
                                     add_product(sum, source[c * in_size + offset],
                                                 weights[c * kernel_size + w]);
                             }
                             out[plane * out_size + r] = sum;
                         }
                     }
                 });
}

void direct_by_type(ElementType type, const ConvolutionForm& f, const std::byte* in,
                    const std::byte* kernel, std::byte* out) {
    switch (type) {
        case ElementType::kF32:
            return direct<float>(f, in, kernel, out);
        case ElementType::kF64:
            return direct<double>(f, in, kernel, out);
        case ElementType::kC64:
            return direct<std::complex<float>>(f, in, kernel, out);
        case ElementType::kC128:
            return direct<std::complex<double>>(f, in, kernel, out);
        default:
            break;
    }
    switch (ir::storage_bytes(type)) {
        case 1:
            return direct<std::uint8_t>(f, in, kernel, out);
        case 2:
            return direct<std::uint16_t>(f, in, kernel, out);
        case 4:
            return direct<std::uint32_t>(f, in, kernel, out);
        default:
            return direct<std::uint64_t>(f, in, kernel, out);
    }
}

struct Convolution {
    ConvolutionForm form;
    ElementType lhs, rhs, result, accumulate;
    std::shared_ptr<OneDnnConvolution> library;

    /// Converts (while still in the operand's order) and moves into the dense form.
    std::vector<std::byte> operand(const std::byte* data, ElementType type, std::int64_t count,
                                   const ConvolutionForm::Move& move) const {
        std::vector<std::byte> converted;
        const int bytes = ir::storage_bytes(accumulate);
        if (type != accumulate) {
            converted.resize(static_cast<std::size_t>(count * bytes));
            convert_array(type, data, accumulate, converted.data(), count);
            data = converted.data();
        }
        std::vector<std::byte> dense(static_cast<std::size_t>(move.count * bytes));
        move.run(bytes, data, dense.data());
        return dense;
    }
};

}  // namespace

Result<Kernel> prepare_convolution(const Preparation& p) {
    const ElementType result = p.result().element;
    ElementType accumulate = compute_type(result);
    if (ir::is_float(result) &&
        (p.options.accumulate_f64 || p.operand(0).element == ElementType::kF64))
        accumulate = ElementType::kF64;
    if (result == ElementType::kBool || !can_convert(p.operand(0).element, accumulate) ||
        !can_convert(p.operand(1).element, accumulate) || !can_convert(accumulate, result))
        return p.unsupported_here("convolution of these element types");
    auto c = std::make_shared<Convolution>(Convolution{ConvolutionForm(p), p.operand(0).element,
                                                       p.operand(1).element, result, accumulate,
                                                       nullptr});
    if (accumulate == ElementType::kF32 && c->form.work() > 4096)
        c->library = OneDnnConvolution::create(c->form);
    const std::int64_t lhs_count = p.operand(0).element_count();
    const std::int64_t rhs_count = p.operand(1).element_count();
    const std::int64_t out_count = p.result().element_count();
    Kernel kernel;
    kernel.own_threads = c->library != nullptr;
    kernel.run = [c, lhs_count, rhs_count, out_count](const Call& call) -> Status {
        if (out_count == 0) return {};
        const int bytes = ir::storage_bytes(c->accumulate);
        const auto in = c->operand(call.in[0], c->lhs, lhs_count, c->form.input_move);
        const auto weights = c->operand(call.in[1], c->rhs, rhs_count, c->form.kernel_move);
        std::vector<std::byte> dense(static_cast<std::size_t>(out_count * bytes));
        if (c->library)
            c->library->run(reinterpret_cast<const float*>(in.data()),
                            reinterpret_cast<const float*>(weights.data()),
                            reinterpret_cast<float*>(dense.data()));
        else
            direct_by_type(c->accumulate, c->form, in.data(), weights.data(), dense.data());
        if (c->accumulate == c->result) {
            c->form.result_move.run(bytes, dense.data(), call.out[0]);
            return {};
        }
        std::vector<std::byte> narrow(static_cast<std::size_t>(out_count) *
                                      static_cast<std::size_t>(ir::storage_bytes(c->result)));
        convert_array(c->accumulate, dense.data(), c->result, narrow.data(), out_count);
        c->form.result_move.run(ir::storage_bytes(c->result), narrow.data(), call.out[0]);
        return {};
    };
    return kernel;
}

}  // namespace shardwright::exec
