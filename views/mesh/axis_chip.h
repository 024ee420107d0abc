#pragma once
// One mesh axis as a coloured chip that can be dragged onto a tensor's dimension.

#include <QWidget>

#include "draw/colour.h"

namespace shardwright::views {

class AxisChip : public QWidget {
    Q_OBJECT
  public:
    AxisChip(const draw::AxisStyle& style, QWidget* parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }
    QString axis() const { return QString::fromStdString(style_.name); }

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

  private:
    QPixmap picture() const;

    draw::AxisStyle style_;
    QPoint press_;
};

}  // namespace shardwright::views
