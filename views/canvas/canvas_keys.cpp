// The keyboard way to everything the mouse can do on the graph.
#include <QKeyEvent>

#include "canvas/canvas.h"

namespace shardwright::views {

void Canvas::keyPressEvent(QKeyEvent* event) {
    const QPointF middle(width() / 2.0, height() / 2.0);
    switch (event->key()) {
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            zoomAt(middle, 1.25);
            return;
        case Qt::Key_Minus:
            zoomAt(middle, 0.8);
            return;
        case Qt::Key_0:
            fit();
            return;
        case Qt::Key_Up:
        case Qt::Key_Down:
        case Qt::Key_Left:
        case Qt::Key_Right:
            walk(event->key());
            return;
        case Qt::Key_Escape:
            session_->select({});
            return;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (state_ && overlay_.selected_node >= 0) {
                const draw::SceneNode& node =
                    state_->scene.nodes[static_cast<std::size_t>(overlay_.selected_node)];
                if (node.kind == draw::NodeKind::kGroup) setGroupOpen(node.group, !node.open);
            }
            return;
        default:
            break;
    }
    if (!handleEditKey(event)) QWidget::keyPressEvent(event);
}

bool Canvas::handleEditKey(QKeyEvent* event) {
    const Selection selection = session_->selection();
    if (!selection.value.valid() || !shown_) return false;
    if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))
        return false;
    const auto rank = static_cast<int>(session_->model()->module.type(selection.value).rank());
    const int key = event->key();
    if (key >= Qt::Key_1 && key <= Qt::Key_9) {
        if (key - Qt::Key_1 < rank) session_->select(selection.value, key - Qt::Key_1);
        return true;
    }
    if (key == Qt::Key_Delete || key == Qt::Key_Backspace) {
        if (selection.dim >= 0) session_->clearDim(selection.value, selection.dim);
        return true;
    }
    const std::string typed = event->text().toLower().toStdString();
    for (std::size_t a = 0; a < overlay_.axes.size(); ++a)
        if (typed == overlay_.axes[a].letter) {
            if (selection.dim >= 0)
                session_->toggleAxis(selection.value, selection.dim, static_cast<int>(a));
            else
                Q_EMIT hint(tr("Choose a dimension first: press 1 to %1").arg(rank));
            return true;
        }
    // After the axes' letters: an axis may be called "p".
    if (typed == "p") {
        session_->togglePin(selection.value);
        return true;
    }
    return false;
}

/// Along the data flow: up to what the tensor is made of, down to what uses it, sideways among the
/// producer's other operands.
void Canvas::walk(int key) {
    if (!state_) return;
    const ir::ValueId value = session_->selection().value;
    const plan::Model& model = *session_->model();
    if (!value.valid()) {
        if (!state_->scene.pills.empty()) session_->goTo(state_->scene.pills.front().value);
        return;
    }
    const ir::OpId def = model.module.value(value).def;
    const auto go = [&](ir::ValueId next) {
        if (next.valid() && next != value) session_->goTo(next);
    };
    if (key == Qt::Key_Up && def.valid()) {
        for (const ir::ValueId v : model.module.operands(def))
            if (state_->outline->graphs.origin(model.module, v).group.valid()) return go(v);
    } else if (key == Qt::Key_Down) {
        for (const ir::Use& use : model.uses.of(value))
            if (model.module.op(use.op).result_count > 0) return go(model.module.result(use.op));
    } else if (key == Qt::Key_Left || key == Qt::Key_Right) {
        // Other inputs of the first user.
        for (const ir::Use& use : model.uses.of(value)) {
            const auto operands = model.module.operands(use.op);
            const std::size_t n = operands.size();
            const std::size_t step = key == Qt::Key_Right ? 1 : n - 1;
            if (n > 1) return go(operands[(use.operand + step) % n]);
        }
    }
}

}  // namespace shardwright::views
