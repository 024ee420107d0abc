// Arithmetic of axes and sub-axes: overlap, prefixes, merging.

#include "mesh/mesh.h"
#include "registry.h"

using namespace shardwright;
using namespace shardwright::mesh;

namespace {

AxisRef ref(std::uint32_t axis, std::uint32_t pre, std::uint32_t size) {
    AxisRef r;
    r.axis = axis & 0xFFu;
    r.pre = pre & 0xFFFFFFu;
    r.size = size;
    return r;
}

}  // namespace

class AxisRefTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void parts_of_one_axis_overlap_only_where_they_share_a_factor() {
        QVERIFY(overlaps(ref(0, 1, 8), ref(0, 2, 2)));
        QVERIFY(!overlaps(ref(0, 1, 2), ref(0, 2, 4)));
        QVERIFY(!overlaps(ref(0, 1, 8), ref(1, 1, 8)));
        QVERIFY(overlaps(ref(0, 1, 1), ref(0, 1, 1)));  // an axis of size 1 is still one axis
        QVERIFY(overlaps(ref(0, 1, 2), ref(0, 3, 2)));  // of 6: 2x3 and 3x2 do not go together
        QVERIFY(contains(ref(0, 1, 8), ref(0, 2, 2)));
        QVERIFY(!contains(ref(0, 2, 2), ref(0, 1, 8)));
        QVERIFY(!contains(ref(0, 1, 4), ref(0, 2, 4)));
        QVERIFY(!contains(ref(0, 1, 6), ref(0, 4, 3)));
    }
    void consecutive_parts_merge() {
        const AxisList parts{ref(0, 1, 2), ref(0, 2, 4), ref(1, 1, 3)};
        QVERIFY(merge_neighbours(view(parts)) == (AxisList{ref(0, 1, 8), ref(1, 1, 3)}));
        const AxisList reversed{ref(0, 2, 4), ref(0, 1, 2)};
        QVERIFY(merge_neighbours(view(reversed)) == reversed);
    }
    void a_common_prefix_splits_sub_axes() {
        const AxisList whole{ref(0, 1, 4)};
        const AxisList part{ref(0, 1, 2), ref(1, 1, 3)};
        QVERIFY(common_prefix(view(whole), view(part)) == (AxisList{ref(0, 1, 2)}));
        const AxisList both{ref(0, 1, 2), ref(0, 2, 2), ref(1, 1, 3)};
        QVERIFY(common_prefix(view(whole), view(both)) == whole);
        const AxisList four{ref(0, 1, 4)}, six{ref(0, 1, 6)};
        QVERIFY(common_prefix(view(four), view(six)) == (AxisList{ref(0, 1, 2)}));
        const AxisList three{ref(0, 1, 3)};
        QVERIFY(common_prefix(view(four), view(three)).empty());
        QVERIFY(is_prefix(view(part), view(both)) == false);
        QVERIFY(is_prefix(view(whole), view(both)));
        QVERIFY(is_prefix({}, view(both)));
    }
    void a_partial_overlap_keeps_the_free_major_part() {
        const AxisList axes{ref(1, 1, 3), ref(0, 1, 8), ref(2, 1, 2)};
        const AxisList minor{ref(0, 4, 2)};
        QVERIFY(free_prefix(view(axes), view(minor)) == (AxisList{ref(1, 1, 3), ref(0, 1, 4)}));
        const AxisList major{ref(0, 1, 2)};
        QVERIFY(free_prefix(view(axes), view(major)) == (AxisList{ref(1, 1, 3)}));
        const AxisList other{ref(3, 1, 2)};
        QVERIFY(free_prefix(view(axes), view(other)) == axes);
    }
};
SHARDWRIGHT_TEST(AxisRefTest, "axis_ref")
#include "axis_ref.moc"
