// Pointing: pan, zoom, select, open groups, the context menu, tooltips.
#include <QApplication>
#include <QContextMenuEvent>
#include <QMenu>
#include <QMouseEvent>
#include <cmath>

#include "canvas/canvas.h"
#include "draw/units.h"

namespace shardwright::views {
draw::Hit Canvas::hitAt(const QPointF& position) const {
    return state_ ? draw::hit_test(state_->scene, toScene(position)) : draw::Hit{};
}

ir::ValueId Canvas::valueAt(const draw::Hit& hit) const {
    if (hit.node < 0) return {};
    const draw::Scene& scene = state_->scene;
    if (hit.pill >= 0) return scene.pills[static_cast<std::size_t>(hit.pill)].value;
    const draw::SceneNode& node = scene.nodes[static_cast<std::size_t>(hit.node)];
    if (node.open) return {};
    if (node.pill_count > 0 && node.kind != draw::NodeKind::kGroup)
        return scene.pills[node.pill_begin].value;
    return {};
}

void Canvas::wheelEvent(QWheelEvent* event) {
    const QPoint delta = event->angleDelta();
    if (event->modifiers() & Qt::ShiftModifier) {
        origin_.x -= (delta.x() + delta.y()) / zoom_;
        fitted_ = false;
        clampView();
        update();
    } else if (!event->pixelDelta().isNull() && !(event->modifiers() & Qt::ControlModifier)) {
        // A touchpad scrolls.
        origin_.x -= event->pixelDelta().x() / zoom_;
        origin_.y -= event->pixelDelta().y() / zoom_;
        fitted_ = false;
        clampView();
        update();
    } else {
        zoomAt(event->position(), std::pow(1.0015, delta.y()));
    }
    event->accept();
}

void Canvas::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton) return;
    pressed_ = true;
    panning_ = event->button() == Qt::MiddleButton;
    press_ = last_ = event->position();
}

void Canvas::mouseMoveEvent(QMouseEvent* event) {
    if (!pressed_) {
        const std::int64_t node = hitAt(event->position()).node;
        if (node != overlay_.hovered_node) {
            overlay_.hovered_node = node;
            update();
        }
        return;
    }
    if (!panning_ &&
        (event->position() - press_).manhattanLength() < QApplication::startDragDistance())
        return;
    panning_ = true;
    fitted_ = false;
    setCursor(Qt::ClosedHandCursor);
    const QPointF moved = event->position() - last_;
    last_ = event->position();
    origin_.x -= moved.x() / zoom_;
    origin_.y -= moved.y() / zoom_;
    clampView();
    update();
}

void Canvas::mouseReleaseEvent(QMouseEvent* event) {
    if (!pressed_) return;
    pressed_ = false;
    unsetCursor();
    if (!panning_ && event->button() == Qt::LeftButton) selectAt(event->position());
    panning_ = false;
}

void Canvas::selectAt(const QPointF& position) {
    const draw::Hit hit = hitAt(position);
    if (hit.row >= 0) {
        const draw::SceneRow& row = state_->scene.rows[static_cast<std::size_t>(hit.row)];
        if (row.portal && row.value.valid()) {
            session_->goTo(row.value);
            return;
        }
    }
    session_->select(valueAt(hit), static_cast<int>(hit.cell));
}

void Canvas::mouseDoubleClickEvent(QMouseEvent* event) {
    const draw::Hit hit = hitAt(event->position());
    if (hit.node < 0) return;
    const draw::SceneNode& node = state_->scene.nodes[static_cast<std::size_t>(hit.node)];
    if (node.kind == draw::NodeKind::kGroup)
        setGroupOpen(node.group, !node.open);
    else if (node.kind == draw::NodeKind::kPort)
        session_->goTo(node.value);
}

