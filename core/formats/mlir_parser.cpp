#include "formats/mlir_parser.h"

#include <fmt/format.h>

#include <cstring>

namespace shardwright::formats::mlir {
namespace {

// Regions, attributes and types together; far above what models have, far below the stack's end.
constexpr int kMaxDepth = 200;

std::string describe(const Token& token) {
    switch (token.kind) {
        case TokenKind::kEnd:
            return "end of text";
        case TokenKind::kBad:
            if (!token.text.empty() && token.text[0] == '"') return "unfinished string";
            if (!token.text.empty() && (token.text[0] < ' ' || token.text[0] > '~'))
                return fmt::format("byte 0x{:02x}", static_cast<unsigned char>(token.text[0]));
            break;
        case TokenKind::kValue:
            return fmt::format("'%{}'", token.text.substr(0, 60));
        case TokenKind::kSymbol:
            return fmt::format("'@{}'", token.text.substr(0, 60));
        case TokenKind::kHash:
            return fmt::format("'#{}'", token.text.substr(0, 60));
        case TokenKind::kBang:
            return fmt::format("'!{}'", token.text.substr(0, 60));
        case TokenKind::kString:
            return fmt::format("\"{}\"", token.text.substr(0, 60));
        default:
            break;
    }
    return fmt::format("'{}'", token.text.substr(0, 60));
}

}  // namespace

const Attr& Syntax::resolve(AttrId id) const {
    const Attr* attr = &attrs[id.index];
    for (int hops = 0; attr->kind == AttrKind::kAlias && hops < 16; ++hops) {
        const auto found = attr_aliases.find(attr->text);
        if (found == attr_aliases.end()) break;
        attr = &attrs[found->second.index];
    }
    return *attr;
}

const Attr* Syntax::find(Range r, std::string_view name) const {
    for (const NamedAttr& entry : attributes(r))
        if (entry.name == name) return &resolve(entry.value);
    return nullptr;
}

Parser::Parser(const Source& source, ir::Module& module, Syntax& syntax)
    : source_(source),
      module_(module),
      syntax_(syntax),
      lexer_(source.text, source.begin, source.end) {}

Status Parser::parse() {
    advance();
    if (parse_top_level()) return {};
    return *std::move(error_);
}

bool Parser::fail(Pos pos, std::string what, std::string expected) {
    if (!error_) error_ = source_.at(pos, std::move(what), std::move(expected));
    return false;
}

bool Parser::fail_unsupported(Pos pos, std::string what) {
    if (!error_) error_ = source_.unsupported_at(pos, std::move(what));
    return false;
}

bool Parser::unexpected(std::string expected) {
    return fail(token_.pos, "found " + describe(token_), std::move(expected));
}

bool Parser::expect(char c) {
    if (accept(c)) return true;
    return unexpected(fmt::format("'{}'", c));
}

bool Parser::accept(char c) {
    if (!token_.is(c)) return false;
    advance();
    return true;
}

bool Parser::accept_word(std::string_view word) {
    if (!token_.is_word(word)) return false;
    advance();
    return true;
}

bool Parser::expect_word(std::string_view word) {
    if (accept_word(word)) return true;
    return unexpected(fmt::format("'{}'", word));
}

bool Parser::expect_arrow() {
    if (!token_.is(TokenKind::kArrow)) return unexpected("'->'");
    advance();
    return true;
}

bool Parser::too_deep() {
    if (depth_ < kMaxDepth) return false;
    fail_unsupported(token_.pos, fmt::format("nesting deeper than {}", kMaxDepth));
    return true;
}

std::uint32_t Parser::line_of(Pos pos) {
    // Operations begin further and further down, so the text is counted once in all.
    if (line_pos_ < pos) {
        const char* p = source_.text.data() + line_pos_;
        const char* const end = source_.text.data() + pos;
        while ((p = static_cast<const char*>(
                    std::memchr(p, '\n', static_cast<std::size_t>(end - p)))) != nullptr) {
            ++line_;
            ++p;
        }
        line_pos_ = pos;
    }
    return line_;
}

bool Parser::balanced(std::string_view& text) {
    const Pos close = skip_balanced(source_.text, token_.pos, lexer_.end());
    const char last = close > 0 ? source_.text[close - 1] : '\0';
    if (close == lexer_.end() && last != '>' && last != ')' && last != ']' && last != '}')
        return fail(token_.pos, "this bracket is never closed", "a matching bracket");
    text = source_.text.substr(token_.pos, close - token_.pos);
    reread_from(close);
    return true;
}

bool Parser::parse_optional_location(LocationId& id) {
    if (!token_.is_word("loc")) return true;
    advance();
    if (!token_.is('(')) return unexpected("'('");
    RawLocation location;
    location.pos = token_.pos;
    if (!balanced(location.text)) return false;
    location.text = location.text.substr(1, location.text.size() - 2);
    id = LocationId(syntax_.locations.size());
    syntax_.locations.push_back(location);
    return true;
}

}  // namespace shardwright::formats::mlir
