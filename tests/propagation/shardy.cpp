// Policy `shardy` on modules small enough to read.
#include <set>

#include "graph.h"

using namespace shardwright;
using namespace shardwright::ir;
using test::matmul;

namespace {

/// A module under construction with a mesh a=2, b=2, c=2 and one function.
struct Program {
    Module module;
    Builder b{module};
    sharding::MeshId mesh;
    RegionId body;

    explicit Program(std::vector<Dims> arguments,
                     std::vector<mesh::Axis> axes = {{"a", 2}, {"b", 2}, {"c", 2}}) {
        mesh = module.add_mesh(mesh::Mesh("mesh", std::move(axes)));
        std::vector<TensorType> types;
        for (const Dims& dims : arguments) types.push_back({ElementType::kF32, dims});
        body = b.begin_function("main", types);
    }
    ValueId argument(std::size_t i) const { return module.argument(body, i); }
    void annotate(ValueId v, const char* text) {
        const auto s = sharding::parse_sdy(text, module.mesh(mesh), mesh);
        if (!s.ok()) qFatal("%s", s.error().text().c_str());
        module.annotate(v, *s);
    }
    propagation::Result run() {
        const rules::RuleTable rules(module);
        propagation::Options options;
        options.policy = propagation::Policy::kShardy;
        return propagation::propagate(module, rules, mesh, options);
    }
    std::string text(const propagation::Result& result, ValueId v) const {
        return sharding::print_sdy_body(result.of(v), module.mesh(mesh));
    }
};

}  // namespace

class ShardyTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void a_dot_hears_both_operands() {
        Program p({{8, 8}, {8, 16}});
        const ValueId dot = p.b.dot(p.argument(0), p.argument(1), matmul(), ElementType::kF32);
        p.b.ret({&dot, 1});
        p.annotate(p.argument(0), "[{\"a\"}, {}]");
        p.annotate(p.argument(1), "[{}, {\"b\"}]");
        const auto result = p.run();
        QCOMPARE(p.text(result, dot), std::string("[{\"a\", ?}, {\"b\", ?}]"));
        QCOMPARE(p.text(result, p.argument(0)), std::string("[{\"a\"}, {}]"));
    }
    void an_axis_wanted_twice_goes_to_the_earlier_operand() {
        Program p({{8, 8}, {8, 8}});
        const ValueId dot = p.b.dot(p.argument(0), p.argument(1), matmul(), ElementType::kF32);
        p.b.ret({&dot, 1});
        p.annotate(p.argument(0), "[{\"a\"}, {}]");
        p.annotate(p.argument(1), "[{}, {\"b\", \"a\"}]");
        const auto result = p.run();
        QCOMPARE(p.text(result, dot), std::string("[{\"a\", ?}, {\"b\", ?}]"));
        QCOMPARE(result.conflicts.size(), std::size_t(1));
        QVERIFY(result.conflicts[0].loser == p.argument(1));
    }
    void contracting_dims_travel_sideways() {
        Program p({{8, 8}, {8, 8}});
        const ValueId dot = p.b.dot(p.argument(0), p.argument(1), matmul(), ElementType::kF32);
        p.b.ret({&dot, 1});
        p.annotate(p.argument(0), "[{}, {\"a\"}]");
        const auto result = p.run();
        QCOMPARE(p.text(result, p.argument(1)), std::string("[{\"a\", ?}, {?}]"));
        QCOMPARE(p.text(result, dot), std::string("[{?}, {?}]"));
    }
    void elementwise_goes_before_dots() {
        Program p({{8, 8}, {8, 8}});
        const ValueId dot = p.b.dot(p.argument(0), p.argument(1), matmul(), ElementType::kF32);
        const ValueId sum = p.b.add(OpKind::kAdd, {dot, dot});
        p.b.ret({&sum, 1});
        p.annotate(p.argument(0), "[{\"a\", ?}, {?}]");
        p.annotate(sum, "[{?}, {\"a\", ?}]");
        const auto result = p.run();
        QCOMPARE(p.text(result, dot), std::string("[{?}, {\"a\", ?}]"));
    }
    void user_priorities_are_heard_in_order() {
        Program p({{8, 8}, {8, 8}});
        const ValueId sum = p.b.add(OpKind::kAdd, {p.argument(0), p.argument(1)});
        p.b.ret({&sum, 1});
        p.annotate(p.argument(0), "[{\"a\", ?}p1, {?}]");
        p.annotate(p.argument(1), "[{?}, {\"a\", ?}p0]");
        const auto result = p.run();
        QCOMPARE(p.text(result, sum), std::string("[{?}, {\"a\", ?}]"));
        QCOMPARE(p.text(result, p.argument(0)), std::string("[{\"a\", ?}, {?}]"));
    }
    void a_reshape_splits_axes() {
        Program p({{32}}, {{"a", 16}, {"b", 2}});
        const Dims split{8, 4}, again{2, 4, 4};
        const ValueId first = p.b.reshape(p.argument(0), view(split));
        const ValueId second = p.b.reshape(first, view(again));
        p.b.ret({&second, 1});
        p.annotate(p.argument(0), "[{\"a\"}]");
        const auto result = p.run();
        QCOMPARE(p.text(result, first), std::string("[{\"a\":(1)8, ?}, {\"a\":(8)2, ?}]"));
        QCOMPARE(p.text(result, second),
                 std::string("[{\"a\":(1)2, ?}, {\"a\":(2)4, ?}, {\"a\":(8)2, ?}]"));
    }
    void a_reshape_never_asks_for_a_strided_view() {
        Program p({{4, 4}});
        const Dims merged{16};
        const ValueId flat = p.b.reshape(p.argument(0), view(merged));
        p.b.ret({&flat, 1});
        p.annotate(p.argument(0), "[{\"a\"}, {\"b\"}]");
        QCOMPARE(p.text(p.run(), flat), std::string("[{\"a\", ?}]"));
    }
    void closed_and_replicated_are_respected() {
        Program p({{8, 8}, {8, 8}, {8, 8}});
        const ValueId x = p.b.add(OpKind::kAdd, {p.argument(0), p.argument(1)});
        const ValueId y = p.b.add(OpKind::kAdd, {x, p.argument(2)});
        p.b.ret({&y, 1});
        p.annotate(p.argument(0), "[{\"a\"}, {\"b\"}]");
        p.annotate(p.argument(1), "[{}, {?}]");
        p.annotate(p.argument(2), "[{?}, {?}], replicated={\"a\"}");
        const auto result = p.run();
        QCOMPARE(p.text(result, p.argument(1)), std::string("[{}, {\"b\", ?}]"));
        QCOMPARE(p.text(result, p.argument(2)),
                 std::string("[{?}, {\"b\", ?}], replicated={\"a\"}"));
    }
    void operands_take_no_more_from_each_other_than_the_result_can_follow() {
        Program p({{8, 1}, {8, 1}});
        const ValueId sum = p.b.add(OpKind::kAdd, {p.argument(0), p.argument(1)});
        p.b.ret({&sum, 1});
        p.annotate(p.argument(0), "[{\"a\", \"b\"}, {}]");
        p.annotate(sum, "[{\"a\"}, {}]");
        QCOMPARE(p.text(p.run(), p.argument(1)), std::string("[{\"a\", ?}, {?}]"));
    }
    void a_chain_leads_back_to_the_user() {
        Program p({{8, 8}, {8, 16}});
        p.module.set_name(p.argument(1), "w_up");
        const ValueId dot = p.b.dot(p.argument(0), p.argument(1), matmul(), ElementType::kF32);
        const ValueId h = p.b.add(OpKind::kTanh, {dot});
        p.module.set_name(dot, "d");
        p.module.set_name(h, "h");
        p.b.ret({&h, 1});
        p.annotate(p.argument(1), "[{}, {\"b\"}]");
        const auto result = p.run();
        const rules::RuleTable rules(p.module);
        const auto chain = propagation::why(p.module, rules, result, h, 1);
        QCOMPARE(chain.size(), std::size_t(3));
        QVERIFY(chain[0].starts_with("`h` dim 1 is on `b` ← step "));
        QVERIFY(chain[0].find("`tanh`, factor j, from `d`") != std::string::npos);
        QVERIFY(chain[1].find("`dot_general`, factor j, from `w_up`") != std::string::npos);
        QCOMPARE(chain[2], std::string("`w_up` dim 1 is on `b` ← you set it"));
    }
    void uneven_axes_that_nobody_asked_for_leave_arguments() {
        Program p({{6, 8}, {6, 8}}, {{"a", 4}});
        const ValueId sum = p.b.add(OpKind::kAdd, {p.argument(0), p.argument(1)});
        p.b.ret({&sum, 1});
        p.annotate(p.argument(0), "[{\"a\"}, {}]");
        const auto result = p.run();
        QCOMPARE(p.text(result, p.argument(0)), std::string("[{\"a\"}, {}]"));
        QCOMPARE(p.text(result, p.argument(1)), std::string("[{?}, {?}]"));
        QCOMPARE(p.text(result, sum), std::string("[{\"a\", ?}, {?}]"));
        QVERIFY(result.pool[result.of_result[0][0]].dims[0].axes.empty());
    }
    void random_shardings_are_legal_and_repeat() {
        Program p({{8, 6}, {8, 6}, {}}, {{"a", 8}, {"b", 3}});
        const ValueId sum = p.b.add(OpKind::kAdd, {p.argument(0), p.argument(1)});
        p.b.ret({&sum, 1});
        std::set<std::string> seen;
        for (std::uint64_t seed = 0; seed < 50; ++seed) {
            const auto result = propagation::random_shardings(p.module, p.mesh, seed);
            const auto again = propagation::random_shardings(p.module, p.mesh, seed);
            for (std::size_t v = 0; v < p.module.value_count(); ++v) {
                const ValueId value(v);
                const auto& s = result.of(value);
                QVERIFY(validate(s, p.module.mesh(p.mesh), p.module.type(value).dims.size()).ok());
                QCOMPARE(p.text(result, value), p.text(again, value));
            }
            seen.insert(p.text(result, sum));
        }
        QVERIFY(seen.size() > 10);
    }
};
SHARDWRIGHT_TEST(ShardyTest, "shardy")
#include "shardy.moc"
