// The real window: drag and drop, keys, undo, plans, pictures.
#include <QApplication>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QMimeData>
#include <QSpinBox>

#include "canvas/canvas.h"
#include "registry.h"
#include "two_layers.h"
#include "window/main_window.h"

using namespace shardwright;
using namespace shardwright::views;

namespace {

/// Sends what a drag of this axis over the widget would send, and drops it. True when accepted.
bool dropAxis(QWidget* target, const QByteArray& axis, const QPointF& position) {
    QMimeData data;
    data.setData(QLatin1String(kAxisMime), axis);
    QDragEnterEvent enter(position.toPoint(), Qt::CopyAction, &data, Qt::LeftButton,
                          Qt::NoModifier);
    QApplication::sendEvent(target, &enter);
    QDragMoveEvent move(position.toPoint(), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(target, &move);
    if (!move.isAccepted()) {
        QDragLeaveEvent leave;
        QApplication::sendEvent(target, &leave);
        return false;
    }
    QDropEvent drop(position, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(target, &drop);
    return drop.isAccepted();
}

}  // namespace

class WindowTest : public QObject {
    Q_OBJECT

    std::unique_ptr<MainWindow> window_;
    test::TwoLayers names_;

    Session& session() { return *window_->session(); }
    Canvas& canvas() { return *window_->canvas(); }
    const sharding::Sharding& sharding(ir::ValueId v) {
        return session().derived()->shardings.of(v);
    }
    bool settled() { return session().derived() && !session().isBusy() && canvas().scene(); }
    void cell(ir::ValueId v, int dim, QPointF* at) {
        canvas().reveal(v);
        QTRY_VERIFY(canvas().cellRect(v, dim).has_value());
        *at = canvas().cellRect(v, dim)->center();
        QVERIFY(canvas().rect().contains(at->toPoint()));
    }

  private Q_SLOTS:
    void init() {
        QStandardPaths::setTestModeEnabled(true);
        window_ = std::make_unique<MainWindow>();
        window_->resize(1400, 900);
        window_->show();
        session().setModel(test::two_layers(names_), test::plan_on("data=2,model=4"));
        QTRY_VERIFY_WITH_TIMEOUT(settled(), 20000);
    }
    void cleanup() { window_.reset(); }

    void dropping_a_chip_shards_a_tensor_two_operations_away_and_undo_restores_it() {
        QVERIFY(sharding(names_.activation).dims[0].axes.empty());
        QPointF at;
        cell(names_.input, 0, &at);
        QVERIFY(dropAxis(&canvas(), "data", at));
        QTRY_VERIFY(settled());
        // input -> dot -> add -> maximum: two operations further on.
        QCOMPARE(sharding(names_.input).shards(0), std::int64_t(2));
        QCOMPARE(sharding(names_.activation).shards(0), std::int64_t(2));
        QTest::keyClick(window_.get(), Qt::Key_Z, Qt::ControlModifier);
        QTRY_VERIFY(settled() && sharding(names_.activation).shards(0) == 1);
        QCOMPARE(sharding(names_.input).shards(0), std::int64_t(1));
        QTest::keyClick(window_.get(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(settled() && sharding(names_.activation).shards(0) == 2);
    }
    void hovering_accepts_warns_and_refuses() {
        QPointF at;
        cell(names_.input, 0, &at);
        QMimeData data;
        data.setData(QLatin1String(kAxisMime), "data");
        const auto hover = [&](const QPointF& p) {
            QDragEnterEvent enter(p.toPoint(), Qt::CopyAction, &data, Qt::LeftButton,
                                  Qt::NoModifier);
            QApplication::sendEvent(&canvas(), &enter);
            QDragMoveEvent move(p.toPoint(), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
            QApplication::sendEvent(&canvas(), &move);
            return canvas().overlay().drop;
        };
        QCOMPARE(hover(at), draw::DropVerdict::kAccept);
        // The preview arrives before the drop and goes when the cursor leaves.
        QTRY_VERIFY(session().previewed());
        QCOMPARE(session().previewed()->shardings.of(names_.activation).shards(0), std::int64_t(2));
        QCOMPARE(sharding(names_.activation).shards(0), std::int64_t(1));
        QDragLeaveEvent leave;
        QApplication::sendEvent(&canvas(), &leave);
        QVERIFY(!session().previewed());
        QVERIFY(dropAxis(&canvas(), "data", at));
        QTRY_VERIFY(settled());
        QPointF other;
        cell(names_.input, 1, &other);
        QCOMPARE(hover(other), draw::DropVerdict::kRefuse);
        QVERIFY(!dropAxis(&canvas(), "data", other));
        session().setMesh("data=2,model=3", "Resize axis");
        QTRY_VERIFY(settled() && plan::mesh_of(*session().derived()).axes()[1].size == 3);
        data.setData(QLatin1String(kAxisMime), "model");
        cell(names_.weight, 1, &other);
        QCOMPARE(hover(other), draw::DropVerdict::kWarn);
    }
    void keyboard_edits_a_dimension() {
        session().goTo(names_.weight);
        canvas().setFocus();
        QTest::keyClick(&canvas(), Qt::Key_2);
        QCOMPARE(session().selection().dim, 1);
        QTest::keyClick(&canvas(), Qt::Key_M);
        QTRY_VERIFY(settled() && sharding(names_.weight).shards(1) == 4);
        QTest::keyClick(&canvas(), Qt::Key_Delete);
        QTRY_VERIFY(settled() && sharding(names_.weight).shards(1) == 1);
        QVERIFY(session().plan().annotations.empty());
        QTest::keyClick(&canvas(), Qt::Key_P);
        QTRY_COMPARE(session().plan().annotations.size(), std::size_t(1));
        QTest::keyClick(&canvas(), Qt::Key_P);
        QTRY_VERIFY(session().plan().annotations.empty());
    }
    void arrows_walk_along_the_data_flow() {
        session().goTo(names_.input);
        QTest::keyClick(&canvas(), Qt::Key_Down);
        QVERIFY(session().selection().value == names_.product);
        QTest::keyClick(&canvas(), Qt::Key_Up);
        QVERIFY(session().selection().value == names_.input);
    }
    void plans_are_saved_and_loaded() {
        QVERIFY(session().putAxis(names_.weight, 1, 1));
        QTRY_VERIFY(settled() && sharding(names_.weight).shards(1) == 4);
        QTemporaryDir folder;
        const QString path = folder.filePath("a.shardplan.json");
        QString error;
        QVERIFY2(session().savePlan(path, &error), qPrintable(error));
        QVERIFY(session().undoStack()->isClean());
        session().undoStack()->undo();
        QTRY_VERIFY(settled() && sharding(names_.weight).shards(1) == 1);
        QVERIFY2(session().openPlan(path, &error), qPrintable(error));
        QTRY_VERIFY(settled() && sharding(names_.weight).shards(1) == 4);
        QVERIFY(!session().openPlan(folder.filePath("missing.json"), &error));
        QVERIFY(error.contains("missing.json"));
        QVERIFY(!session().savePlan("/nowhere/at/all.json", &error));
    }
    void mesh_sizes_are_edited_in_one_undo_step() {
        auto* size = window_->findChild<QSpinBox*>("size_model");
        QVERIFY(size != nullptr);
        const int before = session().undoStack()->index();
        size->setValue(8);
        size->setValue(2);
        QTRY_VERIFY(settled() && plan::mesh_of(*session().derived()).device_count() == 4);
        QCOMPARE(session().undoStack()->index(), before + 1);
        session().undoStack()->undo();
        QTRY_VERIFY(settled() && plan::mesh_of(*session().derived()).device_count() == 8);
    }
    void removing_an_axis_takes_it_out_of_annotations() {
        QVERIFY(session().putAxis(names_.weight, 1, 1));
        QTRY_VERIFY(settled());
        session().edit(plan::without_axis(session().plan(), "model", "data=2"), "Remove axis");
        QTRY_VERIFY(settled() && plan::mesh_of(*session().derived()).rank() == 1);
        QVERIFY2(session().problem().isEmpty(), qPrintable(session().problem()));
        QCOMPARE(sharding(names_.weight).shards(1), std::int64_t(1));
    }
    void a_bad_model_is_reported_and_the_old_one_stays() {
        QTemporaryDir folder;
        QFile bad(folder.filePath("bad.hlo"));
        QVERIFY(bad.open(QIODevice::WriteOnly));
        bad.write("this is no model");
        bad.close();
        QSignalSpy failed(&session(), &Session::openFailed);
        window_->openModel(bad.fileName());
        QVERIFY(failed.wait(10000));
        QVERIFY(session().model() != nullptr);
        auto* problem = window_->findChild<QWidget*>("problem");
        QVERIFY(problem != nullptr && problem->isVisible());
    }
    void zoom_keeps_the_point_under_the_cursor() {
        const QPointF at(300, 200);
        const draw::Point before = canvas().toScene(at);
        canvas().zoomAt(at, 1.7);
        const draw::Point after = canvas().toScene(at);
        QVERIFY(std::abs(before.x - after.x) < 1e-6 && std::abs(before.y - after.y) < 1e-6);
        canvas().fit();
    }
    void every_view_paints() {
        for (const QString& name : MainWindow::viewNames()) {
            QWidget* view = window_->viewNamed(name);
            QVERIFY2(view != nullptr, qPrintable(name));
            QVERIFY2(!view->grab().isNull(), qPrintable(name));
        }
    }
};
SHARDWRIGHT_TEST(WindowTest, "window")
#include "window.moc"
