// Checks on shardings, equality of placement, the pool.
#include "sharding/sharding.h"

#include "registry.h"

using namespace shardwright;
using namespace shardwright::sharding;

namespace {

AxisRef part(std::uint32_t axis, std::uint32_t pre, std::uint32_t size) {
    AxisRef r;
    r.axis = axis & 0xFFu;
    r.pre = pre & 0xFFFFFFu;
    r.size = size;
    return r;
}
const mesh::Mesh kMesh("m", {{"x", 4}, {"y", 3}, {"one", 1}});

}  // namespace

class ShardingTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void faults_are_named() {
        Sharding s = Sharding::replicated_of(2);
        QVERIFY(validate(s, kMesh, 2).ok());
        QVERIFY(!validate(s, kMesh, 3).ok());
        s.dims[0].axes = {part(0, 1, 2)};
        s.dims[1].axes = {part(0, 2, 2), part(2, 1, 1)};
        QVERIFY(validate(s, kMesh, 2).ok());
        s.replicated = {part(0, 1, 4)};
        QVERIFY(validate(s, kMesh, 2).error().what.find("used twice") != std::string::npos);
        s.replicated = {part(1, 1, 2)};
        QVERIFY(validate(s, kMesh, 2).error().what.find("does not divide") != std::string::npos);
        s.replicated = {part(7, 1, 2)};
        QVERIFY(!validate(s, kMesh, 2).ok());
        s.replicated = {part(2, 1, 1)};
        QVERIFY(!validate(s, kMesh, 2).ok());  // the axis of size 1 stands on dimension 1 already
        s.replicated = {part(0, 2, 1)};
        QVERIFY(!validate(s, kMesh, 2).ok());
    }
    void placement_ignores_what_only_guides_propagation() {
        Sharding a = Sharding::replicated_of(1), b = Sharding::replicated_of(1, true);
        QVERIFY(a != b);
        QVERIFY(same_placement(a, b));
        a.dims[0].axes = {part(0, 1, 2), part(0, 2, 2)};
        b.dims[0].axes = {part(0, 1, 4)};
        QVERIFY(same_placement(a, b));
        b.unreduced = {part(1, 1, 3)};
        QVERIFY(!same_placement(a, b));
    }
    void the_pool_stores_each_once() {
        ShardingPool pool;
        std::vector<ShardingId> ids;
        for (int round = 0; round < 2; ++round)
            for (std::uint32_t i = 0; i < 200; ++i) {
                Sharding s = Sharding::replicated_of(i % 5 + 1);
                s.dims[0].axes = {part(i % 7, 1, i + 2)};
                const ShardingId id = pool.intern(s);
                QVERIFY(pool[id] == s);
                if (round == 0)
                    ids.push_back(id);
                else
                    QVERIFY(ids[i] == id);
            }
        QCOMPARE(pool.size(), std::size_t(200));
    }
};
SHARDWRIGHT_TEST(ShardingTest, "sharding")
#include "sharding.moc"
