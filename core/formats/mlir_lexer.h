#pragma once
// MLIR's tokens, one at a time, as views into the text.

#include <cstdint>
#include <string_view>

#include "formats/mlir_source.h"

namespace shardwright::formats::mlir {

enum class TokenKind : std::uint8_t {
    kEnd,
    kBad,             ///< a character (or an unfinished string) that starts no token
    kWord,            ///< bare identifier or keyword, dots included: `stablehlo.add`
    kValue,           ///< `%name`, text without '%'
    kBlock,           ///< `^bb0`
    kSymbol,          ///< `@name` or `@"name"`, text without '@' and quotes
    kHash,            ///< `#name`, text without '#'; digits too (`#1` of `%0#1`)
    kBang,            ///< `!name`, text without '!'
    kString,          ///< text without the quotes, escapes still in it
    kInteger,         ///< decimal or 0x…, without a sign
    kFloat,           ///< digits with '.', without a sign
    kArrow,           ///< `->`
    kColons,          ///< `::`
    kOpenResources,   ///< `{-#`
    kCloseResources,  ///< `#-}`
    kPunctuation,     ///< any other single character, in `text`
};

struct Token {
    TokenKind kind = TokenKind::kEnd;
    Pos pos = 0;  ///< where it starts, prefix included
    std::string_view text;

    bool is(TokenKind k) const { return kind == k; }
    /// True for the single character `c`.
    bool is(char c) const { return kind == TokenKind::kPunctuation && text[0] == c; }
    bool is_word(std::string_view word) const { return kind == TokenKind::kWord && text == word; }
};

/// Cuts `text[begin, end)` into tokens; comments and white space fall away. No allocation.
class Lexer {
  public:
    Lexer(std::string_view text, Pos begin, Pos end) : text_(text), pos_(begin), end_(end) {}
    Token next();
    Pos pos() const { return pos_; }
    /// Goes on reading at `pos`.
    void seek(Pos pos) { pos_ = pos; }
    Pos end() const { return end_; }
    std::string_view text() const { return text_; }

  private:
    void skip_blank();
    Token number(Pos start);
    Token string(Pos start, TokenKind kind, Pos first);
    Token prefixed(Pos start, TokenKind kind);
    Token make(TokenKind kind, Pos start, Pos first, Pos last) const {
        return Token{kind, start, text_.substr(first, last - first)};
    }

    std::string_view text_;
    Pos pos_;
    Pos end_;
};

/// The offset just behind the bracket that closes the one at `open`, minding strings and `->`;
/// `end` when it never closes or brackets do not match.
Pos skip_balanced(std::string_view text, Pos open, Pos end);
/// The text of a string token with its escapes resolved (`\22`, `\n`, `\"`, `\\`).
std::string unescape(std::string_view text);

}  // namespace shardwright::formats::mlir
