#pragma once
// Display lists as SVG and PNG files.

#include <string>

#include "base/result.h"
#include "draw/display_list.h"

namespace shardwright::draw {

/// A complete SVG document showing `area` of the list.
std::string to_svg(const DisplayList& list, const Rect& area, Colour background);
/// The same into a file, whole or not at all.
Status write_svg(const DisplayList& list, const Rect& area, Colour background,
                 const std::string& path);
/// Writes `area` at `scale` pixels a unit. Errors: the file cannot be written, the picture would be
/// larger than 16384 pixels a side.
Status write_png(const DisplayList& list, const Rect& area, Colour background, double scale,
                 const std::string& path);

}  // namespace shardwright::draw
