// Resharding plans: the cheapest moves, and no shard larger than it must be.
#include "partition/reshard_plan.h"

#include "harness.h"
#include "layouts.h"
#include "registry.h"

using namespace shardwright;
using namespace shardwright::partition;

class ReshardPlanTest : public QObject {
    Q_OBJECT
    static QString plan_text(const std::string& mesh, const Dims& dims, const std::string& from,
                             const std::string& to) {
        const test::Case c(mesh);
        ReshardPlanner planner(0);
        const ReshardPlan& plan = planner.plan(
            to_layout(c.sharding(from, dims.size()), dims.size()),
            to_layout(c.sharding(to, dims.size()), dims.size()), {ir::ElementType::kF32, dims});
        QString text;
        for (const Move& move : plan.moves) {
            if (!text.isEmpty()) text += ", ";
            text += QString::fromStdString(std::string(partition::text(move.kind)));
            for (const AxisRef& a : move.axes)
                text += " " + QString::fromStdString(mesh::to_text(c.module.mesh(c.mesh), a));
        }
        return text;
    }

  private Q_SLOTS:
    void cheapest_moves_data() {
        QTest::addColumn<QString>("mesh");
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("moves");
        QTest::newRow("nothing") << "x=4,y=2"
                                 << "[x, y]"
                                 << "[x, y]"
                                 << "";
        QTest::newRow("slice") << "x=4,y=2"
                               << "[-, y]"
                               << "[x, y]"
                               << "slice \"x\"";
        QTest::newRow("gather") << "x=4,y=2"
                                << "[x, y]"
                                << "[x, -]"
                                << "all_gather \"y\"";
        QTest::newRow("gather two at once") << "x=4,y=2"
                                            << "[x+y, -]"
                                            << "[-, -]"
                                            << "all_gather \"x\" \"y\"";
        QTest::newRow("move") << "x=4,y=2"
                              << "[x, y]"
                              << "[-, y+x]"
                              << "all_to_all \"x\"";
        QTest::newRow("other axis, same count") << "x=4,y=4"
                                                << "[x, -]"
                                                << "[y, -]"
                                                << "collective_permute";
        QTest::newRow("swap") << "x=4,y=4"
                              << "[x, y]"
                              << "[y, x]"
                              << "collective_permute";
        QTest::newRow("finer") << "x=4"
                               << "[x:(1)2, -]"
                               << "[x, -]"
                               << "slice \"x\":(2)2";
    }
    void cheapest_moves() {
        QFETCH(QString, mesh);
        QFETCH(QString, from);
        QFETCH(QString, to);
        QTEST(plan_text(mesh.toStdString(), {64, 64}, from.toStdString(), to.toStdString()),
              "moves");
    }

    void moving_two_axes_gathers_nothing() {
        const test::Case c("x=4,y=2");
        ReshardPlanner planner(0);
        const auto& plan = planner.plan(to_layout(c.sharding("[y, -, x]", 3), 3),
                                        to_layout(c.sharding("[-, x+y, -]", 3), 3),
                                        {ir::ElementType::kF32, {16, 16, 16}});
        QVERIFY(plan.peak_bytes <= 2048);
        for (const Move& move : plan.moves)
            QVERIFY(move.kind == MoveKind::kAllToAll || move.kind == MoveKind::kPermute);
    }

    /// Every pair of shardings, even sizes: no intermediate shard beyond the larger of the two.
    void memory_guarantee_holds_data() {
        QTest::addColumn<QString>("mesh");
        QTest::addColumn<int>("rank");
        QTest::newRow("2,2,2 rank 2") << "x=2,y=2,z=2" << 2;
        QTest::newRow("2,2,2 rank 3") << "x=2,y=2,z=2" << 3;
        QTest::newRow("2,3 rank 2") << "x=2,y=3" << 2;
        QTest::newRow("2,3 rank 3") << "x=2,y=3" << 3;
        QTest::newRow("4,2 rank 2") << "x=4,y=2" << 2;
        QTest::newRow("2,3,4 rank 2") << "x=2,y=3,z=4" << 2;
    }
    void memory_guarantee_holds() {
        QFETCH(QString, mesh);
        QFETCH(int, rank);
        const test::Case c(mesh.toStdString());
        const auto layouts =
            test::all_layouts(c.module.mesh(c.mesh), static_cast<std::size_t>(rank));
        ReshardPlanner planner(0);
        const ir::TensorType type{ir::ElementType::kF32, Dims(static_cast<std::size_t>(rank), 48)};
        std::size_t pairs = 0;
        for (const Layout& from : layouts)
            for (const Layout& to : layouts) {
                const ReshardPlan& plan = planner.plan(from, to, type);
                const std::int64_t limit = std::max(local_bytes(type, from), local_bytes(type, to));
                QVERIFY2(plan.kept_limit && plan.peak_bytes <= limit,
                         qPrintable(QString::number(pairs)));
                ++pairs;
            }
        QVERIFY(pairs >= 100);
        qInfo("%zu pairs", pairs);
    }
};
SHARDWRIGHT_TEST(ReshardPlanTest, "reshard_plan")
#include "reshard_plan.moc"
