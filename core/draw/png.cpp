#include <cairo.h>

#include <cmath>
#include <memory>

#include "draw/svg.h"

namespace shardwright::draw {
namespace {

constexpr double kMaxPixels = 16384;

void set_colour(cairo_t* cr, Colour c) {
    const auto part = [c](int shift) { return static_cast<double>((c >> shift) & 0xFFu) / 255; };
    cairo_set_source_rgba(cr, part(16), part(8), part(0), part(24));
}

void set_dashes(cairo_t* cr, bool dashed) {
    static constexpr double kDashes[] = {5, 3};
    cairo_set_dash(cr, kDashes, dashed ? 2 : 0, 0);
}

void rounded(cairo_t* cr, const Rect& r, double radius) {
    if (radius <= 0) {
        cairo_rectangle(cr, r.x, r.y, r.width, r.height);
        return;
    }
    const double q = M_PI / 2;
    cairo_new_sub_path(cr);
    cairo_arc(cr, r.right() - radius, r.y + radius, radius, -q, 0);
    cairo_arc(cr, r.right() - radius, r.bottom() - radius, radius, 0, q);
    cairo_arc(cr, r.x + radius, r.bottom() - radius, radius, q, 2 * q);
    cairo_arc(cr, r.x + radius, r.y + radius, radius, 2 * q, 3 * q);
    cairo_close_path(cr);
}

void paint_rect(cairo_t* cr, const RectItem& item) {
    rounded(cr, item.rect, static_cast<double>(item.radius));
    if ((item.fill >> 24) != 0) {
        set_colour(cr, item.fill);
        cairo_fill_preserve(cr);
    }
    if ((item.stroke >> 24) != 0) {
        set_colour(cr, item.stroke);
        set_dashes(cr, item.dashed);
        cairo_set_line_width(cr, static_cast<double>(item.stroke_width));
        cairo_stroke_preserve(cr);
    }
    cairo_new_path(cr);
}

void paint_text(cairo_t* cr, const DisplayList& list, const TextItem& item) {
    cairo_select_font_face(cr, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                           item.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cr, static_cast<double>(item.size));
    const std::string text(list.string(item));
    cairo_text_extents_t extents;
    cairo_text_extents(cr, text.c_str(), &extents);
    double x = item.box.x;
    if (item.align == Align::kCentre) x = item.box.centre().x - extents.x_advance / 2;
    if (item.align == Align::kRight) x = item.box.right() - extents.x_advance;
    set_colour(cr, item.colour);
    cairo_move_to(cr, x, item.box.centre().y + static_cast<double>(item.size) * 0.36);
    cairo_show_text(cr, text.c_str());
    cairo_new_path(cr);
}

void paint_curve(cairo_t* cr, const DisplayList& list, const CurveItem& item) {
    const auto p = list.points(item);
    if (p.empty()) return;
    cairo_move_to(cr, p[0].x, p[0].y);
    for (std::size_t i = 1; i + 2 < p.size(); i += 3)
        cairo_curve_to(cr, p[i].x, p[i].y, p[i + 1].x, p[i + 1].y, p[i + 2].x, p[i + 2].y);
    set_colour(cr, item.colour);
    set_dashes(cr, item.dashed);
    cairo_set_line_width(cr, static_cast<double>(item.width));
    cairo_stroke(cr);
    if (!item.arrow) return;
    const Point end = p.back();
    const double size = 3 + 1.5 * static_cast<double>(item.width);
    cairo_move_to(cr, end.x, end.y);
    cairo_line_to(cr, end.x - size * 0.7, end.y - size * 1.4);
    cairo_line_to(cr, end.x + size * 0.7, end.y - size * 1.4);
    cairo_close_path(cr);
    cairo_fill(cr);
}

}  // namespace

Status write_png(const DisplayList& list, const Rect& area, Colour background, double scale,
                 const std::string& path) {
    const double width = std::ceil(area.width * scale), height = std::ceil(area.height * scale);
    if (!(width >= 1 && height >= 1 && width <= kMaxPixels && height <= kMaxPixels))
        return bad_input("the picture would be larger than 16384 pixels a side", "a smaller scale");
    const std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> surface(
        cairo_image_surface_create(CAIRO_FORMAT_ARGB32, static_cast<int>(width),
                                   static_cast<int>(height)),
        &cairo_surface_destroy);
    {
        const std::unique_ptr<cairo_t, decltype(&cairo_destroy)> context(
            cairo_create(surface.get()), &cairo_destroy);
        cairo_t* cr = context.get();
        set_colour(cr, background);
        cairo_paint(cr);
        cairo_scale(cr, scale, scale);
        cairo_translate(cr, -area.x, -area.y);
        for (const Item& item : list.items()) {
            switch (item.kind) {
                case ItemKind::kRect:
                    paint_rect(cr, list.rect_at(item.index));
                    break;
                case ItemKind::kText:
                    paint_text(cr, list, list.text_at(item.index));
                    break;
                case ItemKind::kCurve:
                    paint_curve(cr, list, list.curve_at(item.index));
                    break;
            }
        }
    }
    if (const cairo_status_t status = cairo_surface_write_to_png(surface.get(), path.c_str());
        status != CAIRO_STATUS_SUCCESS)
        return bad_input("cannot write '" + path + "': " + cairo_status_to_string(status),
                         "a path that can be written");
    return {};
}

}  // namespace shardwright::draw
