#pragma once
// Reads a sharding's text from left to right. Private to core/sharding's parsers.

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "mesh/mesh.h"
#include "sharding/sharding.h"

namespace shardwright::sharding {

/// A position in a text. White space between tokens is skipped. Every function either consumes what
/// it is named for or leaves the position alone.
class Scanner {
  public:
    explicit Scanner(std::string_view text) : text_(text) { skip_space(); }

    bool at_end() const { return at_ == text_.size(); }
    std::size_t position() const { return at_; }
    std::string_view rest() const { return text_.substr(at_); }
    char peek() const { return at_end() ? '\0' : text_[at_]; }

    /// Consumes `token` if it stands here.
    bool accept(std::string_view token);
    /// Consumes the word `word` if it stands here and does not go on with a letter, digit or '_'.
    bool accept_word(std::string_view word);
    Status expect(std::string_view token);
    /// Letters, digits, '_', '.', '-', '/' ; empty when there are none.
    std::string_view word();
    /// `"…"` or `'…'`, without escapes; the quotes are not part of the result.
    Result<std::string_view> quoted();
    /// A whole number from `least` to `most`.
    Result<std::int64_t> number(std::int64_t least, std::int64_t most);
    /// Skips a balanced `{…}` that starts here; quoted strings are skipped whole.
    Status skip_braces();

    /// "unexpected 'x' at character 7 of …", expected `expected`.
    Diagnostic error(std::string_view expected) const;
    /// The same place, another fault.
    Diagnostic fault(std::string what, std::string expected) const;

  private:
    void skip_space();
    std::string_view text_;
    std::size_t at_ = 0;
};

/// Looks an axis name up; the error names the axes that there are.
Result<mesh::AxisRef> find_axis(const Scanner& at, std::string_view name, const mesh::Mesh& mesh);
/// Reads `:(pre)size` behind an axis, if it stands here, and narrows `axis` to it.
Status read_sub_axis(Scanner& scanner, mesh::AxisRef& axis);
/// Consumes `sum`, `max`, … if one stands here; else `fallback`.
Reduction read_reduction(Scanner& scanner, Reduction fallback);
/// Its word; "" for `kOther`.
std::string_view reduction_word(Reduction reduction);

}  // namespace shardwright::sharding
