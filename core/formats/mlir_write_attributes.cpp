// Attributes as MLIR properties, in the generic form's names and spellings.
#include <fmt/format.h>

#include "formats/mlir_write.h"
#include "formats/mlir_write_literal.h"

namespace shardwright::formats::mlir {
namespace {

using namespace ir;

std::string ints(const Dims& dims) {
    return dims.empty() ? "array<i64>" : fmt::format("array<i64: {}>", fmt::join(dims, ", "));
}

std::string flags(const InlineVector<bool, 6>& values) {
    std::string out;
    for (const bool value : values) out += fmt::format("{}{}", out.empty() ? "" : ", ", value);
    return out.empty() ? "array<i1>" : "array<i1: " + out + ">";
}

std::string pairs(const Dims& low, const Dims& high) {
    std::string out;
    for (std::size_t i = 0; i < low.size(); ++i)
        out += fmt::format("{}[{}, {}]", i == 0 ? "" : ", ", low[i], high[i]);
    return low.empty() ? "dense<> : tensor<0x2xi64>"
                       : fmt::format("dense<[{}]> : tensor<{}x2xi64>", out, low.size());
}

/// Fields of a `#stablehlo.name<…>`; empty lists are left out, as MLIR does.
class Fields {
  public:
    Fields& list(std::string_view name, const Dims& dims) {
        if (dims.empty()) return *this;
        return text(name, fmt::format("[{}]", fmt::join(dims, ", ")));
    }
    Fields& text(std::string_view name, std::string_view value) {
        body_ += fmt::format("{}{} = {}", body_.empty() ? "" : ", ", name, value);
        return *this;
    }
    std::string in(std::string_view name) const {
        return fmt::format("#stablehlo.{}<{}>", name, body_);
    }

