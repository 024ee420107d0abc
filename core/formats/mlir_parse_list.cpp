// The commonest pretty form: `%a, %b, key = value {attributes} : signature`, and its near kin.
#include <fmt/format.h>

#include <charconv>

#include "formats/mlir_parser.h"

namespace shardwright::formats::mlir {
namespace {

using ir::OpKind;

/// The attribute that a key of the pretty form stands for.
std::string_view attribute_name(const Operation& operation, std::string_view key) {
    if (key == "dims")
        return operation.kind == OpKind::kTranspose ? "permutation"
               : operation.kind == OpKind::kReverse ? "dimensions"
                                                    : "broadcast_dimensions";
    if (key == "dim") {
        const bool iota = operation.kind == OpKind::kIota || operation.kind == OpKind::kDynamicIota;
        return iota ? "iota_dimension" : "dimension";
    }
    if (key == "sizes")
        return operation.lower == Lower::kBroadcast ? "broadcast_sizes" : "slice_sizes";
    if (key == "low") return "edge_padding_low";
    if (key == "high") return "edge_padding_high";
    if (key == "interior") return "interior_padding";
    if (key == "distribution") return "rng_distribution";
    if (key == "algorithm" && operation.kind == OpKind::kRngBitGenerator) return "rng_algorithm";
    if (key == "type" && operation.kind == OpKind::kFft) return "fft_type";
    if (key == "length") return "fft_length";
    if (key == "precision") return "precision_config";
    return key;
}

}  // namespace

bool Parser::parse_pair(Draft& draft, std::string_view first, std::string_view second) {
    for (const std::string_view name : {first, second}) {
        const Pos pos = token_.pos;
        std::vector<std::int64_t> ints;
        if (!parse_ints(ints)) return false;
        draft.set(name, add_ints(pos, ints));
        if (name.data() == first.data() && !expect_word("x")) return false;
    }
    return true;
}

bool Parser::parse_keyed_value(AttrId& id) {
    Attr attr;
    attr.pos = token_.pos;
    if (token_.is(TokenKind::kWord)) {
        attr.kind = AttrKind::kWord;
        attr.text = token_.text;
        if (token_.text == "true" || token_.text == "false") {
            attr.kind = AttrKind::kBool;
            attr.integer = token_.text == "true" ? 1 : 0;
        }
        advance();
        id = add(attr);
        return true;
    }
    if (token_.is('<')) {
        attr.kind = AttrKind::kDialect;
        if (!balanced(attr.text)) return false;
        id = add(attr);
        return true;
    }
    // The ':' behind a number here begins the operation's signature, not the number's type.
    const bool negative = token_.is('-');
    if (negative) advance();
    if (token_.is(TokenKind::kInteger) || token_.is(TokenKind::kFloat))
        return parse_number(id, negative, attr.pos, false);
    if (negative) return unexpected("a number");
    if (!token_.is('[')) return parse_attribute(id);
    const Pos start = token_.pos;
    advance();
    if (!token_.is(TokenKind::kWord)) {
        reread_from(start);
        return parse_array(id);
    }
    InlineVector<AttrId, 4> words;
    do {
        AttrId word;
        if (!token_.is(TokenKind::kWord)) return unexpected("a keyword");
        if (!parse_keyed_value(word)) return false;
        words.push_back(word);
    } while (accept(','));
    attr.kind = AttrKind::kArray;
    attr.range = {static_cast<std::uint32_t>(syntax_.attr_ids.size()),
                  static_cast<std::uint32_t>(words.size())};
    syntax_.attr_ids.insert(syntax_.attr_ids.end(), words.begin(), words.end());
    id = add(attr);
    return expect(']');
}

bool Parser::parse_keyed(Draft& draft) {
    const Token key = token_;
    advance();
    if (!expect('=')) return false;
    if (key.text == "contracting_dims")
        return parse_pair(draft, "lhs_contracting_dimensions", "rhs_contracting_dimensions");
    if (key.text == "batching_dims")
        return parse_pair(draft, "lhs_batching_dimensions", "rhs_batching_dimensions");
    if (key.text == "format" && token_.is(TokenKind::kWord)) {  // e11m52
        Attr exponent, mantissa;
        exponent.kind = mantissa.kind = AttrKind::kInt;
        exponent.pos = mantissa.pos = token_.pos;
        const std::string_view text = token_.text;
        const char* const end = text.data() + text.size();
        const auto e = std::from_chars(text.data() + 1, end, exponent.integer);
        const bool middle = text[0] == 'e' && e.ec == std::errc() && e.ptr < end && *e.ptr == 'm';
        if (!middle || std::from_chars(e.ptr + 1, end, mantissa.integer).ptr != end)
            return unexpected("a format such as e8m7");
        advance();
        draft.set("exponent_bits", add(exponent));
        draft.set("mantissa_bits", add(mantissa));
        return true;
    }
    AttrId value;
    if (!parse_keyed_value(value)) return false;
    draft.set(attribute_name(*draft.op.known, key.text), value);
    return true;
}

bool Parser::parse_list(Draft& draft) {
    const bool parenthesised = accept('(');
    const auto is_item = [&] {
        return token_.is(TokenKind::kValue) || token_.is(TokenKind::kWord);
    };
    if (is_item()) {
        do {
            if (token_.is(TokenKind::kValue)) {
                if (!parse_use(draft)) return false;
            } else if (token_.is(TokenKind::kWord)) {
                if (!parse_keyed(draft)) return false;
            } else {
                return unexpected("a value or an attribute");
            }
        } while (accept(','));
    }
    if (parenthesised && !expect(')')) return false;
    return parse_tail(draft);
}

bool Parser::parse_compare(Draft& draft) {
    AttrId direction;
    if (!token_.is(TokenKind::kWord)) return unexpected("EQ, NE, GE, GT, LE or LT");
    if (!parse_keyed_value(direction) || !expect(',') || !parse_use(draft) || !expect(',') ||
        !parse_use(draft))
        return false;
    draft.set("comparison_direction", direction);
    if (accept(',')) {
        AttrId type;
        if (!token_.is(TokenKind::kWord)) return unexpected("a comparison type");
        if (!parse_keyed_value(type)) return false;
        draft.set("compare_type", type);
    }
    return parse_tail(draft);
}

bool Parser::parse_slice(Draft& draft) {
    if (!parse_use(draft)) return false;
    const Pos pos = token_.pos;
    if (!expect('[')) return false;
    std::vector<std::int64_t> start, limit, strides;
    if (!token_.is(']')) {
        do {
            start.push_back(0);
            limit.push_back(0);
            strides.push_back(1);
            if (!parse_integer(start.back()) || !expect(':') || !parse_integer(limit.back()))
                return false;
            if (accept(':') && !parse_integer(strides.back())) return false;
        } while (accept(','));
    }
    if (!expect(']')) return false;
    draft.set("start_indices", add_ints(pos, start));
    draft.set("limit_indices", add_ints(pos, limit));
    draft.set("strides", add_ints(pos, strides));
    return parse_tail(draft);
}

bool Parser::parse_constant(Draft& draft) {
    if (!parse_optional_dict(draft.attrs)) return false;
    const Pos pos = token_.pos;
    AttrId value;
    if (!parse_attribute(value)) return false;
    draft.set("value", value);
    const Attr& attr = syntax_.attr(value);
    std::uint32_t type = attr.type;
    if (accept(':')) {
        if (!parse_type(type)) return false;
    } else if (type == UINT32_MAX) {
        return fail(pos, "constant without a type", "': type' behind the value");
    }
    draft.op.result_types = {type, 1};
    return true;
}

bool Parser::parse_check_constant(Draft& draft) {
    AttrId value;
    if (!parse_use(draft) || !expect(',') || !parse_attribute(value)) return false;
    draft.set("value", value);
    while (accept(',')) {
        if (!token_.is(TokenKind::kWord)) return unexpected("an attribute");
        if (!parse_keyed(draft)) return false;
    }
    if (!parse_optional_dict(draft.attrs)) return false;
    std::uint32_t type = 0;
    return accept(':') ? parse_type(type) : true;
}

bool Parser::parse_return(Draft& draft) {
    if (!parse_optional_dict(draft.attrs)) return false;
    if (!token_.is(TokenKind::kValue)) return true;
    if (!parse_uses(draft)) return false;
    return parse_optional_dict(draft.attrs) && expect(':') &&
           parse_type_list(draft.op.operand_types);
}

}  // namespace shardwright::formats::mlir
