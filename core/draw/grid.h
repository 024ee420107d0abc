#pragma once
// A uniform grid over rectangles: which of them may touch an area. For culling and hit tests.

#include <cstdint>
#include <vector>

#include "draw/geometry.h"

namespace shardwright::draw {

class Grid {
  public:
    Grid() = default;
    Grid(const std::vector<Rect>& rects, const Rect& bounds);
    /// Indices of the rectangles that intersect `area`, ascending, each once.
    std::vector<std::uint32_t> find(const Rect& area) const;

  private:
    struct Range {
        std::size_t left, top, right, bottom;
    };
    Range cells_of(const Rect& area) const;

    std::vector<Rect> rects_;
    Rect bounds_;
    double cell_ = 1;
    std::size_t columns_ = 0, lines_ = 0;
    std::vector<std::uint32_t> begin_, items_;  // items of cell c: items_[begin_[c] … begin_[c+1])
};

}  // namespace shardwright::draw
