// Attributes of the kinds that need nothing else: from MLIR's names to the ir's structs.
#include <fmt/format.h>

#include "formats/mlir_import.h"

namespace shardwright::formats::mlir {
namespace {

using namespace ir;

/// One value of an enumeration by its keyword.
template <class Enum, std::size_t N>
bool choose(OpReader& r, std::string_view name, const std::pair<std::string_view, Enum> (&table)[N],
            Enum& out) {
    std::string_view word;
    if (!r.word(name, word) || word.empty()) return !r.error();
    for (const auto& [text, value] : table)
        if (text == word) return out = value, true;
    return r.fail(r.find(name)->pos, fmt::format("unknown {} '{}'", name, word.substr(0, 40)),
                  fmt::format("{} or the like", table[0].first));
}

bool compare(OpReader& r, Attributes& out) {
    static constexpr std::pair<std::string_view, Direction> kDirections[] = {
        {"EQ", Direction::kEq}, {"NE", Direction::kNe}, {"GE", Direction::kGe},
        {"GT", Direction::kGt}, {"LE", Direction::kLe}, {"LT", Direction::kLt}};
    static constexpr std::pair<std::string_view, CompareType> kTypes[] = {
        {"NOTYPE", CompareType::kDefault},
        {"FLOAT", CompareType::kFloat},
        {"TOTALORDER", CompareType::kTotalOrder},
        {"SIGNED", CompareType::kSigned},
        {"UNSIGNED", CompareType::kUnsigned}};
    CompareAttributes a;
    if (!r.has("comparison_direction"))
        return r.fail("compare without a direction", "EQ, NE, GE, GT, LE or LT");
    if (!choose(r, "comparison_direction", kDirections, a.direction) ||
        !choose(r, "compare_type", kTypes, a.type))
        return false;
    out = a;
    return true;
}

/// `dense<…>` or arrays of pairs, one a dim, to two lists.
bool padding(OpReader& r, std::string_view name, Dims& low, Dims& high) {
    const Attr* attr = r.find(name);
    if (attr == nullptr) return true;
    std::vector<std::vector<std::int64_t>> rows;
    if (!r.rows(name, rows)) return false;
    low.clear();
    high.clear();
    for (const auto& row : rows) {
        if (row.size() != 2) return r.fail(attr->pos, "malformed padding", "pairs of low and high");
        low.push_back(row[0]);
        high.push_back(row[1]);
    }
    return true;
}

bool window(OpReader& r, std::size_t rank, Attributes& out) {
    WindowAttributes a;
    a.sizes.assign(rank, 1);
    a.strides = a.base_dilation = a.window_dilation = a.sizes;
    a.pad_low.assign(rank, 0);
    a.pad_high.assign(rank, 0);
    if (!r.dims("window_dimensions", a.sizes) || !r.dims("window_strides", a.strides) ||
        !r.dims("base_dilations", a.base_dilation) ||
        !r.dims("window_dilations", a.window_dilation) ||
        !padding(r, "padding", a.pad_low, a.pad_high))
        return false;
    out = std::move(a);
    return true;
}

bool gather(OpReader& r, Attributes& out) {
    GatherAttributes a;
    const Attr* d = r.find("dimension_numbers");
    if (d == nullptr) return r.fail("gather without 'dimension_numbers'", "that attribute");
    if (!r.field(*d, "offset_dims", a.offset_dims) ||
        !r.field(*d, "collapsed_slice_dims", a.collapsed_slice_dims) ||
        !r.field(*d, "operand_batching_dims", a.operand_batching_dims) ||
        !r.field(*d, "start_indices_batching_dims", a.start_indices_batching_dims) ||
        !r.field(*d, "start_index_map", a.start_index_map) ||
        !r.field(*d, "index_vector_dim", a.index_vector_dim) ||
        !r.need_dims("slice_sizes", a.slice_sizes) ||
        !r.flag("indices_are_sorted", a.indices_sorted))
        return false;
    out = std::move(a);
    return true;
}

bool scatter(OpReader& r, Attributes& out) {
    ScatterAttributes a;
    const Attr* d = r.find("scatter_dimension_numbers");
    if (d == nullptr)
        return r.fail("scatter without 'scatter_dimension_numbers'", "that attribute");
    if (!r.field(*d, "update_window_dims", a.update_window_dims) ||
        !r.field(*d, "inserted_window_dims", a.inserted_window_dims) ||
        !r.field(*d, "input_batching_dims", a.input_batching_dims) ||
        !r.field(*d, "scatter_indices_batching_dims", a.scatter_indices_batching_dims) ||
        !r.field(*d, "scatter_dims_to_operand_dims", a.scatter_dims_to_operand_dims) ||
        !r.field(*d, "index_vector_dim", a.index_vector_dim) ||
        !r.flag("indices_are_sorted", a.indices_sorted) ||
        !r.flag("unique_indices", a.unique_indices))
        return false;
    out = std::move(a);
    return true;
}

bool triangular_solve(OpReader& r, Attributes& out) {
    static constexpr std::pair<std::string_view, Transpose> kTransposes[] = {
        {"NO_TRANSPOSE", Transpose::kNone},
        {"TRANSPOSE", Transpose::kTranspose},
        {"ADJOINT", Transpose::kAdjoint}};
    TriangularSolveAttributes a;
    if (!r.flag("left_side", a.left_side) || !r.flag("lower", a.lower) ||
        !r.flag("unit_diagonal", a.unit_diagonal) ||
        !choose(r, "transpose_a", kTransposes, a.transpose))
        return false;
    out = a;
    return true;
}

bool fft(OpReader& r, Attributes& out) {
    static constexpr std::pair<std::string_view, FftType> kTypes[] = {{"FFT", FftType::kFft},
                                                                      {"IFFT", FftType::kIfft},
                                                                      {"RFFT", FftType::kRfft},
                                                                      {"IRFFT", FftType::kIrfft}};
    FftAttributes a;
    if (!choose(r, "fft_type", kTypes, a.type) || !r.need_dims("fft_length", a.length))
        return false;
    out = std::move(a);
    return true;
}

bool check_kind(OpReader& r, Attributes& out) {
    CheckAttributes a;
    const std::string_view name = r.op().known->name;
    a.kind = name.find("almost") != std::string_view::npos  ? CheckKind::kAlmostEq
             : name.find("close") != std::string_view::npos ? CheckKind::kClose
                                                            : CheckKind::kEq;
    if (!r.number("tolerance", a.tolerance) || !r.integer("min_ulp_difference", a.min_ulp) ||
        !r.integer("max_ulp_difference", a.max_ulp))
        return false;
    out = a;
    return true;
}

bool barrier(OpReader& r, Attributes& out) {
    static constexpr std::pair<std::string_view, BarrierDirection> kDirections[] = {
        {"NONE", BarrierDirection::kNone},
        {"FORWARD", BarrierDirection::kForward},
        {"BACKWARD", BarrierDirection::kBackward},
        {"BOTH", BarrierDirection::kBoth}};
    BarrierAttributes a;
    if (r.has("allowed_direction") && r.find("allowed_direction")->kind == AttrKind::kInt) {
        static constexpr BarrierDirection kByNumber[] = {
            BarrierDirection::kNone, BarrierDirection::kForward, BarrierDirection::kBackward,
            BarrierDirection::kBoth};
        a.allowed = kByNumber[r.find("allowed_direction")->integer & 3];
    } else if (!choose(r, "allowed_direction", kDirections, a.allowed)) {
        return false;
    }
    out = a;
    return true;
}

bool dims_of(OpReader& r, std::string_view name, Attributes& out) {
    DimsAttributes a;
    if (!r.need_dims(name, a.dims)) return false;
    out = std::move(a);
    return true;
}

bool dim_of(OpReader& r, std::string_view name, Attributes& out) {
    DimAttributes a;
    if (!r.need_integer(name, a.dim)) return false;
    out = a;
    return true;
}

bool rng(OpReader& r, Attributes& out) {
    static constexpr std::pair<std::string_view, RngDistribution> kDistributions[] = {
        {"UNIFORM", RngDistribution::kUniform}, {"NORMAL", RngDistribution::kNormal}};
    RngAttributes a;
    if (!choose(r, "rng_distribution", kDistributions, a.distribution)) return false;
    out = a;
    return true;
}

bool rng_bit_generator(OpReader& r, Attributes& out) {
    static constexpr std::pair<std::string_view, RngAlgorithm> kAlgorithms[] = {
        {"DEFAULT", RngAlgorithm::kDefault},
        {"THREE_FRY", RngAlgorithm::kThreeFry},
        {"PHILOX", RngAlgorithm::kPhilox}};
    RngBitGeneratorAttributes a;
    if (!choose(r, "rng_algorithm", kAlgorithms, a.algorithm)) return false;
    out = a;
    return true;
}

bool reduce_precision(OpReader& r, Attributes& out) {
    std::int64_t exponent = 8, mantissa = 23;
    if (!r.need_integer("exponent_bits", exponent) || !r.need_integer("mantissa_bits", mantissa))
        return false;
    if (exponent < 1 || exponent > 64 || mantissa < 0 || mantissa > 64)
        return r.fail("impossible precision", "1 to 64 exponent bits, 0 to 64 mantissa bits");
    out = ReducePrecisionAttributes{static_cast<std::int32_t>(exponent),
                                    static_cast<std::int32_t>(mantissa)};
    return true;
}

bool slice(OpReader& r, Attributes& out) {
    SliceAttributes a;
    if (!r.need_dims("start_indices", a.start) || !r.need_dims("limit_indices", a.limit))
        return false;
    a.strides.assign(a.start.size(), 1);
    if (!r.dims("strides", a.strides)) return false;
    out = std::move(a);
    return true;
}

bool pad(OpReader& r, Attributes& out) {
    PadAttributes a;
    if (!r.need_dims("edge_padding_low", a.low) || !r.need_dims("edge_padding_high", a.high))
        return false;
    a.interior.assign(a.low.size(), 0);
    if (!r.dims("interior_padding", a.interior)) return false;
    out = std::move(a);
    return true;
}

}  // namespace

bool decode_dot(OpReader& r, Module& module, Attributes& out);
bool decode_convolution(OpReader& r, std::size_t rank, Attributes& out);

bool decode_attributes(OpReader& r, Module& module, OpKind kind, std::size_t rank,
                       Attributes& out) {
    using enum OpKind;
    switch (kind) {
        case kCompare:
            return compare(r, out);
        case kReducePrecision:
            return reduce_precision(r, out);
        case kBroadcastInDim:
            return dims_of(r, "broadcast_dimensions", out);
        case kTranspose:
            return dims_of(r, "permutation", out);
        case kReverse:
        case kReduce:
            return dims_of(r, "dimensions", out);
        case kMap: {
            DimsAttributes a;
            if (!r.dims("dimensions", a.dims)) return false;
            out = std::move(a);
            return true;
        }
        case kIota:
            return dim_of(r, "iota_dimension", out);
        case kConcatenate:
        case kGetDimensionSize:
        case kSetDimensionSize:
            return dim_of(r, "dimension", out);
        case kSlice:
            return slice(r, out);
        case kDynamicSlice: {
            DynamicSliceAttributes a;
            if (!r.need_dims("slice_sizes", a.sizes)) return false;
            out = std::move(a);
            return true;
        }
        case kPad:
            return pad(r, out);
        case kDotGeneral:
            return decode_dot(r, module, out);
        case kConvolution:
            return decode_convolution(r, rank, out);
        case kReduceWindow:
        case kSelectAndScatter:
            return window(r, rank, out);
        case kGather:
            return gather(r, out);
        case kScatter:
            return scatter(r, out);
        case kSort: {
            SortAttributes a;
            a.dim = static_cast<std::int64_t>(rank) - 1;
            if (!r.integer("dimension", a.dim) || !r.flag("is_stable", a.stable)) return false;
            if (a.dim < 0) a.dim += static_cast<std::int64_t>(rank);
            out = a;
            return true;
        }
        case kFft:
            return fft(r, out);
        case kCholesky: {
            CholeskyAttributes a;
            a.lower = false;
            if (!r.flag("lower", a.lower)) return false;
            out = a;
            return true;
        }
        case kTriangularSolve:
            return triangular_solve(r, out);
        case kBatchNormGrad:
        case kBatchNormInference:
        case kBatchNormTraining: {
            BatchNormAttributes a;
            if (!r.number("epsilon", a.epsilon) || !r.integer("feature_index", a.feature))
                return false;
            out = a;
            return true;
        }
        case kRng:
            return rng(r, out);
        case kRngBitGenerator:
            return rng_bit_generator(r, out);
        case kWhile: {
            WhileAttributes a;
            if (r.has("known_trip_count") && !r.integer("known_trip_count", a.known_trip_count))
                return false;
            out = a;
            return true;
        }
        case kShardingGroup: {
            GroupAttributes a;
            if (!r.need_integer("group_id", a.group)) return false;
            out = a;
            return true;
        }
        case kPropagationBarrier:
            return barrier(r, out);
        case kCheck:
            return check_kind(r, out);
        default:
            return true;
    }
}

}  // namespace shardwright::formats::mlir
