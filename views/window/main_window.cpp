#include "window/main_window.h"

#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QLabel>
#include <QMimeData>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <QVBoxLayout>

#include "canvas/canvas.h"
#include "collectives/collectives_panel.h"
#include "mesh/mesh_panel.h"
#include "outline/outline_panel.h"
#include "start/start_page.h"
#include "tensor/tensor_panel.h"
#include "totals/totals_bar.h"

namespace shardwright::views {

MainWindow::MainWindow(QWidget* parent) : QMainWindow(parent) {
    setObjectName(QStringLiteral("mainWindow"));
    setAcceptDrops(true);
    setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
    session_ = new Session(this);
    canvas_ = new Canvas(session_);
    start_ = new StartPage;
    problem_ = new QLabel;
    problem_->setObjectName(QStringLiteral("problem"));
    problem_->setWordWrap(true);
    problem_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    problem_->setMargin(8);
    problem_->setFrameStyle(QFrame::Box | QFrame::Plain);
    problem_->hide();
    centre_ = new QStackedWidget;
    centre_->addWidget(start_);
    centre_->addWidget(canvas_);
    auto* middle = new QWidget;
    auto* column = new QVBoxLayout(middle);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(problem_);
    column->addWidget(centre_, 1);
    setCentralWidget(middle);
    makeDocks();
    makeActions();
    statusBar()->addPermanentWidget(new TotalsBar(session_), 1);
    connect(session_, &Session::modelOpened, this, [this] {
        open_error_.clear();
        centre_->setCurrentWidget(canvas_);
        canvas_->setFocus();
        showProblem();
        updateTitle();
    });
    connect(session_, &Session::openFailed, this, [this](const QString& message) {
        open_error_ = message;
        showProblem();
    });
    connect(session_, &Session::problemChanged, this, &MainWindow::showProblem);
    connect(session_, &Session::planChanged, this, &MainWindow::updateTitle);
    connect(session_->undoStack(), &QUndoStack::cleanChanged, this, &MainWindow::updateTitle);
    connect(start_, &StartPage::openRequested, this,
            [this](const QString& path, const QString& plan) { openModel(path, plan); });
    connect(start_, &StartPage::openDialogRequested, this, &MainWindow::openDialog);
    connect(canvas_, &Canvas::hint, this, [this](const QString& text) {
        problem_->setText(text);
        problem_->show();
    });
    resize(1440, 900);
    updateTitle();
}

MainWindow::~MainWindow() = default;

QDockWidget* MainWindow::dock(const QString& name, const QString& title, QWidget* content,
                              Qt::DockWidgetArea area) {
    auto* widget = new QDockWidget(title, this);
    widget->setObjectName(name);
    widget->setWidget(content);
    addDockWidget(area, widget);
    return widget;
}

void MainWindow::makeDocks() {
    mesh_ = new MeshPanel(session_);
    outline_ = new OutlinePanel(session_, canvas_);
    tensor_ = new TensorPanel(session_);
    collectives_ = new CollectivesPanel(session_);
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    QDockWidget* mesh = dock(QStringLiteral("meshDock"), tr("Mesh"), mesh_, Qt::LeftDockWidgetArea);
    QDockWidget* outline =
        dock(QStringLiteral("outlineDock"), tr("Outline"), outline_, Qt::LeftDockWidgetArea);
    QDockWidget* tensor =
        dock(QStringLiteral("tensorDock"), tr("Tensor"), tensor_, Qt::RightDockWidgetArea);
    QDockWidget* table = dock(QStringLiteral("collectivesDock"), tr("Collectives"), collectives_,
                              Qt::BottomDockWidgetArea);
    resizeDocks({mesh, tensor}, {270, 330}, Qt::Horizontal);
    resizeDocks({mesh, outline}, {190, 600}, Qt::Vertical);
    resizeDocks({table}, {190}, Qt::Vertical);
}

void MainWindow::setLayoutProgram(const QString& program) {
    canvas_->loader()->setWorkerProgram(program);
}

void MainWindow::openModel(const QString& path, const QString& plan, const QString& mesh) {
    StartPage::remember(path);
    session_->openModel(path, plan, mesh);
}

QStringList MainWindow::viewNames() {
    return {QStringLiteral("window"), QStringLiteral("graph"),       QStringLiteral("mesh"),
            QStringLiteral("tensor"), QStringLiteral("collectives"), QStringLiteral("outline"),
            QStringLiteral("start")};
}

QWidget* MainWindow::viewNamed(const QString& name) {
    if (name.isEmpty() || name == QLatin1String("window")) return this;
    if (name == QLatin1String("graph")) return canvas_;
    if (name == QLatin1String("mesh")) return mesh_;
    if (name == QLatin1String("tensor")) return tensor_;
    if (name == QLatin1String("collectives")) return collectives_;
    if (name == QLatin1String("outline")) return outline_;
    if (name == QLatin1String("start")) return start_;
    return nullptr;
}

void MainWindow::showProblem() {
    const QString text = open_error_.isEmpty() ? session_->problem() : open_error_;
    problem_->setText(QStringLiteral("⚠ ") + text);
    problem_->setVisible(!text.isEmpty());
}

void MainWindow::updateTitle() {
    QString title = QStringLiteral("Shardwright");
    if (session_->model()) {
        title = QFileInfo(session_->modelPath()).fileName() + QStringLiteral("[*] — ") + title;
        if (!session_->planPath().isEmpty())
            title = QFileInfo(session_->planPath()).fileName() + QStringLiteral(" · ") + title;
    }
    setWindowTitle(title);
    setWindowModified(!session_->undoStack()->isClean());
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls() && event->mimeData()->urls().first().isLocalFile())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    const QString path = event->mimeData()->urls().value(0).toLocalFile();
    if (path.isEmpty()) return;
    event->acceptProposedAction();
    if (path.endsWith(QLatin1String(".json"))) {
        QString error;
        if (!session_->openPlan(path, &error)) {
            open_error_ = error;
            showProblem();
        }
        return;
    }
    openModel(path);
}

void MainWindow::restoreArrangement() {
    const QSettings settings;
    restoreGeometry(settings.value(QStringLiteral("geometry")).toByteArray());
    restoreState(settings.value(QStringLiteral("docks")).toByteArray());
}

void MainWindow::closeEvent(QCloseEvent* event) {
    QSettings settings;
    settings.setValue(QStringLiteral("geometry"), saveGeometry());
    settings.setValue(QStringLiteral("docks"), saveState());
    QMainWindow::closeEvent(event);
}

}  // namespace shardwright::views
