#pragma once
// One tensor large, dimension by dimension: drop axes here, or choose them from a cell's menu.

#include <QMimeData>
#include <QWidget>

#include "draw/paint.h"
#include "session/session.h"

namespace shardwright::views {

class PillEditor : public QWidget {
    Q_OBJECT
  public:
    explicit PillEditor(Session* session, QWidget* parent = nullptr);
    void refresh();
    QSize sizeHint() const override;
    QRect cellRect(int dim) const;

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;

  private:
    int dimAt(const QPoint& position) const;
    int axisOf(const QMimeData* data) const;
    void showMenu(int dim, const QPoint& position);

    Session* session_;
    draw::Overlay overlay_;
    DerivedPtr derived_;
    ir::ValueId value_;
    std::vector<draw::Rect> cells_;
    std::vector<std::int64_t> dims_;
};

}  // namespace shardwright::views
