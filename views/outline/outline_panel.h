#pragma once
// The outline tree with a find line; what is activated is brought on the screen.

#include <QWidget>

#include "outline/outline_model.h"
#include "session/session.h"

class QLineEdit;
class QSortFilterProxyModel;
class QTreeView;

namespace shardwright::views {

class Canvas;

class OutlinePanel : public QWidget {
    Q_OBJECT
  public:
    OutlinePanel(Session* session, Canvas* canvas, QWidget* parent = nullptr);
    void focusFind();

  private:
    void goTo(const QModelIndex& index);

    Session* session_;
    Canvas* canvas_;
    OutlineModel* model_;
    QSortFilterProxyModel* filtered_;
    QTreeView* tree_;
    QLineEdit* find_;
};

}  // namespace shardwright::views
