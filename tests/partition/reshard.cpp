// Resharding by execution: every pair of layouts, even and uneven sizes, gives the same numbers.
#include "harness.h"
#include "layouts.h"
#include "registry.h"
#include "sharding/text.h"

using namespace shardwright;

class ReshardTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void every_pair_keeps_the_numbers_data() {
        QTest::addColumn<QString>("mesh");
        QTest::addColumn<QList<int>>("sizes");
        const auto row = [](const char* mesh, QList<int> sizes) {
            QString name = mesh;
            for (const int s : sizes) name += QString(" %1").arg(s);
            QTest::newRow(qPrintable(name)) << QString(mesh) << sizes;
        };
        for (const char* mesh : {"x=2,y=2,z=2", "x=2,y=3", "x=4,y=2", "x=5"}) {
            row(mesh, {24, 12});
            row(mesh, {17, 6});
            row(mesh, {5, 3});
            row(mesh, {1, 7});
            row(mesh, {0, 4});
        }
        row("x=2,y=3", {6, 5, 4});
        row("x=2,y=2,z=2", {8, 5, 3});
        row("x=8,y=2", {17, 9});
        row("x=3", {100});
    }
    void every_pair_keeps_the_numbers() {
        QFETCH(QString, mesh);
        QFETCH(QList<int>, sizes);
        const test::Case probe(mesh.toStdString());
        const mesh::Mesh& m = probe.module.mesh(probe.mesh);
        const auto layouts = test::all_layouts(m, static_cast<std::size_t>(sizes.size()));
        ir::TensorType type{ir::ElementType::kS32, Dims(sizes.begin(), sizes.end())};
        std::size_t pairs = 0;
        for (const auto& from : layouts) {
            test::Case c(mesh.toStdString());
            ir::Builder b = c.build();
            const auto text = [&](const partition::Layout& layout) {
                return sharding::print_short(to_sharding(layout, c.mesh), m);
            };
            b.begin_function("main", {&type, 1});
            const ir::ValueId x = c.module.argument(b.region(), 0);
            c.put(x, text(from));
            std::vector<ir::ValueId> results;
            for (const auto& to : layouts) {
                ir::ShardingAttributes a;
                a.sharding = to_sharding(to, c.mesh);
                results.push_back(b.add(ir::OpKind::kShardingConstraint, {x}, a));
                c.put(results.back(), text(to));
                ++pairs;
            }
            b.ret(results);
            const std::string bad = test::difference(c, c.shardings());
            QVERIFY2(bad.empty(), (text(from) + "\n" + bad.substr(0, 6000)).c_str());
        }
        qInfo("%zu pairs", pairs);
    }
};
SHARDWRIGHT_TEST(ReshardTest, "reshard")
#include "reshard.moc"
