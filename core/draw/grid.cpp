#include "draw/grid.h"

#include <algorithm>
#include <cmath>

namespace shardwright::draw {

Grid::Grid(const std::vector<Rect>& rects, const Rect& bounds) : rects_(rects), bounds_(bounds) {
    if (rects.empty() || bounds.width <= 0 || bounds.height <= 0) return;
    // About two rectangles a cell, and never more than a million cells.
    const double area = bounds.width * bounds.height;
    const double cells = std::clamp(static_cast<double>(rects.size()) / 2, 1.0, 1e6);
    cell_ = std::max(std::sqrt(area / cells), 1.0);
    columns_ = static_cast<std::size_t>(bounds.width / cell_) + 1;
    lines_ = static_cast<std::size_t>(bounds.height / cell_) + 1;
    std::vector<std::uint32_t> count(columns_ * lines_ + 1, 0);
    const auto each_cell = [&](std::size_t i, auto&& visit) {
        const Range r = cells_of(rects_[i]);
        for (std::size_t y = r.top; y <= r.bottom; ++y)
            for (std::size_t x = r.left; x <= r.right; ++x) visit(y * columns_ + x);
    };
    for (std::size_t i = 0; i < rects_.size(); ++i)
        each_cell(i, [&](std::size_t c) { ++count[c + 1]; });
    for (std::size_t c = 1; c < count.size(); ++c) count[c] += count[c - 1];
    begin_ = count;
    items_.resize(count.back());
    for (std::size_t i = 0; i < rects_.size(); ++i)
        each_cell(i, [&](std::size_t c) { items_[count[c]++] = static_cast<std::uint32_t>(i); });
}

Grid::Range Grid::cells_of(const Rect& area) const {
    const auto index = [&](double v, std::size_t size) {
        return static_cast<std::size_t>(std::clamp(v / cell_, 0.0, static_cast<double>(size - 1)));
    };
    return {index(area.x - bounds_.x, columns_), index(area.y - bounds_.y, lines_),
            index(area.right() - bounds_.x, columns_), index(area.bottom() - bounds_.y, lines_)};
}

std::vector<std::uint32_t> Grid::find(const Rect& area) const {
    std::vector<std::uint32_t> found;
    if (columns_ == 0) return found;
    const Range r = cells_of(area);
    for (std::size_t y = r.top; y <= r.bottom; ++y)
        for (std::size_t x = r.left; x <= r.right; ++x) {
            const std::size_t c = y * columns_ + x;
            for (std::uint32_t i = begin_[c]; i < begin_[c + 1]; ++i)
                if (rects_[items_[i]].intersects(area)) found.push_back(items_[i]);
        }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

}  // namespace shardwright::draw
