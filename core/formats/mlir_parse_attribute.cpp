// Attributes: numbers, lists and dictionaries are decoded; constants and dialects' own forms stay
// as text until somebody wants them.
#include <fmt/format.h>

#include <charconv>
#include <cstring>

#include "formats/mlir_parser.h"

namespace shardwright::formats::mlir {

AttrId Parser::add(Attr attr) {
    syntax_.attrs.push_back(attr);
    return AttrId(syntax_.attrs.size() - 1);
}

AttrId Parser::add_ints(Pos pos, const std::vector<std::int64_t>& ints) {
    Attr attr;
    attr.kind = AttrKind::kInts;
    attr.pos = pos;
    attr.range = {static_cast<std::uint32_t>(syntax_.ints.size()),
                  static_cast<std::uint32_t>(ints.size())};
    syntax_.ints.insert(syntax_.ints.end(), ints.begin(), ints.end());
    return add(attr);
}

Range Parser::add_named(const AttrList& attrs) {
    const Range range{static_cast<std::uint32_t>(syntax_.named.size()),
                      static_cast<std::uint32_t>(attrs.size())};
    syntax_.named.insert(syntax_.named.end(), attrs.begin(), attrs.end());
    return range;
}

bool Parser::parse_integer(std::int64_t& value) {
    const Pos start = token_.pos;
    const bool negative = accept('-');
    if (!token_.is(TokenKind::kInteger)) return unexpected("an integer");
    std::string_view digits = token_.text;
    const bool hex = digits.starts_with("0x");
    if (hex) digits.remove_prefix(2);
    std::uint64_t magnitude = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), magnitude, hex ? 16 : 10);
    if (error != std::errc()) return fail(start, "integer too large", "a 64-bit integer");
    value = static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude);
    advance();
    return true;
}

bool Parser::parse_ints(std::vector<std::int64_t>& ints) {
    if (!expect('[')) return false;
    if (accept(']')) return true;
    do {
        std::int64_t value = 0;
        if (!parse_integer(value)) return false;
        ints.push_back(value);
    } while (accept(','));
    return expect(']');
}

bool Parser::parse_number(AttrId& id, bool negative, Pos start, bool may_have_type) {
    Attr attr;
    attr.pos = start;
    attr.text = source_.text.substr(start, token_.pos + token_.text.size() - start);
    if (token_.is(TokenKind::kInteger)) {
        attr.kind = AttrKind::kInt;
        std::string_view digits = token_.text;
        const bool hex = digits.starts_with("0x");
        if (hex) digits.remove_prefix(2);
        std::uint64_t magnitude = 0;
        std::from_chars(digits.data(), digits.data() + digits.size(), magnitude, hex ? 16 : 10);
        attr.integer = static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude);
        attr.real = static_cast<double>(attr.integer);
    } else {
        attr.kind = AttrKind::kFloat;
        std::from_chars(token_.text.data(), token_.text.data() + token_.text.size(), attr.real);
        if (negative) attr.real = -attr.real;
    }
    advance();
    if (may_have_type && accept(':') && !parse_type(attr.type)) return false;
    id = add(attr);
    return true;
}

bool Parser::parse_array(AttrId& id) {
    const Pos start = token_.pos;
    advance();
    std::vector<AttrId> children;
    std::vector<std::int64_t> ints;
    bool all_ints = true;
    if (!token_.is(']')) {
        do {
            AttrId child;
            if (!parse_attribute(child)) return false;
            const Attr& attr = syntax_.attr(child);
            all_ints = all_ints && attr.kind == AttrKind::kInt;
            if (all_ints) ints.push_back(attr.integer);
            children.push_back(child);
        } while (accept(','));
    }
    if (!expect(']')) return false;
    if (all_ints) {
        id = add_ints(start, ints);
        return true;
    }
    Attr attr;
    attr.kind = AttrKind::kArray;
    attr.pos = start;
    attr.range = {static_cast<std::uint32_t>(syntax_.attr_ids.size()),
                  static_cast<std::uint32_t>(children.size())};
    syntax_.attr_ids.insert(syntax_.attr_ids.end(), children.begin(), children.end());
    id = add(attr);
    return true;
}

bool Parser::parse_dense_array(AttrId& id) {
    const Pos start = token_.pos;
    advance();
    if (!expect('<')) return false;
    std::uint32_t type = 0;
    if (!parse_type(type)) return false;
    std::vector<std::int64_t> ints;
    bool all_ints = true;
    if (accept(':')) {
        do {
            const bool truth = token_.is_word("true");
            if (truth || token_.is_word("false")) {
                ints.push_back(truth ? 1 : 0);
                advance();
                continue;
            }
            AttrId value;
            const Pos pos = token_.pos;
            const bool negative = accept('-');
            if (!token_.is(TokenKind::kInteger) && !token_.is(TokenKind::kFloat))
                return unexpected("a number");
            if (!parse_number(value, negative, pos)) return false;
            all_ints = all_ints && syntax_.attr(value).kind == AttrKind::kInt;
            ints.push_back(syntax_.attr(value).integer);
        } while (accept(','));
    }
    if (!expect('>')) return false;
    if (all_ints) {
        id = add_ints(start, ints);
    } else {
        Attr attr;
        attr.kind = AttrKind::kOpaque;
        attr.pos = start;
        id = add(attr);
    }
    return true;
}

