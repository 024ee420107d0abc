// Dragging an axis over the graph: accept, warn or refuse while hovering, with the outcome as ghost
// numbers before the drop.
#include <QDragEnterEvent>
#include <QMimeData>
#include <QPainter>

#include "canvas/canvas.h"
#include "draw/units.h"
#include "theme/theme.h"

namespace shardwright::views {

int Canvas::draggedAxis(const QMimeData* data) const {
    if (data == nullptr || !data->hasFormat(QLatin1String(kAxisMime))) return -1;
    const std::string name = data->data(QLatin1String(kAxisMime)).toStdString();
    for (std::size_t a = 0; a < overlay_.axes.size(); ++a)
        if (overlay_.axes[a].name == name) return static_cast<int>(a);
    return -1;
}

void Canvas::dragEnterEvent(QDragEnterEvent* event) {
    if (draggedAxis(event->mimeData()) >= 0)
        event->acceptProposedAction();
    else
        event->ignore();  // a file: the window takes it
}

/// Looks at the cell under the cursor; true when a drop there would do something.
bool Canvas::updateDrop(const QPointF& position, int axis) {
    drop_position_ = position;
    const draw::Hit hit = hitAt(position);
    const ir::ValueId value = hit.pill >= 0 ? valueAt(hit) : ir::ValueId();
    const int dim = hit.cell >= 0 ? static_cast<int>(hit.cell) : -1;
    const bool same = overlay_.drop != draw::DropVerdict::kNone && value == overlay_.drop_value &&
                      dim == overlay_.drop_dim && axis == overlay_.drop_axis;
    if (!same) {
        overlay_.drop_value = value;
        overlay_.drop_dim = dim;
        overlay_.drop_axis = axis;
        overlay_.drop = draw::DropVerdict::kNone;
        drop_reason_.clear();
        if (value.valid() && dim >= 0) {
            const plan::EditCheck check = session_->check(value, dim, axis);
            drop_reason_ = QString::fromStdString(check.reason);
            using enum draw::DropVerdict;
            overlay_.drop = check.verdict == plan::Verdict::kAccept ? kAccept
                            : check.verdict == plan::Verdict::kWarn ? kWarn
                                                                    : kRefuse;
        }
        if (overlay_.drop == draw::DropVerdict::kAccept ||
            overlay_.drop == draw::DropVerdict::kWarn)
            session_->preview(
                plan::with_axis(*session_->model(), *session_->derived(), session_->plan(), value,
                                static_cast<std::size_t>(dim), static_cast<std::size_t>(axis)));
        else
            session_->preview(std::nullopt);
    }
    update();
    return overlay_.drop == draw::DropVerdict::kAccept || overlay_.drop == draw::DropVerdict::kWarn;
}

void Canvas::dragMoveEvent(QDragMoveEvent* event) {
    const int axis = draggedAxis(event->mimeData());
    if (axis < 0) {
        event->ignore();
        return;
    }
    if (updateDrop(event->position(), axis))
        event->acceptProposedAction();
    else
        event->ignore();
}

void Canvas::dragLeaveEvent(QDragLeaveEvent*) {
    clearDrop();
}

void Canvas::dropEvent(QDropEvent* event) {
    const int axis = draggedAxis(event->mimeData());
    if (axis < 0 || !updateDrop(event->position(), axis)) {
        event->ignore();
        clearDrop();
        return;
    }
    const ir::ValueId value = overlay_.drop_value;
    const int dim = overlay_.drop_dim;
    clearDrop();
    session_->select(value, dim);
    session_->putAxis(value, dim, axis);
    setFocus();
    event->acceptProposedAction();
}

void Canvas::clearDrop() {
    overlay_.drop = draw::DropVerdict::kNone;
    overlay_.drop_value = {};
    overlay_.drop_dim = overlay_.drop_axis = -1;
    session_->preview(std::nullopt);
    update();
}

/// What the drop would cost, as soon as the preview has been derived.
QString Canvas::ghostText() const {
    const DerivedPtr before = session_->derived(), after = session_->previewed();
    if (!before || !after) return {};
    const plan::Totals &a = before->totals, &b = after->totals;
    const auto text = [](const std::string& s) { return QString::fromStdString(s); };
    QString out = tr("arguments %1 a device")
                      .arg(text(draw::bytes_delta_text(b.argument_bytes_per_device -
                                                       a.argument_bytes_per_device)));
    if (a.peak_bytes_per_device != 0 || b.peak_bytes_per_device != 0)
        out += tr(" · peak %1")
                   .arg(text(
                       draw::bytes_delta_text(b.peak_bytes_per_device - a.peak_bytes_per_device)));
    out += tr(" · collectives %1%2")
               .arg(b.collectives >= a.collectives ? QStringLiteral("+") : QString())
               .arg(b.collectives - a.collectives);
    if (a.step_time_s > 0 || b.step_time_s > 0)
        out += tr(" · step %1").arg(text(draw::time_delta_text(b.step_time_s - a.step_time_s)));
    return out;
}

void Canvas::paintDropNote(QPainter& painter) const {
    if (overlay_.drop == draw::DropVerdict::kNone) return;
    const draw::Palette& p = drawPalette();
    const draw::Colour colour = overlay_.drop == draw::DropVerdict::kAccept ? p.accept
                                : overlay_.drop == draw::DropVerdict::kWarn ? p.warn
                                                                            : p.refuse;
    const QString sign = overlay_.drop == draw::DropVerdict::kAccept ? QStringLiteral("✓ ")
                         : overlay_.drop == draw::DropVerdict::kWarn ? QStringLiteral("⚠ ")
                                                                     : QStringLiteral("✕ ");
    QStringList lines{sign + drop_reason_};
    if (const QString ghost = ghostText(); !ghost.isEmpty()) lines << ghost;
    const QFontMetrics metrics(font());
    int wide = 0;
    for (const QString& line : lines) wide = std::max(wide, metrics.horizontalAdvance(line));
    QRect box(0, 0, wide + 20, metrics.height() * static_cast<int>(lines.size()) + 12);
    box.moveTopLeft(drop_position_.toPoint() + QPoint(16, 20));
    if (box.right() > width()) box.moveRight(width() - 4);
    if (box.bottom() > height()) box.moveBottom(drop_position_.toPoint().y() - 12);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(toColor(colour), 2));
    painter.setBrush(toColor(p.card));
    painter.drawRoundedRect(box, 6, 6);
    painter.setPen(toColor(p.text));
    int y = box.top() + 6 + metrics.ascent();
    for (const QString& line : lines) {
        painter.drawText(box.left() + 10, y, line);
        y += metrics.height();
    }
}

}  // namespace shardwright::views
