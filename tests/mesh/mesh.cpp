// Meshes: text, device positions, device groups.
#include "mesh/mesh.h"

#include "registry.h"

using namespace shardwright;
using namespace shardwright::mesh;

namespace {

AxisRef part(std::uint32_t axis, std::uint32_t pre, std::uint32_t size) {
    AxisRef r;
    r.axis = axis & 0xFFu;
    r.pre = pre & 0xFFFFFFu;
    r.size = size;
    return r;
}

}  // namespace

class MeshTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void text_round_trips() {
        const auto m = Mesh::parse(" data=4, model = 2");
        QVERIFY(m.ok());
        QCOMPARE(m->text(), std::string("data=4,model=2"));
        QCOMPARE(m->device_count(), std::int64_t(8));
        QVERIFY(m->find("model") == std::size_t(1));
        QVERIFY(!m->find("x"));
    }
    void bad_text_is_refused_data() {
        QTest::addColumn<QString>("text");
        for (const char* text : {"", "x", "x=", "x=0", "x=-1", "=2", "x=2,x=2", "x=2,", "x=2 3",
                                 "x=99999999999999999999", "x=16777216,y=16777216", "x=1e3"})
            QTest::newRow(*text ? text : "empty") << QString(text);
    }
    void bad_text_is_refused() {
        QFETCH(QString, text);
        const auto m = Mesh::parse(text.toStdString());
        QVERIFY(!m.ok());
        QVERIFY(!m.error().what.empty() && m.error().exit_code() == 2);
    }
    void positions_are_row_major() {
        const Mesh m("m", {{"x", 2}, {"y", 4}, {"z", 3}});
        const AxisList y_minor{part(1, 2, 2)}, zx{m.full(2), m.full(0)};
        // Position 17 = (1, 1, 2).
        QCOMPARE(m.index_along(17, view(y_minor)), std::int64_t(1));
        QCOMPARE(m.index_along(17, view(zx)), std::int64_t(5));
        for (std::int64_t p = 0; p < 24; ++p)
            for (std::int64_t i = 0; i < 6; ++i) {
                const std::int64_t q = m.with_index(p, view(zx), i);
                QCOMPARE(m.index_along(q, view(zx)), i);
                QCOMPARE(m.with_index(q, view(zx), m.index_along(p, view(zx))), p);
            }
    }
    void groups_follow_the_order_of_the_axes() {
        const Mesh m("m", {{"x", 2}, {"y", 4}});
        const AxisList minor{part(1, 2, 2)};
        using Groups = std::vector<std::vector<std::int64_t>>;
        QVERIFY(device_groups(m, view(minor)) == (Groups{{0, 1}, {2, 3}, {4, 5}, {6, 7}}));
        const AxisList yx{part(1, 1, 2), m.full(0)};
        QVERIFY(device_groups(m, view(yx)) == (Groups{{0, 4, 2, 6}, {1, 5, 3, 7}}));
        QCOMPARE(device_groups(m, {}).size(), std::size_t(8));
    }
    void a_million_devices_cost_nothing() {
        const auto m = Mesh::parse("a=1048576,b=1048576");
        QVERIFY(m.ok());
        const AxisList b{m->full(1)};
        QCOMPARE(m->index_along((std::int64_t{5} << 20) + 7, view(b)), std::int64_t(7));
    }
};
SHARDWRIGHT_TEST(MeshTest, "mesh")
#include "mesh.moc"
