#include "mesh/axis_chip.h"

#include <QApplication>
#include <QDrag>
#include <QMimeData>
#include <QMouseEvent>
#include <QPainter>

#include "canvas/canvas.h"
#include "theme/theme.h"

namespace shardwright::views {

AxisChip::AxisChip(const draw::AxisStyle& style, QWidget* parent) : QWidget(parent), style_(style) {
    setObjectName(QStringLiteral("chip_") + axis());
    setCursor(Qt::OpenHandCursor);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setAccessibleName(tr("Axis %1").arg(axis()));
    setToolTip(tr("Mesh axis “%1”: one direction of the grid of devices.\nDrag it onto a tensor's "
                  "dimension to cut that dimension over the devices along it,\nor select a "
                  "dimension in the graph and press “%2”.")
                   .arg(axis(), QString::fromStdString(style_.letter)));
}

QSize AxisChip::sizeHint() const {
    return {fontMetrics().horizontalAdvance(axis()) + 46, fontMetrics().height() + 12};
}

void AxisChip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF chip = QRectF(rect()).adjusted(1, 1, -1, -1);
    painter.setPen(QPen(toColor(drawPalette().cell_edge), 1.2));
    painter.setBrush(toColor(style_.fill));
    painter.drawRoundedRect(chip, 6, 6);
    // Three dots: this can be gripped.
    painter.setPen(Qt::NoPen);
    painter.setBrush(toColor(style_.text));
    for (int i = -1; i <= 1; ++i)
        painter.drawEllipse(QPointF(10, height() / 2.0 + 5 * i), 1.4, 1.4);
    painter.setPen(toColor(style_.text));
    QFont bold = font();
    bold.setBold(true);
    painter.setFont(bold);
    painter.drawText(rect().adjusted(20, 0, -8, 0), Qt::AlignVCenter | Qt::AlignLeft, axis());
}

QPixmap AxisChip::picture() const {
    const qreal ratio = devicePixelRatioF();
    QPixmap pixmap(size() * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    const_cast<AxisChip*>(this)->render(&pixmap, {}, {}, QWidget::DrawChildren);
    return pixmap;
}

void AxisChip::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) press_ = event->pos();
}

void AxisChip::mouseMoveEvent(QMouseEvent* event) {
    if (!(event->buttons() & Qt::LeftButton)) return;
    if ((event->pos() - press_).manhattanLength() < QApplication::startDragDistance()) return;
    auto* drag = new QDrag(this);
    auto* data = new QMimeData;
    data->setData(QLatin1String(kAxisMime), axis().toUtf8());
    drag->setMimeData(data);
    drag->setPixmap(picture());
    drag->setHotSpot(event->pos());
    drag->exec(Qt::CopyAction, Qt::CopyAction);
}

}  // namespace shardwright::views
