#include "canvas/canvas.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "canvas/list_painter.h"
#include "theme/theme.h"

namespace shardwright::views {
namespace {

constexpr double kSmallest = 0.01, kLargest = 4.0, kMargin = 24;
/// Fitting stops here: better to see the upper part well than everything as dust.
constexpr double kSmallestFit = draw::kFullDetail;
constexpr int kChangedMs = 3000;

}  // namespace

Canvas::Canvas(Session* session, QWidget* parent) : QWidget(parent), session_(session) {
    setObjectName(QStringLiteral("canvas"));
    setAccessibleName(tr("Model graph"));
    setAccessibleDescription(tr("Operations and tensors; the outline lists the same as a tree"));
    setAcceptDrops(true);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMinimumSize(240, 180);
    changed_timer_.setSingleShot(true);
    connect(&changed_timer_, &QTimer::timeout, this, [this] {
        overlay_.changed.clear();
        update();
    });
    connect(&loader_, &SceneLoader::sceneReady, this, &Canvas::takeScene);
    connect(session_, &Session::modelOpened, this, [this] {
        state_ = nullptr;
        shown_ = nullptr;
        overlay_ = {};
        first_scene_ = true;
        loader_.load(session_->model());
        update();
    });
    connect(session_, &Session::derivedChanged, this, &Canvas::refreshOverlay);
    connect(session_, &Session::previewChanged, this, &Canvas::refreshOverlay);
    connect(session_, &Session::selectionChanged, this, &Canvas::refreshSelection);
    connect(session_, &Session::goToRequested, this,
            [this] { reveal(session_->selection().value); });
    connect(session_, &Session::busyChanged, this, [this](bool busy) {
        overlay_.stale = busy;
        update();
    });
}

void Canvas::takeScene(const ScenePtr& scene) {
    state_ = scene;
    refreshBadges();
    refreshSelection();
    overlay_.hovered_node = -1;
    if (first_scene_) {
        first_scene_ = false;
        fit();
    } else if (anchor_) {
        const auto& nodes = state_->scene.node_of_group;
        if (const auto found = nodes.find(anchor_->group); found != nodes.end()) {
            const draw::Rect& r = state_->scene.nodes[found->second].rect;
            origin_ = {r.x - anchor_->position.x() / zoom_, r.y - anchor_->position.y() / zoom_};
        }
        clampView();
    }
    anchor_.reset();
    if (reveal_.valid()) {
        const ir::ValueId value = reveal_;
        reveal_ = {};
        reveal(value);
    }
    update();
    Q_EMIT sceneChanged();
}

void Canvas::refreshOverlay() {
    const DerivedPtr preview = session_->previewed();
    const DerivedPtr now = preview ? preview : session_->derived();
    const bool is_edit = !preview && now != shown_ && now == session_->derived();
    shown_ = now;
    if (!now) return;
    overlay_.mesh = plan::mesh_of(*now);
    overlay_.axes = draw::axis_styles(overlay_.mesh);
    overlay_.pool = &now->shardings.pool;
    overlay_.of_value = &now->shardings.of_value;
    overlay_.pinned.clear();
    for (const plan::Annotation& a : now->plan.annotations)
        for (const ir::ValueId v : session_->model()->find(a.target)) overlay_.pinned.insert(v);
    if (is_edit || preview) {
        overlay_.changed.clear();
        const DerivedPtr before = preview ? session_->derived() : session_->previous();
        if (before && plan::mesh_of(*before) == overlay_.mesh)
            for (std::uint32_t i = 0; i < now->shardings.of_value.size(); ++i)
                if (!same_placement(before->shardings.of(ir::ValueId(i)),
                                    now->shardings.of(ir::ValueId(i))))
                    overlay_.changed.insert(ir::ValueId(i));
        if (!preview) changed_timer_.start(kChangedMs);
    }
    refreshBadges();
    update();
}

void Canvas::refreshBadges() {
    overlay_.badges.clear();
    if (!state_ || !shown_ || state_->outline->model != session_->model()) return;
    std::vector<draw::CollectiveMark> marks;
    for (const plan::CollectiveFacts& c : plan::collective_facts(*shown_))
        marks.push_back({c.kind, c.source_op, c.source_value, c.is_reshard, c.bytes * c.trips,
                         c.time_s * static_cast<double>(c.trips)});
    overlay_.badges =
        draw::place_badges(state_->scene, state_->outline->tree, state_->outline->graphs, marks);
}

void Canvas::refreshSelection() {
    const Selection selection = session_->selection();
    overlay_.selected = selection.value;
    overlay_.selected_dim = selection.dim;
    overlay_.selected_node = -1;
    if (state_ && selection.value.valid()) {
        if (const auto pill = state_->scene.pill_of(selection.value))
            overlay_.selected_node = state_->scene.pills[*pill].node;
    }
    update();
}

// --- view
// ------------------------------------------------------------------------------------------

QPointF Canvas::toWidget(draw::Point p) const {
    return {(p.x - origin_.x) * zoom_, (p.y - origin_.y) * zoom_};
}

draw::Point Canvas::toScene(const QPointF& p) const {
    return {origin_.x + p.x() / zoom_, origin_.y + p.y() / zoom_};
}

draw::Rect Canvas::visibleRect() const {
    return {origin_.x, origin_.y, width() / zoom_, height() / zoom_};
}

void Canvas::fit() {
    fitted_ = true;
    if (!state_) return;
    const draw::Rect& all = state_->scene.bounds;
    const double whole =
        std::min((width() - 2 * kMargin) / all.width, (height() - 2 * kMargin) / all.height);
    zoom_ = std::clamp(whole, kSmallestFit, 1.1);
    origin_ = {all.centre().x - width() / zoom_ / 2, all.centre().y - height() / zoom_ / 2};
    // What does not fit begins at its beginning.
    if (all.height * zoom_ > height()) origin_.y = all.y - kMargin / zoom_;
    if (all.width * zoom_ > width()) origin_.x = all.x - kMargin / zoom_;
    Q_EMIT zoomChanged(zoom_);
    update();
}

void Canvas::fitRect(const draw::Rect& area, double largest) {
    fitted_ = false;
    zoom_ = std::clamp(std::min((width() - 2 * kMargin) / std::max(area.width, 1.0),
                                (height() - 2 * kMargin) / std::max(area.height, 1.0)),
                       kSmallest, largest);
    centreOn(area.centre());
    Q_EMIT zoomChanged(zoom_);
}

void Canvas::centreOn(draw::Point point) {
    origin_ = {point.x - width() / zoom_ / 2, point.y - height() / zoom_ / 2};
    clampView();
    update();
}

void Canvas::zoomAt(const QPointF& position, double factor) {
    const draw::Point fixed = toScene(position);
    fitted_ = false;
    zoom_ = std::clamp(zoom_ * factor, kSmallest, kLargest);
    origin_ = {fixed.x - position.x() / zoom_, fixed.y - position.y() / zoom_};
    clampView();
    Q_EMIT zoomChanged(zoom_);
    update();
}

/// Some part of the picture always stays on the widget.
void Canvas::clampView() {
    if (!state_) return;
    const draw::Rect& all = state_->scene.bounds;
    const double w = width() / zoom_, h = height() / zoom_;
    origin_.x = std::clamp(origin_.x, all.x - w * 0.8, all.right() - w * 0.2);
    origin_.y = std::clamp(origin_.y, all.y - h * 0.8, all.bottom() - h * 0.2);
}

void Canvas::reveal(ir::ValueId value) {
    if (!state_ || !value.valid()) return;
    if (const auto pill = state_->scene.pill_of(value)) {
        const draw::SceneNode& node = state_->scene.nodes[state_->scene.pills[*pill].node];
        if (node.kind != draw::NodeKind::kGroup || node.op.valid()) {
            fitted_ = false;
            if (zoom_ < 0.7) zoom_ = 0.9;
            centreOn(node.rect.centre());
            Q_EMIT zoomChanged(zoom_);
            return;
        }
    }
    // Hidden in a closed group: open everything above it, then try again.
    const draw::NodePlace place = state_->outline->graphs.origin(session_->model()->module, value);
    if (!place.group.valid()) return;
    std::vector<bool> open = state_->open;
    bool changed = false;
    for (draw::GroupId g = place.group; g.valid(); g = state_->outline->tree[g].parent) {
        changed |= !open[g.index];
        open[g.index] = true;
    }
    if (!changed) return;
    reveal_ = value;
    loader_.rebuild(open);
}

void Canvas::setGroupOpen(draw::GroupId group, bool open) {
    if (!state_ || !group.valid() || group.index >= state_->open.size()) return;
    std::vector<bool> next = state_->open;
    next[group.index] = open;
    const auto found = state_->scene.node_of_group.find(group);
    if (found != state_->scene.node_of_group.end()) {
        const draw::Rect& r = state_->scene.nodes[found->second].rect;
        anchor_ = Anchor{group, toWidget({r.x, r.y})};
    }
    fitted_ = false;
    loader_.rebuild(next);
}

void Canvas::openAll(bool open) {
    if (!state_) return;
    std::vector<bool> next(state_->open.size(), open);
    next[0] = true;
    first_scene_ = true;
    loader_.rebuild(next);
}

std::optional<QRectF> Canvas::cellRect(ir::ValueId value, int dim) const {
    if (!state_ || dim < 0) return std::nullopt;
    const auto pill = state_->scene.pill_of(value);
    if (!pill || static_cast<std::uint32_t>(dim) >= state_->scene.pills[*pill].cell_count)
        return std::nullopt;
    const draw::Rect& cell =
        state_->scene
            .cells[state_->scene.pills[*pill].cell_begin + static_cast<std::uint32_t>(dim)];
    return QRectF(toWidget({cell.x, cell.y}), toWidget({cell.right(), cell.bottom()}));
}

// --- painting
// ----------------------------------------------------------------------------------------

draw::DisplayList Canvas::visibleList() const {
    if (!state_) return {};
    return draw::paint(state_->scene, overlay_,
                       {.visible = visibleRect(), .scale = zoom_, .palette = &drawPalette()});
}

void Canvas::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), toColor(drawPalette().background));
    if (!state_) {
        painter.setPen(toColor(drawPalette().faint_text));
        painter.drawText(rect(), Qt::AlignCenter,
                         session_->model() ? tr("Laying out the graph …") : tr("Open a model"));
        return;
    }
    const draw::DisplayList list = visibleList();
    painter.save();
    painter.scale(zoom_, zoom_);
    painter.translate(-origin_.x, -origin_.y);
    paintList(painter, list, zoom_);
    painter.restore();
    paintDropNote(painter);
}

void Canvas::resizeEvent(QResizeEvent*) {
    if (fitted_) fit();
}

void Canvas::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) update();
    QWidget::changeEvent(event);
}

bool Canvas::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QString text = toolTipAt(help->pos());
        if (text.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), text, this);
        return true;
    }
    return QWidget::event(event);
}

}  // namespace shardwright::views
