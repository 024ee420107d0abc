#pragma once
// Colours: those of mesh axes (one hue for an axis in every view), and the two themes.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "mesh/mesh.h"

namespace shardwright::draw {

/// 0xAARRGGBB.
using Colour = std::uint32_t;

/// `a` mixed with `part` (0…1) of `b`.
Colour mix(Colour a, Colour b, double part);
/// WCAG contrast ratio of two opaque colours, 1…21.
double contrast(Colour a, Colour b);

/// How one axis looks: never by colour alone, always with a letter too.
struct AxisStyle {
    Colour fill = 0;
    Colour text = 0;     ///< black, or white on blue
    std::string letter;  ///< one character, unique in the mesh; also the key that toggles the axis
    std::string name;
};

/// Styles of all axes of a mesh, in the colour-blind-safe order of Okabe and Ito: blue, orange,
/// green, purple, vermillion, sky, yellow, then tints of the same.
/// The letter is the first of the name that no earlier axis took (`data`, `depth` -> `d`, `e`).
std::vector<AxisStyle> axis_styles(const mesh::Mesh& mesh);
/// The tint of a part of an axis; the full axis has the plain colour.
Colour part_colour(const AxisStyle& style, const mesh::AxisRef& ref, const mesh::Mesh& mesh);

/// Every colour that is not an axis.
struct Palette {
    Colour background, group, group_header, group_edge;
    Colour card, card_header, card_edge;
    Colour text, faint_text, cell, cell_edge;
    Colour edge, edge_strong, badge, badge_text, hot;
    Colour selection, hover, accept, warn, refuse;
};
const Palette& light_palette();
const Palette& dark_palette();

}  // namespace shardwright::draw
