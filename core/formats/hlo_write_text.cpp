// Texts of literals and attributes.
#include <fmt/format.h>

#include <cmath>

#include "formats/hlo_writer.h"

namespace shardwright::formats::hlo {
namespace {

using ir::ElementType;
using ir::OpKind;

std::string real_text(double value, ElementType type) {
    if (std::isnan(value)) return std::signbit(value) ? "-nan" : "nan";
    if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
    // Every type but f64 is exact in a float, whose shortest text reads back the same.
    return type == ElementType::kF64 ? fmt::format("{}", value)
                                     : fmt::format("{}", static_cast<float>(value));
}

std::string element_text(std::span<const std::byte> data, ElementType type, std::int64_t i) {
    if (type == ElementType::kBool)
        return ir::element_as_int(data, type, i) != 0 ? "true" : "false";
    if (type == ElementType::kU64)
        return fmt::format("{}", static_cast<std::uint64_t>(ir::element_as_int(data, type, i)));
    if (ir::is_integer(type)) return fmt::format("{}", ir::element_as_int(data, type, i));
    if (ir::is_complex(type)) {
        const ElementType part = ir::real_type(type);
        return fmt::format("({}, {})", real_text(ir::element_as_double(data, part, 2 * i), part),
                           real_text(ir::element_as_double(data, part, 2 * i + 1), part));
    }
    return real_text(ir::element_as_double(data, type, i), type);
}

void append_nested(std::string& out, const ir::Literal& literal, std::size_t dim,
                   std::int64_t& next) {
    if (dim == literal.type.rank()) {
        const bool splat = literal.kind == ir::Literal::Kind::kSplat;
        out += element_text(literal.data(), literal.type.element, splat ? 0 : next);
        ++next;
        return;
    }
    out += '{';
    for (std::int64_t i = 0; i < literal.type.dims[dim]; ++i) {
        if (i > 0) out += ", ";
        append_nested(out, literal, dim + 1, next);
    }
    out += '}';
}

std::string times(std::span<const std::int64_t> dims) {
    return fmt::format("{}", fmt::join(dims, "x"));
}

bool all_are(std::span<const std::int64_t> dims, std::int64_t value) {
    for (const std::int64_t d : dims)
        if (d != value) return false;
    return true;
}

std::string pads(std::span<const std::int64_t> low, std::span<const std::int64_t> high) {
    std::string out;
    for (std::size_t i = 0; i < low.size(); ++i)
        out += fmt::format("{}{}_{}", i == 0 ? "" : "x", low[i], high[i]);
    return out;
}

std::string window_text(std::span<const std::int64_t> sizes, std::span<const std::int64_t> strides,
                        std::span<const std::int64_t> low, std::span<const std::int64_t> high,
                        std::span<const std::int64_t> base, std::span<const std::int64_t> window,
                        const std::string& more = {}) {
    std::string out = ", window={size=" + times(sizes);
    if (!all_are(strides, 1)) out += " stride=" + times(strides);
    if (!all_are(low, 0) || !all_are(high, 0)) out += " pad=" + pads(low, high);
    if (!all_are(base, 1)) out += " lhs_dilate=" + times(base);
    if (!all_are(window, 1)) out += " rhs_dilate=" + times(window);
    return out + more + "}";
}

std::string precision_text(ir::Precision lhs, ir::Precision rhs) {
    constexpr std::string_view kNames[] = {"default", "high", "highest"};
    if (lhs == ir::Precision::kDefault && rhs == ir::Precision::kDefault) return {};
    return fmt::format(", operand_precision={{{},{}}}", kNames[static_cast<std::size_t>(lhs)],
                       kNames[static_cast<std::size_t>(rhs)]);
}

std::string convolution_text(const ir::Module& m, ir::OpId op) {
    const auto& a = m.attributes<ir::ConvolutionAttributes>(op);
    const Dims& kernel = m.type(m.operand(op, 1)).dims;
    const auto labels = [](std::int64_t first, char c, std::int64_t second, char d,
                           const Dims& spatial) {
        std::string out(spatial.size() + 2, '?');
        out[static_cast<std::size_t>(first)] = c;
        out[static_cast<std::size_t>(second)] = d;
        for (std::size_t i = 0; i < spatial.size(); ++i)
            out[static_cast<std::size_t>(spatial[i])] = static_cast<char>('0' + i);
        return out;
    };
    std::string out;
    if (!a.rhs_spatial.empty()) {
        Dims sizes;
        for (const std::int64_t d : a.rhs_spatial)
            sizes.push_back(kernel[static_cast<std::size_t>(d)]);
        std::string reversal;
        Dims flags;
        for (const bool flag : a.window_reversal) flags.push_back(flag ? 1 : 0);
        if (!all_are(view(flags), 0)) reversal = " rhs_reversal=" + times(view(flags));
        out = window_text(view(sizes), view(a.strides), view(a.pad_low), view(a.pad_high),
                          view(a.lhs_dilation), view(a.rhs_dilation), reversal);
    }
    out += fmt::format(", dim_labels={}_{}->{}",
                       labels(a.lhs_batch, 'b', a.lhs_feature, 'f', a.lhs_spatial),
                       labels(a.rhs_input_feature, 'i', a.rhs_output_feature, 'o', a.rhs_spatial),
                       labels(a.result_batch, 'b', a.result_feature, 'f', a.result_spatial));
    if (a.feature_groups != 1) out += fmt::format(", feature_group_count={}", a.feature_groups);
    if (a.batch_groups != 1) out += fmt::format(", batch_group_count={}", a.batch_groups);
    return out + precision_text(a.lhs_precision, a.rhs_precision);
}

std::string dot_text(const ir::Module& m, const ir::DotAttributes& a) {
    std::string out;
    if (!a.lhs_batch.empty()) out += ", lhs_batch_dims=" + braces(view(a.lhs_batch));
    out += ", lhs_contracting_dims=" + braces(view(a.lhs_contracting));
    if (!a.rhs_batch.empty()) out += ", rhs_batch_dims=" + braces(view(a.rhs_batch));
    out += ", rhs_contracting_dims=" + braces(view(a.rhs_contracting));
    if (!m.text(a.algorithm).empty()) out += fmt::format(", algorithm={}", m.text(a.algorithm));
    return out + precision_text(a.lhs_precision, a.rhs_precision);
}

std::string gather_text(const ir::GatherAttributes& a) {
    std::string out = fmt::format(", offset_dims={}, collapsed_slice_dims={}, start_index_map={}",
                                  braces(view(a.offset_dims)), braces(view(a.collapsed_slice_dims)),
                                  braces(view(a.start_index_map)));
    if (!a.operand_batching_dims.empty())
        out += fmt::format(", operand_batching_dims={}, start_indices_batching_dims={}",
                           braces(view(a.operand_batching_dims)),
                           braces(view(a.start_indices_batching_dims)));
    out += fmt::format(", index_vector_dim={}, slice_sizes={}", a.index_vector_dim,
                       braces(view(a.slice_sizes)));
    return out + (a.indices_sorted ? ", indices_are_sorted=true" : "");
}

std::string scatter_text(const ir::ScatterAttributes& a) {
    std::string out = fmt::format(
        ", update_window_dims={}, inserted_window_dims={}, scatter_dims_to_operand_dims={}",
        braces(view(a.update_window_dims)), braces(view(a.inserted_window_dims)),
        braces(view(a.scatter_dims_to_operand_dims)));
    if (!a.input_batching_dims.empty())
        out += fmt::format(", input_batching_dims={}, scatter_indices_batching_dims={}",
                           braces(view(a.input_batching_dims)),
                           braces(view(a.scatter_indices_batching_dims)));
    out += fmt::format(", index_vector_dim={}", a.index_vector_dim);
    if (a.indices_sorted) out += ", indices_are_sorted=true";
    return out + (a.unique_indices ? ", unique_indices=true" : "");
}

std::string compare_text(const ir::CompareAttributes& a) {
    constexpr std::string_view kDirections[] = {"EQ", "NE", "GE", "GT", "LE", "LT"};
    constexpr std::string_view kTypes[] = {"", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"};
    std::string out =
        fmt::format(", direction={}", kDirections[static_cast<std::size_t>(a.direction)]);
    if (a.type != ir::CompareType::kDefault)
        out += fmt::format(", type={}", kTypes[static_cast<std::size_t>(a.type)]);
    return out;
}

}  // namespace

std::string braces(std::span<const std::int64_t> dims) {
    return fmt::format("{{{}}}", fmt::join(dims, ","));
}

std::string literal_text(const ir::Literal& literal) {
    if (literal.kind == ir::Literal::Kind::kElided) return "{...}";
    std::string out;
    std::int64_t next = 0;
    append_nested(out, literal, 0, next);
    return out;
}

std::string attributes_text(const ir::Module& m, ir::OpId op) {
    switch (m.op(op).kind) {
        case OpKind::kCompare:
            return compare_text(m.attributes<ir::CompareAttributes>(op));
        case OpKind::kIota:
            return fmt::format(", iota_dimension={}", m.attributes<ir::DimAttributes>(op).dim);
        case OpKind::kConcatenate:
        case OpKind::kGetDimensionSize:
        case OpKind::kSetDimensionSize:
            return fmt::format(", dimensions={{{}}}", m.attributes<ir::DimAttributes>(op).dim);
        case OpKind::kBroadcastInDim:
        case OpKind::kTranspose:
        case OpKind::kReverse:
        case OpKind::kReduce:
        case OpKind::kMap:
            return ", dimensions=" + braces(view(m.attributes<ir::DimsAttributes>(op).dims));
        case OpKind::kSlice: {
            const auto& a = m.attributes<ir::SliceAttributes>(op);
            std::string out;
            for (std::size_t i = 0; i < a.start.size(); ++i) {
                out += fmt::format("{}[{}:{}", i == 0 ? "" : ", ", a.start[i], a.limit[i]);
                out += a.strides[i] == 1 ? "]" : fmt::format(":{}]", a.strides[i]);
            }
            return ", slice={" + out + "}";
        }
        case OpKind::kDynamicSlice:
            return ", dynamic_slice_sizes=" +
                   braces(view(m.attributes<ir::DynamicSliceAttributes>(op).sizes));
        case OpKind::kPad: {
            const auto& a = m.attributes<ir::PadAttributes>(op);
            std::string out;
            for (std::size_t i = 0; i < a.low.size(); ++i) {
                out += fmt::format("{}{}_{}", i == 0 ? "" : "x", a.low[i], a.high[i]);
                if (a.interior[i] != 0) out += fmt::format("_{}", a.interior[i]);
            }
            return a.low.empty() ? "" : ", padding=" + out;
        }
        case OpKind::kDotGeneral:
            return dot_text(m, m.attributes<ir::DotAttributes>(op));
        case OpKind::kConvolution:
            return convolution_text(m, op);
        case OpKind::kReduceWindow:
        case OpKind::kSelectAndScatter: {
            const auto& a = m.attributes<ir::WindowAttributes>(op);
            return window_text(view(a.sizes), view(a.strides), view(a.pad_low), view(a.pad_high),
                               view(a.base_dilation), view(a.window_dilation));
        }
        case OpKind::kGather:
            return gather_text(m.attributes<ir::GatherAttributes>(op));
        case OpKind::kScatter:
            return scatter_text(m.attributes<ir::ScatterAttributes>(op));
        case OpKind::kSort: {
            const auto& a = m.attributes<ir::SortAttributes>(op);
            return fmt::format(", dimensions={{{}}}{}", a.dim, a.stable ? ", is_stable=true" : "");
        }
        case OpKind::kTopK: {
            const auto& a = m.attributes<ir::TopKAttributes>(op);
            return fmt::format(", k={}, largest={}", a.k, a.largest);
        }
        case OpKind::kFft: {
            constexpr std::string_view kTypes[] = {"FFT", "IFFT", "RFFT", "IRFFT"};
            const auto& a = m.attributes<ir::FftAttributes>(op);
            return fmt::format(", fft_type={}, fft_length={}",
                               kTypes[static_cast<std::size_t>(a.type)], braces(view(a.length)));
        }
        case OpKind::kCholesky:
            return fmt::format(", lower={}", m.attributes<ir::CholeskyAttributes>(op).lower);
        case OpKind::kTriangularSolve: {
            constexpr std::string_view kTranspose[] = {"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"};
            const auto& a = m.attributes<ir::TriangularSolveAttributes>(op);
            return fmt::format(", left_side={}, lower={}, unit_diagonal={}, transpose_a={}",
                               a.left_side, a.lower, a.unit_diagonal,
                               kTranspose[static_cast<std::size_t>(a.transpose)]);
        }
        case OpKind::kBatchNormTraining:
        case OpKind::kBatchNormInference:
        case OpKind::kBatchNormGrad: {
            const auto& a = m.attributes<ir::BatchNormAttributes>(op);
            return fmt::format(", epsilon={}, feature_index={}", a.epsilon, a.feature);
        }
        case OpKind::kReducePrecision: {
            const auto& a = m.attributes<ir::ReducePrecisionAttributes>(op);
            return fmt::format(", exponent_bits={}, mantissa_bits={}", a.exponent_bits,
                               a.mantissa_bits);
        }
        case OpKind::kRng: {
            const bool normal =
                m.attributes<ir::RngAttributes>(op).distribution == ir::RngDistribution::kNormal;
            return fmt::format(", distribution={}", normal ? "rng_normal" : "rng_uniform");
        }
        case OpKind::kRngBitGenerator: {
            constexpr std::string_view kNames[] = {"rng_default", "rng_three_fry", "rng_philox"};
            const auto a = m.attributes<ir::RngBitGeneratorAttributes>(op).algorithm;
            return fmt::format(", algorithm={}", kNames[static_cast<std::size_t>(a)]);
        }
        default:
            return {};
    }
}

std::string_view opcode_of(OpKind kind) {
    switch (kind) {
        case OpKind::kBitcastConvert:
            return "bitcast-convert";
        case OpKind::kBroadcastInDim:
            return "broadcast";
        case OpKind::kConcatenate:
            return "concatenate";
        case OpKind::kDynamicSlice:
            return "dynamic-slice";
        case OpKind::kDynamicUpdateSlice:
            return "dynamic-update-slice";
        case OpKind::kGather:
            return "gather";
        case OpKind::kPad:
            return "pad";
        case OpKind::kReshape:
            return "reshape";
        case OpKind::kReverse:
            return "reverse";
        case OpKind::kScatter:
            return "scatter";
        case OpKind::kSlice:
            return "slice";
        case OpKind::kTranspose:
            return "transpose";
        case OpKind::kGetDimensionSize:
            return "get-dimension-size";
        case OpKind::kSetDimensionSize:
            return "set-dimension-size";
        case OpKind::kBatchNormGrad:
            return "batch-norm-grad";
        case OpKind::kBatchNormInference:
            return "batch-norm-inference";
        case OpKind::kBatchNormTraining:
            return "batch-norm-training";
        case OpKind::kCholesky:
            return "cholesky";
        case OpKind::kConvolution:
            return "convolution";
        case OpKind::kDotGeneral:
            return "dot";
        case OpKind::kFft:
            return "fft";
        case OpKind::kReduce:
            return "reduce";
        case OpKind::kReduceWindow:
            return "reduce-window";
        case OpKind::kSelectAndScatter:
            return "select-and-scatter";
        case OpKind::kSort:
            return "sort";
        case OpKind::kTopK:
            return "topk";
        case OpKind::kTriangularSolve:
            return "triangular-solve";
        case OpKind::kMap:
            return "map";
        case OpKind::kIota:
            return "iota";
        case OpKind::kRng:
            return "rng";
        case OpKind::kRngBitGenerator:
            return "rng-bit-generator";
        case OpKind::kPartitionId:
            return "partition-id";
        case OpKind::kReplicaId:
            return "replica-id";
        case OpKind::kAfterAll:
            return "after-all";
        case OpKind::kInfeed:
            return "infeed";
        case OpKind::kOutfeed:
            return "outfeed";
        default:
            return {};
    }
}

}  // namespace shardwright::formats::hlo
