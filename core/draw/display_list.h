#pragma once
// What to draw, in order, without knowing on what. The same list goes to the screen (QPainter), to
// SVG and to PNG.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "draw/colour.h"
#include "draw/geometry.h"

namespace shardwright::draw {

enum class Align : std::uint8_t { kLeft, kCentre, kRight };

struct RectItem {
    Rect rect;
    Colour fill = 0;    ///< alpha 0 = none
    Colour stroke = 0;  ///< alpha 0 = none
    float stroke_width = 1;
    float radius = 0;
    bool dashed = false;
};
/// One line of text, centred vertically in its box. Text wider than the box ends in an ellipsis:
/// a back end never draws outside the box.
struct TextItem {
    Rect box;
    std::uint32_t begin = 0, length = 0;  ///< into the list's text
    float size = 12;
    Colour colour = 0xFF000000;
    Align align = Align::kLeft;
    bool bold = false;
};
/// A start point and cubic segments (three points each).
struct CurveItem {
    std::uint32_t begin = 0, count = 0;  ///< into the list's points
    Colour colour = 0xFF000000;
    float width = 1;
    bool dashed = false;
    bool arrow = false;
};

enum class ItemKind : std::uint8_t { kRect, kText, kCurve };
struct Item {
    ItemKind kind;
    std::uint32_t index;
};

/// Items in painting order; each kind in an array of its own.
class DisplayList {
  public:
    void rect(const RectItem& item);
    void text(Rect box, std::string_view text, float size, Colour colour,
              Align align = Align::kLeft, bool bold = false);
    /// `points`: start, then three a segment.
    void curve(std::span<const Point> points, Colour colour, float width, bool dashed = false,
               bool arrow = false);

    std::span<const Item> items() const { return items_; }
    const RectItem& rect_at(std::uint32_t i) const { return rects_[i]; }
    const TextItem& text_at(std::uint32_t i) const { return texts_[i]; }
    const CurveItem& curve_at(std::uint32_t i) const { return curves_[i]; }
    std::span<const TextItem> texts() const { return texts_; }
    std::string_view string(const TextItem& item) const {
        return std::string_view(arena_).substr(item.begin, item.length);
    }
    std::span<const Point> points(const CurveItem& item) const {
        return std::span<const Point>(points_).subspan(item.begin, item.count);
    }
    void clear();

  private:
    std::vector<Item> items_;
    std::vector<RectItem> rects_;
    std::vector<TextItem> texts_;
    std::vector<CurveItem> curves_;
    std::vector<Point> points_;
    std::string arena_;
};

/// Width of one line in our fixed metrics (an upper estimate of DejaVu Sans), so that a layout is
/// the same on every machine.
double text_width(std::string_view text, double size, bool bold = false);
/// `text` cut with an ellipsis so that it is at most `width` wide; "" when not even "…" fits.
std::string elided(std::string_view text, double width, double size, bool bold = false);

}  // namespace shardwright::draw
