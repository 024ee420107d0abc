// The text forms of a sharding: Shardy, PartitionSpec, command line; round trips and bad input.
#include "sharding/text.h"

#include <random>

#include "registry.h"

using namespace shardwright;
using namespace shardwright::sharding;

namespace {

const mesh::Mesh kTextMesh("mesh", {{"x", 4}, {"y", 2}, {"z", 3}, {"one", 1}});

/// Every axis of `mesh`, split at random or not, on a random dimension or nowhere.
Sharding random_open_sharding(const mesh::Mesh& mesh, std::size_t rank, std::mt19937& random) {
    Sharding s = Sharding::replicated_of(rank);
    for (DimSharding& dim : s.dims) {
        dim.open = random() % 2 == 0;
        if (random() % 4 == 0) dim.priority = static_cast<std::int16_t>(random() % 3);
    }
    for (std::size_t a = 0; a < mesh.rank(); ++a) {
        AxisRef axis = mesh.full(a);
        if (axis.size % 2 == 0 && axis.size > 2 && random() % 2 == 0) {
            axis.pre = random() % 2 == 0 ? 1 : 2;
            axis.size = 2;
        }
        const std::size_t where = random() % (rank + 3);
        if (where < rank)
            s.dims[where].axes.push_back(axis);
        else if (where == rank)
            s.replicated.push_back(axis);
        else if (where == rank + 1)
            s.unreduced.push_back(axis);
    }
    return s;
}

}  // namespace

class TextTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void shardy_text_round_trips_data() {
        QTest::addColumn<QString>("text");
        for (const char* text :
             {"[]", "[{}]", "[{?}]", "[{\"x\"}, {\"y\", \"z\", ?}]", "[{\"x\":(2)2, ?}p1, {}p0]",
              "[{\"one\"}], replicated={\"x\":(1)2, \"y\"}, unreduced={\"z\"}",
              "[{}], unreduced=max{\"z\"}"})
            QTest::newRow(text) << QString(text);
    }
    void shardy_text_round_trips() {
        QFETCH(QString, text);
        const std::string body = text.toStdString();
        const auto s = parse_sdy(body, kTextMesh, MeshId(0));
        QVERIFY2(s.ok(), s.ok() ? "" : s.error().text().c_str());
        QCOMPARE(print_sdy_body(*s, kTextMesh), body);
        const std::string whole = "#sdy.sharding<@mesh, " + body + ">";
        QCOMPARE(print_sdy(*s, kTextMesh), whole);
        const auto again = parse_sdy(whole, kTextMesh, MeshId(0));
        QVERIFY(again.ok() && *again == *s);
        QVERIFY(sdy_mesh_name(whole) == "mesh");
        QVERIFY(sdy_mesh_name(body).empty());
    }
    void random_shardings_round_trip_in_shardy_text() {
        std::mt19937 random(7);
        std::vector<mesh::Axis> many(12, {"", 1});
        for (std::size_t i = 0; i < 12; ++i) many[i].name = std::string(1, char('a' + int(i)));
        many[3].size = 4;
        many[9].size = 2;
        for (const mesh::Mesh& m : {mesh::Mesh("m", {{"a", 2}, {"b", 2}, {"c", 2}}),
                                    mesh::Mesh("m", {{"a", 2}, {"b", 3}}),
                                    mesh::Mesh("m", {{"a", 8}}), mesh::Mesh("m", many)})
            for (int i = 0; i < 300; ++i) {
                const Sharding s = random_open_sharding(m, 1 + random() % 4, random);
                const auto back = parse_sdy(print_sdy(s, m), m, MeshId(0));
                QVERIFY2(back.ok(), back.ok() ? "" : back.error().text().c_str());
                QVERIFY(*back == s);
            }
    }
    void short_text_round_trips_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("rank");
        QTest::newRow("scalar") << "[]" << 0;
        QTest::newRow("plain") << "[x, -, y+z]" << 3;
        QTest::newRow("open") << "[x?, ?]" << 2;
        QTest::newRow("sub-axis") << "[x:(2)2+y, -]" << 2;
    }
    void short_text_round_trips() {
        QFETCH(QString, text);
        QFETCH(int, rank);
        const auto s = parse_short(text.toStdString(), kTextMesh, MeshId(0), std::size_t(rank));
        QVERIFY2(s.ok(), s.ok() ? "" : s.error().text().c_str());
        QCOMPARE(print_short(*s, kTextMesh), text.toStdString());
    }
    void partition_specs_round_trip_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("rank");
        QTest::newRow("scalar") << "P()" << 0;
        QTest::newRow("plain") << "P('x', None, ('y','z'))" << 3;
        QTest::newRow("unconstrained") << "P(P.UNCONSTRAINED, 'y')" << 2;
        QTest::newRow("unreduced") << "P('x', unreduced={'y'})" << 1;
    }
    void partition_specs_round_trip() {
        QFETCH(QString, text);
        QFETCH(int, rank);
        const auto s =
            parse_partition_spec(text.toStdString(), kTextMesh, MeshId(0), std::size_t(rank));
        QVERIFY2(s.ok(), s.ok() ? "" : s.error().text().c_str());
        QCOMPARE(print_partition_spec(*s, kTextMesh), text.toStdString());
    }
    void a_partition_spec_may_leave_dimensions_out() {
        const auto s = parse_partition_spec("PartitionSpec(('x',),)", kTextMesh, MeshId(0), 3);
        QVERIFY(s.ok());
        QCOMPARE(print_short(*s, kTextMesh), std::string("[x, -, -]"));
    }
    void neighbouring_parts_of_an_axis_merge() {
        const auto s = parse_short("[x:(1)2+x:(2)2]", kTextMesh, MeshId(0), 1);
        QVERIFY(s.ok());
        QCOMPARE(print_short(*s, kTextMesh), std::string("[x]"));
    }
    void an_unknown_axis_is_named_with_those_there_are() {
        const auto s = parse_short("[q]", kTextMesh, MeshId(0), 1);
        QVERIFY(!s.ok());
        QCOMPARE(s.error().what, std::string("unknown axis 'q' in '[q]'"));
        QCOMPARE(s.error().expected, std::string("one of x, y, z, one"));
    }
    void bad_text_is_refused_data() {
        QTest::addColumn<QString>("text");
        for (const char* text : {"", "[", "[x", "[x,", "[x]]", "[x, x]", "[x, y, z]", "[x]", "[,]",
                                 "[x:(3)2, -]", "[x:(2), -]", "[+, -]", "[x+, -]", "x, -"})
            QTest::newRow(*text ? text : "empty") << QString(text);
    }
    void bad_text_is_refused() {
        QFETCH(QString, text);
        const auto s = parse_short(text.toStdString(), kTextMesh, MeshId(0), 2);
        QVERIFY(!s.ok());
        QVERIFY(!s.error().what.empty());
    }
    void damaged_text_never_breaks_the_parsers() {
        const std::string good[] = {"#sdy.sharding<@mesh, [{\"x\":(1)2, ?}p1], replicated={\"y\"}>",
                                    "P('x', None, ('y','z'))", "[x?, -, y+z]"};
        std::mt19937 random(3);
        for (int i = 0; i < 20000; ++i) {
            std::string text = good[random() % 3];
            for (unsigned n = random() % 4; n > 0; --n) {
                const std::size_t at = random() % text.size();
                if (random() % 2 == 0)
                    text[at] = static_cast<char>(random() % 256);
                else
                    text.erase(at, 1 + random() % 5);
                if (text.empty()) break;
            }
            const bool any = parse_sdy(text, kTextMesh, MeshId(0)).ok() ||
                             parse_partition_spec(text, kTextMesh, MeshId(0), 3).ok() ||
                             parse_short(text, kTextMesh, MeshId(0), 3).ok();
            Q_UNUSED(any);
            (void)sdy_mesh_name(text);
        }
    }
};
SHARDWRIGHT_TEST(TextTest, "text")
#include "text.moc"
