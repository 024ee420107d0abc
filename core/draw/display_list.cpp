#include "draw/display_list.h"

namespace shardwright::draw {

void DisplayList::rect(const RectItem& item) {
    items_.push_back({ItemKind::kRect, static_cast<std::uint32_t>(rects_.size())});
    rects_.push_back(item);
}

void DisplayList::text(Rect box, std::string_view text, float size, Colour colour, Align align,
                       bool bold) {
    const std::string fitted = elided(text, box.width, static_cast<double>(size), bold);
    if (fitted.empty()) return;
    items_.push_back({ItemKind::kText, static_cast<std::uint32_t>(texts_.size())});
    texts_.push_back({box, static_cast<std::uint32_t>(arena_.size()),
                      static_cast<std::uint32_t>(fitted.size()), size, colour, align, bold});
    arena_ += fitted;
}

void DisplayList::curve(std::span<const Point> points, Colour colour, float width, bool dashed,
                        bool arrow) {
    items_.push_back({ItemKind::kCurve, static_cast<std::uint32_t>(curves_.size())});
    curves_.push_back({static_cast<std::uint32_t>(points_.size()),
                       static_cast<std::uint32_t>(points.size()), colour, width, dashed, arrow});
    points_.insert(points_.end(), points.begin(), points.end());
}

void DisplayList::clear() {
    items_.clear();
    rects_.clear();
    texts_.clear();
    curves_.clear();
    points_.clear();
    arena_.clear();
}

namespace {

/// Advance of one ASCII character as a part of the font size.
double advance(unsigned char c) {
    if (c >= '0' && c <= '9') return 0.64;
    switch (c) {
        case ' ':
        case ',':
        case '.':
        case ':':
        case ';':
        case '!':
        case '\'':
        case '|':
            return 0.36;
        case 'i':
        case 'j':
        case 'l':
            return 0.29;
        case 'f':
        case 't':
        case 'r':
        case '(':
        case ')':
        case '[':
        case ']':
        case '/':
            return 0.41;
        case 'm':
        case 'w':
        case 'W':
        case 'M':
        case '@':
        case '%':
            return 0.98;
        case '_':
        case '-':
            return 0.5;
        case '+':
        case '=':
        case '<':
        case '>':
        case '~':
            return 0.84;
        default:
            break;
    }
    if (c >= 'A' && c <= 'Z') return 0.74;
    return 0.62;
}

/// Bytes of the UTF-8 character that starts with `c`.
std::size_t character_length(unsigned char c) {
    return c < 0x80 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
}

}  // namespace

double text_width(std::string_view text, double size, bool bold) {
    double width = 0;
    for (std::size_t i = 0; i < text.size();) {
        const auto c = static_cast<unsigned char>(text[i]);
        width += c < 0x80 ? advance(c) : 0.84;
        i += character_length(c);
    }
    return width * size * (bold ? 1.12 : 1.0);
}

std::string elided(std::string_view text, double width, double size, bool bold) {
    if (text_width(text, size, bold) <= width) return std::string(text);
    const double dots = text_width("…", size, bold);
    if (dots > width) return {};
    std::size_t end = 0;
    double used = dots;
    while (end < text.size()) {
        const std::size_t next =
            std::min(end + character_length(static_cast<unsigned char>(text[end])), text.size());
        used += text_width(text.substr(end, next - end), size, bold);
        if (used > width) break;
        end = next;
    }
    return std::string(text.substr(0, end)) + "…";
}

}  // namespace shardwright::draw
