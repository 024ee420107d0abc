#include "draw/paint.h"

#include <algorithm>
#include <cmath>

namespace shardwright::draw {
namespace {

constexpr double kSmallestText = 7.0;  ///< pixels; smaller text is not drawn

class Painter {
  public:
    Painter(const Scene& scene, const Overlay& overlay, const PaintView& view)
        : scene_(scene), overlay_(overlay), view_(view), p_(*view.palette) {}

    DisplayList run() {
        const std::vector<std::uint32_t> nodes = scene_.node_grid.find(view_.visible.grown(4));
        for (const std::uint32_t i : nodes)
            if (scene_.nodes[i].open) paint_open_group(scene_.nodes[i]);
        paint_edges();
        for (const std::uint32_t i : nodes)
            if (!scene_.nodes[i].open) paint_card(scene_.nodes[i], i);
        paint_badges();
        for (const std::uint32_t i : nodes)
            if (scene_.nodes[i].open) paint_group_name(scene_.nodes[i]);
        return std::move(list_);
    }

  private:
    float line(double pixels) const {
        return static_cast<float>(pixels / std::max(view_.scale, 1e-6));
    }
    bool full() const { return view_.scale >= kFullDetail; }
    bool blocks() const { return view_.scale < kBlocksOnly; }
    bool readable(double size) const { return size * view_.scale >= kSmallestText; }

    void paint_open_group(const SceneNode& node) {
        const Colour fill = node.depth % 2 == 0 ? p_.group : mix(p_.group, p_.background, 0.7);
        list_.rect({.rect = node.rect,
                    .fill = fill,
                    .stroke = p_.group_edge,
                    .stroke_width = std::min(line(1.2), 6.0f),
                    .radius = 8});
    }

    /// The name of an open group: in its header when that is readable, else as large as the screen
    /// needs, as long as it stays in the group.
    void paint_group_name(const SceneNode& node) {
        const Rect& r = node.rect;
        double size = std::max(13.0, 12.0 / view_.scale);
        size = std::min({size, r.height * 0.4, 400.0});
        if (!readable(size)) return;
        const double width = std::min(text_width(node.title, size, true) + size, r.width - 12);
        if (width < size * 3) return;
        const Rect plate{r.x + 6, r.y + 4, width, size * 1.5};
        list_.rect({.rect = plate,
                    .fill = mix(p_.group_header, 0x00FFFFFF & p_.group_header, 0.12),
                    .radius = static_cast<float>(size * 0.3)});
        list_.text({plate.x + size * 0.4, plate.y, plate.width - size * 0.8, plate.height},
                   node.title, static_cast<float>(size), p_.text, Align::kLeft, true);
    }

    void paint_edges() {
        const bool thin = blocks();
        for (const std::uint32_t i : scene_.edge_grid.find(view_.visible.grown(4))) {
            const SceneEdge& edge = scene_.edges[i];
            const bool strong = is_lit(edge);
            if (thin && !strong && (edge.bounds.width + edge.bounds.height) * view_.scale < 6)
                continue;
            const double width = strong ? 2.4 : edge.count > 1 ? 1.8 : 1.2;
            list_.curve(edge.curve, strong ? p_.edge_strong : p_.edge,
                        full() ? static_cast<float>(width) : line(strong ? 2 : 1), false, full());
        }
    }

    bool is_lit(const SceneEdge& edge) const {
        return (overlay_.selected.valid() && edge.value == overlay_.selected) ||
               edge.from == overlay_.selected_node || edge.to == overlay_.selected_node ||
               edge.from == overlay_.hovered_node || edge.to == overlay_.hovered_node;
    }

    void paint_card(const SceneNode& node, std::uint32_t index) {
        const bool is_group = node.kind == NodeKind::kGroup;
        const bool is_outside = node.kind == NodeKind::kPort;
        const bool is_selected = static_cast<std::int64_t>(index) == overlay_.selected_node;
        const bool is_hovered = static_cast<std::int64_t>(index) == overlay_.hovered_node;
        RectItem frame{.rect = node.rect,
                       .fill = is_group ? p_.group_header : p_.card,
                       .stroke = p_.card_edge,
                       .stroke_width = full() ? 1.2f : line(0.8),
                       .radius = is_group ? 9.0f : 5.0f,
                       .dashed = is_outside && full()};
        if (node.kind == NodeKind::kArgument) frame.fill = mix(p_.card, p_.card_header, 0.8);
        if (is_outside) frame.fill = mix(p_.card, p_.background, 0.75);
        if (is_hovered) frame.stroke = p_.hover, frame.stroke_width = line(2);
        if (is_selected) frame.stroke = p_.selection, frame.stroke_width = line(2.5);
        if (blocks()) frame.radius = 0;
        if (is_group && full()) {  // a stack: there is more inside
            RectItem behind = frame;
            behind.rect = behind.rect.moved(4, 4);
            behind.fill = p_.group;
            list_.rect(behind);
        }
        list_.rect(frame);
        if (full()) {
            paint_header(node);
            paint_rows(node);
        } else {
            paint_large_title(node);
        }
        for (std::uint32_t i = node.pill_begin; i < node.pill_begin + node.pill_count; ++i)
            paint_cells(scene_.pills[i]);
    }

