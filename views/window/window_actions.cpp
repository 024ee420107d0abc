// Menus and what they do.
#include <QApplication>
#include <QDockWidget>
#include <QFileDialog>
#include <QMenuBar>
#include <QSettings>

#include "canvas/canvas.h"
#include "draw/svg.h"
#include "outline/outline_panel.h"
#include "theme/theme.h"
#include "window/help_window.h"
#include "window/main_window.h"

namespace shardwright::views {

void MainWindow::makeActions() {
    QMenu* file = menuBar()->addMenu(tr("&File"));
    file->addAction(tr("&Open model …"), QKeySequence::Open, this, &MainWindow::openDialog);
    file->addAction(tr("Open &plan …"), this, &MainWindow::openPlanDialog);
    file->addSeparator();
    file->addAction(tr("&Save plan"), QKeySequence::Save, this, [this] { savePlan(false); });
    file->addAction(tr("Save plan &as …"), QKeySequence::SaveAs, this, [this] { savePlan(true); });
    file->addAction(tr("Save &picture …"), this, [this] {
        const QString path = QFileDialog::getSaveFileName(this, tr("Save picture"), {},
                                                          tr("Pictures (*.png *.svg)"));
        if (path.isEmpty() || canvas_->scene() == nullptr) return;
        const draw::Rect all = canvas_->scene()->scene.bounds.grown(20);
        const draw::Palette& palette = drawPalette();
        const draw::DisplayList list = draw::paint(canvas_->scene()->scene, canvas_->overlay(),
                                                   {.visible = all, .palette = &palette});
        Status status;
        if (path.endsWith(QLatin1String(".svg")))
            status = draw::write_svg(list, all, palette.background, path.toStdString());
        else
            status = draw::write_png(list, all, palette.background, 1, path.toStdString());
        open_error_ = status.ok() ? QString() : QString::fromStdString(status.error().text());
        showProblem();
    });
    file->addSeparator();
    file->addAction(tr("&Quit"), QKeySequence::Quit, this, &QWidget::close);

    QMenu* edit = menuBar()->addMenu(tr("&Edit"));
    QAction* undo = session_->undoStack()->createUndoAction(this, tr("Undo"));
    undo->setShortcut(QKeySequence::Undo);
    QAction* redo = session_->undoStack()->createRedoAction(this, tr("Redo"));
    redo->setShortcuts(
        {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
    edit->addAction(undo);
    edit->addAction(redo);
    edit->addSeparator();
    edit->addAction(tr("&Find"), QKeySequence::Find, this, [this] { outline_->focusFind(); });
    edit->addAction(tr("Set as &baseline"), this, [this] { session_->setBaseline(); })
        ->setToolTip(tr("Differences in the totals are shown against this state"));

    QMenu* view = menuBar()->addMenu(tr("&View"));
    view->addAction(tr("&Fit"), QKeySequence(Qt::CTRL | Qt::Key_0), canvas_, &Canvas::fit);
    view->addAction(tr("Open all &groups"), this, [this] { canvas_->openAll(true); });
    view->addAction(tr("&Close all groups"), this, [this] { canvas_->openAll(false); });
    view->addSeparator();
    QAction* dark = view->addAction(tr("&Dark theme"));
    dark->setCheckable(true);
    dark->setChecked(currentTheme() == Theme::kDark);
    connect(dark, &QAction::toggled, this, &MainWindow::setTheme);
    view->addSeparator();
    for (QDockWidget* d : findChildren<QDockWidget*>()) view->addAction(d->toggleViewAction());

    QMenu* help = menuBar()->addMenu(tr("&Help"));
    help->addAction(tr("&How to use Shardwright"), QKeySequence::HelpContents, this,
                    &MainWindow::showHelp);
}

void MainWindow::openDialog() {
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Open model"), {}, tr("Models (*.mlir *.hlo *.txt *.gz);;All files (*)"));
    if (!path.isEmpty()) openModel(path);
}

void MainWindow::openPlanDialog() {
    const QString path = QFileDialog::getOpenFileName(this, tr("Open plan"), {},
                                                      tr("Plans (*.json);;All files (*)"));
    if (path.isEmpty()) return;
    open_error_.clear();
    session_->openPlan(path, &open_error_);
    showProblem();
}

void MainWindow::savePlan(bool ask_name) {
    if (!session_->model()) return;
    QString path = session_->planPath();
    if (ask_name || path.isEmpty()) {
        path = QFileDialog::getSaveFileName(
            this, tr("Save plan"), path.isEmpty() ? QStringLiteral("plan.shardplan.json") : path,
            tr("Plans (*.json)"));
        if (path.isEmpty()) return;
    }
    open_error_.clear();
    session_->savePlan(path, &open_error_);
    showProblem();
    updateTitle();
}

void MainWindow::setTheme(bool dark) {
    applyTheme(*qApp, dark ? Theme::kDark : Theme::kLight);
    QSettings().setValue(QStringLiteral("theme"),
                         dark ? QStringLiteral("dark") : QStringLiteral("light"));
    canvas_->update();
}

void MainWindow::showHelp() {
    auto* window = new HelpWindow(this);
    window->setAttribute(Qt::WA_DeleteOnClose);
    window->show();
}

}  // namespace shardwright::views
