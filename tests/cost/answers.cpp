// Public worked examples that the cost model must reproduce within 3 %.
#include <cmath>

#include "cost/model/chip.h"
#include "cost/model/collective_time.h"
#include "registry.h"

using namespace shardwright;
using ir::OpKind;

namespace {

const cost::ChipTable& table() {
    static const cost::ChipTable loaded =
        *cost::load_chips(std::string(SHARDWRIGHT_SOURCE_DIR) + "/resources/chips.json");
    return loaded;
}

}  // namespace

class Answers : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void collectives_take_the_books_time_data() {
        QTest::addColumn<QString>("chip");
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("mesh");
        QTest::addColumn<QString>("axes");
        QTest::addColumn<double>("bytes");
        QTest::addColumn<double>("microseconds");
        const auto row = [](const char* name, const char* chip, OpKind kind, const char* mesh,
                            const char* axes, double bytes, double us) {
            QTest::newRow(name) << chip << static_cast<int>(kind) << mesh << axes << bytes << us;
        };
        const double mib = 1024.0 * 1024.0;
        row("v5e all-gather of bf16[2048,8192] over 4, no wrap", "v5e", OpKind::kAllGather, "y=4",
            "y", 32 * mib, 560);
        row("v5e the same over 16, wrapped", "v5e", OpKind::kAllGather, "y=16", "y", 32 * mib, 377);
        row("v4 AG_X [B_X,D_Y]", "v4", OpKind::kAllGather, "x=4,y=4,z=4", "x", 2 * mib, 23.3);
        row("v4 AG_XY [B_X,D_Y]", "v4", OpKind::kAllGather, "x=4,y=4,z=4", "xy", 8 * mib, 46.6);
        row("v4 AR_Z [B_X,D_Y]{U_Z}", "v4", OpKind::kAllReduce, "x=4,y=4,z=4", "z", mib / 2, 11.65);
        row("v4 AG_X of bf16[128], latency bound", "v4", OpKind::kAllGather, "x=4,y=4,z=4", "x",
            256, 2);
        row("v4 all-to-all is a quarter of an all-gather", "v4", OpKind::kAllToAll, "x=4,y=4,z=4",
            "x", 200 * mib, 200 * mib / 90e9 / 4 * 1e6);
        row("H100 node, bf16[1024,16384]", "H100", OpKind::kAllGather, "x=8", "x", 32 * mib, 65.2);
        row("H100 node, bf16[4096,65536]", "H100", OpKind::kAllGather, "x=8", "x", 512 * mib,
            1043.9);
        row("H100 reduce-scatter across 4 nodes", "H100", OpKind::kReduceScatter, "d=4,m=8", "d",
            32 * mib, 32 * mib * 3 / 4 / 50e9 * 1e6);
        row("H100 over all: the InfiniBand level decides", "H100", OpKind::kAllGather, "d=16,m=8",
            "dm", 512 * mib, 512 * mib / 8 * 15 / 16 / 50e9 * 1e6);
    }
    void collectives_take_the_books_time() {
        QFETCH(QString, chip);
        QFETCH(int, kind);
        QFETCH(QString, mesh);
        QFETCH(QString, axes);
        QFETCH(double, bytes);
        QFETCH(double, microseconds);
        const cost::Chip& c = **table().find(chip.toStdString());
        const auto m = mesh::Mesh::parse(mesh.toStdString());
        QVERIFY(m.ok());
        const cost::Placement placement = cost::place_axes(*m, c);
        QVERIFY(placement.notes.empty());
        std::vector<cost::Span> spans;
        for (const QChar axis : axes) {
            const auto index = m->find(std::string(1, static_cast<char>(axis.toLatin1())));
            for (const cost::Span& s : cost::spans_of(*m, placement, m->full(*index)))
                spans.push_back(s);
        }
        const double us =
            1e6 * cost::collective_time({static_cast<OpKind>(kind), bytes, 1}, spans, c);
        QVERIFY2(std::abs(us - microseconds) <= 0.03 * microseconds,
                 qPrintable(QString::number(us)));
    }
    void axes_that_share_links_are_slower_and_noted() {
        const cost::Chip& c = **table().find("v5e");
        const auto m = mesh::Mesh::parse("a=4,b=4,c=4");
        const cost::Placement p = cost::place_axes(*m, c);
        QCOMPARE(p.notes.size(), std::size_t(1));
        QVERIFY(p.notes[0].find("'c'") != std::string::npos);
        // 'a' now has neighbours four hops apart, so its rings share the links of 'c'.
        const double alone = cost::collective_time({OpKind::kAllGather, 1e8, 1}, p.axes[1], c);
        const double shared = cost::collective_time({OpKind::kAllGather, 1e8, 1}, p.axes[0], c);
        QVERIFY(shared > 1.9 * alone);
        QVERIFY(p.axes[0][0].wraps != p.axes[1][0].wraps);  // 'a' and 'c' fill an axis of 16
    }
    void an_axis_beyond_the_slice_is_noted() {
        const cost::Chip& c = **table().find("v5e");
        const auto m = mesh::Mesh::parse("replica=4,data=16,model=16");
        const cost::Placement p = cost::place_axes(*m, c);
        QCOMPARE(p.notes.size(), std::size_t(1));
        QVERIFY(p.notes[0].find("data-centre") != std::string::npos);
    }
    void loading_weights_once() {  // 200e9 bf16 parameters over 32 TPU v4
        const cost::Chip& c = **table().find("v4");
        const double ms = 200e9 * 2 / 32 / c.memory_bandwidth * 1e3;
        QVERIFY(std::abs(ms - 10.4) < 0.3);
    }
    void matmul_is_compute_bound_above_240_rows() {
        const cost::Chip& c = **table().find("v5e");
        QVERIFY(std::abs(c.bf16_flops / c.memory_bandwidth - 240) < 0.03 * 240);
    }
    void data_parallel_threshold_of_v5p() {  // tokens a chip to hide gradients: 2550 over one axis
        const cost::Chip& c = **table().find("v5p");
        const double one_axis = c.bf16_flops / (2 * c.network.link_bandwidth);
        QVERIFY(std::abs(one_axis - 2550) < 0.03 * 2550);
        QVERIFY(std::abs(one_axis / 3 - 850) < 0.03 * 850);
    }
};
SHARDWRIGHT_TEST(Answers, "answers")
#include "answers.moc"