void Canvas::contextMenuEvent(QContextMenuEvent* event) {
    if (event->reason() == QContextMenuEvent::Mouse) selectAt(event->pos());
    const draw::Hit hit = hitAt(event->pos());
    const Selection selection = session_->selection();
    QMenu menu(this);
    if (selection.value.valid() && shown_) {
        const std::size_t rank = session_->model()->module.type(selection.value).rank();
        for (std::size_t d = 0; d < rank; ++d) {
            const int dim = static_cast<int>(d);
            if (selection.dim >= 0 && selection.dim != dim) continue;
            QMenu* shard = menu.addMenu(tr("Shard dimension %1 on").arg(dim));
            for (std::size_t a = 0; a < overlay_.axes.size(); ++a) {
                if (overlay_.mesh.axes()[a].size <= 1) continue;
                const int axis = static_cast<int>(a);
                const plan::EditCheck verdict = session_->check(selection.value, dim, axis);
                QAction* action = shard->addAction(
                    tr("%1 — %2").arg(QString::fromStdString(overlay_.axes[a].name),
                                      QString::fromStdString(verdict.reason)),
                    this, [this, selection, dim, axis] {
                        session_->putAxis(selection.value, dim, axis);
                    });
                action->setEnabled(verdict.verdict != plan::Verdict::kRefuse);
            }
            menu.addAction(tr("Clear dimension %1").arg(dim), this,
                           [this, selection, dim] { session_->clearDim(selection.value, dim); });
        }
        menu.addSeparator();
        menu.addAction(plan::is_pinned(*session_->model(), session_->plan(), selection.value)
                           ? tr("Remove my annotation")
                           : tr("Pin as it is"),
                       this, [this, selection] { session_->togglePin(selection.value); });
        menu.addSeparator();
    }
    if (hit.node >= 0) {
        const draw::SceneNode& node = state_->scene.nodes[static_cast<std::size_t>(hit.node)];
        if (node.kind == draw::NodeKind::kGroup) {
            const draw::GroupId group = node.group;
            const bool open = node.open;
            menu.addAction(open ? tr("Close %1").arg(QString::fromStdString(node.title))
                                : tr("Open %1").arg(QString::fromStdString(node.title)),
                           this, [this, group, open] { setGroupOpen(group, !open); });
        }
    }
    menu.addAction(tr("Fit the whole graph"), this, &Canvas::fit);
    menu.exec(event->globalPos());
}

void Canvas::leaveEvent(QEvent*) {
    overlay_.hovered_node = -1;
    update();
}

QString Canvas::toolTipAt(const QPointF& position) const {
    const draw::Hit hit = hitAt(position);
    if (hit.node < 0) return {};
    const draw::SceneNode& node = state_->scene.nodes[static_cast<std::size_t>(hit.node)];
    const ir::ValueId value = valueAt(hit);
    if (!value.valid()) {
        if (node.kind != draw::NodeKind::kGroup) return {};
        return node.open ? tr("%1 — double click closes the group")
                               .arg(QString::fromStdString(node.title))
                         : tr("%1 — double click opens the group")
                               .arg(QString::fromStdString(node.title));
    }
    if (!shown_) return QString::fromStdString(session_->model()->display_path(value));
    const plan::TensorFacts facts = plan::describe(*session_->model(), *shown_, value);
    QString text = QStringLiteral("<b>%1</b><br>%2")
                       .arg(QString::fromStdString(facts.path).toHtmlEscaped(),
                            QString::fromStdString(facts.type).toHtmlEscaped());
    text += tr("<br>%1 in all, %2 on each device")
                .arg(QString::fromStdString(draw::bytes_text(facts.bytes)),
                     QString::fromStdString(draw::bytes_text(facts.bytes_per_device)));
    text += QStringLiteral("<br>") + QString::fromStdString(facts.short_form).toHtmlEscaped();
    if (facts.bytes == facts.bytes_per_device)
        text += tr(" — replicated: every device holds all of it");
    else
        text += tr(" — each axis in brackets cuts that dimension over the devices along it");
    if (facts.uneven) text += tr("<br>uneven: the last shard is padded");
    return text;
}

}  // namespace shardwright::views