  private:
    std::string body_;
};

constexpr std::string_view kDirections[] = {"EQ", "NE", "GE", "GT", "LE", "LT"};
constexpr std::string_view kCompareTypes[] = {"", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"};
constexpr std::string_view kPrecisions[] = {"DEFAULT", "HIGH", "HIGHEST"};
constexpr std::string_view kFftTypes[] = {"FFT", "IFFT", "RFFT", "IRFFT"};
constexpr std::string_view kTransposes[] = {"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"};
constexpr std::string_view kAlgorithms[] = {"DEFAULT", "THREE_FRY", "PHILOX"};
constexpr std::string_view kBarriers[] = {"FORWARD", "BACKWARD", "BOTH", "NONE"};

template <class Enum>
std::string keyword(std::string_view kind, std::span<const std::string_view> names, Enum value) {
    return fmt::format("#stablehlo<{} {}>", kind, names[static_cast<std::size_t>(value)]);
}

std::string precision_list(Precision lhs, Precision rhs) {
    const auto one = [](Precision p) { return keyword("precision", kPrecisions, p); };
    return fmt::format("[{}, {}]", one(lhs), one(rhs));
}

/// MLIR's numbers must have a point.
std::string number(double value) {
    std::string out = fmt::format("{}", value);
    if (out.find('.') == std::string::npos) out.insert(std::min(out.find('e'), out.size()), ".0");
    return out;
}

Properties convolution(const ConvolutionAttributes& a) {
    return {{"batch_group_count", fmt::format("{} : i64", a.batch_groups)},
            {"dimension_numbers", "#stablehlo.conv<" + convolution_dims(a) + ">"},
            {"feature_group_count", fmt::format("{} : i64", a.feature_groups)},
            {"lhs_dilation", ints(a.lhs_dilation)},
            {"padding", pairs(a.pad_low, a.pad_high)},
            {"precision_config", precision_list(a.lhs_precision, a.rhs_precision)},
            {"rhs_dilation", ints(a.rhs_dilation)},
            {"window_reversal", flags(a.window_reversal)},
            {"window_strides", ints(a.strides)}};
}

Properties window(const WindowAttributes& a, bool dilated) {
    Properties out;
    if (dilated) out.emplace_back("base_dilations", ints(a.base_dilation));
    out.emplace_back("padding", pairs(a.pad_low, a.pad_high));
    if (dilated) out.emplace_back("window_dilations", ints(a.window_dilation));
    out.emplace_back("window_dimensions", ints(a.sizes));
    out.emplace_back("window_strides", ints(a.strides));
    return out;
}

Properties dot(const Module& m, const DotAttributes& a) {
    Properties out{
        {"dot_dimension_numbers", Fields()
                                      .list("lhs_batching_dimensions", a.lhs_batch)
                                      .list("rhs_batching_dimensions", a.rhs_batch)
                                      .list("lhs_contracting_dimensions", a.lhs_contracting)
                                      .list("rhs_contracting_dimensions", a.rhs_contracting)
                                      .in("dot")},
        {"precision_config", precision_list(a.lhs_precision, a.rhs_precision)}};
    if (a.algorithm.index != 0)
        out.emplace_back("algorithm",
                         fmt::format("#stablehlo.dot_algorithm<{}>", m.text(a.algorithm)));
    return out;
}

Properties gather(const GatherAttributes& a) {
    return {{"dimension_numbers",
             Fields()
                 .list("offset_dims", a.offset_dims)
                 .list("collapsed_slice_dims", a.collapsed_slice_dims)
                 .list("operand_batching_dims", a.operand_batching_dims)
                 .list("start_indices_batching_dims", a.start_indices_batching_dims)
                 .list("start_index_map", a.start_index_map)
                 .text("index_vector_dim", std::to_string(a.index_vector_dim))
                 .in("gather")},
            {"indices_are_sorted", a.indices_sorted ? "true" : "false"},
            {"slice_sizes", ints(a.slice_sizes)}};
}

Properties scatter(const ScatterAttributes& a) {
    return {{"indices_are_sorted", a.indices_sorted ? "true" : "false"},
            {"scatter_dimension_numbers",
             Fields()
                 .list("update_window_dims", a.update_window_dims)
                 .list("inserted_window_dims", a.inserted_window_dims)
                 .list("input_batching_dims", a.input_batching_dims)
                 .list("scatter_indices_batching_dims", a.scatter_indices_batching_dims)
                 .list("scatter_dims_to_operand_dims", a.scatter_dims_to_operand_dims)
                 .text("index_vector_dim", std::to_string(a.index_vector_dim))
                 .in("scatter")},
            {"unique_indices", a.unique_indices ? "true" : "false"}};
}

}  // namespace

std::string convolution_dims(const ConvolutionAttributes& a) {
    const auto list = [](std::string_view first, std::int64_t first_dim, std::string_view second,
                         std::int64_t second_dim, const Dims& spatial) {
        std::vector<std::string> out(spatial.size() + 2);
        out[static_cast<std::size_t>(first_dim)] = first;
        out[static_cast<std::size_t>(second_dim)] = second;
        for (std::size_t i = 0; i < spatial.size(); ++i)
            out[static_cast<std::size_t>(spatial[i])] = std::to_string(i);
        return fmt::format("[{}]", fmt::join(out, ", "));
    };
    return list("b", a.lhs_batch, "f", a.lhs_feature, a.lhs_spatial) + "x" +
           list("i", a.rhs_input_feature, "o", a.rhs_output_feature, a.rhs_spatial) + "->" +
           list("b", a.result_batch, "f", a.result_feature, a.result_spatial);
}

Properties Writer::properties(OpId id) const {
    using enum OpKind;
    const OpKind kind = m_.op(id).kind;
    const auto flag = [](bool value) { return std::string(value ? "true" : "false"); };
    const auto i64 = [](std::int64_t value) { return fmt::format("{} : i64", value); };
    switch (kind) {
        case kConstant:
            return {
                {"value", dense_text(m_.literal(m_.attributes<ConstantAttributes>(id).literal))}};
        case kBroadcastInDim:
            return {{"broadcast_dimensions", ints(m_.attributes<DimsAttributes>(id).dims)}};
        case kTranspose:
            return {{"permutation", ints(m_.attributes<DimsAttributes>(id).dims)}};
        case kReverse:
        case kReduce:
            return {{"dimensions", ints(m_.attributes<DimsAttributes>(id).dims)}};
        case kMap: {
            const auto* a = m_.attributes_if<DimsAttributes>(id);
            return {{"dimensions", ints(a == nullptr ? Dims() : a->dims)}};
        }
        case kIota:
            return {{"iota_dimension", i64(m_.attributes<DimAttributes>(id).dim)}};
        case kConcatenate:
        case kGetDimensionSize:
        case kSetDimensionSize:
            return {{"dimension", i64(m_.attributes<DimAttributes>(id).dim)}};
        case kSlice: {
            const auto& a = m_.attributes<SliceAttributes>(id);
            return {{"limit_indices", ints(a.limit)},
                    {"start_indices", ints(a.start)},
                    {"strides", ints(a.strides)}};
        }
        case kDynamicSlice:
            return {{"slice_sizes", ints(m_.attributes<DynamicSliceAttributes>(id).sizes)}};
        case kPad: {
            const auto& a = m_.attributes<PadAttributes>(id);
            return {{"edge_padding_high", ints(a.high)},
                    {"edge_padding_low", ints(a.low)},
                    {"interior_padding", ints(a.interior)}};
        }
        case kCompare: {
            const auto& a = m_.attributes<CompareAttributes>(id);
            Properties out;
            if (a.type != CompareType::kDefault)
                out.emplace_back("compare_type", keyword("comparison_type", kCompareTypes, a.type));
            out.emplace_back("comparison_direction",
                             keyword("comparison_direction", kDirections, a.direction));
            return out;
        }
        case kDotGeneral:
            return dot(m_, m_.attributes<DotAttributes>(id));
        case kConvolution:
            return convolution(m_.attributes<ConvolutionAttributes>(id));
        case kReduceWindow:
            return window(m_.attributes<WindowAttributes>(id), true);
        case kSelectAndScatter:
            return window(m_.attributes<WindowAttributes>(id), false);
        case kGather:
            return gather(m_.attributes<GatherAttributes>(id));
        case kScatter:
            return scatter(m_.attributes<ScatterAttributes>(id));
        case kSort: {
            const auto& a = m_.attributes<SortAttributes>(id);
            return {{"dimension", i64(a.dim)}, {"is_stable", flag(a.stable)}};
        }
        case kTopK:
            return {{"k", i64(m_.attributes<TopKAttributes>(id).k)}};
        case kFft: {
            const auto& a = m_.attributes<FftAttributes>(id);
            return {{"fft_length", ints(a.length)},
                    {"fft_type", keyword("fft_type", kFftTypes, a.type)}};
        }
        case kCholesky: {
            const auto* a = m_.attributes_if<CholeskyAttributes>(id);
            return {{"lower", flag(a != nullptr && a->lower)}};
        }
        case kTriangularSolve: {
            const auto& a = m_.attributes<TriangularSolveAttributes>(id);
            return {{"left_side", flag(a.left_side)},
                    {"lower", flag(a.lower)},
                    {"transpose_a", keyword("transpose", kTransposes, a.transpose)},
                    {"unit_diagonal", flag(a.unit_diagonal)}};
        }
        case kBatchNormGrad:
        case kBatchNormInference:
        case kBatchNormTraining: {
            const auto& a = m_.attributes<BatchNormAttributes>(id);
            return {{"epsilon", number(a.epsilon) + " : f32"}, {"feature_index", i64(a.feature)}};
        }
        case kRng: {
            const auto* a = m_.attributes_if<RngAttributes>(id);
            const bool normal = a != nullptr && a->distribution == RngDistribution::kNormal;
            return {{"rng_distribution", normal ? "#stablehlo<rng_distribution NORMAL>"
                                                : "#stablehlo<rng_distribution UNIFORM>"}};
        }
        case kRngBitGenerator: {
            const auto* a = m_.attributes_if<RngBitGeneratorAttributes>(id);
            return {
                {"rng_algorithm", keyword("rng_algorithm", kAlgorithms,
                                          a == nullptr ? RngAlgorithm::kDefault : a->algorithm)}};
        }
        case kReducePrecision: {
            const auto& a = m_.attributes<ReducePrecisionAttributes>(id);
            return {{"exponent_bits", fmt::format("{} : i32", a.exponent_bits)},
                    {"mantissa_bits", fmt::format("{} : i32", a.mantissa_bits)}};
        }
        case kShardingGroup:
            return {{"group_id", i64(m_.attributes<GroupAttributes>(id).group)}};
        case kPropagationBarrier:
            return {
                {"allowed_direction",
                 fmt::format(
                     "{} : i32",
                     (static_cast<int>(m_.attributes<BarrierAttributes>(id).allowed) + 1) & 3)}};
        case kCheck: {
            const auto& a = m_.attributes<CheckAttributes>(id);
            if (a.kind == CheckKind::kClose)
                return {{"max_ulp_difference", i64(a.max_ulp)},
                        {"min_ulp_difference", i64(a.min_ulp)}};
            if (a.kind == CheckKind::kAlmostEq)
                return {{"tolerance", number(a.tolerance) + " : f64"}};
            return {};
        }
        case kWhile: {
            const auto* a = m_.attributes_if<WhileAttributes>(id);
            if (a == nullptr || a->known_trip_count < 0) return {};
            return {{"known_trip_count", i64(a->known_trip_count)}};
        }
        default:
            return {};
    }
}

std::string barrier_keyword(BarrierDirection direction) {
    return std::string(kBarriers[static_cast<std::size_t>(direction)]);
}
std::string compare_keywords(const CompareAttributes& a, std::string_view operands) {
    std::string out =
        fmt::format("{}, {}", kDirections[static_cast<std::size_t>(a.direction)], operands);
    if (a.type != CompareType::kDefault)
        out += fmt::format(", {}", kCompareTypes[static_cast<std::size_t>(a.type)]);
    return out;
}
std::string precision_keywords(Precision lhs, Precision rhs) {
    return fmt::format("[{}, {}]", kPrecisions[static_cast<std::size_t>(lhs)],
                       kPrecisions[static_cast<std::size_t>(rhs)]);
}
std::string fft_keyword(FftType type) {
    return std::string(kFftTypes[static_cast<std::size_t>(type)]);
}
std::string rng_keyword(RngAlgorithm algorithm) {
    return std::string(kAlgorithms[static_cast<std::size_t>(algorithm)]);
}

}  // namespace shardwright::formats::mlir