    void paint_header(const SceneNode& node) {
        const Rect& r = node.rect;
        const double inner = r.width - 2 * kPad;
        double note = 0;
        if (!node.note.empty()) {
            note = std::min({text_width(node.note, kRowSize) + 1, inner * 0.5, 110.0});
            note = std::min(note,
                            inner - std::min(text_width(node.title, kTitleSize, true), inner) - 8);
        }
        if (note > 14)
            list_.text({r.right() - kPad - note, r.y, note, kHeader}, node.note, kRowSize,
                       p_.faint_text, Align::kRight);
        list_.text({r.x + kPad, r.y, inner - (note > 14 ? note + 6 : 0), kHeader}, node.title,
                   kTitleSize, p_.text, Align::kLeft, node.kind != NodeKind::kPort);
    }

    void paint_rows(const SceneNode& node) {
        for (std::uint32_t i = node.row_begin; i < node.row_begin + node.row_count; ++i)
            list_.text(scene_.rows[i].rect, scene_.rows[i].text, kRowSize, p_.faint_text,
                       Align::kLeft);
    }

    /// Zoomed out, a title takes the room of header and rows, so that it stays readable longer.
    void paint_large_title(const SceneNode& node) {
        const double pills =
            node.pill_count == 0 ? 0 : node.rect.bottom() - scene_.pills[node.pill_begin].rect.y;
        const Rect room{node.rect.x + 4, node.rect.y + 1, node.rect.width - 8,
                        node.rect.height - pills - 2};
        const double wanted = 11.0 / view_.scale;
        const double by_width = room.width / std::max(text_width(node.title, 1.0, true), 0.01);
        const double size =
            std::min({wanted, room.height * 0.8, std::max(by_width, wanted * 0.75)});
        if (size <= 0 || !readable(size)) return;
        list_.text(room, node.title, static_cast<float>(size), p_.text, Align::kCentre, true);
    }

    void paint_cells(const ScenePill& pill) {
        if (blocks() && pill.rect.height * view_.scale < 1.5) return;
        const std::span<const Rect> cells(scene_.cells.data() + pill.cell_begin, pill.cell_count);
        paint_pill(list_, overlay_, view_, pill, cells, dims_of(pill));
    }

    std::span<const std::int64_t> dims_of(const ScenePill& pill) const {
        return std::span<const std::int64_t>(scene_.dims).subspan(pill.cell_begin, pill.cell_count);
    }

    void paint_badges() {
        if (blocks()) return;
        for (const Badge& badge : overlay_.badges) {
            if (badge.place == Badge::Place::kEdge) {
                if (!full()) continue;
                const SceneEdge& edge = scene_.edges[badge.index];
                if (!edge.bounds.grown(60).intersects(view_.visible)) continue;
                paint_badge(list_, view_, badge, middle(edge), 170, overlay_.stale);
                continue;
            }
            const SceneNode& node = scene_.nodes[badge.index];
            if (!node.rect.grown(20).intersects(view_.visible)) continue;
            if (badge.place == Badge::Place::kGroup) {
                if (node.row_count < 2 || !full()) continue;
                const Rect& row = scene_.rows[node.row_begin + 1].rect;
                paint_badge(list_, view_, badge, row.centre(), row.width, overlay_.stale);
            } else if (full()) {
                paint_badge(list_, view_, badge, {node.rect.centre().x, node.rect.bottom() + 9},
                            std::max(node.rect.width, 130.0), overlay_.stale);
            }
        }
    }

    static Point middle(const SceneEdge& edge) {
        if (edge.curve.size() < 4) return edge.bounds.centre();
        const std::size_t s = (edge.curve.size() - 1) / 3 / 2 * 3;
        const Point &a = edge.curve[s], &b = edge.curve[s + 1], &c = edge.curve[s + 2],
                    &d = edge.curve[s + 3];
        return {(a.x + 3 * b.x + 3 * c.x + d.x) / 8, (a.y + 3 * b.y + 3 * c.y + d.y) / 8};
    }

    const Scene& scene_;
    const Overlay& overlay_;
    const PaintView& view_;
    const Palette& p_;
    DisplayList list_;
};

}  // namespace

DisplayList paint(const Scene& scene, const Overlay& overlay, const PaintView& view) {
    return Painter(scene, overlay, view).run();
}

Rect paint_badge(DisplayList& list, const PaintView& view, const Badge& badge, Point centre,
                 double max_width, bool stale) {
    const Palette& p = *view.palette;
    const double width = std::min(text_width(badge.text, kRowSize, true) + 12, max_width);
    const Rect rect{centre.x - width / 2, centre.y - 8, width, 16};
    Colour fill = mix(p.badge, p.hot, 0.55 * badge.heat * badge.heat);
    Colour text = p.badge_text;
    if (stale) fill = mix(fill, p.background, 0.6), text = p.faint_text;
    list.rect({.rect = rect,
               .fill = fill,
               .stroke = mix(text, fill, 0.4),
               .stroke_width = 1,
               .radius = 8,
               .dashed = badge.dashed});
    list.text({rect.x + 6, rect.y, rect.width - 12, rect.height}, badge.text, kRowSize, text,
              Align::kCentre, true);
    return rect;
}

}  // namespace shardwright::draw
