#include "formats/mlir_location.h"

#include "formats/mlir_lexer.h"

namespace shardwright::formats::mlir {
namespace {

// Aliases may name each other in a circle, and text may nest as deep as it is long.
constexpr int kMaxDepth = 32;

/// The text of each part of `[a, b]`, cut at the commas outside brackets.
template <class Visit>
void for_each_part(std::string_view list, Visit&& visit) {
    std::size_t begin = 0;
    int depth = 0;
    for (std::size_t i = 0; i <= list.size(); ++i) {
        const char c = i < list.size() ? list[i] : ',';
        if (c == '"') {
            for (++i; i < list.size() && list[i] != '"'; ++i)
                if (list[i] == '\\') ++i;
        } else if (c == '(' || c == '[' || c == '<') {
            ++depth;
        } else if (c == ')' || c == ']' || c == '>') {
            --depth;
        } else if (c == ',' && (depth == 0 || i >= list.size())) {
            if (!visit(list.substr(begin, std::min(i, list.size()) - begin))) return;
            begin = i + 1;
        }
    }
}

}  // namespace

std::string_view Locations::path(LocationId id) {
    if (!id.valid()) return {};
    const std::string_view text = syntax_.locations[id.index].text;
    const auto found = by_text_.find(text);
    if (found != by_text_.end()) return found->second;
    return by_text_.emplace(text, resolve(text, 0)).first->second;
}

std::string Locations::resolve(std::string_view text, int depth) {
    if (depth > kMaxDepth) return {};
    Lexer lexer(text, 0, static_cast<Pos>(text.size()));
    const Token token = lexer.next();
    if (token.is(TokenKind::kHash)) {
        const auto found = syntax_.location_aliases.find(token.text);
        return found == syntax_.location_aliases.end() ? std::string()
                                                       : resolve(found->second, depth + 1);
    }
    if (token.is(TokenKind::kString)) {
        // A colon makes it a file's place.
        if (lexer.next().is(':')) return {};
        return unescape(token.text);
    }
    if (token.is_word("loc")) {
        const std::size_t open = text.find('('), close = text.rfind(')');
        if (open == std::string_view::npos || close == std::string_view::npos || close < open)
            return {};
        return resolve(text.substr(open + 1, close - open - 1), depth + 1);
    }
    std::string path;
    if (token.is_word("fused")) {
        Token next = lexer.next();
        Pos open = next.pos;
        if (next.is('<')) {
            open = skip_balanced(text, next.pos, static_cast<Pos>(text.size()));
            while (open < text.size() && text[open] != '[') ++open;
        }
        const std::size_t close = text.rfind(']');
        if (open >= text.size() || close == std::string_view::npos || close <= open) return {};
        for_each_part(text.substr(open + 1, close - open - 1), [&](std::string_view part) {
            path = resolve(part, depth + 1);
            return path.empty();
        });
    } else if (token.is_word("callsite")) {
        const std::size_t open = text.find('('), close = text.rfind(')');
        if (open == std::string_view::npos || close == std::string_view::npos || close <= open)
            return {};
        const std::string_view body = text.substr(open + 1, close - open - 1);
        std::size_t at = 0;
        int level = 0;
        for (at = 0; at + 4 <= body.size(); ++at) {
            const char c = body[at];
            if (c == '"') {
                for (++at; at < body.size() && body[at] != '"'; ++at)
                    if (body[at] == '\\') ++at;
            } else if (c == '(' || c == '[') {
                ++level;
            } else if (c == ')' || c == ']') {
                --level;
            } else if (level == 0 && body.substr(at, 4) == " at ") {
                break;
            }
        }
        if (at + 4 > body.size()) return {};
        path = resolve(body.substr(0, at), depth + 1);
        if (path.empty()) path = resolve(body.substr(at + 4), depth + 1);
    }
    return path;
}

}  // namespace shardwright::formats::mlir
