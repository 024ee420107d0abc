#pragma once
// Scene and overlay as a display list, with as much detail as the scale can show.

#include "draw/display_list.h"
#include "draw/overlay.h"
#include "draw/scene.h"

namespace shardwright::draw {

struct PaintView {
    Rect visible;      ///< scene area to paint; the rest is culled
    double scale = 1;  ///< pixels a scene unit
    const Palette* palette = &light_palette();
};

/// Level of detail by scale.
inline constexpr double kFullDetail = 0.5;   ///< below: titles and colour bars
inline constexpr double kBlocksOnly = 0.16;  ///< below: blocks of colour

DisplayList paint(const Scene& scene, const Overlay& overlay, const PaintView& view);

/// One tensor as a row of dimension cells; also for the inspector. `cells` has one rect a
/// dimension.
void paint_pill(DisplayList& list, const Overlay& overlay, const PaintView& view,
                const ScenePill& pill, std::span<const Rect> cells,
                std::span<const std::int64_t> dims);
/// A badge centred at `centre`, in the colours of its heat. Returns its rectangle.
Rect paint_badge(DisplayList& list, const PaintView& view, const Badge& badge, Point centre,
                 double max_width, bool stale);

}  // namespace shardwright::draw
