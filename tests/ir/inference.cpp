// Shape inference by StableHLO's rules: for each family what is right, and what is refused.
#include "inference_case.h"
#include "registry.h"

using namespace shardwright;
using namespace shardwright::ir;
using test::InferenceCase;

namespace {

using enum OpKind;
constexpr std::int64_t kBig = std::int64_t{1} << 62;

DotAttributes dot(Dims lb, Dims rb, Dims lc, Dims rc) {
    return {lb, rb, lc, rc};
}

ConvolutionAttributes nhwc(std::int64_t stride, std::int64_t pad, std::int64_t groups = 1) {
    ConvolutionAttributes a;
    a.lhs_batch = 0, a.lhs_feature = 3, a.lhs_spatial = {1, 2};
    a.rhs_input_feature = 2, a.rhs_output_feature = 3, a.rhs_spatial = {0, 1};
    a.result_batch = 0, a.result_feature = 3, a.result_spatial = {1, 2};
    a.strides = {stride, stride}, a.pad_low = {pad, pad}, a.pad_high = {pad, pad};
    a.lhs_dilation = {1, 1}, a.rhs_dilation = {1, 1};
    a.feature_groups = groups;
    return a;
}

GatherAttributes rows() {
    GatherAttributes a;
    a.offset_dims = {2}, a.collapsed_slice_dims = {0}, a.start_index_map = {0};
    a.index_vector_dim = 2, a.slice_sizes = {1, 8};
    return a;
}

ScatterAttributes add_rows() {
    ScatterAttributes a;
    a.update_window_dims = {1}, a.inserted_window_dims = {0};
    a.scatter_dims_to_operand_dims = {0}, a.index_vector_dim = 1;
    return a;
}

WindowAttributes pool() {
    return {{1, 2}, {1, 2}, {1, 1}, {1, 1}, {0, 0}, {0, 0}};
}

CollectiveAttributes groups_of(std::int64_t dim, std::vector<std::vector<std::int64_t>> groups,
                               std::int64_t concat = -1) {
    CollectiveAttributes a;
    a.mode = GroupMode::kFlattenedIds;
    a.dim = dim, a.concat_dim = concat, a.groups = std::move(groups);
    return a;
}

CollectiveAttributes axis_without_mesh() {
    CollectiveAttributes a;
    a.axes.push_back(mesh::AxisRef{});
    return a;
}

const std::vector<InferenceCase>& cases() {
    static const std::vector<InferenceCase> all = {
        {"add", kAdd, "f32[2,3] f32[2,3]", {}, "f32[2,3]"},
        {"add shapes", kAdd, "f32[2,3] f32[3,2]", {}, "!operand 1 of add is tensor<3x2xf32>"},
        {"add arity", kAdd, "f32[2]", {}, "!add has 1 operands, expected 2"},
        {"add token", kAdd, "token token", {}, "!expected bool, integer"},
        {"and floats", kAnd, "f32[2] f32[2]", {}, "!expected bool, integer elements"},
        {"tan", kTan, "f64[]", {}, "f64[]"},
        {"sine of integers", kSine, "s32[2]", {}, "!floating-point, complex elements"},
        {"erf", kErf, "bf16[4]", {}, "bf16[4]"},
        {"abs of complex", kAbs, "c64[2]", {}, "f32[2]"},
        {"imag", kImag, "c128[2]", {}, "f64[2]"},
        {"complex", kComplex, "f32[2] f32[2]", {}, "c64[2]"},
        {"complex of bf16", kComplex, "bf16[2] bf16[2]", {}, "!f32 or f64"},
        {"is_finite", kIsFinite, "f16[5]", {}, "pred[5]"},
        {"compare", kCompare, "s32[2] s32[2]", CompareAttributes{}, "pred[2]"},
        {"compare type", kCompare, "s32[2] s32[2]",
         CompareAttributes{Direction::kLt, CompareType::kFloat}, "!compare_type"},
        {"compare bare", kCompare, "s32[2] s32[2]", {}, "!compare lacks its attributes"},
        {"select by scalar", kSelect, "pred[] f32[4] f32[4]", {}, "f32[4]"},
        {"select by other shape", kSelect, "pred[3] f32[4] f32[4]", {}, "!expected [4]"},
        {"select by float", kSelect, "f32[4] f32[4] f32[4]", {}, "!bool elements"},
        {"clamp by scalars", kClamp, "f32[] f32[4] f32[]", {}, "f32[4]"},
        {"clamp by other shape", kClamp, "f32[2] f32[4] f32[]", {}, "!operand 0 of clamp"},
        {"convert", kConvert, "s32[2]", {}, "bf16[2]", "bf16[2]"},
        {"convert unstated", kConvert, "s32[2]", {}, "!states 0 result types"},
        {"convert reshapes", kConvert, "s32[2]", {}, "!shape [3], expected [2]", "bf16[3]"},
        {"wrong word", kAdd, "f32[2] f32[2]", {}, "!stated as tensor<3xf32>", "f32[3]"},
        {"reduce_precision", kReducePrecision, "f32[2]", ReducePrecisionAttributes{0, 7}, "!e0m7"},

        {"iota", kIota, "", DimAttributes{1}, "s32[2,3]", "s32[2,3]"},
        {"iota dim", kIota, "", DimAttributes{2}, "!expected 0 to 1", "s32[2,3]"},
        {"partition_id", kPartitionId, "", {}, "u32[]"},
        {"too large", kIota, "", DimAttributes{0}, "!too large", "f32[4611686018427387904,4]"},
        {"operand too large", kNegate, "f32[4611686018427387904,4]", {}, "!too large"},
        {"operand of negative size", kNegate, "f32[-1]", {}, "!dimension size -1"},
        {"rng", kRng, "f32[] f32[] s64[2]", RngAttributes{}, "f32[2,2]", "f32[2,2]"},
        {"rng bits", kRngBitGenerator, "u64[2]", RngBitGeneratorAttributes{}, "u64[2] u32[5]",
         "u64[2] u32[5]"},

        {"bitcast wider", kBitcastConvert, "u8[3,4]", {}, "u32[3]", "u32[3]"},
        {"bitcast narrower", kBitcastConvert, "f64[3]", {}, "u16[3,4]", "u16[3,4]"},
        {"bitcast bad", kBitcastConvert, "u8[3,3]", {}, "!a last dimension of 4", "u32[3]"},
        {"broadcast", kBroadcastInDim, "f32[3,1]", DimsAttributes{{1, 2}}, "f32[2,3,5]",
         "f32[2,3,5]"},
        {"broadcast size", kBroadcastInDim, "f32[3]", DimsAttributes{{0}}, "!1 or 2", "f32[2]"},
        {"broadcast twice", kBroadcastInDim, "f32[2,2]", DimsAttributes{{0, 0}}, "!occurs twice",
         "f32[2,2]"},
        {"concatenate", kConcatenate, "f32[2,3] f32[2,4]", DimAttributes{1}, "f32[2,7]"},
        {"concatenate other", kConcatenate, "f32[2,3] f32[1,3]", DimAttributes{1}, "!operand 1"},
        {"concatenate none", kConcatenate, "", DimAttributes{0}, "!at least 1"},
        {"slice", kSlice, "f32[10]", SliceAttributes{{1}, {9}, {3}}, "f32[3]"},
        {"slice past", kSlice, "f32[10]", SliceAttributes{{1}, {11}, {3}}, "!slice 1:11:3"},
        {"slice stride", kSlice, "f32[10]", SliceAttributes{{1}, {2}, {0}}, "!stride"},
        {"slice ranks", kSlice, "f32[10]", SliceAttributes{{1, 2}, {2}, {1}}, "!one a dimension"},
        {"dynamic_slice", kDynamicSlice, "f32[4,5] s32[] s32[]", DynamicSliceAttributes{{2, 5}},
         "f32[2,5]"},
        {"dynamic_slice size", kDynamicSlice, "f32[4] s32[]", DynamicSliceAttributes{{5}},
         "!0 to 4"},
        {"dynamic_slice indices", kDynamicSlice, "f32[4,5] s32[]", DynamicSliceAttributes{{2, 5}},
         "!expected 3"},
        {"dynamic_update_slice", kDynamicUpdateSlice, "f32[4] f32[2] s32[]", {}, "f32[4]"},
        {"dynamic_update_slice size", kDynamicUpdateSlice, "f32[4] f32[5] s32[]", {}, "!at most"},
        {"pad", kPad, "f32[3] f32[]", PadAttributes{{1}, {-2}, {2}}, "f32[6]"},
        {"pad negative", kPad, "f32[3] f32[]", PadAttributes{{-9}, {0}, {0}},
         "!makes a size of -6"},
        {"pad overflow", kPad, "f32[3] f32[]", PadAttributes{{kBig}, {kBig}, {kBig}}, "!too large"},
        {"reshape", kReshape, "f32[2,6]", {}, "f32[3,4]", "f32[3,4]"},
        {"reshape count", kReshape, "f32[2,6]", {}, "!same element type and count", "f32[5]"},
        {"transpose", kTranspose, "f32[2,3,4]", DimsAttributes{{2, 0, 1}}, "f32[4,2,3]"},
        {"transpose twice", kTranspose, "f32[2,3]", DimsAttributes{{0, 0}}, "!occurs twice"},
        {"reverse", kReverse, "f32[2,3]", DimsAttributes{{-1}}, "!out of range"},
        {"get_dimension_size", kGetDimensionSize, "f32[2]", DimAttributes{0}, "s32[]"},

        {"dot", kDotGeneral, "f32[8,2,3] f32[8,3,5]", dot({0}, {0}, {2}, {1}), "f32[8,2,5]"},
        {"dot sizes", kDotGeneral, "f32[2,3] f32[4,5]", dot({}, {}, {1}, {0}), "!has size 4"},
        {"dot dims", kDotGeneral, "f32[2,3] f32[3,5]", dot({1}, {0}, {1}, {0}), "!occurs twice"},
        {"dot counts", kDotGeneral, "f32[2,3] f32[3,5]", dot({}, {}, {1}, {}), "!expected 1 as of"},
        {"dot prefers the stated type", kDotGeneral, "bf16[2,3] bf16[3,5]", dot({}, {}, {1}, {0}),
         "f32[2,5]", "f32[2,5]"},
        {"conv", kConvolution, "f32[8,28,28,3] f32[3,3,3,16]", nhwc(2, 1), "f32[8,14,14,16]"},
        {"conv depthwise", kConvolution, "f32[1,9,9,4] f32[3,3,1,8]", nhwc(1, 0, 4),
         "f32[1,7,7,8]"},
        {"conv features", kConvolution, "f32[8,28,28,4] f32[3,3,3,16]", nhwc(2, 1), "!4 over 1"},
        {"conv stride", kConvolution, "f32[8,28,28,3] f32[3,3,3,16]", nhwc(0, 1), "!at least 1"},
        {"reduce", kReduce, "f32[2,3,4] f32[]", DimsAttributes{{0, 2}}, "f32[3]", "", "add:f32"},
        {"reduce init", kReduce, "f32[2] f32[2]", DimsAttributes{{0}}, "!a scalar", "", "add:f32"},
        {"reduce body", kReduce, "f32[2] f32[]", DimsAttributes{{0}},
         "!argument 0 of region 0 of reduce is", "", "lt:f32"},
        {"reduce bodyless", kReduce, "f32[2] f32[]", DimsAttributes{{0}}, "!has 0 regions"},
        {"reduce_window", kReduceWindow, "f32[2,8] f32[]", pool(), "f32[2,4]", "", "maximum:f32"},
        {"select_and_scatter", kSelectAndScatter, "f32[2,8] f32[2,4] f32[]", pool(), "f32[2,8]", "",
         "lt:f32 add:f32"},
        {"select_and_scatter source", kSelectAndScatter, "f32[2,8] f32[2,3] f32[]", pool(),
         "!tensor<2x4xf32>", "", "lt:f32 add:f32"},
        {"sort", kSort, "f32[3,4]", SortAttributes{1, true}, "f32[3,4]", "", "lt:f32"},
        {"sort dim", kSort, "f32[3,4]", SortAttributes{2, true}, "!0 to 1", "", "lt:f32"},
        {"top_k", kTopK, "f32[3,9]", TopKAttributes{2, true}, "f32[3,2] s32[3,2]"},
        {"top_k k", kTopK, "f32[3,9]", TopKAttributes{10, true}, "!0 to 9"},
        {"rfft", kFft, "f32[2,8]", FftAttributes{FftType::kRfft, {8}}, "c64[2,5]"},
        {"irfft", kFft, "c64[2,5]", FftAttributes{FftType::kIrfft, {8}}, "f32[2,8]"},
        {"fft of floats", kFft, "f32[8]", FftAttributes{FftType::kFft, {8}}, "!complex elements"},
        {"cholesky", kCholesky, "f32[2,3,4]", CholeskyAttributes{}, "!square matrices"},
        {"triangular_solve", kTriangularSolve, "f32[3,3] f32[3,7]", TriangularSolveAttributes{},
         "f32[3,7]"},
        {"triangular_solve right", kTriangularSolve, "f32[3,3] f32[3,7]",
         TriangularSolveAttributes{false}, "!3 columns"},
        {"batch_norm", kBatchNormTraining, "f32[4,5] f32[5] f32[5]", BatchNormAttributes{0, 1},
         "f32[4,5] f32[5] f32[5]"},
        {"batch_norm features", kBatchNormTraining, "f32[4,5] f32[4] f32[5]",
         BatchNormAttributes{0, 1}, "!5 floats"},

        {"gather", kGather, "f32[100,8] s32[4,6,1]", rows(), "f32[4,6,8]"},
        {"gather index", kGather, "f32[100,8] s32[4,6,2]", rows(), "!have 2 entries"},
        {"gather rank", kGather, "f32[100,8,3] s32[4,6,1]", rows(), "!slice_sizes"},
        {"gather float", kGather, "f32[100,8] f32[4,6,1]", rows(), "!integer elements"},
        {"scatter", kScatter, "f32[100,8] s32[5,1] f32[5,8]", add_rows(), "f32[100,8]", "",
         "add:f32"},
        {"scatter window", kScatter, "f32[100,8] s32[5,1] f32[5,9]", add_rows(), "!at most 8", "",
         "add:f32"},
        {"scatter count", kScatter, "f32[100,8] s32[5,1] f32[6,8]", add_rows(), "!expected 5", "",
         "add:f32"},

        {"all_gather", kAllGather, "f32[2,3]", groups_of(1, {{0, 1}, {2, 3}}), "f32[2,6]"},
        {"all_to_all", kAllToAll, "f32[4,3]", groups_of(0, {{0, 1}}, 1), "f32[2,6]"},
        {"all_to_all split", kAllToAll, "f32[3,3]", groups_of(0, {{0, 1}}, 1), "!a divisor"},
        {"reduce_scatter", kReduceScatter, "f32[4]", groups_of(0, {{0, 1}}), "f32[2]", "",
         "add:f32"},
        {"uneven groups", kAllGather, "f32[4]", groups_of(0, {{0, 1}, {2}}), "!groups of one size"},
        {"permute", kCollectivePermute, "f32[4]", groups_of(-1, {{0, 1}, {1, 1}}),
         "!receives twice"},
        {"axis of no mesh", kAxisIndex, "", axis_without_mesh(), "!mesh that does not exist"},

        {"quantized", kUniformQuantize, "f32[2]", {}, "!not supported: quantized types"},
        {"dynamic", kDynamicReshape, "f32[2] s32[1]", {}, "!not supported: dynamic shapes"},
        {"barrier", kOptimizationBarrier, "f32[2] s32[]", {}, "f32[2] s32[]"},
        {"after_all", kAfterAll, "token token", {}, "token[]"},
        {"after_all tensor", kAfterAll, "f32[]", {}, "!a token"},
        {"case bare", kCase, "s32[]", {}, "!case has no branches"},
        {"while bare", kWhile, "s32[]", {}, "!while has 0 regions"},
    };
    return all;
}

}  // namespace

class InferenceTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void types_follow_the_rules_data() {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < cases().size(); ++i)
            QTest::newRow(cases()[i].name) << static_cast<int>(i);
    }
    void types_follow_the_rules() {
        QFETCH(int, index);
        const InferenceCase& c = cases()[static_cast<std::size_t>(index)];
        const QString actual = QString::fromStdString(test::infer(c));
        const QString expected = c.expected;
        if (expected.startsWith('!'))
            QVERIFY2(actual.startsWith('!') && actual.contains(expected.mid(1)),
                     qPrintable(actual));
        else
            QCOMPARE(actual, expected);
    }
    void no_kind_crashes_on_operands_it_does_not_want() {
        const char* const operands[] = {
            "",           "f32[]",     "token",        "f32[0,3] s32[]",
            "f32[2] f32", "pred[2,2]", "c64[1] u4[1]", "s32[] s32[] s32[]"};
        int refused = 0;
        for (std::size_t k = 0; k < op_kind_count(); ++k)
            for (const char* text : operands) {
                const InferenceCase c{"", static_cast<OpKind>(k), text, {}, ""};
                refused += test::infer(c).starts_with("!") ? 1 : 0;
            }
        QVERIFY(refused > 500);
    }
};
SHARDWRIGHT_TEST(InferenceTest, "inference")
#include "inference.moc"
