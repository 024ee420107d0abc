#pragma once
// The graph: one widget over arrays. Pan by dragging or the wheel with Shift, zoom at the cursor,
// open groups by double click, drop axes on cells, edit by keyboard.

#include <QMimeData>
#include <QTimer>
#include <QWidget>
#include <optional>

#include "canvas/scene_loader.h"
#include "draw/paint.h"
#include "session/session.h"

namespace shardwright::views {

/// The MIME type of a dragged axis; the data is its name in UTF-8.
inline constexpr const char* kAxisMime = "application/x-shardwright-axis";

class Canvas : public QWidget {
    Q_OBJECT
  public:
    explicit Canvas(Session* session, QWidget* parent = nullptr);

    SceneLoader* loader() { return &loader_; }
    const SceneState* scene() const { return state_.get(); }
    const draw::Overlay& overlay() const { return overlay_; }

    double zoom() const { return zoom_; }
    /// Shows the whole picture, but never so small that group titles cannot be read.
    void fit();
    void fitRect(const draw::Rect& area, double largest = 1.0);
    void zoomAt(const QPointF& position, double factor);
    /// Opens what hides the value and brings it to the middle.
    void reveal(ir::ValueId value);
    void setGroupOpen(draw::GroupId group, bool open);
    void openAll(bool open);

    /// Where a dimension cell of a value is on the widget; nothing when it is not in the scene.
    std::optional<QRectF> cellRect(ir::ValueId value, int dim) const;
    QPointF toWidget(draw::Point point) const;
    draw::Point toScene(const QPointF& position) const;
    /// The display list of what is visible now.
    draw::DisplayList visibleList() const;
    QSize sizeHint() const override { return {1000, 700}; }

  Q_SIGNALS:
    void sceneChanged();
    void zoomChanged(double zoom);
    void hint(const QString& text);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;

  private:
    void takeScene(const ScenePtr& scene);
    void refreshOverlay();
    void refreshBadges();
    void refreshSelection();
    draw::Rect visibleRect() const;
    draw::Hit hitAt(const QPointF& position) const;
    ir::ValueId valueAt(const draw::Hit& hit) const;
    void selectAt(const QPointF& position);
    QString toolTipAt(const QPointF& position) const;
    void centreOn(draw::Point point);
    void clampView();
    // canvas_drop.cpp
    int draggedAxis(const QMimeData* data) const;
    bool updateDrop(const QPointF& position, int axis);
    void clearDrop();
    void paintDropNote(QPainter& painter) const;
    QString ghostText() const;
    // canvas_keys.cpp
    bool handleEditKey(QKeyEvent* event);
    void walk(int key);

    Session* session_;
    SceneLoader loader_;
    ScenePtr state_;
    draw::Overlay overlay_;
    DerivedPtr shown_;  ///< what the overlay's pointers look into
    double zoom_ = 1;
    draw::Point origin_;   ///< scene point at the widget's top left corner
    bool fitted_ = false;  ///< the view follows the window's size until the user moves it
    bool first_scene_ = true;
    // An open or closed group keeps its corner where it was.
    struct Anchor {
        draw::GroupId group;
        QPointF position;
    };
    std::optional<Anchor> anchor_;
    ir::ValueId reveal_;
    QPointF press_, last_;
    bool pressed_ = false, panning_ = false;
    QPointF drop_position_;
    QString drop_reason_;
    QTimer changed_timer_;
};

}  // namespace shardwright::views
