// The module's tables: dense ids, interned types, use-lists.
#include "ir/module.h"

#include "ir/uses.h"
#include "registry.h"

using namespace shardwright;
using namespace shardwright::ir;

class ModuleTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void equal_types_share_one_id() {
        Module m;
        const TypeId a = m.intern_type({ElementType::kF32, {2, 3}});
        const TypeId b = m.intern_type({ElementType::kF32, {2, 3}});
        const TypeId c = m.intern_type({ElementType::kBF16, {2, 3}});
        QVERIFY(a == b);
        QVERIFY(a != c);
    }
    void uses_are_listed_in_program_order() {
        Module m;
        const RegionId body = m.add_region();
        const TypeId t = m.intern_type({ElementType::kF32, {4}});
        const TypeId types[] = {t};
        m.set_arguments(body, types);
        m.add_function("main", body);
        const ValueId x = m.argument(body, 0);
        const ValueId twice[] = {x, x};
        const OpId add = m.add_op(body, OpKind::kAdd, twice, types);
        const ValueId results[] = {m.result(add), x};
        const OpId ret = m.add_op(body, OpKind::kReturn, results, {});
        const Uses uses(m);
        QCOMPARE(uses.of(x).size(), std::size_t(3));
        QVERIFY(uses.of(x)[0].op == add && uses.of(x)[1].operand == 1);
        QVERIFY(uses.of(x)[2].op == ret);
        QCOMPARE(uses.of(m.result(add)).size(), std::size_t(1));
    }
};
SHARDWRIGHT_TEST(ModuleTest, "module")
#include "module.moc"
