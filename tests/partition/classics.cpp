// The classic results: which collectives well-known layouts cost, and no others.
#include "harness.h"
#include "registry.h"

using namespace shardwright;
using namespace shardwright::ir;

namespace {

constexpr auto kF32 = ElementType::kF32;

DotAttributes matmul() {
    DotAttributes d;
    d.lhs_contracting = {1};
    d.rhs_contracting = {0};
    return d;
}

std::vector<ValueId> begin(Builder& b, const std::vector<TensorType>& types) {
    const RegionId body = b.begin_function("main", types);
    std::vector<ValueId> arguments;
    for (std::size_t i = 0; i < types.size(); ++i)
        arguments.push_back(b.module().argument(body, i));
    return arguments;
}

}  // namespace

class ClassicsTest : public QObject {
    Q_OBJECT
    static QString collectives(const test::Case& c, const partition::Options& options = {}) {
        return QString::fromStdString(
            test::collectives_text(test::partitioned(c, c.shardings(), options)));
    }
    static void check_numbers(const test::Case& c) {
        const std::string bad = test::difference(c, c.shardings());
        QVERIFY2(bad.empty(), bad.substr(0, 4000).c_str());
    }

  private Q_SLOTS:
    void megatron_mlp_is_one_all_reduce() {
        test::Case c("model=4");
        Builder b = c.build();
        const auto a = begin(b, {{kF32, {32, 64}}, {kF32, {64, 128}}, {kF32, {128, 64}}});
        const ValueId h = b.add(OpKind::kTanh, {b.dot(a[0], a[1], matmul(), kF32)});
        const ValueId y = b.dot(h, a[2], matmul(), kF32);
        b.ret({&y, 1});
        c.put(a[1], "[-, model]");
        c.put(a[2], "[model, -]");
        c.put(c.module.operand(c.module.value(h).def, 0), "[-, model]");
        c.put(h, "[-, model]");
        QCOMPARE(collectives(c), QString("all_reduce(model)"));
        check_numbers(c);
    }

    void fully_sharded_data_parallel_gathers_weights() {
        test::Case c("data=4");
        Builder b = c.build();
        const auto a = begin(b, {{kF32, {4096, 64}}, {kF32, {64, 32}}, {kF32, {4096, 32}}});
        const ValueId y = b.dot(a[0], a[1], matmul(), kF32);
        DotAttributes across;  // x^T · dy
        across.lhs_contracting = {0};
        across.rhs_contracting = {0};
        const ValueId gradient = b.dot(a[0], a[2], across, kF32);
        const ValueId results[] = {y, gradient};
        b.ret(results);
        c.put(a[0], "[data, -]");
        c.put(a[1], "[data, -]");
        c.put(a[2], "[data, -]");
        c.put(y, "[data, -]");
        c.put(gradient, "[data, -]");
        QCOMPARE(collectives(c), QString("all_gather(data) reduce_scatter(data)"));
        check_numbers(c);
    }

    void contracting_both_sharded_and_sharded_result_is_a_reduce_scatter() {
        test::Case c("x=2,y=4");
        Builder b = c.build();
        const auto a = begin(b, {{kF32, {64, 256}}, {kF32, {256, 64}}});
        const ValueId y = b.dot(a[0], a[1], matmul(), kF32);
        b.ret({&y, 1});
        c.put(a[0], "[x, y]");
        c.put(a[1], "[y, -]");
        c.put(y, "[x, y]");
        QCOMPARE(collectives(c), QString("reduce_scatter(y)"));
        check_numbers(c);
    }

    void partial_sum_and_constraint_become_a_reduce_scatter() {
        test::Case c("x=4");
        Builder b = c.build();
        const auto a = begin(b, {{kF32, {64, 256}}, {kF32, {256, 64}}});
        const ValueId y = b.dot(a[0], a[1], matmul(), kF32);
        ShardingAttributes constraint;
        constraint.sharding = c.sharding("[x, -]", 2);
        const ValueId z = b.add(OpKind::kShardingConstraint, {y}, constraint);
        b.ret({&z, 1});
        c.put(a[0], "[-, x]");
        c.put(a[1], "[x, -]");
        c.put(z, "[x, -]");
        QCOMPARE(collectives(c), QString("reduce_scatter(x)"));
        check_numbers(c);
        partition::Options plain;
        plain.reduce_scatter = false;
        QCOMPARE(collectives(c, plain), QString("all_reduce(x)"));
    }

