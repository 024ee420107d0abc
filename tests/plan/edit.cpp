// Edits of one tensor's sharding: what they make of a plan, and what they refuse.
#include "plan/edit.h"

#include "ir/builder.h"
#include "registry.h"

using namespace shardwright;
using namespace shardwright::plan;

namespace {

std::shared_ptr<const Model> matrix_product() {
    ir::Module m;
    ir::Builder b(m);
    const ir::TensorType types[] = {{ir::ElementType::kF32, {64, 32}},
                                    {ir::ElementType::kF32, {32, 100}}};
    const ir::RegionId body = b.begin_function("main", types);
    ir::DotAttributes dot;
    dot.lhs_contracting = {1};
    dot.rhs_contracting = {0};
    const ir::ValueId y =
        b.dot(m.argument(body, 0), m.argument(body, 1), dot, ir::ElementType::kF32);
    const ir::ValueId results[] = {y};
    b.ret(results);
    m.set_name(m.argument(body, 0), "x");
    m.set_name(m.argument(body, 1), "w");
    m.set_name(y, "y");
    return std::make_shared<const Model>(std::move(m));
}

Plan on_mesh(const char* mesh) {
    Plan plan;
    plan.mesh = mesh;
    return plan;
}

std::string annotation(const Plan& plan, const std::string& target) {
    for (const Annotation& a : plan.annotations)
        if (a.target == target) return a.sharding;
    return {};
}

}  // namespace

class EditTest : public QObject {
    Q_OBJECT
    std::shared_ptr<const Model> model_ = matrix_product();
    Plan plan_ = on_mesh("data=2,model=3");

    std::shared_ptr<const Derived> derived(const Plan& plan) {
        auto result = propagate_only(model_, plan);
        return result.ok() ? *result : nullptr;
    }
    ir::ValueId value(const char* name) { return model_->find(name).at(0); }

  private Q_SLOTS:
    void an_axis_leaves_other_dims_open() {
        const auto d = derived(plan_);
        const Plan next = with_axis(*model_, *d, plan_, value("x"), 0, 0);
        QCOMPARE(QString::fromStdString(annotation(next, "x")), QString("[data, ?]"));
        QVERIFY(is_pinned(*model_, next, value("x")));
        QVERIFY(!is_pinned(*model_, next, value("w")));
        const auto after = derived(next);
        QVERIFY(after != nullptr);
        QCOMPARE(after->shardings.of(value("y")).shards(0), std::int64_t(2));
    }
    void verdicts() {
        const Plan next = with_axis(*model_, *derived(plan_), plan_, value("x"), 0, 0);
        const auto d = derived(next);
        QVERIFY(check_axis(*d, value("w"), 1, 0).verdict == Verdict::kAccept);
        const EditCheck uneven = check_axis(*d, value("w"), 1, 1);
        QVERIFY(uneven.verdict == Verdict::kWarn);
        QCOMPARE(QString::fromStdString(uneven.reason),
                 QString("100 is not a multiple of 3: 2 of 102 elements are padding"));
        const EditCheck twice = check_axis(*d, value("x"), 1, 0);
        QVERIFY(twice.verdict == Verdict::kRefuse);
        QCOMPARE(QString::fromStdString(twice.reason),
                 QString("data already shards dim 0 of this tensor"));
        QVERIFY(check_axis(*d, value("x"), 2, 0).verdict == Verdict::kRefuse);
        QVERIFY(check_axis(*d, value("x"), 0, 7).verdict == Verdict::kRefuse);
        QVERIFY(check_axis(*d, ir::ValueId(), 0, 0).verdict == Verdict::kRefuse);
    }
    void clearing_takes_back_what_was_put() {
        const Plan next = with_axis(*model_, *derived(plan_), plan_, value("x"), 0, 0);
        const Plan back = with_dim_cleared(*model_, *derived(next), next, value("x"), 0);
        QVERIFY(back == plan_);
    }
    void clearing_an_inferred_dim_closes_it() {
        const Plan next = with_axis(*model_, *derived(plan_), plan_, value("x"), 0, 0);
        const Plan closed = with_dim_cleared(*model_, *derived(next), next, value("y"), 0);
        QCOMPARE(QString::fromStdString(annotation(closed, "y")), QString("[-, ?]"));
        const auto d = derived(closed);
        QCOMPARE(d->shardings.of(value("y")).shards(0), std::int64_t(1));
    }
    void an_axis_leaves_every_annotation_data() {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("after");
        QTest::newRow("alone") << "[model, ?]"
                               << "[-, ?]";
        QTest::newRow("first of two") << "[model+data, -]"
                                      << "[data, -]";
        QTest::newRow("last of two") << "[data+model?, -]"
                                     << "[data?, -]";
        QTest::newRow("sub-axis") << "[model:(1)3, data]"
                                  << "[-, data]";
        QTest::newRow("not there") << "[data, -, ?]"
                                   << "[data, -, ?]";
        QTest::newRow("scalar") << "[]"
                                << "[]";
        QTest::newRow("longer name") << "[model2]"
                                     << "[model2]";
    }
    void an_axis_leaves_every_annotation() {
        QFETCH(QString, before);
        QFETCH(QString, after);
        Plan plan = plan_;
        plan.set("x", before.toStdString());
        const Plan next = without_axis(plan, "model", "data=2");
        QCOMPARE(QString::fromStdString(annotation(next, "x")), after);
        QCOMPARE(QString::fromStdString(next.mesh), QString("data=2"));
    }
};
SHARDWRIGHT_TEST(EditTest, "edit")
#include "edit.moc"
