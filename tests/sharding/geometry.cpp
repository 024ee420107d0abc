// Which slice is where, even and uneven.
#include "sharding/geometry.h"

#include "registry.h"

using namespace shardwright;
using namespace shardwright::sharding;

class GeometryTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void trailing_shards_are_short_or_empty_data() {
        QTest::addColumn<int>("size");
        QTest::addColumn<int>("shards");
        QTest::addColumn<QList<int>>("begins");
        QTest::addColumn<QList<int>>("ends");
        QTest::newRow("even") << 8 << 4 << QList{0, 2, 4, 6} << QList{2, 4, 6, 8};
        QTest::newRow("short") << 7 << 4 << QList{0, 2, 4, 6} << QList{2, 4, 6, 7};
        QTest::newRow("empty") << 5 << 4 << QList{0, 2, 4, 5} << QList{2, 4, 5, 5};
        QTest::newRow("more shards") << 2 << 4 << QList{0, 1, 2, 2} << QList{1, 2, 2, 2};
        QTest::newRow("zero size") << 0 << 2 << QList{0, 0} << QList{0, 0};
        QTest::newRow("one shard") << 7 << 1 << QList{0} << QList{7};
    }
    void trailing_shards_are_short_or_empty() {
        QFETCH(int, size);
        QFETCH(int, shards);
        QFETCH(QList<int>, begins);
        QFETCH(QList<int>, ends);
        for (int i = 0; i < shards; ++i)
            QCOMPARE(shard_interval(size, shards, i), (Interval{begins[i], ends[i]}));
    }
    void a_slice_covers_every_dimension() {
        const mesh::Mesh m("m", {{"x", 2}, {"y", 3}});
        Sharding s = Sharding::replicated_of(3);
        s.dims[0].axes = {m.full(1)};
        s.dims[2].axes = {m.full(0)};
        const Dims dims{7, 5, 4};
        QCOMPARE(shard_shape(view(dims), s), (Dims{3, 5, 2}));
        QVERIFY(is_uneven(view(dims), s));
        const auto slice = shard_slice(view(dims), s, m, 5);  // (1, 2)
        QCOMPARE(slice[0], (Interval{6, 7}));
        QCOMPARE(slice[1], (Interval{0, 5}));
        QCOMPARE(slice[2], (Interval{2, 4}));
    }
    void slices_of_distinct_shards_tile_the_tensor() {
        const mesh::Mesh m("m", {{"x", 4}, {"y", 3}});
        mesh::AxisRef minor = m.full(0);
        minor.pre = 2;
        minor.size = 2;
        Sharding s = Sharding::replicated_of(2);
        s.dims[0].axes = {m.full(1), minor};
        const Dims dims{13, 2};
        std::vector<int> covered(13, 0);
        for (std::int64_t p = 0; p < m.device_count(); ++p) {
            const auto slice = shard_slice(view(dims), s, m, p);
            for (auto i = slice[0].begin; i < slice[0].end; ++i)
                ++covered[static_cast<std::size_t>(i)];
        }
        for (int count : covered) QCOMPARE(count, 2);  // twice: the major half of x replicates
    }
    void maximal_and_replicated_hold_all() {
        const mesh::Mesh m("m", {{"x", 2}});
        const Dims dims{5};
        Sharding s;
        s.form = Form::kMaximal;
        s.maximal_device = 1;
        QCOMPARE(shard_shape(view(dims), s), dims);
        QCOMPARE(shard_shape(view(dims), Sharding::replicated_of(1)), dims);
        QVERIFY(!is_uneven(view(dims), s));
    }
};
SHARDWRIGHT_TEST(GeometryTest, "geometry")
#include "geometry.moc"
