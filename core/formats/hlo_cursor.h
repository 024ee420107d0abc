#pragma once
// Walks over HLO text: words, numbers, balanced groups; knows the place for messages.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/inline_vector.h"
#include "base/result.h"

namespace shardwright::formats::hlo {

/// The whole text of a file; turns a position in it into a diagnostic with line and column.
struct Source {
    std::string_view text;
    const std::string& file;

    Diagnostic error(const char* at, std::string what, std::string expected = {}) const;
    Diagnostic error(std::string_view at, std::string what, std::string expected = {}) const {
        return error(at.data(), std::move(what), std::move(expected));
    }
    Diagnostic unsupported(std::string_view at, std::string what) const;
    /// Gives a diagnostic made elsewhere the place `at`.
    Diagnostic place(std::string_view at, Diagnostic diagnostic) const;
};

/// A position in (part of) a source. White space and comments between tokens are skipped.
class Cursor {
  public:
    Cursor(const Source& source, std::string_view part)
        : source_(source), at_(part.data()), end_(part.data() + part.size()) {}

    const Source& source() const { return source_; }
    const char* at() const { return at_; }
    void set(const char* position) { at_ = position; }
    std::uint32_t line() const { return line_; }

    /// Skips spaces, line ends and comments.
    void skip();
    /// Skips spaces and comments of the same line only.
    void skip_in_line();
    bool at_end() { return skip(), at_ == end_; }
    /// The next character after white space; '\0' at the end.
    char peek() { return skip(), at_ == end_ ? '\0' : *at_; }
    /// The character at the very position; '\0' at the end.
    char raw() const { return at_ == end_ ? '\0' : *at_; }
    bool eat(char c);
    bool eat(std::string_view token);
    Status expect(char c);
    /// A word of letters, digits and `_ . -` (a leading '%' is dropped); empty when there is none.
    std::string_view word();
    std::optional<std::int64_t> integer();
    Result<std::int64_t> expect_integer();
    /// The text of the group that opens here, without its brackets; the position moves behind it.
    /// Strings in quotes are opaque. `(`, `[` and `{` may nest in each other.
    Result<std::string_view> group();
    /// Text up to a ',' or a line end outside every group (or the end), trimmed.
    Result<std::string_view> value();
    /// `{1,2,3}` or `1,2,3` (without braces) up to the end of the part.
    Result<Dims> integers();
    Diagnostic error(std::string what, std::string expected = {}) const {
        return source_.error(at_, std::move(what), std::move(expected));
    }

  private:
    const Source& source_;
    const char* at_;
    const char* end_;
    std::uint32_t line_ = 1;  // right when the cursor started at the top of the file

    bool skip_string();
    void skip_comment();
};

/// `text` without `/*…*/` comments.
std::string without_comments(std::string_view text);
/// The contents of a string in double quotes, escapes resolved; the text itself when not quoted.
std::string unquoted(std::string_view text);

}  // namespace shardwright::formats::hlo