bool Parser::parse_dense(AttrId& id, bool is_resource) {
    Attr attr;
    attr.kind = is_resource ? AttrKind::kResource : AttrKind::kDense;
    advance();
    if (!token_.is('<')) return unexpected("'<'");
    // The body holds no '>' of its own outside strings, so its end is found without decoding it.
    const std::string_view text = source_.text;
    const Pos begin = token_.pos + 1;
    Pos p = begin;
    const Pos end = lexer_.end();
    for (; p < end && text[p] != '>'; ++p) {
        if (text[p] != '"') continue;
        const void* quote = std::memchr(text.data() + p + 1, '"', end - p - 1);
        if (quote == nullptr) return fail(p, "unfinished string", "'\"'");
        p = static_cast<Pos>(static_cast<const char*>(quote) - text.data());
    }
    if (p >= end) return fail(begin - 1, "this '<' is never closed", "'>'");
    attr.pos = begin;
    attr.text = text.substr(begin, p - begin);
    reread_from(p + 1);
    if (!expect(':') || !parse_type(attr.type)) return false;
    id = add(attr);
    return true;
}

bool Parser::parse_dict(AttrList& out) {
    if (!expect('{')) return false;
    if (accept('}')) return true;
    do {
        NamedAttr entry;
        if (!token_.is(TokenKind::kWord) && !token_.is(TokenKind::kString))
            return unexpected("an attribute's name");
        entry.name = token_.text;
        const Pos begin = token_.pos;
        Attr unit;
        unit.pos = token_.pos;
        advance();
        if (accept('=')) {
            if (!parse_attribute(entry.value)) return false;
            // `"text" : type` is allowed and the type of no use to us.
            std::uint32_t type = 0;
            if (accept(':') && !parse_type(type)) return false;
        } else {
            entry.value = add(unit);
        }
        entry.text = source_.text.substr(begin, last_end_ - begin);
        out.push_back(entry);
    } while (accept(','));
    return expect('}');
}

bool Parser::parse_optional_dict(AttrList& out) {
    return token_.is('{') ? parse_dict(out) : true;
}

bool Parser::parse_attribute(AttrId& id) {
    if (too_deep()) return false;
    const Nested nested(*this);
    Attr attr;
    attr.pos = token_.pos;
    attr.text = token_.text;
    switch (token_.kind) {
        case TokenKind::kInteger:
        case TokenKind::kFloat:
            return parse_number(id, false, token_.pos);
        case TokenKind::kString:
            attr.kind = AttrKind::kString;
            break;
        case TokenKind::kSymbol:
            attr.kind = AttrKind::kSymbol;
            advance();
            while (token_.is(TokenKind::kColons)) {  // @module::@function: the last part counts
                advance();
                if (!token_.is(TokenKind::kSymbol)) return unexpected("a symbol");
                attr.text = token_.text;
                advance();
            }
            id = add(attr);
            return true;
        case TokenKind::kHash: {
            const std::string_view name = token_.text;
            advance();
            if (!token_.is('<')) {
                attr.kind = name.find('.') == std::string_view::npos ? AttrKind::kAlias
                                                                     : AttrKind::kDialect;
                attr.text = attr.kind == AttrKind::kAlias
                                ? name
                                : source_.text.substr(attr.pos, name.size() + 1);
                id = add(attr);
                return true;
            }
            std::string_view body;
            if (!balanced(body)) return false;
            attr.kind = AttrKind::kDialect;
            attr.text = source_.text.substr(
                attr.pos, static_cast<std::size_t>(body.data() + body.size() -
                                                   (source_.text.data() + attr.pos)));
            id = add(attr);
            return true;
        }
        case TokenKind::kBang:
            attr.kind = AttrKind::kType;
            if (!parse_type(attr.type)) return false;
            id = add(attr);
            return true;
        case TokenKind::kWord: {
            const std::string_view word = token_.text;
            if (word == "true" || word == "false") {
                attr.kind = AttrKind::kBool;
                attr.integer = word == "true" ? 1 : 0;
                break;
            }
            if (word == "unit") break;
            if (word == "array") return parse_dense_array(id);
            if (word == "dense") return parse_dense(id, false);
            if (word == "dense_resource") return parse_dense(id, true);
            if (word == "loc" || word == "affine_map" || word == "affine_set" || word == "opaque" ||
                word == "sparse" || word == "distinct" || word == "strided") {
                attr.kind = AttrKind::kOpaque;
                advance();
                std::string_view body;
                while (token_.is('<') || token_.is('[') || token_.is('('))
                    if (!balanced(body)) return false;
                id = add(attr);
                return true;
            }
            attr.kind = AttrKind::kType;
            if (!parse_type(attr.type)) return false;
            id = add(attr);
            return true;
        }
        default:
            if (token_.is('[')) return parse_array(id);
            if (token_.is('{')) {
                attr.kind = AttrKind::kDict;
                AttrList entries;
                if (!parse_dict(entries)) return false;
                attr.range = add_named(entries);
                id = add(attr);
                return true;
            }
            if (token_.is('(')) {
                attr.kind = AttrKind::kType;
                if (!parse_type(attr.type)) return false;
                id = add(attr);
                return true;
            }
            if (token_.is('-')) {
                advance();
                if (!token_.is(TokenKind::kInteger) && !token_.is(TokenKind::kFloat))
                    return unexpected("a number");
                return parse_number(id, true, attr.pos);
            }
            return unexpected("an attribute");
    }
    advance();
    id = add(attr);
    return true;
}

}  // namespace shardwright::formats::mlir
