#include "formats/hlo_cursor.h"

#include <algorithm>
#include <charconv>

namespace shardwright::formats::hlo {
namespace {

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '-';
}
bool is_hex(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
int hex_value(char c) {
    return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
}
char closing(char open) {
    return open == '(' ? ')' : open == '[' ? ']' : '}';
}

}  // namespace

Diagnostic Source::error(const char* at, std::string what, std::string expected) const {
    return place({at, 0}, bad_input(std::move(what), std::move(expected)));
}

Diagnostic Source::unsupported(std::string_view at, std::string what) const {
    return place(at, shardwright::unsupported(std::move(what)));
}

Diagnostic Source::place(std::string_view at, Diagnostic diagnostic) const {
    diagnostic.file = file;
    if (at.data() == nullptr || at.data() < text.data() || at.data() > text.data() + text.size())
        return diagnostic;
    const std::string_view before =
        text.substr(0, static_cast<std::size_t>(at.data() - text.data()));
    diagnostic.line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t start = before.rfind('\n');
    diagnostic.column = static_cast<std::int64_t>(
        start == std::string_view::npos ? before.size() + 1 : before.size() - start);
    return diagnostic;
}

void Cursor::skip_comment() {
    if (at_[1] == '/') {
        while (at_ != end_ && *at_ != '\n') ++at_;
        return;
    }
    at_ += 2;
    while (at_ != end_ && !(*at_ == '*' && at_ + 1 != end_ && at_[1] == '/')) {
        if (*at_ == '\n') ++line_;
        ++at_;
    }
    at_ = end_ - at_ >= 2 ? at_ + 2 : end_;
}

void Cursor::skip() {
    while (at_ != end_) {
        const char c = *at_;
        if (c == '\n') {
            ++line_;
            ++at_;
        } else if (c == ' ' || c == '\t' || c == '\r') {
            ++at_;
        } else if (c == '/' && at_ + 1 != end_ && (at_[1] == '*' || at_[1] == '/')) {
            skip_comment();
        } else {
            return;
        }
    }
}

void Cursor::skip_in_line() {
    while (at_ != end_) {
        const char c = *at_;
        if (c == ' ' || c == '\t' || c == '\r') {
            ++at_;
        } else if (c == '/' && at_ + 1 != end_ && (at_[1] == '*' || at_[1] == '/')) {
            skip_comment();
        } else {
            return;
        }
    }
}

bool Cursor::eat(char c) {
    if (peek() != c || at_ == end_) return false;
    ++at_;
    return true;
}

bool Cursor::eat(std::string_view token) {
    skip();
    if (!std::string_view(at_, static_cast<std::size_t>(end_ - at_)).starts_with(token))
        return false;
    at_ += token.size();
    return true;
}

Status Cursor::expect(char c) {
    if (eat(c)) return {};
    const std::string found = at_ == end_ ? "end of text" : std::string("'") + *at_ + "'";
    return error("unexpected " + found, std::string("'") + c + "'");
}

std::string_view Cursor::word() {
    skip();
    if (at_ != end_ && *at_ == '%') ++at_;
    const char* begin = at_;
    // "->" ends a word: dashes are part of names, arrows are not.
    while (at_ != end_ && is_word(*at_) && !(*at_ == '-' && at_ + 1 != end_ && at_[1] == '>'))
        ++at_;
    return {begin, static_cast<std::size_t>(at_ - begin)};
}

std::optional<std::int64_t> Cursor::integer() {
    skip();
    std::int64_t number = 0;
    const auto [next, fault] = std::from_chars(at_, end_, number);
    if (fault != std::errc()) return std::nullopt;
    at_ = next;
    return number;
}

Result<std::int64_t> Cursor::expect_integer() {
    if (const auto number = integer()) return *number;
    return error("bad number", "an integer of 64 bits");
}

bool Cursor::skip_string() {
    for (++at_; at_ != end_; ++at_) {
        if (*at_ == '\n') ++line_;
        if (*at_ == '\\' && at_ + 1 != end_) {
            ++at_;
        } else if (*at_ == '"') {
            ++at_;
            return true;
        }
    }
    return false;
}

Result<std::string_view> Cursor::group() {
    skip();
    if (at_ == end_ || (*at_ != '(' && *at_ != '[' && *at_ != '{'))
        return error("missing group", "'(', '[' or '{'");
    const char* begin = at_;
    InlineVector<char, 16> open;
    while (at_ != end_) {
        const char c = *at_;
        if (c == '"') {
            const char* quote = at_;
            if (!skip_string()) return source_.error(quote, "string without end", "'\"'");
            continue;
        }
        if (c == '/' && at_ + 1 != end_ && at_[1] == '*') {
            skip_comment();
            continue;
        }
        if (c == '\n') ++line_;
        if (c == '(' || c == '[' || c == '{') open.push_back(closing(c));
        if (c == ')' || c == ']' || c == '}') {
            if (open.back() != c)
                return error(std::string("unexpected '") + c + "'",
                             std::string("'") + open.back() + "'");
            open.pop_back();
        }
        ++at_;
        if (open.empty())
            return std::string_view(begin + 1, static_cast<std::size_t>(at_ - begin - 2));
    }
    return source_.error(begin, std::string("'") + *begin + "' without its partner",
                         std::string("'") + closing(*begin) + "'");
}

Result<std::string_view> Cursor::value() {
    skip_in_line();
    const char* begin = at_;
    while (at_ != end_) {
        const char c = *at_;
        if (c == ',' || c == '\n' || c == '}' || c == ')' || c == ']') break;
        if (c == '"') {
            if (!skip_string()) return source_.error(begin, "string without end", "'\"'");
        } else if (c == '(' || c == '[' || c == '{') {
            SW_TRY([[maybe_unused]] const std::string_view inner, group());
        } else if (c == '/' && at_ + 1 != end_ && at_[1] == '*') {
            skip_comment();
        } else {
            ++at_;
        }
    }
    const char* last = at_;
    while (last != begin && (last[-1] == ' ' || last[-1] == '\r' || last[-1] == '\t')) --last;
    if (last == begin) return source_.error(begin, "missing value", "a value after '='");
    return std::string_view(begin, static_cast<std::size_t>(last - begin));
}

Result<Dims> Cursor::integers() {
    Dims numbers;
    const bool braced = eat('{');
    while (!at_end() && peek() != '}') {
        SW_TRY(const std::int64_t number, expect_integer());
        numbers.push_back(number);
        if (!eat(',') && peek() != '}' && !at_end()) return error("unexpected text", "','");
    }
    if (braced) SW_CHECK(expect('}'));
    return numbers;
}

std::string without_comments(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size();) {
        if (text[i] == '/' && i + 1 < text.size() && text[i + 1] == '*') {
            const std::size_t end = text.find("*/", i + 2);
            if (end == std::string_view::npos) break;
            i = end + 2;
        } else {
            out += text[i++];
        }
    }
    return out;
}

std::string unquoted(std::string_view text) {
    if (text.size() < 2 || text.front() != '"' || text.back() != '"') return std::string(text);
    text = text.substr(1, text.size() - 2);
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\' || i + 1 == text.size()) {
            out += text[i];
            continue;
        }
        const char c = text[++i];
        // MLIR's `\22` is hexadecimal; a quote written so is common in mesh texts.
        if (i + 1 < text.size() && is_hex(c) && is_hex(text[i + 1])) {
            out += static_cast<char>(hex_value(c) * 16 + hex_value(text[++i]));
            continue;
        }
        out += c == 'n' ? '\n' : c == 't' ? '\t' : c;
    }
    return out;
}

}  // namespace shardwright::formats::hlo
