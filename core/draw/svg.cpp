#include "draw/svg.h"

#include <fmt/format.h>

#include <iterator>

#include "base/atomic_file.h"

namespace shardwright::draw {
namespace {

std::string paint(const char* name, Colour c) {
    if ((c >> 24) == 0) return fmt::format(" {}=\"none\"", name);
    std::string out = fmt::format(" {}=\"#{:06x}\"", name, c & 0xFFFFFFu);
    if ((c >> 24) != 0xFF) out += fmt::format(" {}-opacity=\"{:.3f}\"", name, (c >> 24) / 255.0);
    return out;
}

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '&')
            out += "&amp;";
        else if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '"')
            out += "&quot;";
        else if (static_cast<unsigned char>(c) >= 0x20)
            out += c;
    }
    return out;
}

void append_rect(std::string& out, const RectItem& r) {
    fmt::format_to(
        std::back_inserter(out),
        "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" rx=\"{:.1f}\"{}{}"
        " stroke-width=\"{:.2f}\"{}/>\n",
        r.rect.x, r.rect.y, r.rect.width, r.rect.height, r.radius, paint("fill", r.fill),
        paint("stroke", r.stroke), r.stroke_width, r.dashed ? " stroke-dasharray=\"5 3\"" : "");
}

void append_text(std::string& out, const DisplayList& list, const TextItem& t) {
    double x = t.box.x;
    const char* anchor = "start";
    if (t.align == Align::kCentre) x = t.box.centre().x, anchor = "middle";
    if (t.align == Align::kRight) x = t.box.right(), anchor = "end";
    fmt::format_to(std::back_inserter(out),
                   "<text x=\"{:.2f}\" y=\"{:.2f}\" font-size=\"{:.1f}\" text-anchor=\"{}\"{}{}>{}"
                   "</text>\n",
                   x, t.box.centre().y + static_cast<double>(t.size) * 0.36, t.size, anchor,
                   paint("fill", t.colour), t.bold ? " font-weight=\"bold\"" : "",
                   escaped(list.string(t)));
}

void append_curve(std::string& out, const DisplayList& list, const CurveItem& c) {
    const auto points = list.points(c);
    if (points.empty()) return;
    std::string path = fmt::format("M{:.2f} {:.2f}", points[0].x, points[0].y);
    for (std::size_t i = 1; i + 2 < points.size(); i += 3)
        path += fmt::format("C{:.2f} {:.2f} {:.2f} {:.2f} {:.2f} {:.2f}", points[i].x, points[i].y,
                            points[i + 1].x, points[i + 1].y, points[i + 2].x, points[i + 2].y);
    fmt::format_to(std::back_inserter(out),
                   "<path d=\"{}\" fill=\"none\"{} stroke-width=\"{:.2f}\"{}/>\n", path,
                   paint("stroke", c.colour), c.width, c.dashed ? " stroke-dasharray=\"5 3\"" : "");
    if (!c.arrow) return;
    const Point end = points.back();
    const double size = 3 + 1.5 * static_cast<double>(c.width);
    fmt::format_to(std::back_inserter(out),
                   "<path d=\"M{:.2f} {:.2f}L{:.2f} {:.2f}L{:.2f} {:.2f}z\"{}/>\n", end.x, end.y,
                   end.x - size * 0.7, end.y - size * 1.4, end.x + size * 0.7, end.y - size * 1.4,
                   paint("fill", c.colour));
}

}  // namespace

std::string to_svg(const DisplayList& list, const Rect& area, Colour background) {
    std::string out = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{:.0f}\" height=\"{:.0f}\""
        " viewBox=\"{:.2f} {:.2f} {:.2f} {:.2f}\" font-family=\"DejaVu Sans, sans-serif\">\n",
        area.width, area.height, area.x, area.y, area.width, area.height);
    append_rect(out, {.rect = area, .fill = background});
    for (const Item& item : list.items()) {
        switch (item.kind) {
            case ItemKind::kRect:
                append_rect(out, list.rect_at(item.index));
                break;
            case ItemKind::kText:
                append_text(out, list, list.text_at(item.index));
                break;
            case ItemKind::kCurve:
                append_curve(out, list, list.curve_at(item.index));
                break;
        }
    }
    return out + "</svg>\n";
}

Status write_svg(const DisplayList& list, const Rect& area, Colour background,
                 const std::string& path) {
    return write_file_atomically(path, to_svg(list, area, background));
}

}  // namespace shardwright::draw
