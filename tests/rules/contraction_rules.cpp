// Rules of dot_general, convolution and reduce.
#include "one_op.h"
#include "registry.h"

using namespace shardwright;
using ir::OpKind;
using test::OneOp;

namespace {

/// NHWC x HWIO -> NHWC with the given window.
ir::ConvolutionAttributes nhwc() {
    ir::ConvolutionAttributes a;
    a.lhs_batch = 0, a.lhs_feature = 3, a.lhs_spatial = {1, 2};
    a.rhs_spatial = {0, 1}, a.rhs_input_feature = 2, a.rhs_output_feature = 3;
    a.result_batch = 0, a.result_feature = 3, a.result_spatial = {1, 2};
    a.strides = {1, 1}, a.pad_low = {0, 0}, a.pad_high = {0, 0};
    a.lhs_dilation = {1, 1}, a.rhs_dilation = {1, 1};
    return a;
}

}  // namespace

class ContractionRules : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void dot_batch_free_and_contracting() {
        OneOp one({{2, 5, 3}, {3, 2, 7}});
        ir::DotAttributes a;
        a.lhs_batch = {0}, a.rhs_batch = {1}, a.lhs_contracting = {2}, a.rhs_contracting = {0};
        const rules::Rule r =
            rules::make_rule(one.module(), one.add(OpKind::kDotGeneral, {{2, 5, 7}}, a));
        QCOMPARE(rules::einsum_text(r), "([i,j,l],[l,i,k]) -> [i,j,k]  reduce l");
        QVERIFY(r.preference == rules::Preference::kContraction);
        QCOMPARE(int(r.factors[3].gspmd), int(rules::kBackward));
    }
    void dot_of_vectors_has_a_scalar_result() {
        OneOp one({{5}, {5}});
        ir::DotAttributes a;
        a.lhs_contracting = {0}, a.rhs_contracting = {0};
        QCOMPARE(one.text(OpKind::kDotGeneral, {{}}, a), "([i],[i]) -> []  reduce i");
    }
    void convolution_slides_over_spatial_dims() {
        OneOp one({{8, 32, 32, 4}, {3, 3, 4, 16}});
        ir::ConvolutionAttributes a = nhwc();
        a.pad_low = {1, 1}, a.pad_high = {1, 1};
        const rules::Rule r =
            rules::make_rule(one.module(), one.add(OpKind::kConvolution, {{8, 32, 32, 16}}, a));
        QCOMPARE(rules::einsum_text(r),
                 "([i,l,n,j],[m,o,j,k]) -> [i,l,n,k]  reduce j  shift l,n  replicate m,o");
        QCOMPARE(int(r.factors[3].gspmd), int(rules::kForward));  // small kernel: spatial travels
    }
    void large_kernels_keep_spatial_shardings_out() {
        OneOp one({{8, 32, 32, 4}, {30, 30, 4, 16}});
        const rules::Rule r =
            rules::make_rule(one.module(), one.add(OpKind::kConvolution, {{8, 3, 3, 16}}, nhwc()));
        QCOMPARE(int(r.factors[0].gspmd), int(rules::kForward));
        QCOMPARE(int(r.factors[3].gspmd), int(rules::kBlocked));
    }
    void pointwise_convolution_is_a_dot() {
        OneOp one({{8, 32, 32, 4}, {1, 1, 4, 16}});
        const rules::Rule r = rules::make_rule(
            one.module(), one.add(OpKind::kConvolution, {{8, 32, 32, 16}}, nhwc()));
        QCOMPARE(rules::einsum_text(r), "([i,l,m,j],[.,.,j,k]) -> [i,l,m,k]  reduce j");
        QCOMPARE(int(r.factors[0].gspmd), int(rules::kBoth));
    }
    void convolution_over_the_whole_image_contracts_it() {
        OneOp one({{8, 7, 7, 4}, {7, 7, 4, 16}});
        QCOMPARE(one.text(OpKind::kConvolution, {{8, 1, 1, 16}}, nhwc()),
                 "([i,l,m,j],[l,m,j,k]) -> [i,.,.,k]  reduce j,l,m");
    }
    void grouped_convolution_splits_features() {
        OneOp one({{8, 5, 5, 12}, {1, 1, 4, 6}});
        ir::ConvolutionAttributes a = nhwc();
        a.feature_groups = 3;
        QCOMPARE(one.text(OpKind::kConvolution, {{8, 5, 5, 6}}, a),
                 "([j,m,n,(ik)],[.,.,k,(il)]) -> [j,m,n,(il)]  reduce k");
    }
    void depthwise_convolution_passes_its_channels() {
        OneOp one({{8, 5, 5, 12}, {1, 1, 1, 12}});
        ir::ConvolutionAttributes a = nhwc();
        a.feature_groups = 12;
        QCOMPARE(one.text(OpKind::kConvolution, {{8, 5, 5, 12}}, a),
                 "([j,k,l,i],[.,.,.,i]) -> [j,k,l,i]");
    }
    void batch_groups_go_to_the_features() {
        OneOp one({{8, 5, 5, 3}, {1, 1, 3, 6}});
        ir::ConvolutionAttributes a = nhwc();
        a.batch_groups = 2;
        QCOMPARE(one.text(OpKind::kConvolution, {{4, 5, 5, 6}}, a),
                 "([(ij),m,n,k],[.,.,k,(il)]) -> [j,m,n,(il)]  reduce k");
    }
    void reduce_names_its_combiner() {
        OneOp one({{2, 3, 4}, {}});
        const ir::RegionId max = one.combiner(OpKind::kMaximum);
        QCOMPARE(one.text(OpKind::kReduce, {{3}}, ir::DimsAttributes{{0, 2}}, {max}),
                 "([i,j,k],[]) -> [j]  reduce(max) i,k");
        const ir::RegionId sum = one.combiner(OpKind::kAdd);
        QCOMPARE(one.text(OpKind::kReduce, {{2, 3}}, ir::DimsAttributes{{2}}, {sum}),
                 "([i,j,k],[]) -> [i,j]  reduce k");
    }
    void variadic_reduce_ties_all_inputs() {
        OneOp one({{2, 3}, {2, 3}, {}, {}});
        const ir::RegionId any = one.combiner(OpKind::kAdd);
        QCOMPARE(one.text(OpKind::kReduce, {{2}, {2}}, ir::DimsAttributes{{1}}, {any}),
                 "([i,j],[i,j],[],[]) -> ([i],[i])  reduce(other) j");
    }
};
SHARDWRIGHT_TEST(ContractionRules, "contraction_rules")
#include "contraction_rules.moc"
