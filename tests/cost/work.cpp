// FLOPs and traffic of operations.
#include "cost/model/work.h"

#include "ir/builder.h"
#include "registry.h"

using namespace shardwright;
using namespace shardwright::ir;

namespace {

const TensorType kF32Vector{ElementType::kF32, {1024}};

}  // namespace

class WorkTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void a_dot_has_two_flops_a_multiply_add() {
        Module m;
        Builder b(m);
        const TensorType types[] = {{ElementType::kBF16, {8, 64, 32}},
                                    {ElementType::kBF16, {8, 32, 16}}};
        const RegionId body = b.begin_function("main", types);
        const ValueId d = b.dot(m.argument(body, 0), m.argument(body, 1),
                                DotAttributes{{0}, {0}, {2}, {1}}, ElementType::kBF16);
        b.ret({&d, 1});
        const cost::Work w = cost::work(m, m.value(d).def);
        QCOMPARE(w.matrix_flops, 2.0 * 8 * 64 * 32 * 16);
        QCOMPARE(w.bytes, 2.0 * (8 * 64 * 32 + 8 * 32 * 16 + 8 * 64 * 16));
    }
    void a_convolution_counts_its_kernel() {
        Module m;
        Builder b(m);
        const TensorType types[] = {{ElementType::kF32, {4, 16, 16, 8}},
                                    {ElementType::kF32, {3, 3, 4, 32}}};
        const RegionId body = b.begin_function("main", types);
        ConvolutionAttributes a;
        a.lhs_batch = 0, a.lhs_feature = 3, a.lhs_spatial = {1, 2};
        a.rhs_input_feature = 2, a.rhs_output_feature = 3, a.rhs_spatial = {0, 1};
        a.result_batch = 0, a.result_feature = 3, a.result_spatial = {1, 2};
        a.strides = {1, 1}, a.pad_low = {1, 1}, a.pad_high = {1, 1};
        a.lhs_dilation = {1, 1}, a.rhs_dilation = {1, 1}, a.window_reversal = {false, false};
        a.feature_groups = 2;  // each output sees 4 of the 8 features
        const ValueId r = b.add(OpKind::kConvolution, {m.argument(body, 0), m.argument(body, 1)}, a,
                                {ElementType::kF32, {4, 16, 16, 32}});
        b.ret({&r, 1});
        QCOMPARE(cost::work(m, m.value(r).def).matrix_flops, 2.0 * 4 * 16 * 16 * 32 * 3 * 3 * 4);
    }
    void a_loop_counts_its_body_as_often_as_it_runs() {
        Module m;
        Builder b(m);
        const RegionId body = b.begin_function("main", {&kF32Vector, 1});
        const ValueId start = b.scalar(ElementType::kS32, 0);
        const TensorType carried[] = {{ElementType::kS32, {}}, kF32Vector};
        const RegionId condition = b.make_region(carried), step = b.make_region(carried);
        b.set_region(condition);
        const ValueId less =
            b.compare(m.argument(condition, 0), b.scalar(ElementType::kS32, 5), Direction::kLt);
        b.ret({&less, 1});
        b.set_region(step);
        const ValueId next[] = {
            b.add(OpKind::kAdd, {m.argument(step, 0), b.scalar(ElementType::kS32, 1)}),
            b.add(OpKind::kTanh, {m.argument(step, 1)})};
        b.ret(next);
        b.set_region(body);
        const ValueId init[] = {start, m.argument(body, 0)};
        const RegionId regions[] = {condition, step};
        const OpId loop = b.add_op(OpKind::kWhile, init, {}, {}, regions);
        const ValueId result = m.result(loop, 1);
        b.ret({&result, 1});
        // A comparison, an addition and 1024 tanh, five times.
        QCOMPARE(cost::work(m, loop).flops(), 5.0 * (1024 + 2));
        QCOMPARE(cost::model_flops(m).all, 5.0 * (1024 + 2));
    }
    void updates_move_only_what_they_write() {
        Module m;
        Builder b(m);
        const TensorType types[] = {{ElementType::kF32, {1000, 1000}},
                                    {ElementType::kF32, {1, 1000}}};
        const RegionId body = b.begin_function("main", types);
        const ValueId zero = b.scalar(ElementType::kS32, 0);
        const ValueId u = b.add(OpKind::kDynamicUpdateSlice,
                                {m.argument(body, 0), m.argument(body, 1), zero, zero});
        b.ret({&u, 1});
        QCOMPARE(cost::work(m, m.value(u).def).bytes, 2.0 * 4000);
    }
    void rematerialised_work_is_told_apart() {
        Module m;
        Builder b(m);
        const TensorType square{ElementType::kF32, {8, 8}};
        const RegionId body = b.begin_function("main", {&square, 1});
        const ValueId x = m.argument(body, 0);
        b.set_scope("jit(step)/layer/dot");
        const ValueId y = b.dot(x, x, DotAttributes{{}, {}, {1}, {0}}, ElementType::kF32);
        b.set_scope("jit(step)/checkpoint/rematted_computation/layer/dot");
        const ValueId z = b.dot(y, x, DotAttributes{{}, {}, {1}, {0}}, ElementType::kF32);
        b.ret({&z, 1});
        QCOMPARE(cost::model_flops(m).matrix, 2.0 * 1024);
        QCOMPARE(cost::model_flops(m).rematerialised, 1024.0);
    }
};
SHARDWRIGHT_TEST(WorkTest, "work")
#include "work.moc"
