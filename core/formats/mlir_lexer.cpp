#include "formats/mlir_lexer.h"

#include <array>
#include <cstring>

namespace shardwright::formats::mlir {
namespace {

enum Class : std::uint8_t { kBlank = 1, kLetter = 2, kDigit = 4, kIdPunctuation = 8, kHex = 16 };

constexpr std::array<std::uint8_t, 256> make_classes() {
    std::array<std::uint8_t, 256> classes{};
    for (unsigned c = 'a'; c <= 'z'; ++c) classes[c] = kLetter;
    for (unsigned c = 'A'; c <= 'Z'; ++c) classes[c] = kLetter;
    classes[unsigned{'_'}] = kLetter;
    for (unsigned c = '0'; c <= '9'; ++c) classes[c] = kDigit | kHex;
    for (unsigned c = 'a'; c <= 'f'; ++c) classes[c] |= kHex;
    for (unsigned c = 'A'; c <= 'F'; ++c) classes[c] |= kHex;
    classes[unsigned{'$'}] = classes[unsigned{'.'}] = classes[unsigned{'-'}] = kIdPunctuation;
    for (const char c : {' ', '\t', '\r', '\n'}) classes[static_cast<unsigned char>(c)] = kBlank;
    return classes;
}
constexpr std::array<std::uint8_t, 256> kClasses = make_classes();

bool has(char c, unsigned mask) {
    return (kClasses[static_cast<unsigned char>(c)] & mask) != 0;
}

int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

}  // namespace

void Lexer::skip_blank() {
    while (pos_ < end_) {
        if (has(text_[pos_], kBlank)) {
            ++pos_;
        } else if (text_[pos_] == '/' && pos_ + 1 < end_ && text_[pos_ + 1] == '/') {
            const void* newline = std::memchr(text_.data() + pos_, '\n', end_ - pos_);
            pos_ = newline == nullptr
                       ? end_
                       : static_cast<Pos>(static_cast<const char*>(newline) - text_.data());
        } else {
            return;
        }
    }
}

Token Lexer::number(Pos start) {
    Pos p = start;
    if (text_[p] == '0' && p + 2 < end_ && text_[p + 1] == 'x' && has(text_[p + 2], kHex)) {
        p += 2;
        while (p < end_ && has(text_[p], kHex)) ++p;
        pos_ = p;
        return make(TokenKind::kInteger, start, start, p);
    }
    while (p < end_ && has(text_[p], kDigit)) ++p;
    if (p >= end_ || text_[p] != '.') {
        pos_ = p;
        return make(TokenKind::kInteger, start, start, p);
    }
    ++p;
    while (p < end_ && has(text_[p], kDigit)) ++p;
    if (p < end_ && (text_[p] == 'e' || text_[p] == 'E')) {
        Pos q = p + 1;
        if (q < end_ && (text_[q] == '+' || text_[q] == '-')) ++q;
        if (q < end_ && has(text_[q], kDigit)) {
            while (q < end_ && has(text_[q], kDigit)) ++q;
            p = q;
        }
    }
    pos_ = p;
    return make(TokenKind::kFloat, start, start, p);
}

Token Lexer::string(Pos start, TokenKind kind, Pos first) {
    for (Pos p = first; p < end_; ++p) {
        const char c = text_[p];
        if (c == '"') {
            pos_ = p + 1;
            return make(kind, start, first, p);
        }
        if (c == '\n') break;
        if (c == '\\') ++p;
    }
    pos_ = end_;
    return make(TokenKind::kBad, start, start, first);
}

Token Lexer::prefixed(Pos start, TokenKind kind) {
    Pos p = start + 1;
    if (kind == TokenKind::kSymbol && p < end_ && text_[p] == '"')
        return string(start, kind, p + 1);
    if (p < end_ && has(text_[p], kDigit) &&
        (kind == TokenKind::kValue || kind == TokenKind::kHash)) {
        while (p < end_ && has(text_[p], kDigit)) ++p;
    } else {
        while (p < end_ && has(text_[p], kLetter | kDigit | kIdPunctuation)) {
            if (text_[p] == '-' && p + 1 < end_ && text_[p + 1] == '>') break;
            ++p;
        }
    }
    pos_ = p;
    if (p == start + 1) return make(TokenKind::kBad, start, start, p);
    return make(kind, start, start + 1, p);
}

Token Lexer::next() {
    skip_blank();
    const Pos start = pos_;
    if (start >= end_) return Token{TokenKind::kEnd, end_, {}};
    const char c = text_[start];
    if (has(c, kLetter)) {
        Pos p = start + 1;
        while (p < end_ && (has(text_[p], kLetter | kDigit) || text_[p] == '.' || text_[p] == '$'))
            ++p;
        pos_ = p;
        return make(TokenKind::kWord, start, start, p);
    }
    if (has(c, kDigit)) return number(start);
    const char following = start + 1 < end_ ? text_[start + 1] : '\0';
    switch (c) {
        case '%':
            return prefixed(start, TokenKind::kValue);
        case '^':
            return prefixed(start, TokenKind::kBlock);
        case '@':
            return prefixed(start, TokenKind::kSymbol);
        case '!':
            return prefixed(start, TokenKind::kBang);
        case '"':
            return string(start, TokenKind::kString, start + 1);
        case '#':
            if (text_.substr(start, 3) == "#-}") {
                pos_ = start + 3;
                return make(TokenKind::kCloseResources, start, start, pos_);
            }
            return prefixed(start, TokenKind::kHash);
        case '{':
            if (text_.substr(start, 3) == "{-#") {
                pos_ = start + 3;
                return make(TokenKind::kOpenResources, start, start, pos_);
            }
            break;
        case '-':
            if (following == '>') {
                pos_ = start + 2;
                return make(TokenKind::kArrow, start, start, pos_);
            }
            break;
        case ':':
            if (following == ':') {
                pos_ = start + 2;
                return make(TokenKind::kColons, start, start, pos_);
            }
            break;
        default:
            break;
    }
    pos_ = start + 1;
    static constexpr std::string_view kSingles = "()[]{}<>,:=?*+-/|";
    const bool known = kSingles.find(c) != std::string_view::npos;
    return make(known ? TokenKind::kPunctuation : TokenKind::kBad, start, start, pos_);
}

Pos skip_balanced(std::string_view text, Pos open, Pos end) {
    std::array<char, 256> closers{};
    std::size_t depth = 0;
    for (Pos p = open; p < end; ++p) {
        const char c = text[p];
        char closer = '\0';
        switch (c) {
            case '(':
                closer = ')';
                break;
            case '[':
                closer = ']';
                break;
            case '{':
                closer = '}';
                break;
            case '<':
                closer = '>';
                break;
            case '"':
                for (++p; p < end && text[p] != '"'; ++p)
                    if (text[p] == '\\') ++p;
                continue;
            case '-':
                if (p + 1 < end && text[p + 1] == '>') ++p;
                continue;
            case ')':
            case ']':
            case '}':
            case '>':
                if (depth == 0 || closers[--depth] != c) return end;
                if (depth == 0) return p + 1;
                continue;
            default:
                continue;
        }
        if (depth == closers.size()) return end;
        closers[depth++] = closer;
    }
    return end;
}

std::string unescape(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\' || i + 1 >= text.size()) {
            out += text[i];
            continue;
        }
        const char c = text[++i];
        if (i + 1 < text.size() && hex_digit(c) >= 0 && hex_digit(text[i + 1]) >= 0) {
            out += static_cast<char>(hex_digit(c) * 16 + hex_digit(text[++i]));
        } else if (c == 'n') {
            out += '\n';
        } else if (c == 't') {
            out += '\t';
        } else {
            out += c;
        }
    }
    return out;
}

}  // namespace shardwright::formats::mlir
