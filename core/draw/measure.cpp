#include "draw/measure.h"

#include <fmt/format.h>

#include <algorithm>

#include "draw/display_list.h"

namespace shardwright::draw {
namespace {

constexpr double kMinWidth = 104, kMaxText = 230, kMinCell = 38, kCellPad = 14;
constexpr std::size_t kMaxRows = 4;

PillPlace measure_pill(const ir::Module& module, ir::ValueId value) {
    const ir::TensorType& type = module.type(value);
    PillPlace pill;
    pill.value = value;
    pill.type = ir::mlir_name(type.element);
    double x = text_width(pill.type, kRowSize) + 8;
    for (const std::int64_t size : type.dims) {
        const double width =
            std::max(kMinCell, text_width(std::to_string(size), kCellSize) + kCellPad);
        pill.cells.push_back({x, 0, width, kCellHeight});
        x += width;
    }
    if (type.dims.empty()) x += text_width(" scalar", kRowSize) + 8;
    pill.rect = {0, 0, x + 4, kCellHeight};
    return pill;
}

void add_rows(const ir::Module& module, const Node& node, const ValueLabel& label, Card& card) {
    const std::size_t shown =
        node.inline_operands.size() > kMaxRows ? kMaxRows - 1 : node.inline_operands.size();
    for (std::size_t i = 0; i < shown; ++i) {
        const ir::ValueId v = node.inline_operands[i];
        std::string text = constant_text(module, v);
        const bool portal = text.empty();
        if (portal) text = "◂ " + label(v);
        card.rows.push_back({{}, v, std::move(text), portal});
    }
    if (shown < node.inline_operands.size())
        card.rows.push_back(
            {{},
             {},
             fmt::format("and {} more operands", node.inline_operands.size() - shown),
             false});
}

void add_titles(const ir::Module& module, const GroupTree& tree, const Node& node,
                const ValueLabel& label, Card& card) {
    switch (node.kind) {
        case NodeKind::kOp: {
            card.title = ir::name(module.op(node.op).kind);
            if (const auto* call = module.attributes_if<ir::CustomCallAttributes>(node.op))
                card.title = std::string(module.text(call->target));
            if (module.op(node.op).result_count > 0)
                card.note = module.name(module.result(node.op));
            if (card.note == card.title) card.note.clear();
            break;
        }
        case NodeKind::kArgument:
            card.title = label(node.value);
            break;
        case NodeKind::kPort:
            card.title = "▾ " + label(node.value);
            break;
        case NodeKind::kGroup: {
            const Group& group = tree[node.group];
            card.title = group.name;
            card.rows.push_back({{}, {}, fmt::format("{} operations", group.cards), false});
            card.rows.push_back({{}, {}, {}, false});  // room for the group's totals
            break;
        }
    }
    if (node.hidden_pills > 0)
        card.rows.push_back({{}, {}, fmt::format("{} more results", node.hidden_pills), false});
}

}  // namespace

std::string constant_text(const ir::Module& module, ir::ValueId value) {
    const ir::OpId def = module.value(value).def;
    if (!def.valid()) return {};
    const ir::Op& op = module.op(def);
    using enum ir::OpKind;
    if (op.kind == kIota)
        return fmt::format("iota {}", ir::mlir_text(module.type(value)).substr(6));
    if (op.kind == kBroadcastInDim || op.kind == kConvert || op.kind == kReshape)
        return op.operand_count > 0 ? constant_text(module, module.operand(def, 0)) : std::string();
    const auto* constant = module.attributes_if<ir::ConstantAttributes>(def);
    if (constant == nullptr) return {};
    const ir::Literal& literal = module.literal(constant->literal);
    if (literal.kind == ir::Literal::Kind::kElided || literal.data().empty()) return "constant …";
    const std::int64_t count =
        literal.kind == ir::Literal::Kind::kSplat ? 1 : literal.type.element_count();
    if (count > 64) return {};
    std::string text;
    for (std::int64_t i = 0; i < std::min<std::int64_t>(count, 4); ++i) {
        if (i > 0) text += ", ";
        text +=
            fmt::format("{:.4g}", ir::element_as_double(literal.data(), literal.type.element, i));
    }
    if (count > 4) text += ", …";
    return count > 1 ? "[" + text + "]" : text;
}

Card measure(const ir::Module& module, const GroupTree& tree, const Node& node,
             const ValueLabel& label) {
    Card card;
    add_titles(module, tree, node, label, card);
    add_rows(module, node, label, card);
    for (const ir::ValueId v : node.pills) card.pills.push_back(measure_pill(module, v));

    double width = text_width(card.title, kTitleSize, true);
    if (!card.note.empty()) width += 12 + std::min(text_width(card.note, kRowSize), 90.0);
    width = std::min(width, kMaxText);
    if (node.kind == NodeKind::kGroup) width = std::max(width, 150.0);
    for (const RowPlace& row : card.rows)
        width = std::max(width, std::min(text_width(row.text, kRowSize), kMaxText));
    for (const PillPlace& pill : card.pills) width = std::max(width, pill.rect.width);
    card.size.width = std::max(kMinWidth, width + 2 * kPad);

    double y = kHeader;
    for (RowPlace& row : card.rows) {
        row.rect = {kPad, y, card.size.width - 2 * kPad, kRow};
        y += kRow;
    }
    if (!card.rows.empty()) y += 3;
    for (PillPlace& pill : card.pills) {
        const double dx = (card.size.width - pill.rect.width) / 2;
        pill.rect = pill.rect.moved(dx, y);
        for (Rect& cell : pill.cells) cell = cell.moved(dx, y);
        y += kCellHeight + kPillGap;
    }
    card.size.height = y + (card.pills.empty() ? 4 : 2);
    return card;
}

}  // namespace shardwright::draw
