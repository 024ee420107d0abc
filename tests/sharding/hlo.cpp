// HLO's tile assignments: text, derived meshes, axes and back.

#include <random>

#include "registry.h"
#include "sharding/hlo_sharding.h"
#include "sharding/text.h"

using namespace shardwright;
using namespace shardwright::sharding;

namespace {

HloSharding leaf(const std::string& text) {
    auto parsed = parse_hlo(text);
    if (!parsed.ok() || parsed->leaves.size() != 1) {
        qWarning("%s", parsed.ok() ? "a tuple" : parsed.error().text().c_str());
        return {};
    }
    return parsed->leaves[0];
}

std::string derived(std::initializer_list<const char*> texts, std::int64_t devices,
                    std::size_t unexplained = 0) {
    std::vector<HloSharding> leaves;
    for (const char* text : texts) leaves.push_back(leaf(text));
    std::vector<const HloSharding*> pointers;
    for (const HloSharding& s : leaves) pointers.push_back(&s);
    const DerivedMesh result = derive_mesh(pointers, devices);
    if (result.unexplained.size() != unexplained) return "unexplained";
    return result.mesh.text();
}

std::string as_axes(const char* text, const mesh::Mesh& m, std::size_t rank) {
    const auto s = to_axes(leaf(text), m, MeshId(0), rank);
    return s ? print_short(*s, m) : "none";
}

/// Closed, with every part of an axis at most once, in the order that HLO keeps.
Sharding random_sharding(const mesh::Mesh& m, std::size_t rank, std::mt19937& random) {
    Sharding s = Sharding::replicated_of(rank);
    std::vector<AxisRef> parts;
    for (std::size_t a = 0; a < m.rank(); ++a) {
        AxisRef whole = m.full(a);
        if (whole.size == 1) continue;
        if (whole.size % 2 == 0 && whole.size > 2 && random() % 2 == 0) {
            AxisRef major = whole, minor = whole;
            major.size = 2;
            minor.pre = 2;
            minor.size = whole.size / 2;
            parts.push_back(major);
            parts.push_back(minor);
        } else {
            parts.push_back(whole);
        }
    }
    std::shuffle(parts.begin(), parts.end(), random);
    for (const AxisRef& axis : parts) {
        const std::size_t where = random() % (rank + 3);
        if (where < rank) s.dims[where].axes.push_back(axis);
        if (where == rank) s.manual.push_back(axis);
        if (where == rank + 1) s.unreduced.push_back(axis);
    }
    for (DimSharding& dim : s.dims) dim.axes = mesh::merge_neighbours(view(dim.axes));
    for (AxisList* set : {&s.manual, &s.unreduced}) {
        std::sort(set->begin(), set->end());
        *set = mesh::merge_neighbours(view(*set));
    }
    return s;
}

}  // namespace

class HloTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void text_round_trips_data() {
        QTest::addColumn<QString>("text");
        for (const char* text :
             {"{replicated}",
              "{maximal device=3}",
              "{manual}",
              "{unknown}",
              "{unreduced}",
              "{devices=[2,1,2]0,1,2,3}",
              "{devices=[2,4]<=[8]}",
              "{devices=[4,4,1]<=[4,2,2]T(1,0,2)}",
              "{devices=[2,1,4]<=[8] last_tile_dim_replicate}",
              "{devices=[1,2,2,2]<=[8] last_tile_dims={manual, replicated}}",
              "{devices=[2,2]0,2,1,3 shard_as 7}",
              "{replicated shard_like 0}",
              "{mesh['a'=2,'b'=4], [{'a'}, {'b':(2)2, ?}], replicated={'b':(1)2}}",
              "{mesh['a'=2,'b'=4], [{?}], unreduced=max{'a'}, manual={'b'}}",
              "{mesh['a'=2], replicated}",
              "{mesh['a'=2], manual}",
              "{mesh['a'=2], unreduced=max}",
              "{mesh[], replicated}",
              "{maximal_mesh[device_id=5]}",
              "{mesh['x'=2,'y'=2], device_ids=(0,2,1,3), [{'x'}]}"})
            QTest::newRow(text) << QString(text);
    }
    void text_round_trips() {
        QFETCH(QString, text);
        const auto parsed = parse_hlo(text.toStdString());
        QVERIFY2(parsed.ok(), parsed.ok() ? "" : parsed.error().text().c_str());
        QVERIFY(!parsed->is_tuple);
        QCOMPARE(print_hlo(parsed->leaves[0]), text.toStdString());
    }
    void tuples_and_metadata() {
        const auto t = parse_hlo(
            "{{replicated}, {devices=[2]<=[2] metadata={op_name=\"a}\" x={1}}}, {manual}}");
        QVERIFY2(t.ok(), t.ok() ? "" : t.error().text().c_str());
        QVERIFY(t->is_tuple && t->leaves.size() == 3);
        QCOMPARE(print_hlo(t->leaves[1]), std::string("{devices=[2]<=[2]}"));
        const auto empty = parse_hlo("{}");
        QVERIFY(empty.ok() && empty->is_tuple && empty->leaves.empty());
        const auto iota = parse_hlo("{mesh['x'=2,'y'=2], device_ids=([2,2]T(1,0)) [{'x'}]}");
        QVERIFY(iota.ok());
        QCOMPARE(print_hlo(iota->leaves[0]),
                 std::string("{mesh['x'=2,'y'=2], device_ids=(0,2,1,3), [{'x'}]}"));
    }
    void bad_text_is_refused_data() {
        QTest::addColumn<QString>("text");
        for (const char* text : {"",
                                 "{",
                                 "replicated",
                                 "{replicated",
                                 "{replicatedd}",
                                 "{devices=[2,2]0,1,2}",
                                 "{devices=[2,2]0,1,2,2}",
                                 "{devices=[2,2]<=[5]}",
                                 "{devices=[2,2]<=[2,2]T(0)}",
                                 "{devices=[2,2]<=[2,2]T(0,0)}",
                                 "{devices=[0]}",
                                 "{maximal}",
                                 "{maximal device=-1}",
                                 "{devices=[99999999999,99999999999]<=[1]}",
                                 "{replicated} x",
                                 "{{replicated}",
                                 "{replicated last_tile_dim_replicate}",
                                 "{mesh['a'=2], [{'b'}]}",
                                 "{mesh['a'=2,'a'=2], [{'a'}]}",
                                 "{mesh['a'=2], [{'a'}, {'a'}]}",
                                 "{mesh['a'=4], [{'a':(3)2}]}",
                                 "{replicated metadata={}",
                                 "{mesh['a'=2"})
            QTest::newRow(*text ? text : "empty") << QString(text);
    }
    void bad_text_is_refused() {
        QFETCH(QString, text);
        const auto parsed = parse_hlo(text.toStdString());
        QVERIFY(!parsed.ok());
        QVERIFY(!parsed.error().what.empty());
    }
    void f27_reads_as_axes_and_prints_back() {
        const char* text = "{devices=[3,4]<=[2,3,2]T(1,0,2)}";
        QCOMPARE(derived({text}, 12), std::string("a=2,b=3,c=2"));
        const mesh::Mesh m("mesh", {{"a", 2}, {"b", 3}, {"c", 2}});
        const auto s = to_axes(leaf(text), m, MeshId(0), 2);
        QVERIFY(s);
        QCOMPARE(print_partition_spec(*s, m), std::string("P('b', ('a','c'))"));
        QCOMPARE(print_hlo(to_hlo(*s, m)), std::string(text));
    }
    void the_mesh_is_the_coarsest_refinement() {
        QCOMPARE(derived({"{devices=[2,4]<=[8]}"}, 8), std::string("a=2,b=4"));
        QCOMPARE(derived({"{devices=[2,4]<=[8]}", "{devices=[4,2]<=[8]}"}, 8),
                 std::string("a=2,b=2,c=2"));
        QCOMPARE(derived({"{replicated}", "{devices=[8,1]<=[8]}"}, 8), std::string("a=8"));
        QCOMPARE(derived({"{devices=[2,2,2]0,1,4,5,2,3,6,7 last_tile_dim_replicate}"}, 8),
                 std::string("a=2,b=2,c=2"));
        QCOMPARE(derived({"{devices=[2,3]<=[6]}", "{devices=[3,2]<=[6]}"}, 6, 1),
                 std::string("a=2,b=3"));
        QCOMPARE(derived({"{mesh['u'=2,'v'=4], [{'v'}]}", "{devices=[2,4]<=[8]}"}, 8),
                 std::string("u=2,v=4"));
        QCOMPARE(derived({"{devices=[1048576,1048576]<=[1099511627776]}"}, 1099511627776),
                 std::string("a=1048576,b=1048576"));
    }
    void a_list_in_no_order_is_a_mesh_of_its_own() {
        const char* text = "{devices=[2,2]0,3,1,2}";
        QCOMPARE(derived({text, "{replicated}"}, 4, 1), std::string("a=4"));
        const HloSharding s = leaf(text);
        const HloSharding* one[] = {&s};
        const DerivedMesh own = derive_mesh(one, 4);
        QVERIFY(own.unexplained.empty());
        QCOMPARE(own.mesh.device_ids(), (std::vector<std::int64_t>{0, 3, 1, 2}));
        const auto tied = to_axes(s, own.mesh, MeshId(0), 2);
        QVERIFY(tied);
        QCOMPARE(print_short(*tied, own.mesh), std::string("[a, b]"));
        QCOMPARE(print_hlo(to_hlo(*tied, own.mesh)), std::string(text));
    }
    void transposes_and_sub_axes_are_found() {
        const mesh::Mesh m("mesh", {{"x", 4}, {"y", 2}});
        QCOMPARE(as_axes("{devices=[2,4]<=[4,2]T(1,0)}", m, 2), std::string("[y, x]"));
        QCOMPARE(as_axes("{devices=[2,4]<=[8]}", m, 2), std::string("[x:(1)2, x:(2)2+y]"));
        QCOMPARE(as_axes("{devices=[1,2,4]<=[2,2,2]T(1,0,2) last_tile_dim_replicate}", m, 2),
                 std::string("[-, x:(2)2]"));
        QCOMPARE(as_axes("{devices=[2,2,2]0,1,4,5,2,3,6,7}", m, 3),
                 std::string("[x:(2)2, x:(1)2, y]"));
        QCOMPARE(as_axes("{devices=[2,2,2]1,0,3,2,5,4,7,6 last_tile_dim_replicate}", m, 2),
                 std::string("[x:(1)2, x:(2)2]"));
        QCOMPARE(as_axes("{devices=[8]<=[8]}", m, 2), std::string("none"));  // another rank
        QCOMPARE(as_axes("{devices=[3]<=[3]}", m, 1), std::string("none"));
        const mesh::Mesh six("mesh", {{"x", 2}, {"y", 3}});
        QCOMPARE(as_axes("{devices=[3,2]<=[6]}", six, 2), std::string("none"));
        QCOMPARE(as_axes("{mesh['u'=3,'v'=2], [{'u'}, {'v', ?}]}", m, 2), std::string("none"));
        QCOMPARE(as_axes("{mesh['u'=2,'v'=4], [{'u'}, {'v', ?}]}", m, 2),
                 std::string("[x:(1)2, x:(2)2+y?]"));
    }
    void subgroups_become_axes() {
        const mesh::Mesh m("mesh", {{"x", 2}, {"y", 2}, {"z", 2}});
        const auto s = to_axes(leaf("{devices=[1,2,2,2]<=[2,2,2]T(2,0,1) last_tile_dims={manual, "
                                    "replicated}}"),
                               m, MeshId(0), 2);
        QVERIFY(s);
        QCOMPARE(print_short(*s, m), std::string("[-, z]"));
        QVERIFY(s->manual == (AxisList{m.full(0)}));
        QCOMPARE(print_hlo(to_hlo(*s, m)),
                 std::string("{devices=[1,2,2,2]<=[4,2]T(1,0) last_tile_dims={manual, "
                             "replicated}}"));
    }
    void random_shardings_round_trip() {
        std::mt19937 random(11);
        std::vector<mesh::Axis> many(12, {"", 1});
        for (std::size_t i = 0; i < 12; ++i) many[i].name = std::string(1, char('a' + int(i)));
        many[3].size = 4;
        many[9].size = 6;
        mesh::Mesh shuffled("m", {{"a", 2}, {"b", 4}});
        shuffled.set_device_ids({3, 1, 0, 2, 7, 4, 6, 5});
        for (const mesh::Mesh& m : {mesh::Mesh("m", {{"a", 2}, {"b", 2}, {"c", 2}}),
                                    mesh::Mesh("m", {{"a", 2}, {"b", 3}}),
                                    mesh::Mesh("m", {{"a", 8}}), mesh::Mesh("m", many), shuffled})
            for (int i = 0; i < 500; ++i) {
                const std::size_t rank = 1 + random() % 4;
                const Sharding s = random_sharding(m, rank, random);
                const std::string text = print_hlo(to_hlo(s, m));
                const auto parsed = parse_hlo(text);
                QVERIFY2(parsed.ok(), text.c_str());
                if (parsed->leaves[0].kind == HloSharding::Kind::kManual) continue;
                const auto back = to_axes(parsed->leaves[0], m, MeshId(0), rank);
                QVERIFY2(back, text.c_str());
                QVERIFY2(same_placement(*back, s),
                         (text + " is " + print_sdy(*back, m) + " not " + print_sdy(s, m)).c_str());
                QCOMPARE(print_hlo(to_hlo(*back, m)), text);
            }
    }
    void replica_groups_are_axes_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("axes");
        QTest::newRow("minor") << "{{0,1},{2,3},{4,5},{6,7}}"
                               << "\"y\"";
        QTest::newRow("major") << "{{0,2,4,6},{1,3,5,7}}"
                               << "\"x\"";
        QTest::newRow("order") << "{{1,3,5,7},{0,2,4,6}}"
                               << "\"x\"";
        QTest::newRow("all") << "{{0,1,2,3,4,5,6,7}}"
                             << "\"x\"\"y\"";
        QTest::newRow("sub-axis") << "{{0,4},{1,5},{2,6},{3,7}}"
                                  << "\"x\":(1)2";
        QTest::newRow("iota") << "[2,4]<=[4,2]T(1,0)"
                              << "\"x\"";
        QTest::newRow("named") << "mesh['u'=2,'v'=4] {'u'}"
                               << "\"x\":(1)2";
        QTest::newRow("alone") << "{{0},{1},{2},{3},{4},{5},{6},{7}}"
                               << "";
        QTest::newRow("transposed") << "[1,8]<=[4,2]T(1,0)"
                                    << "\"y\"\"x\"";
        QTest::newRow("uneven") << "{{0,1,2},{3,4,5,6,7}}"
                                << "none";
        QTest::newRow("crossed") << "{{0,3},{1,2},{4,7},{5,6}}"
                                 << "none";
        QTest::newRow("partial") << "{{0,1},{2,3}}"
                                 << "none";
        QTest::newRow("twice") << "{{0,1},{0,1},{2,3},{4,5}}"
                               << "none";
    }
    void replica_groups_are_axes() {
        QFETCH(QString, text);
        QFETCH(QString, axes);
        const mesh::Mesh m("mesh", {{"x", 4}, {"y", 2}});
        const auto groups = parse_replica_groups(text.toStdString());
        QVERIFY2(groups.ok(), groups.ok() ? "" : groups.error().text().c_str());
        const auto found = groups_to_axes(*groups, m);
        std::string names = found ? "" : "none";
        if (found)
            for (const AxisRef& axis : *found) names += mesh::to_text(m, axis);
        QCOMPARE(names, axes.toStdString());
    }
    void damaged_text_never_breaks_the_parser() {
        const std::string good[] = {
            "{devices=[1,2,2,2]<=[2,4]T(1,0) last_tile_dims={manual, replicated} shard_as 7}",
            "{{replicated}, {devices=[2,2]0,2,1,3 metadata={op_name=\"a\"}}}",
            "{mesh['a'=2,'b'=4], device_ids=([2,4]T(1,0)), [{'a'}, {'b':(2)2, ?}], manual={'b'}}"};
        const mesh::Mesh m("mesh", {{"x", 4}, {"y", 2}});
        std::mt19937 random(5);
        int read = 0;
        for (int i = 0; i < 30000; ++i) {
            std::string text = good[random() % 3];
            for (unsigned n = random() % 4; n > 0 && !text.empty(); --n) {
                const std::size_t at = random() % text.size();
                if (random() % 2 == 0)
                    text[at] = "{}[],='0123456789()T<x?"[random() % 23];
                else
                    text.erase(at, 1 + random() % 5);
            }
            (void)parse_replica_groups(text);
            const auto parsed = parse_hlo(text);
            if (!parsed.ok()) continue;
            ++read;
            for (const HloSharding& s : parsed->leaves) {
                (void)to_axes(s, m, MeshId(0), 2);
                const HloSharding* one[] = {&s};
                (void)derive_mesh(one, 8);
                (void)print_hlo(s);
            }
        }
        QVERIFY(read > 1000);
    }
};
SHARDWRIGHT_TEST(HloTest, "hlo")
#include "hlo.moc"
