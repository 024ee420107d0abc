// Time of policy gspmd on a deep transformer: a guard against quadratic behaviour; the figures are
// printed (tests/bench measures).
#include <ctime>

#include "graph.h"

using namespace shardwright;
using ir::ElementType;
using ir::OpKind;
using ir::ValueId;
using test::Graph;
using test::matmul;

namespace {

/// About 25 operations a layer: two projections with heads split and merged, a norm, an MLP.
void build_layers(Graph& g, int layers) {
    ir::Builder& b = g.b;
    const std::int64_t split[] = {8, 128, 16, 64}, merged[] = {8, 128, 1024};
    const std::int64_t swap[] = {0, 2, 1, 3};
    const std::int64_t last[] = {2}, rows[] = {0, 1};
    const ValueId zero = b.scalar(ElementType::kF32, 0);
    ValueId x = g.arg(0);
    for (int i = 0; i < layers; ++i) {
        const ValueId square = b.add(OpKind::kMultiply, {x, x});
        const ValueId sum = b.reduce(square, zero, last, OpKind::kAdd);
        const ValueId scale = b.add(OpKind::kRsqrt, {sum});
        const ValueId wide = b.broadcast(scale, b.type(x), rows);
        const ValueId norm = b.add(OpKind::kMultiply, {x, wide});
        const ValueId q = b.dot(norm, g.arg(1), matmul(2, 0), ElementType::kF32);
        const ValueId heads = b.transpose(b.reshape(q, split), swap);
        const ValueId mixed = b.add(OpKind::kTanh, {heads});
        const ValueId flat = b.reshape(b.transpose(mixed, swap), merged);
        const ValueId o = b.dot(flat, g.arg(2), matmul(2, 0), ElementType::kF32);
        x = b.add(OpKind::kAdd, {x, o});
        const ValueId up = b.dot(x, g.arg(3), matmul(2, 0), ElementType::kF32);
        const ValueId act = b.add(OpKind::kMultiply, {up, b.add(OpKind::kLogistic, {up})});
        const ValueId down = b.dot(act, g.arg(4), matmul(2, 0), ElementType::kF32);
        x = b.add(OpKind::kAdd, {x, down});
    }
    g.ret({x});
}

double milliseconds(int layers) {
    Graph g("data=4,model=4",
            {{8, 128, 1024}, {1024, 1024}, {1024, 1024}, {1024, 4096}, {4096, 1024}});
    build_layers(g, layers);
    g.annotate(g.arg(0), "[data,-,-]");
    g.annotate(g.arg(1), "[-,model]");
    g.annotate(g.arg(3), "[-,model]");
    const rules::RuleTable rules(g.m);
    double best = 1e30;
    for (int run = 0; run < 3; ++run) {
        const std::clock_t start = std::clock();  // processor time: other programs do not count
        const propagation::Result result = propagation::propagate(g.m, rules, g.mesh_id, {});
        best = std::min(best, double(std::clock() - start) * 1e3 / CLOCKS_PER_SEC);
        if (result.placements.size() < std::size_t(layers)) return -1;
    }
    qInfo("%zu operations: %.1f ms", g.m.op_count(), best);
    return best;
}

}  // namespace

class GspmdSpeed : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void time_is_linear_in_the_operations() {
        const double small = milliseconds(500), large = milliseconds(5000);
        QVERIFY(small > 0 && large > 0);
        QVERIFY2(large < 40 * small, "ten times the operations took over forty times as long");
    }
};
SHARDWRIGHT_TEST(GspmdSpeed, "gspmd_speed")
#include "gspmd_speed.moc"
