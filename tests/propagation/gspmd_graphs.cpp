// Policy gspmd over more than one operation: indices, loops, constraints, frozen values.
#include "graph.h"
#include "sharding/geometry.h"

using namespace shardwright;
using ir::ElementType;
using ir::OpKind;
using ir::ValueId;
using test::Graph;
using test::matmul;

namespace {

ir::GatherAttributes rows() {
    ir::GatherAttributes a;
    a.offset_dims = {1}, a.collapsed_slice_dims = {0}, a.start_index_map = {0};
    a.index_vector_dim = 1, a.slice_sizes = {1, 16};
    return a;
}

}  // namespace

class GspmdGraphs : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void gather_hears_indices_and_columns() {
        Graph g("x=2,y=2,z=2", {{100, 16}});
        const ValueId ids = g.b.iota({ElementType::kS32, {8, 1}}, 0);
        const ValueId out = g.b.add(OpKind::kGather, {g.arg(0), ids}, rows());
        g.ret({out});
        g.annotate(g.arg(0), "[z,y]");
        g.annotate(ids, "[x,-]");
        g.complete();
        QCOMPARE(g.text(out), "[x, y]");  // the looked-up dim's axis stays behind
    }
    void gather_backward() {
        Graph g("x=2,y=2", {{100, 16}});
        const ValueId ids = g.b.iota({ElementType::kS32, {8, 1}}, 0);
        const ValueId out = g.b.add(OpKind::kGather, {g.arg(0), ids}, rows());
        g.ret({out});
        g.annotate(out, "[x,y]");
        g.complete();
        QCOMPARE(g.text(ids), "[x, -]");
        QCOMPARE(g.text(g.arg(0)), "[-, y]");
    }
    void scatter_keeps_its_operand_and_matches_updates() {
        Graph g("x=2,y=2", {{100, 16}, {8, 16}});
        const ValueId ids = g.b.iota({ElementType::kS32, {8, 1}}, 0);
        ir::ScatterAttributes a;
        a.update_window_dims = {1}, a.inserted_window_dims = {0};
        a.scatter_dims_to_operand_dims = {0}, a.index_vector_dim = 1;
        const ir::RegionId sum = g.b.combiner_region(OpKind::kAdd, ElementType::kF32);
        const ValueId operands[] = {g.arg(0), ids, g.arg(1)};
        const ValueId out = g.m.result(g.b.add_op(OpKind::kScatter, operands, a, {}, {&sum, 1}));
        g.ret({out});
        g.annotate(g.arg(0), "[x,y]");
        g.annotate(g.arg(1), "[x,-]");
        g.complete();
        QCOMPARE(g.text(out), "[x, y]");
        QCOMPARE(g.text(ids), "[x, -]");  // the updates' scattered dim
    }
    void while_carries_shardings_both_ways() {
        Graph g("x=2,y=2", {{8, 4}, {8, 4}});
        const ir::TensorType carried[] = {
            {ElementType::kS32, {}}, {ElementType::kF32, {8, 4}}, {ElementType::kF32, {8, 4}}};
        const ir::RegionId condition = g.b.make_region(carried), body = g.b.make_region(carried);
        g.b.set_region(condition);
        const ValueId go = g.b.compare(g.m.argument(condition, 0), g.b.scalar(ElementType::kS32, 3),
                                       ir::Direction::kLt);
        g.b.ret({&go, 1});
        g.b.set_region(body);
        const ValueId next =
            g.b.add(OpKind::kAdd, {g.m.argument(body, 0), g.b.scalar(ElementType::kS32, 1)});
        const ValueId invariant = g.m.argument(body, 2);
        const ValueId sum = g.b.add(OpKind::kAdd, {g.m.argument(body, 1), invariant});
        const ValueId returned[] = {next, sum, invariant};
        g.b.ret(returned);
        g.b.set_region(g.body);
        const ValueId init[] = {g.b.scalar(ElementType::kS32, 0), g.arg(0), g.arg(1)};
        const ir::RegionId regions[] = {condition, body};
        const ir::OpId loop = g.b.add_op(OpKind::kWhile, init, {}, {}, regions);
        g.ret({g.m.result(loop, 1)});
        g.annotate(g.arg(0), "[x,-]");
        g.complete();
        QCOMPARE(g.text(g.m.result(loop, 1)), "[x, -]");
        QCOMPARE(g.text(g.m.argument(body, 1)), "[x, -]");
        QCOMPARE(g.text(sum), "[x, -]");
        QCOMPARE(g.text(g.arg(1)), "[x, -]");  // the loop's invariant, from its use inside
        QCOMPARE(g.text(g.m.result(loop, 2)), "[x, -]");
    }
    void constraint_overrides_what_surrounds_it() {
        Graph g("x=2,y=2", {{8, 4}});
        const ValueId a = g.b.add(OpKind::kNegate, {g.arg(0)});
        const ValueId fixed = g.constrain(a, "[-,y]");
        const ValueId out = g.b.add(OpKind::kNegate, {fixed});
        g.ret({out});
        g.annotate(g.arg(0), "[x,-]");
        g.complete();
        QCOMPARE(g.text(fixed), "[-, y]");
        QCOMPARE(g.text(a), "[-, y]");
        QCOMPARE(g.text(out), "[-, y]");
        QCOMPARE(g.text(g.arg(0)), "[x, -]");
    }
    void unspecified_dims_are_refined() {
        Graph g("x=2,y=2", {{8, 4}});
        const ValueId a = g.b.add(OpKind::kNegate, {g.arg(0)});
        const ValueId partly = g.constrain(a, "[-,y]", {0});
        g.ret({partly});
        g.annotate(g.arg(0), "[x,-]");
        g.complete();
        QVERIFY(sharding::same_placement(g.result.of(partly), g.parse(partly, "[x,y]")));
        QCOMPARE(g.text(a), "[x, y]");
    }
    void open_dims_of_an_annotation_are_refined_closed_ones_never() {
        Graph g("x=2,y=2", {{8, 4}, {8, 4}});
        const ValueId sum = g.b.add(OpKind::kAdd, {g.arg(0), g.arg(1)});
        g.ret({sum});
        g.annotate(g.arg(0), "[x,y]");
        g.annotate(g.arg(1), "[?,-]");
        g.complete();
        QVERIFY(sharding::same_placement(g.result.of(g.arg(1)), g.parse(sum, "[x,-]")));
    }
    void arguments_stay_whole_when_they_may_not_change() {
        Graph g("x=2", {{8, 4}, {8, 4}});
        const ValueId sum = g.b.add(OpKind::kAdd, {g.arg(0), g.arg(1)});
        g.ret({sum});
        g.annotate(g.arg(0), "[x,-]");
        propagation::Options options;
        options.allow_inputs = false;
        g.complete(options);
        QCOMPARE(g.text(g.arg(1)), "[-, -]");
        QCOMPARE(g.text(sum), "[x, -]");
    }
    void uneven_axes_chosen_for_an_argument_are_dropped() {
        Graph g("x=4", {{6, 4}, {6, 4}});
        const ValueId sum = g.b.add(OpKind::kAdd, {g.arg(0), g.arg(1)});
        const ValueId out = g.b.add(OpKind::kNegate, {sum});
        g.ret({out});
        g.annotate(g.arg(0), "[x,-]");  // the user may
        g.complete();
        QCOMPARE(g.text(g.arg(0)), "[x, -]");
        QCOMPARE(g.text(sum), "[x, -]");
        QCOMPARE(g.text(g.arg(1)), "[-, -]");
        QCOMPARE(g.text(out), "[x, -]");
        const sharding::Sharding& handed_out = g.result.pool[g.result.of_result[0][0]];
        QVERIFY(handed_out.is_replicated());
    }
    void groups_end_equal() {
        Graph g("x=2", {{8, 4}, {8, 4}});
        const ValueId a = g.b.add(OpKind::kNegate, {g.arg(0)});
        const ValueId c = g.b.add(OpKind::kNegate, {g.arg(1)});
        for (const ValueId v : {a, c}) {
            const ValueId one[] = {v};
            g.m.add_op(g.body, OpKind::kShardingGroup, one, {}, ir::GroupAttributes{7});
        }
        g.ret({a, c});
        g.annotate(g.arg(0), "[x,-]");
        g.complete();
        QCOMPARE(g.text(c), "[x, -]");
        QCOMPARE(g.text(g.arg(1)), "[x, -]");
    }
    void fully_sharded_weights_are_gathered_not_the_batch() {
        // FSDP: the weights' axis is the batch's; activations keep the batch sharded.
        Graph g("x=4", {{16, 8}, {8, 32}, {32, 8}});
        const ValueId h = g.b.dot(g.arg(0), g.arg(1), matmul(), ElementType::kF32);
        const ValueId out = g.b.dot(h, g.arg(2), matmul(), ElementType::kF32);
        g.ret({out});
        g.annotate(g.arg(0), "[x,-]");
        g.annotate(g.arg(1), "[x,-]");
        g.annotate(g.arg(2), "[x,-]");
        g.complete();
        QCOMPARE(g.text(h), "[x, -]");
        QCOMPARE(g.text(out), "[x, -]");
    }
    void megatron_from_the_first_weight() {
        Graph g("x=4", {{16, 8}, {8, 32}, {32, 8}});
        const ValueId h = g.b.dot(g.arg(0), g.arg(1), matmul(), ElementType::kF32);
        const ValueId act = g.b.add(OpKind::kTanh, {h});
        const ValueId out = g.b.dot(act, g.arg(2), matmul(), ElementType::kF32);
        g.ret({out});
        g.annotate(g.arg(1), "[-,x]");
        g.complete();
        QCOMPARE(g.text(act), "[-, x]");
        QCOMPARE(g.text(g.arg(2)), "[x, -]");
        QCOMPARE(g.text(out), "[-, -]");
    }
};
SHARDWRIGHT_TEST(GspmdGraphs, "gspmd_graphs")
#include "gspmd_graphs.moc"
