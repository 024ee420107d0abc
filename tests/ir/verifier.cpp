// The verifier of whole modules, trip counts and region combiners.
#include "ir/builder.h"
#include "ir/infer.h"
#include "ir/print.h"
#include "ir/trip_count.h"
#include "registry.h"

using namespace shardwright;
using namespace shardwright::ir;

namespace {

const TensorType kVector{ElementType::kF32, {4}};
const TensorType kIndex{ElementType::kS32, {}};

/// `i = start; while (i <direction> limit) i += step;` and its operation.
OpId counting_loop(Builder& b, std::int64_t start, Direction direction, std::int64_t limit,
                   std::int64_t step, bool mirrored = false) {
    Module& m = b.module();
    b.begin_function("main", {});
    const RegionId outer = b.region();
    const ValueId init = b.scalar(ElementType::kS32, double(start));
    const RegionId condition = b.make_region({&kIndex, 1});
    b.set_region(condition);
    const ValueId bound = b.scalar(ElementType::kS32, double(limit));
    const ValueId i = m.argument(condition, 0);
    const ValueId go = mirrored ? b.compare(bound, i, direction) : b.compare(i, bound, direction);
    b.ret({&go, 1});
    const RegionId body = b.make_region({&kIndex, 1});
    b.set_region(body);
    const ValueId next =
        b.add(OpKind::kAdd, {m.argument(body, 0), b.scalar(ElementType::kS32, double(step))});
    b.ret({&next, 1});
    b.set_region(outer);
    const RegionId regions[] = {condition, body};
    const OpId loop = b.add_op(OpKind::kWhile, {&init, 1}, WhileAttributes{}, {}, regions);
    const ValueId last = m.result(loop);
    b.ret({&last, 1});
    return loop;
}

}  // namespace

class VerifierTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void a_sound_module_passes() {
        Module m;
        Builder b(m);
        const OpId loop = counting_loop(b, 0, Direction::kLt, 10, 1);
        const Status status = verify_module(m);
        QVERIFY2(status.ok(), status.ok() ? "" : qPrintable(status.error().text().c_str()));
        QVERIFY(print(m, loop).starts_with("%"));
    }
    void use_before_definition_is_named() {
        Module m;
        Builder b(m);
        const RegionId body = b.begin_function("main", {&kVector, 1});
        const ValueId x = m.argument(body, 0);
        const ValueId first = b.add(OpKind::kNegate, {x});
        const ValueId second = b.add(OpKind::kNegate, {first});
        m.set_name(second, "later");
        m.set_operand(m.value(first).def, 0, second);
        b.ret({&first, 1});
        const Status status = verify_module(m);
        QVERIFY(!status.ok());
        QVERIFY(status.error().what.find("%later") != std::string::npos);
    }
    void a_value_of_a_nested_region_stays_inside() {
        Module m;
        Builder b(m);
        const OpId loop = counting_loop(b, 0, Direction::kLt, 10, 1);
        const RegionId main = m.functions()[0].body;
        const ValueId inside = m.argument(m.region_of(loop, 1), 0);
        m.set_operand(m.terminator(main), 0, inside);
        QVERIFY(!verify_module(m).ok());
    }
    void a_region_without_return_is_refused() {
        Module m;
        Builder b(m);
        b.begin_function("main", {&kVector, 1});
        QVERIFY(verify_module(m).error().text().find("does not end in return") !=
                std::string::npos);
    }
    void a_wrong_result_type_is_refused_with_its_line() {
        Module m;
        m.file = "model.mlir";
        Builder b(m);
        const RegionId body = b.begin_function("main", {&kVector, 1});
        const TypeId wrong = m.intern_type({ElementType::kF32, {5}});
        const ValueId x = m.argument(body, 0);
        const OpId op = m.add_op(body, OpKind::kNegate, {&x, 1}, {&wrong, 1});
        m.set_line(op, 7);
        const ValueId y = m.result(op);
        b.ret({&y, 1});
        const Status status = verify_module(m);
        QVERIFY(!status.ok());
        QVERIFY(status.error().text().starts_with("model.mlir:7:1: error:"));
    }
    void annotations_must_fit_their_tensor() {
        Module m;
        Builder b(m);
        const RegionId body = b.begin_function("main", {&kVector, 1});
        const ValueId x = m.argument(body, 0);
        b.ret({&x, 1});
        m.add_mesh(mesh::Mesh("mesh", {{"x", 2}}));
        m.annotate(x, sharding::Sharding::replicated_of(1));
        QVERIFY(verify_module(m).ok());
        m.annotate(x, sharding::Sharding::replicated_of(2));
        QVERIFY(!verify_module(m).ok());
        sharding::Sharding stranger = sharding::Sharding::replicated_of(1);
        mesh::AxisRef axis;
        axis.axis = 3;
        axis.size = 2;
        stranger.dims[0].axes.push_back(axis);
        m.annotate(x, stranger);
        QVERIFY(!verify_module(m).ok());
    }
    void trip_counts_data() {
        QTest::addColumn<int>("start");
        QTest::addColumn<int>("direction");
        QTest::addColumn<int>("limit");
        QTest::addColumn<int>("step");
        QTest::addColumn<bool>("mirrored");
        QTest::addColumn<int>("expected");
        const auto row = [](const char* name, int start, Direction d, int limit, int step,
                            bool mirrored, int expected) {
            QTest::newRow(name) << start << int(d) << limit << step << mirrored << expected;
        };
        row("lt", 0, Direction::kLt, 10, 1, false, 10);
        row("lt uneven", 0, Direction::kLt, 10, 3, false, 4);
        row("le", 0, Direction::kLe, 10, 5, false, 3);
        row("gt down", 10, Direction::kGt, 0, -2, false, 5);
        row("ge down", 10, Direction::kGe, 0, -2, false, 6);
        row("ne", 2, Direction::kNe, 8, 3, false, 2);
        row("ne never meets", 2, Direction::kNe, 9, 3, false, -1);
        row("already done", 10, Direction::kLt, 10, 1, false, 0);
        row("wrong way", 0, Direction::kLt, 10, -1, false, -1);
        row("limit > i", 0, Direction::kGt, 10, 1, true, 10);
    }
    void trip_counts() {
        QFETCH(int, start);
        QFETCH(int, direction);
        QFETCH(int, limit);
        QFETCH(int, step);
        QFETCH(bool, mirrored);
        QFETCH(int, expected);
        Module m;
        Builder b(m);
        const OpId loop =
            counting_loop(b, start, static_cast<Direction>(direction), limit, step, mirrored);
        QCOMPARE(int(trip_count(m, loop).value_or(-1)), expected);
    }
    void simple_combiners_are_recognised() {
        Module m;
        Builder b(m);
        b.begin_function("main", {});
        const RegionId add = b.combiner_region(OpKind::kAdd, ElementType::kF32);
        QVERIFY(simple_combiner(m, add) == OpKind::kAdd);
        const RegionId subtract = b.combiner_region(OpKind::kSubtract, ElementType::kF32);
        QVERIFY(!simple_combiner(m, subtract).has_value());
        QVERIFY(to_combiner(to_reduction(OpKind::kMaximum)) == OpKind::kMaximum);
    }
};
SHARDWRIGHT_TEST(VerifierTest, "verifier")
#include "verifier.moc"
