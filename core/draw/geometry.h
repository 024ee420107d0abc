#pragma once
// Points and rectangles in scene units (one unit is one pixel at 100 %); y grows downwards.

#include <algorithm>

namespace shardwright::draw {

struct Point {
    double x = 0, y = 0;
    friend bool operator==(const Point&, const Point&) = default;
};

struct Size {
    double width = 0, height = 0;
    friend bool operator==(const Size&, const Size&) = default;
};

struct Rect {
    double x = 0, y = 0, width = 0, height = 0;

    double right() const { return x + width; }
    double bottom() const { return y + height; }
    Point centre() const { return {x + width / 2, y + height / 2}; }
    bool contains(Point p) const { return p.x >= x && p.x < right() && p.y >= y && p.y < bottom(); }
    bool intersects(const Rect& o) const {
        return x < o.right() && o.x < right() && y < o.bottom() && o.y < bottom();
    }
    Rect moved(double dx, double dy) const { return {x + dx, y + dy, width, height}; }
    Rect grown(double by) const { return {x - by, y - by, width + 2 * by, height + 2 * by}; }
    /// The smallest rectangle that holds both.
    Rect united(const Rect& o) const {
        const double left = std::min(x, o.x), top = std::min(y, o.y);
        return {left, top, std::max(right(), o.right()) - left,
                std::max(bottom(), o.bottom()) - top};
    }
    friend bool operator==(const Rect&, const Rect&) = default;
};

}  // namespace shardwright::draw
