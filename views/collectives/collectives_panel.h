#pragma once
// The collectives table with a filter; double click goes to the place in the graph.

#include <QWidget>

#include "collectives/collectives_model.h"

class QLabel;
class QSortFilterProxyModel;
class QTableView;

namespace shardwright::views {

class CollectivesPanel : public QWidget {
    Q_OBJECT
  public:
    explicit CollectivesPanel(Session* session, QWidget* parent = nullptr);

  private:
    void refresh();
    void goTo(const QModelIndex& index);

    Session* session_;
    CollectivesModel* model_;
    QSortFilterProxyModel* sorted_;
    QTableView* table_;
    QLabel* summary_;
};

}  // namespace shardwright::views
