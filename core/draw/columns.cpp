// A chain of a hundred cards is a line nobody can read: cut it into columns, like a newspaper.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "draw/layout.h"

namespace shardwright::draw {
namespace {

constexpr double kColumnGap = 90;

/// Horizontal bands of nodes that no node reaches across; top to bottom.
struct Band {
    double top = 0, bottom = 0, left = 0, right = 0;
    std::vector<std::uint32_t> nodes;
};

std::vector<Band> find_bands(const LayoutResult& layout) {
    std::vector<std::uint32_t> by_top(layout.nodes.size());
    std::iota(by_top.begin(), by_top.end(), 0u);
    std::stable_sort(by_top.begin(), by_top.end(), [&](std::uint32_t a, std::uint32_t b) {
        return layout.nodes[a].y < layout.nodes[b].y;
    });
    std::vector<Band> bands;
    for (const std::uint32_t node : by_top) {
        const Rect& r = layout.nodes[node];
        if (bands.empty() || r.y >= bands.back().bottom)
            bands.push_back({r.y, r.bottom(), r.x, r.right(), {}});
        Band& band = bands.back();
        band.bottom = std::max(band.bottom, r.bottom());
        band.left = std::min(band.left, r.x);
        band.right = std::max(band.right, r.right());
        band.nodes.push_back(node);
    }
    return bands;
}

/// From the bottom of `a` up through the gap left of `b`'s column, and into `b` from above.
std::vector<Point> through_gap(const Rect& a, const Rect& b, double column_left, int lane) {
    constexpr double kTurn = 26;
    const Point start{a.centre().x, a.bottom()}, end{b.centre().x, b.y};
    const double x = column_left - kColumnGap / 2 + ((lane % 7) - 3) * 9.0;
    return {start,
            {start.x, start.y + kTurn},
            {x, start.y + kTurn},
            {x, start.y},
            {x, start.y},
            {x, end.y},
            {x, end.y},
            {x, end.y - kTurn},
            {end.x, end.y - kTurn},
            end};
}

void shift(std::vector<Point>& curve, double dx, double dy) {
    for (Point& p : curve) p.x += dx, p.y += dy;
}

}  // namespace

LayoutResult into_columns(LayoutResult layout, const std::vector<LayoutEdge>& edges,
                          double aspect) {
    if (layout.nodes.empty() || layout.size.height <= 0) return layout;
    const double ratio = layout.size.height / std::max(layout.size.width, 1.0);
    const auto columns = static_cast<std::size_t>(std::lround(std::sqrt(ratio * aspect)));
    const std::vector<Band> bands = find_bands(layout);
    if (columns < 2 || ratio * aspect < 2.5 || bands.size() < 2 * columns) return layout;

    const double target = layout.size.height / static_cast<double>(columns);
    std::vector<std::size_t> column_of(layout.nodes.size(), 0);
    std::vector<Point> moved(layout.nodes.size());
    std::vector<double> left_of;
    Size size;
    double x = 0, top = bands[0].top;
    std::size_t column = 0, first = 0;
    const auto close_column = [&](std::size_t begin, std::size_t end) {
        double left = bands[begin].left, right = bands[begin].right;
        for (std::size_t b = begin; b < end; ++b) {
            left = std::min(left, bands[b].left);
            right = std::max(right, bands[b].right);
        }
        for (std::size_t b = begin; b < end; ++b)
            for (const std::uint32_t node : bands[b].nodes) {
                column_of[node] = column;
                moved[node] = {x - left, -bands[begin].top};
            }
        left_of.push_back(x);
        size.height = std::max(size.height, bands[end - 1].bottom - bands[begin].top);
        x += right - left;
        size.width = x;
        x += kColumnGap;
        ++column;
    };
    for (std::size_t b = 0; b < bands.size(); ++b) {
        const bool is_full = bands[b].bottom - top > target * 1.03 && b > first;
        if (!is_full) continue;
        close_column(first, b);
        first = b;
        top = bands[b].top;
    }
    close_column(first, bands.size());

    std::vector<int> lane(left_of.size(), 0);
    for (std::size_t i = 0; i < layout.nodes.size(); ++i)
        layout.nodes[i] = layout.nodes[i].moved(moved[i].x, moved[i].y);
    for (std::size_t e = 0; e < edges.size() && e < layout.curves.size(); ++e) {
        const auto [from, to] = edges[e];
        if (column_of[from] == column_of[to])
            shift(layout.curves[e], moved[from].x, moved[from].y);
        else
            layout.curves[e] = through_gap(layout.nodes[from], layout.nodes[to],
                                           left_of[column_of[to]], lane[column_of[to]]++);
    }
    layout.size = size;
    return layout;
}

}  // namespace shardwright::draw
