#include "tensor/pill_editor.h"

#include <QDragEnterEvent>
#include <QMenu>
#include <QMimeData>
#include <QPainter>

#include "canvas/canvas.h"
#include "canvas/list_painter.h"
#include "draw/display_list.h"
#include "theme/theme.h"

namespace shardwright::views {
namespace {

constexpr double kCellHeight = 40, kMargin = 6;

}  // namespace

PillEditor::PillEditor(Session* session, QWidget* parent) : QWidget(parent), session_(session) {
    setObjectName(QStringLiteral("pillEditor"));
    setAccessibleName(tr("Sharding by dimension"));
    setAcceptDrops(true);
    setToolTip(tr("Each cell is one dimension. Click it to choose the mesh axes that cut it."));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void PillEditor::refresh() {
    derived_ = session_->derived();
    value_ = session_->selection().value;
    cells_.clear();
    dims_.clear();
    if (derived_ && value_.valid()) {
        overlay_.mesh = plan::mesh_of(*derived_);
        overlay_.axes = draw::axis_styles(overlay_.mesh);
        overlay_.pool = &derived_->shardings.pool;
        overlay_.of_value = &derived_->shardings.of_value;
        overlay_.selected = value_;
        overlay_.selected_dim = session_->selection().dim;
        double x = kMargin;
        for (const std::int64_t d : session_->model()->module.type(value_).dims) {
            const double w = std::max(54.0, draw::text_width(std::to_string(d), 12) + 18);
            cells_.push_back({x, kMargin, w, kCellHeight});
            dims_.push_back(d);
            x += w;
        }
    }
    updateGeometry();
    update();
}

QSize PillEditor::sizeHint() const {
    const double w = cells_.empty() ? 120 : cells_.back().right() + kMargin;
    return {static_cast<int>(w), static_cast<int>(kCellHeight + 2 * kMargin)};
}

QRect PillEditor::cellRect(int dim) const {
    if (dim < 0 || static_cast<std::size_t>(dim) >= cells_.size()) return {};
    const draw::Rect& r = cells_[static_cast<std::size_t>(dim)];
    return QRectF(r.x, r.y, r.width, r.height).toRect();
}

void PillEditor::paintEvent(QPaintEvent*) {
    if (!derived_ || !value_.valid()) return;
    QPainter painter(this);
    draw::DisplayList list;
    draw::ScenePill pill;
    pill.value = value_;
    pill.rect = {kMargin, kMargin, width() - 2 * kMargin, kCellHeight};
    if (cells_.empty()) {
        list.text(pill.rect, tr("scalar: nothing to shard").toStdString(), 12,
                  drawPalette().faint_text);
    } else {
        draw::paint_pill(list, overlay_, {.visible = pill.rect, .palette = &drawPalette()}, pill,
                         cells_, dims_);
    }
    paintList(painter, list, 1);
}

int PillEditor::dimAt(const QPoint& position) const {
    for (std::size_t d = 0; d < cells_.size(); ++d)
        if (cells_[d].contains(
                {static_cast<double>(position.x()), static_cast<double>(position.y())}))
            return static_cast<int>(d);
    return -1;
}

void PillEditor::mousePressEvent(QMouseEvent* event) {
    const int dim = dimAt(event->pos());
    if (dim < 0) return;
    session_->select(value_, dim);
    showMenu(dim, event->globalPosition().toPoint());
}

void PillEditor::showMenu(int dim, const QPoint& position) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (std::size_t a = 0; a < overlay_.axes.size(); ++a) {
        if (overlay_.mesh.axes()[a].size <= 1) continue;
        const int axis = static_cast<int>(a);
        const auto d = static_cast<std::size_t>(dim);
        bool is_on = false;
        const sharding::Sharding& now = derived_->shardings.of(value_);
        if (d < now.dims.size())
            for (const mesh::AxisRef& ref : now.dims[d].axes) is_on |= ref.axis == a;
        const plan::EditCheck check = session_->check(value_, dim, axis);
        QAction* action = menu->addAction(QString::fromStdString(overlay_.axes[a].name));
        action->setCheckable(true);
        action->setChecked(is_on);
        action->setEnabled(is_on || check.verdict != plan::Verdict::kRefuse);
        action->setToolTip(QString::fromStdString(check.reason));
        connect(action, &QAction::triggered, this,
                [this, dim, axis] { session_->toggleAxis(value_, dim, axis); });
    }
    menu->setToolTipsVisible(true);
    menu->addSeparator();
    menu->addAction(tr("Clear dimension"), this, [this, dim] { session_->clearDim(value_, dim); });
    menu->popup(position);
}

int PillEditor::axisOf(const QMimeData* data) const {
    if (!data->hasFormat(QLatin1String(kAxisMime))) return -1;
    const std::string name = data->data(QLatin1String(kAxisMime)).toStdString();
    for (std::size_t a = 0; a < overlay_.axes.size(); ++a)
        if (overlay_.axes[a].name == name) return static_cast<int>(a);
    return -1;
}

void PillEditor::dragEnterEvent(QDragEnterEvent* event) {
    if (axisOf(event->mimeData()) >= 0) event->acceptProposedAction();
}

void PillEditor::dragMoveEvent(QDragMoveEvent* event) {
    const int dim = dimAt(event->position().toPoint());
    const plan::EditCheck check = session_->check(value_, dim, axisOf(event->mimeData()));
    overlay_.drop_value = value_;
    overlay_.drop_dim = dim;
    overlay_.drop = check.verdict == plan::Verdict::kAccept ? draw::DropVerdict::kAccept
                    : check.verdict == plan::Verdict::kWarn ? draw::DropVerdict::kWarn
                                                            : draw::DropVerdict::kRefuse;
    event->setAccepted(dim >= 0 && check.verdict != plan::Verdict::kRefuse);
    update();
}

void PillEditor::dragLeaveEvent(QDragLeaveEvent*) {
    overlay_.drop = draw::DropVerdict::kNone;
    update();
}

void PillEditor::dropEvent(QDropEvent* event) {
    overlay_.drop = draw::DropVerdict::kNone;
    const int dim = dimAt(event->position().toPoint());
    if (dim >= 0 && session_->putAxis(value_, dim, axisOf(event->mimeData())))
        event->acceptProposedAction();
    update();
}

}  // namespace shardwright::views
