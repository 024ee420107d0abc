// Shardy's pretty forms. Shardings stay text: core/sharding reads them.
#include <fmt/format.h>

#include "formats/mlir_parser.h"

namespace shardwright::formats::mlir {

bool Parser::parse_text(Draft& draft, std::string_view attr) {
    Attr text;
    text.kind = AttrKind::kDialect;
    text.pos = token_.pos;
    if (!token_.is('<') && !token_.is('[') && !token_.is('{')) return unexpected("'<', '[' or '{'");
    if (!balanced(text.text)) return false;
    draft.set(attr, add(text));
    return true;
}

bool Parser::parse_keyed_text(Draft& draft, std::string_view key, bool required) {
    if (!token_.is_word(key)) return required ? unexpected(fmt::format("'{}='", key)) : true;
    advance();
    return expect('=') && parse_text(draft, key);
}

bool Parser::parse_sdy(Draft& draft) {
    switch (draft.op.known->form) {
        case Form::kSharded:
            return parse_use(draft) && parse_text(draft, "sharding") && parse_tail(draft);
        case Form::kGroup: {
            AttrId id;
            if (!parse_use(draft) || !expect_word("group_id") || !expect('=')) return false;
            std::int64_t group = 0;
            const Pos pos = token_.pos;
            if (!parse_integer(group)) return false;
            draft.set("group_id", add_ints(pos, {group}));
            std::uint32_t type = 0;
            return parse_optional_dict(draft.attrs) && expect(':') && parse_type(type);
        }
        case Form::kBarrier: {
            AttrId direction;
            if (!parse_use(draft) || !expect_word("allowed_direction") || !expect('='))
                return false;
            if (!parse_keyed_value(direction)) return false;
            draft.set("allowed_direction", direction);
            return parse_tail(draft);
        }
        case Form::kEdge:
            return parse_use(draft) && parse_keyed_text(draft, "sharding", false) &&
                   parse_tail(draft);
        default:
            break;
    }
    // Collectives: axes in front (of no interest: source and target tell them), the target behind.
    std::string_view axes;
    if ((token_.is('[') || token_.is('{')) && !balanced(axes)) return false;
    return parse_use(draft) && parse_keyed_text(draft, "out_sharding", true) && parse_tail(draft);
}

bool Parser::parse_sdy_manual(Draft& draft) {
    if (draft.op.known->form == Form::kNamed) {
        if (!expect('<')) return false;
        AttrId name;
        if (!token_.is(TokenKind::kString)) return unexpected("the computation's name in quotes");
        if (!parse_attribute(name) || !expect('>')) return false;
        draft.set("name", name);
    }
    if (!parse_use_tuple(draft)) return false;
    const bool manual = draft.op.known->form == Form::kManual;
    if (!parse_keyed_text(draft, "in_shardings", manual) ||
        !parse_keyed_text(draft, "out_shardings", manual) ||
        !parse_keyed_text(draft, "manual_axes", manual))
        return false;
    Arguments arguments;
    if (!parse_arguments(arguments)) return false;
    RawRegionId region;
    if (!parse_region(region, arguments)) return false;
    draft.regions.push_back(region);
    return parse_tail(draft);
}

bool Parser::parse_sdy_mesh(Draft& draft) {
    while (token_.is(TokenKind::kWord)) advance();  // visibility
    Attr name;
    if (!token_.is(TokenKind::kSymbol)) return unexpected("the mesh's name, as in @mesh");
    name.kind = AttrKind::kString;
    name.pos = token_.pos;
    name.text = token_.text;
    draft.set("sym_name", add(name));
    advance();
    if (!expect('=')) return false;
    if (token_.is(TokenKind::kHash)) {
        AttrId mesh;
        if (!parse_attribute(mesh)) return false;
        draft.set("mesh", mesh);
    } else if (!parse_text(draft, "mesh")) {
        return false;
    }
    return parse_optional_dict(draft.attrs);
}

}  // namespace shardwright::formats::mlir
