// The item models behind tables and trees keep Qt's contract and show what they should.
#include <QAbstractItemModelTester>

#include "collectives/collectives_model.h"
#include "outline/outline_model.h"
#include "registry.h"
#include "two_layers.h"

using namespace shardwright;
using namespace shardwright::views;

namespace {

plan::CollectiveFacts fact(ir::OpKind kind, std::int64_t bytes, std::int64_t trips) {
    plan::CollectiveFacts f;
    f.kind = kind;
    f.axes = "data";
    f.bytes = bytes;
    f.trips = trips;
    f.cause = "reshard of x for dot_general";
    return f;
}

}  // namespace

class ModelsTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void collectives_sum_equal_lines_and_sort_by_number() {
        CollectivesModel model;
        QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setLines({fact(ir::OpKind::kAllGather, 2048, 32),
                        fact(ir::OpKind::kAllGather, 2048, 32),
                        fact(ir::OpKind::kAllReduce, 100, 1)});
        QCOMPARE(model.rowCount(), 2);
        const auto text = [&](int row, int column) {
            return model.index(row, column).data(Qt::DisplayRole).toString();
        };
        QCOMPARE(text(0, CollectivesModel::kCount), QString("2 × 32"));
        QCOMPARE(text(0, CollectivesModel::kTotal), QString("128 KB"));
        QCOMPARE(text(1, CollectivesModel::kBytes), QString("100 B"));
        QCOMPARE(
            model.index(0, CollectivesModel::kTotal).data(CollectivesModel::kSortRole).toLongLong(),
            131072LL);
        QVERIFY(model.index(0, 0).data(Qt::ToolTipRole).toString().contains("all-gather"));
        model.setLines({});
        QCOMPARE(model.rowCount(), 0);
    }
    void outline_mirrors_the_groups() {
        test::TwoLayers names;
        auto outline = std::make_shared<Outline>();
        outline->model = test::two_layers(names);
        outline->tree = draw::find_groups(outline->model->module, outline->model->uses);
        outline->graphs =
            draw::make_graphs(outline->model->module, outline->model->uses, outline->tree);
        OutlineModel model;
        QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setOutline(outline);
        QVERIFY(model.rowCount() >= 2);
        const QModelIndex first = model.index(0, 0);
        QCOMPARE(first.data().toString(), QString("first"));
        QCOMPARE(model.rowCount(first), 6);  // three arguments, three operations
        bool found = false;
        for (int i = 0; i < model.rowCount(first); ++i)
            found |= model.valueAt(model.index(i, 0, first)) == names.activation;
        QVERIFY(found);
        model.setOutline(nullptr);
        QCOMPARE(model.rowCount(), 0);
    }
};
SHARDWRIGHT_TEST(ModelsTest, "models")
#include "models.moc"
