// Live bytes over a program: hand-counted.
#include "cost/schedule/liveness.h"
#include "ir/builder.h"
#include "registry.h"

using namespace shardwright;
using namespace shardwright::ir;

namespace {

const TensorType kKilo{ElementType::kF32, {256}};  // 1024 bytes
constexpr cost::MemoryOptions kUnfused{false, true};

}  // namespace

class MemoryTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void a_chain_holds_two_buffers_at_a_time() {
        Module m;
        Builder b(m);
        const RegionId body = b.begin_function("main", {&kKilo, 1});
        ValueId x = m.argument(body, 0);
        for (int i = 0; i < 4; ++i) x = b.add(OpKind::kTanh, {x});
        b.ret({&x, 1});
        const cost::Memory memory = cost::memory_of(m, kUnfused);
        QCOMPARE(memory.argument_bytes, std::int64_t(1024));
        QCOMPARE(memory.output_bytes, std::int64_t(1024));
        QCOMPARE(memory.peak_bytes, std::int64_t(3 * 1024));  // argument, operand, result
        QVERIFY(memory.live_bytes == (std::vector<std::int64_t>{2048, 3072, 3072, 3072, 2048}));
        // Fused, only the last is written.
        QCOMPARE(cost::memory_of(m).peak_bytes, std::int64_t(2 * 1024));
    }
    void an_early_value_used_late_stays() {
        Module m;
        Builder b(m);
        const RegionId body = b.begin_function("main", {&kKilo, 1});
        const ValueId early = b.add(OpKind::kTanh, {m.argument(body, 0)});
        ValueId x = early;
        for (int i = 0; i < 3; ++i) x = b.add(OpKind::kExponential, {x});
        const ValueId sum = b.add(OpKind::kAdd, {x, early});
        b.ret({&sum, 1});
        const cost::Memory memory = cost::memory_of(m, kUnfused);
        QCOMPARE(memory.peak_bytes, std::int64_t(4 * 1024));
        QCOMPARE(memory.at_peak.size(), std::size_t(4));
    }
    void a_donated_argument_lends_its_storage_to_the_output() {
        Module m;
        Builder b(m);
        const RegionId body = b.begin_function("main", {&kKilo, 1});
        const ValueId sum = b.add(OpKind::kAdd, {m.argument(body, 0), m.argument(body, 0)});
        b.ret({&sum, 1});
        QCOMPARE(cost::memory_of(m, kUnfused).peak_bytes, std::int64_t(2048));
        m.function(0).arguments[0].donated = true;
        m.function(0).arguments[0].alias_output = 0;
        const cost::Memory shared = cost::memory_of(m, kUnfused);
        QCOMPARE(shared.peak_bytes, std::int64_t(1024));
        QCOMPARE(shared.output_bytes, std::int64_t(0));
        QCOMPARE(shared.aliased_bytes, std::int64_t(1024));
        // Unless the two are sharded differently.
        const cost::Memory lost = cost::memory_of(m, kUnfused, {true});
        QCOMPARE(lost.peak_bytes, std::int64_t(2048));
        QCOMPARE(lost.lost_donations.size(), std::size_t(1));
    }
    void a_donation_read_after_its_output_is_lost() {
        Module m;
        Builder b(m);
        const RegionId body = b.begin_function("main", {&kKilo, 1});
        const ValueId old = m.argument(body, 0);
        const ValueId updated = b.add(OpKind::kTanh, {old});
        const ValueId both[] = {updated, b.add(OpKind::kMultiply, {updated, old})};
        b.ret(both);
        m.function(0).arguments[0].donated = true;
        m.function(0).arguments[0].alias_output = 0;
        const cost::Memory memory = cost::memory_of(m, kUnfused);
        QCOMPARE(memory.lost_donations.size(), std::size_t(1));
        QCOMPARE(memory.peak_bytes, std::int64_t(3 * 1024));
    }
    void a_loop_counts_its_state_once_and_its_body_s_peak() {
        Module m;
        Builder b(m);
        const RegionId body = b.begin_function("main", {&kKilo, 1});
        const TensorType carried[] = {{ElementType::kS32, {}}, kKilo};
        const RegionId condition = b.make_region(carried), step = b.make_region(carried);
        b.set_region(condition);
        const ValueId less =
            b.compare(m.argument(condition, 0), b.scalar(ElementType::kS32, 5), Direction::kLt);
        b.ret({&less, 1});
        b.set_region(step);
        ValueId x = m.argument(step, 1);
        for (int i = 0; i < 3; ++i) x = b.add(OpKind::kTanh, {x});
        const ValueId next[] = {m.argument(step, 0), x};
        b.ret(next);
        b.set_region(body);
        const ValueId init[] = {b.scalar(ElementType::kS32, 0),
                                b.add(OpKind::kTanh, {m.argument(body, 0)})};
        const RegionId regions[] = {condition, step};
        const OpId loop = b.add_op(OpKind::kWhile, init, {}, {}, regions);
        const ValueId result = m.result(loop, 1);
        b.ret({&result, 1});
        const cost::Memory memory = cost::memory_of(m, kUnfused);
        // Argument, state, two temporaries of the body; two counters (the constant is not written
        // over).
        QCOMPARE(memory.peak_bytes, std::int64_t(4 * 1024 + 8));
        QVERIFY(memory.peak_op == loop);
        std::int64_t sum = 0;
        for (const cost::Buffer& buffer : memory.at_peak) sum += buffer.bytes;
        QCOMPARE(sum, memory.peak_bytes);  // the body's own buffers are listed
    }
};
SHARDWRIGHT_TEST(MemoryTest, "memory")
#include "memory.moc"
