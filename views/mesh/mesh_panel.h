#pragma once
// The mesh: axes as chips to drag, sizes to edit, axes to add and remove.

#include <QWidget>

#include "session/session.h"

class QGridLayout;
class QLabel;
class QToolButton;

namespace shardwright::views {

class MeshPanel : public QWidget {
    Q_OBJECT
  public:
    explicit MeshPanel(Session* session, QWidget* parent = nullptr);

  private:
    void refresh();
    void addAxis();
    void removeAxis(int axis);
    void resizeAxis(int axis, int size);
    /// The mesh that the plan names, or the module's own as derived.
    mesh::Mesh currentMesh() const;

    Session* session_;
    QGridLayout* rows_;
    QLabel* devices_;
    QToolButton* fold_;  ///< shows the axes of size 1, which shard nothing
    mesh::Mesh shown_;
};

}  // namespace shardwright::views
