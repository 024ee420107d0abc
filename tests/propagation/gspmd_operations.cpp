// Policy gspmd, one operation at a time: forward and backward.
#include "graph.h"

using namespace shardwright;
using ir::ElementType;
using ir::OpKind;
using ir::ValueId;
using test::Graph;
using test::matmul;

class GspmdOperations : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void einsum_merges_partial_shardings() {
        // BD,DF->BF with [x,-] and [-,y] gives [x,y] (arXiv 2105.04663, figure 3).
        Graph g("x=2,y=2", {{8, 4}, {4, 6}});
        const ValueId out = g.b.dot(g.arg(0), g.arg(1), matmul(), ElementType::kF32);
        g.ret({out});
        g.annotate(g.arg(0), "[x,-]");
        g.annotate(g.arg(1), "[-,y]");
        g.complete();
        QCOMPARE(g.text(out), "[x, y]");
        QCOMPARE(g.text(g.arg(0)), "[x, -]");
    }
    void elementwise_forward_and_backward() {
        Graph g("x=2", {{8, 4}, {8, 4}});
        const ValueId sum = g.b.add(OpKind::kAdd, {g.arg(0), g.arg(1)});
        const ValueId out = g.b.add(OpKind::kNegate, {sum});
        g.ret({out});
        g.annotate(g.arg(0), "[x,-]");
        g.complete();
        QCOMPARE(g.text(out), "[x, -]");
        QCOMPARE(g.text(g.arg(1)), "[x, -]");
        QCOMPARE(int(g.result.placements.size()), 4);  // given, sum, out, the other argument
        QVERIFY(g.result.placements[0].source == propagation::Source::kUser);
        QVERIFY(g.result.placements[1].value == sum && g.result.placements[1].from == g.arg(0));
    }
    void partial_shardings_merge_through_elementwise() {
        Graph g("x=2,y=2", {{8, 4}, {8, 4}});
        const ValueId sum = g.b.add(OpKind::kAdd, {g.arg(0), g.arg(1)});
        g.ret({sum});
        g.annotate(g.arg(0), "[x,-]");
        g.annotate(g.arg(1), "[-,y]");
        g.complete();
        QCOMPARE(g.text(sum), "[x, y]");
        QCOMPARE(g.text(g.arg(0)), "[x, -]");
        QCOMPARE(g.text(g.arg(1)), "[-, y]");
    }
    void more_tiles_win_among_operands() {
        Graph g("x=2,y=4", {{8, 4}, {8, 4}});
        const ValueId sum = g.b.add(OpKind::kAdd, {g.arg(0), g.arg(1)});
        g.ret({sum});
        g.annotate(g.arg(0), "[x,-]");
        g.annotate(g.arg(1), "[y,-]");
        g.complete();
        QCOMPARE(g.text(sum), "[y, -]");
        QCOMPARE(int(g.result.conflicts.size()), 1);
        QVERIFY(g.result.conflicts[0].loser == g.arg(0));
    }
    void broadcast_forward_and_backward() {
        Graph g("x=2,y=2", {{4}, {8, 4}});
        const std::int64_t dims[] = {1};
        const ValueId wide = g.b.broadcast(g.arg(0), {ElementType::kF32, {8, 4}}, dims);
        const ValueId sum = g.b.add(OpKind::kAdd, {wide, g.arg(1)});
        g.ret({sum});
        g.annotate(g.arg(1), "[x,y]");
        g.complete();
        QCOMPARE(g.text(wide), "[x, y]");
        QCOMPARE(g.text(g.arg(0)), "[y]");  // a weight seen through a broadcast
    }
    void a_vector_speaks_through_a_minor_dim() {
        // Of a lower rank than what it is broadcast to, and of what it is read from.
        Graph g("x=2", {{4}, {2, 3, 8, 4}});
        const std::int64_t dims[] = {3};
        const ValueId wide = g.b.broadcast(g.arg(0), {ElementType::kF32, {2, 3, 8, 4}}, dims);
        const ValueId sum = g.b.add(OpKind::kAdd, {wide, g.arg(1)});
        const std::int64_t reduced[] = {0, 1, 2};
        const ValueId zero = g.b.scalar(ElementType::kF32, 0);
        const ValueId total = g.b.reduce(sum, zero, reduced, OpKind::kAdd);
        g.ret({total});
        g.annotate(g.arg(0), "[x]");
        g.complete();
        QCOMPARE(g.text(sum), "[-, -, -, x]");
        QCOMPARE(g.text(g.arg(1)), "[-, -, -, x]");
        QCOMPARE(g.text(total), "[x]");
    }
    void axes_of_size_one_keep_nothing_out() {
        Graph g("one=1,x=2", {{8, 4}, {8, 4}});
        const ValueId sum = g.b.add(OpKind::kAdd, {g.arg(0), g.arg(1)});
        g.ret({sum});
        g.annotate(g.arg(0), "[one,-]");
        g.annotate(g.arg(1), "[x,-]");
        g.complete();
        QCOMPARE(g.text(sum), "[x, -]");
        QVERIFY(g.result.conflicts.empty());
    }
    void broadcast_is_heard_last() {
        // The bias alone would spread its axis, but x says otherwise and is heard first.
        Graph g("x=2", {{4}, {8, 4}});
        const std::int64_t dims[] = {1};
        const ValueId wide = g.b.broadcast(g.arg(0), {ElementType::kF32, {8, 4}}, dims);
        const ValueId sum = g.b.add(OpKind::kAdd, {wide, g.arg(1)});
        g.ret({sum});
        g.annotate(g.arg(0), "[x]");
        g.annotate(g.arg(1), "[x,-]");
        g.complete();
        QCOMPARE(g.text(sum), "[x, -]");
        QCOMPARE(g.text(g.arg(0)), "[x]");
    }
    void reshape_splits_and_merges() {
        Graph g("x=2,y=3", {{4, 6}});
        const std::int64_t flat[] = {24}, back[] = {2, 12};
        const ValueId merged = g.b.reshape(g.arg(0), flat);
        const ValueId split = g.b.reshape(merged, back);
        g.ret({split});
        g.annotate(g.arg(0), "[x,-]");
        g.complete();
        QCOMPARE(g.text(merged), "[x]");
        QCOMPARE(g.text(split), "[x, -]");
    }
    void reshape_drops_a_minor_dim_whose_major_is_whole() {
        Graph g("x=2,y=3", {{4, 6}});
        const std::int64_t flat[] = {24};
        const ValueId merged = g.b.reshape(g.arg(0), flat);
        g.ret({merged});
        g.annotate(g.arg(0), "[-,y]");
        g.complete();
        QCOMPARE(g.text(merged), "[-]");
    }
    void reshape_splits_an_axis_over_two_dims() {
        Graph g("x=8", {{16}});
        const std::int64_t to[] = {4, 4};
        const ValueId split = g.b.reshape(g.arg(0), to);
        g.ret({split});
        g.annotate(g.arg(0), "[x]");
        g.complete();
        QCOMPARE(g.text(split), "[x:(1)4, x:(4)2]");
    }
    void transpose_permutes() {
        Graph g("x=2,y=2", {{2, 4, 6}});
        const std::int64_t order[] = {2, 0, 1};
        const ValueId turned = g.b.transpose(g.arg(0), order);
        g.ret({turned});
        g.annotate(turned, "[y,-,x]");
        g.complete();
        QCOMPARE(g.text(g.arg(0)), "[-, x, y]");
    }
    void contracting_dims_match() {
        // Backward, an operand of a dot hears the other one along the contracted dim.
        Graph g("x=2", {{8, 4}, {4, 6}});
        const ValueId out = g.b.dot(g.arg(0), g.arg(1), matmul(), ElementType::kF32);
        g.ret({out});
        g.annotate(g.arg(1), "[x,-]");
        g.complete();
        QCOMPARE(g.text(g.arg(0)), "[-, x]");
        QCOMPARE(g.text(out), "[-, -]");
    }
    void dot_prefers_what_its_user_has() {
        // Both operands want x on another dim of the result; the user decides.
        Graph g("x=2", {{8, 64}, {64, 16}, {8, 16}});
        const ValueId out = g.b.dot(g.arg(0), g.arg(1), matmul(), ElementType::kF32);
        const ValueId later = g.b.add(OpKind::kNegate, {out});
        const ValueId sum = g.constrain(later, "[x,-]");
        g.ret({sum});
        g.annotate(g.arg(0), "[x,-]");
        g.annotate(g.arg(1), "[-,x]");  // the larger operand
        g.complete();
        QCOMPARE(g.text(out), "[x, -]");
    }
    void dot_prefers_the_larger_operand() {
        Graph g("x=2", {{8, 64}, {64, 16}});
        const ValueId out = g.b.dot(g.arg(0), g.arg(1), matmul(), ElementType::kF32);
        g.ret({out});
        g.annotate(g.arg(0), "[x,-]");
        g.annotate(g.arg(1), "[-,x]");
        g.complete();
        QCOMPARE(g.text(out), "[-, x]");
        QCOMPARE(int(g.result.conflicts.size()), 1);
        QVERIFY(g.result.conflicts[0].loser == g.arg(0));
    }
    void reduce_drops_the_reduced_dim() {
        Graph g("x=2,y=2", {{8, 4}});
        const std::int64_t dims[] = {1};
        const ValueId sum =
            g.b.reduce(g.arg(0), g.b.scalar(ElementType::kF32, 0), dims, OpKind::kAdd);
        g.ret({sum});
        g.annotate(g.arg(0), "[x,y]");
        g.complete();
        QCOMPARE(g.text(sum), "[x]");
    }
    void reduce_backward() {
        Graph g("x=2,y=2", {{8, 4}});
        const ValueId same = g.b.add(OpKind::kNegate, {g.arg(0)});
        const std::int64_t dims[] = {1};
        const ValueId sum = g.b.reduce(same, g.b.scalar(ElementType::kF32, 0), dims, OpKind::kAdd);
        g.ret({sum});
        g.annotate(sum, "[x]");
        g.complete();
        QCOMPARE(g.text(same), "[x, -]");
        QCOMPARE(g.text(g.arg(0)), "[x, -]");
    }
    void concatenate_and_slice() {
        Graph g("x=2,y=2", {{8, 4}, {8, 2}});
        const ValueId both[] = {g.arg(0), g.arg(1)};
        const ValueId joined = g.b.concatenate(both, 1);
        const ValueId cut = g.b.slice(joined, {{0, 1}, {8, 5}, {1, 1}});
        g.ret({cut});
        g.annotate(g.arg(0), "[x,-]");
        g.complete();
        QCOMPARE(g.text(joined), "[x, -]");
        QCOMPARE(g.text(g.arg(1)), "[x, -]");
        QCOMPARE(g.text(cut), "[x, -]");
    }
};
SHARDWRIGHT_TEST(GspmdOperations, "gspmd_operations")
#include "gspmd_operations.moc"