    void sums_of_all_reduces_are_reduced_once() {
        test::Case c("x=4");
        Builder b = c.build();
        const auto a = begin(b, {{kF32, {64, 256}}, {kF32, {256, 64}}, {kF32, {256, 64}}});
        const ValueId y = b.dot(a[0], a[1], matmul(), kF32), z = b.dot(a[0], a[2], matmul(), kF32);
        const ValueId sum = b.add(OpKind::kAdd, {y, z});
        b.ret({&sum, 1});
        c.put(a[0], "[-, x]");
        c.put(a[1], "[x, -]");
        c.put(a[2], "[x, -]");
        QCOMPARE(collectives(c), QString("all_reduce(x)"));
        check_numbers(c);
        partition::Options plain;
        plain.merge_all_reduces = false;
        QCOMPARE(collectives(c, plain), QString("all_reduce(x) all_reduce(x)"));
    }

    void equal_reshards_are_made_once() {
        test::Case c("x=4");
        Builder b = c.build();
        const auto a = begin(b, {{kF32, {64, 64}}});
        ShardingAttributes constraint;
        constraint.sharding = c.sharding("[-, x]", 2);
        const ValueId results[] = {b.add(OpKind::kShardingConstraint, {a[0]}, constraint),
                                   b.add(OpKind::kShardingConstraint, {a[0]}, constraint)};
        b.ret(results);
        c.put(a[0], "[x, -]");
        for (const ValueId v : results) c.put(v, "[-, x]");
        QCOMPARE(collectives(c), QString("all_to_all(x)"));
        check_numbers(c);
        partition::Options plain;
        plain.share_reshards = false;
        QCOMPARE(collectives(c, plain), QString("all_to_all(x) all_to_all(x)"));
    }

    void batch_parallel_needs_no_communication() {
        test::Case c("x=2,y=2");
        Builder b = c.build();
        const auto a = begin(b, {{kF32, {8, 16, 32}}, {kF32, {8, 32, 16}}});
        DotAttributes d;
        d.lhs_batch = d.rhs_batch = {0};
        d.lhs_contracting = {2};
        d.rhs_contracting = {1};
        const ValueId y = b.dot(a[0], a[1], d, kF32);
        b.ret({&y, 1});
        c.put(a[0], "[x, y, -]");
        c.put(a[1], "[x, -, -]");
        c.put(y, "[x, y, -]");
        QCOMPARE(collectives(c), QString());
        check_numbers(c);
    }

    void collectives_say_why_how_much_and_how_often() {
        test::Case c("model=4");
        Builder b = c.build();
        const auto a = begin(b, {{kF32, {32, 128}}, {kF32, {128, 64}}});
        b.set_scope("layer_0/mlp");
        const ValueId y = b.dot(a[0], a[1], matmul(), kF32);
        b.ret({&y, 1});
        c.module.set_name(y, "y");
        c.put(a[0], "[-, model]");
        c.put(a[1], "[model, -]");
        const auto program = test::partitioned(c, c.shardings());
        const auto lines = partition::list_collectives(program);
        QCOMPARE(lines.size(), std::size_t(1));
        QCOMPARE(lines[0].bytes_in, std::int64_t(32 * 64 * 4));
        QCOMPARE(lines[0].group_size, std::int64_t(4));
        QCOMPARE(lines[0].trips, std::int64_t(1));
        QCOMPARE(lines[0].bytes_moved, std::int64_t(2 * 32 * 64 * 4 / 4 * 3));
        QCOMPARE(lines[0].scope, std::string("layer_0/mlp"));
        QVERIFY(lines[0].cause.find("dot_general") != std::string::npos);
        QVERIFY(lines[0].cause.find("%y") != std::string::npos);
        QVERIFY(program.gathered.empty());
    }

    /// F29: a sum of sharded numbers is complete before anything that is not linear.
    void sums_are_complete_before_what_is_not_linear() {
        test::Case c("x=2");
        Builder b = c.build();
        const auto a = begin(b, {{kF32, {10}}});
        const std::int64_t all[] = {0};
        const ValueId s = b.reduce(b.iota({kF32, {10}}, 0), b.scalar(kF32, 0), all, OpKind::kAdd);
        const ValueId t = b.reduce(a[0], b.scalar(kF32, 0), all, OpKind::kAdd);
        const ValueId results[] = {b.add(OpKind::kAdd, {s, b.scalar(kF32, 10)}),
                                   b.add(OpKind::kMultiply, {s, b.scalar(kF32, 2)}),
                                   b.add(OpKind::kMaximum, {s, b.scalar(kF32, 50)}),
                                   b.add(OpKind::kTanh, {t})};
        b.ret(results);
        c.put(a[0], "[x]");
        c.put(c.module.operand(c.module.value(s).def, 0), "[x]");
        check_numbers(c);
    }
};
SHARDWRIGHT_TEST(ClassicsTest, "classics")
#include "classics.moc"
