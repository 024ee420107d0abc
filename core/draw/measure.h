#pragma once
// How large a card is and what stands in it. Shardings play no part: an edit moves nothing.

#include <functional>
#include <string>
#include <vector>

#include "draw/geometry.h"
#include "draw/graph.h"

namespace shardwright::draw {

/// What people call a value: `decoder/mlp/wi_0`, `%12`. Given by whoever knows the document.
using ValueLabel = std::function<std::string(ir::ValueId)>;

inline constexpr double kHeader = 24, kRow = 16, kCellHeight = 32, kPillGap = 5, kPad = 8;
inline constexpr float kTitleSize = 12, kRowSize = 10, kCellSize = 12, kAxisSize = 10;

struct RowPlace {
    Rect rect;
    ir::ValueId value;  ///< invalid: a remark
    std::string text;
    bool portal = false;  ///< stands for an edge that is too long to draw
};
struct PillPlace {
    Rect rect;  ///< with the element type in front of the cells
    ir::ValueId value;
    std::string type;         ///< "bf16"
    std::vector<Rect> cells;  ///< one a dimension; none for a scalar
};
/// A card measured at the origin.
struct Card {
    Size size;
    std::string title, note;  ///< left and right in the header
    std::vector<RowPlace> rows;
    std::vector<PillPlace> pills;
};

Card measure(const ir::Module& module, const GroupTree& tree, const Node& node,
             const ValueLabel& label);
/// `0.5`, `iota`, `[1, 2, 4]`: an operand that stands inside the card.
std::string constant_text(const ir::Module& module, ir::ValueId value);

}  // namespace shardwright::draw
