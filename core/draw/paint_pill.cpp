// A tensor as cells: sizes above, the letters and colours of the axes below.
#include <algorithm>

#include "draw/paint.h"

namespace shardwright::draw {
namespace {

struct Part {
    Colour fill, text;
    std::string name, letter;
};

std::vector<Part> parts_of(const Overlay& overlay, const sharding::DimSharding& dim) {
    std::vector<Part> parts;
    for (const mesh::AxisRef& ref : dim.axes) {
        if (ref.axis >= overlay.axes.size() || ref.size <= 1) continue;
        const AxisStyle& style = overlay.axes[ref.axis];
        const bool whole = overlay.mesh.is_full(ref);
        parts.push_back({part_colour(style, ref, overlay.mesh), style.text,
                         whole ? style.name : style.name + ":" + std::to_string(ref.size),
                         whole ? style.letter : style.letter + std::to_string(ref.size)});
    }
    return parts;
}

Colour verdict_colour(const Palette& p, DropVerdict verdict) {
    if (verdict == DropVerdict::kAccept) return p.accept;
    return verdict == DropVerdict::kWarn ? p.warn : p.refuse;
}

void paint_axes(DisplayList& list, const std::vector<Part>& parts, const Rect& cell, double scale) {
    const double width = cell.width / static_cast<double>(parts.size());
    const bool readable = scale >= kFullDetail;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const Rect part{cell.x + width * static_cast<double>(i), cell.y, width, cell.height};
        list.rect({.rect = part, .fill = parts[i].fill});
        if (!readable) continue;
        const Rect line{part.x + 1, cell.y + cell.height / 2 - 1, part.width - 2, cell.height / 2};
        const bool fits = text_width(parts[i].name, kAxisSize, true) <= line.width;
        list.text(line, fits ? parts[i].name : parts[i].letter, kAxisSize, parts[i].text,
                  Align::kCentre, true);
    }
}

}  // namespace

void paint_pill(DisplayList& list, const Overlay& overlay, const PaintView& view,
                const ScenePill& pill, std::span<const Rect> cells,
                std::span<const std::int64_t> dims) {
    const Palette& p = *view.palette;
    const bool full = view.scale >= kFullDetail;
    const sharding::Sharding* s = overlay.sharding_of(pill.value);
    const bool is_tiled = s != nullptr && s->form == sharding::Form::kTiled;
    if (full) {
        if (!cells.empty())
            list.text({pill.rect.x, pill.rect.y, cells[0].x - pill.rect.x - 6, pill.rect.height},
                      pill.type, kRowSize, p.faint_text, Align::kRight);
        else
            list.text(pill.rect, pill.type + " scalar", kRowSize, p.faint_text, Align::kCentre);
    }
    for (std::size_t d = 0; d < cells.size(); ++d) {
        const Rect& cell = cells[d];
        std::vector<Part> parts;
        if (is_tiled && d < s->dims.size()) parts = parts_of(overlay, s->dims[d]);
        list.rect({.rect = cell, .fill = p.cell});
        if (!parts.empty()) paint_axes(list, parts, cell, view.scale);
        if (full) {
            const Rect line =
                parts.empty() ? cell : Rect{cell.x, cell.y + 1, cell.width, cell.height / 2};
            Colour colour = p.text;
            if (!parts.empty()) {
                colour = parts.front().text;
                // Several stripes: the number stands on a plate of its own, never across two
                // colours.
                if (parts.size() > 1) {
                    list.rect(
                        {.rect = {cell.x, cell.y, cell.width, cell.height / 2}, .fill = p.cell});
                    colour = p.text;
                }
            }
            list.text(line, std::to_string(dims[d]), kCellSize, colour, Align::kCentre);
        }
        const bool is_drop = overlay.drop != DropVerdict::kNone &&
                             overlay.drop_value == pill.value &&
                             overlay.drop_dim == static_cast<int>(d);
        const bool is_selected =
            overlay.selected == pill.value && overlay.selected_dim == static_cast<int>(d);
        const bool line_worth = full || is_drop || is_selected;
        if (line_worth) list.rect({.rect = cell, .stroke = p.cell_edge, .stroke_width = 1});
        if (is_selected)
            list.rect({.rect = cell.grown(1), .stroke = p.selection, .stroke_width = 2.5f});
        if (is_drop)
            list.rect({.rect = cell.grown(2),
                       .stroke = verdict_colour(p, overlay.drop),
                       .stroke_width = 3,
                       .radius = 3,
                       .dashed = overlay.drop == DropVerdict::kRefuse});
    }
    if (!full || cells.empty()) return;
    const Rect row{cells.front().x, cells.front().y, cells.back().right() - cells.front().x,
                   cells.front().height};
    if (overlay.pinned.contains(pill.value))  // yours: a heavy frame with a lock's keyhole
        list.rect({.rect = row.grown(1.5), .stroke = p.text, .stroke_width = 2.5f, .radius = 2});
    if (overlay.changed.contains(pill.value))
        list.rect(
            {.rect = row.grown(3.5), .stroke = p.selection, .stroke_width = 1.5f, .radius = 4});
    if (overlay.selected == pill.value)
        list.rect({.rect = row.grown(3.5), .stroke = p.selection, .stroke_width = 2, .radius = 4});
}

}  // namespace shardwright::draw
