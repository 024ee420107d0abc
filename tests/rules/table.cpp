// The table shares rules; data-flow edges list what control flow carries.
#include "one_op.h"
#include "registry.h"

using namespace shardwright;
using ir::OpKind;
using test::OneOp;

class TableTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void equal_operations_share_a_rule() {
        OneOp one({{2, 3}, {2, 3}});
        const ir::OpId add = one.add(OpKind::kAdd, {{2, 3}});
        const ir::OpId multiply = one.add(OpKind::kMultiply, {{2, 3}});
        one.use({one.argument(0)});
        const ir::OpId by_rows = one.add(OpKind::kTranspose, {{2, 3}}, ir::DimsAttributes{{0, 1}});
        const ir::OpId negate = one.add(OpKind::kNegate, {{2, 3}});
        const ir::OpId turned = one.add(OpKind::kTranspose, {{3, 2}}, ir::DimsAttributes{{1, 0}});
        const rules::RuleTable table(one.module());
        QVERIFY(table.id(add) == table.id(multiply));
        QVERIFY(table.id(by_rows) == table.id(negate));  // the identity either way
        QVERIFY(table.id(turned) != table.id(by_rows));
        QCOMPARE(table.size(), std::size_t(3));
    }
    void reduces_with_different_combiners_differ() {
        OneOp one({{2, 3}, {}});
        const ir::OpId a =
            one.add(OpKind::kReduce, {{2}}, ir::DimsAttributes{{1}}, {one.combiner(OpKind::kAdd)});
        const ir::OpId b = one.add(OpKind::kReduce, {{2}}, ir::DimsAttributes{{1}},
                                   {one.combiner(OpKind::kMaximum)});
        const rules::RuleTable table(one.module());
        QVERIFY(table.id(a) != table.id(b));
    }
    void while_ties_init_arguments_and_results() {
        OneOp one({{4}, {}});
        ir::Module& m = one.module();
        const ir::TypeId types[] = {m.value(one.argument(0)).type, m.value(one.argument(1)).type};
        const ir::RegionId condition = m.add_region(), body = m.add_region();
        m.set_arguments(condition, types);
        m.set_arguments(body, types);
        const ir::ValueId stop = m.argument(condition, 1);
        m.add_op(condition, OpKind::kReturn, {&stop, 1}, {});
        const ir::ValueId swapped[] = {m.argument(body, 0), m.argument(body, 1)};
        m.add_op(body, OpKind::kReturn, swapped, {});
        const ir::OpId loop = one.add(OpKind::kWhile, {{4}, {}}, {}, {condition, body});
        const auto edges = rules::data_flow_edges(m);
        QCOMPARE(edges.size(), std::size_t(2));
        QVERIFY(edges[0].op == loop);
        QCOMPARE(edges[0].sources.size(), std::size_t(2));  // init, body result
        QVERIFY(edges[0].sources[0] == one.argument(0));
        QVERIFY(edges[0].sources[1] == m.argument(body, 0));
        QCOMPARE(edges[0].targets.size(), std::size_t(3));  // result, two arguments
        QVERIFY(edges[1].targets[0] == m.result(loop, 1));
        QCOMPARE(rules::einsum_text(rules::make_rule(m, loop)), "([.],[]) -> ([.],[])");
    }
    void every_kind_without_attributes_of_its_own_has_a_rule() {
        // Elementwise kinds by the table of kinds: none may fall through to another family.
        for (std::size_t k = 0; k < ir::op_kind_count(); ++k) {
            const auto kind = static_cast<OpKind>(k);
            if (!ir::info(kind).elementwise) continue;
            OneOp one({{5}});
            QCOMPARE(one.text(kind, {{5}}), "([i]) -> [i]");
        }
    }
    void rules_of_a_large_module_take_milliseconds() {
        OneOp one({{64, 64}, {64, 64}});
        for (int i = 0; i < 100000; ++i)
            one.add(i % 2 ? OpKind::kAdd : OpKind::kMaximum, {{64, 64}});
        QElapsedTimer timer;
        timer.start();
        const rules::RuleTable table(one.module());
        qInfo("100000 operations: %.1f ms, %zu rules", double(timer.nsecsElapsed()) / 1e6,
              table.size());
        QVERIFY(timer.elapsed() < 2000);  // a guard against quadratic behaviour, not a benchmark
        QCOMPARE(table.size(), std::size_t(1));
    }
};
SHARDWRIGHT_TEST(TableTest, "table")
#include "table.moc"
