#pragma once
// The one window: the graph in the middle, everything else docked around it, one session.

#include <QMainWindow>

#include "session/session.h"

class QDockWidget;
class QLabel;
class QStackedWidget;

namespace shardwright::views {

class Canvas;
class CollectivesPanel;
class MeshPanel;
class OutlinePanel;
class StartPage;
class TensorPanel;

class MainWindow : public QMainWindow {
    Q_OBJECT
  public:
    explicit MainWindow(QWidget* parent = nullptr);
    ~MainWindow() override;

    Session* session() { return session_; }
    Canvas* canvas() { return canvas_; }
    MeshPanel* meshPanel() { return mesh_; }
    /// The program that answers to `--layout-worker`.
    void setLayoutProgram(const QString& program);
    void openModel(const QString& path, const QString& plan = {}, const QString& mesh = {});
    /// A view by name for pictures: window, graph, mesh, tensor, collectives, outline, start.
    QWidget* viewNamed(const QString& name);
    static QStringList viewNames();
    /// Docks as the user left them; pictures and tests use the plain arrangement instead.
    void restoreArrangement();

  protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

  private:
    void makeDocks();
    void makeActions();
    QDockWidget* dock(const QString& name, const QString& title, QWidget* content,
                      Qt::DockWidgetArea area);
    void showProblem();
    void updateTitle();
    void openDialog();
    void openPlanDialog();
    void savePlan(bool ask_name);
    void setTheme(bool dark);
    void showHelp();

    Session* session_;
    Canvas* canvas_;
    StartPage* start_;
    QStackedWidget* centre_;
    MeshPanel* mesh_;
    TensorPanel* tensor_;
    CollectivesPanel* collectives_;
    OutlinePanel* outline_;
    QLabel* problem_;
    QString open_error_;
};

}  // namespace shardwright::views
