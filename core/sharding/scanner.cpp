#include "sharding/scanner.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

namespace shardwright::sharding {
namespace {

constexpr std::size_t kShown = 60;  // characters of a faulty text repeated in a message

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}
bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

constexpr std::array kReductionWords = {std::pair{Reduction::kSum, std::string_view("sum")},
                                        std::pair{Reduction::kProduct, std::string_view("prod")},
                                        std::pair{Reduction::kMaximum, std::string_view("max")},
                                        std::pair{Reduction::kMinimum, std::string_view("min")},
                                        std::pair{Reduction::kAnd, std::string_view("and")},
                                        std::pair{Reduction::kOr, std::string_view("or")},
                                        std::pair{Reduction::kXor, std::string_view("xor")}};

/// Text safe to show on a terminal.
std::string shown(std::string_view text) {
    std::string safe;
    for (char c : text.substr(0, kShown)) safe += (c >= ' ' && c < 0x7F) ? c : '?';
    return text.size() > kShown ? safe + "…" : safe;
}

}  // namespace

void Scanner::skip_space() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
}

bool Scanner::accept(std::string_view token) {
    if (!rest().starts_with(token)) return false;
    at_ += token.size();
    skip_space();
    return true;
}

bool Scanner::accept_word(std::string_view word) {
    const std::string_view left = rest();
    if (!left.starts_with(word)) return false;
    if (left.size() > word.size() && is_word(left[word.size()])) return false;
    return accept(word);
}

Status Scanner::expect(std::string_view token) {
    if (accept(token)) return {};
    return error(fmt::format("'{}'", token));
}

std::string_view Scanner::word() {
    std::size_t end = at_;
    while (end < text_.size() &&
           (is_word(text_[end]) || text_[end] == '.' || text_[end] == '-' || text_[end] == '/'))
        ++end;
    const std::string_view found = text_.substr(at_, end - at_);
    at_ = end;
    skip_space();
    return found;
}

Result<std::string_view> Scanner::quoted() {
    const char quote = peek();
    if (quote != '"' && quote != '\'') return error("an axis name in quotes");
    const auto end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) return error("a closing quote");
    const std::string_view found = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    skip_space();
    return found;
}

Result<std::int64_t> Scanner::number(std::int64_t least, std::int64_t most) {
    std::int64_t value = 0;
    const char* begin = text_.data() + at_;
    const auto [end, status] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (status != std::errc() || value < least || value > most)
        return error(fmt::format("a whole number from {} to {}", least, most));
    at_ += static_cast<std::size_t>(end - begin);
    skip_space();
    return value;
}

Status Scanner::skip_braces() {
    if (peek() != '{') return error("'{'");
    std::size_t depth = 0;
    for (std::size_t i = at_; i < text_.size(); ++i) {
        const char c = text_[i];
        if (c == '"' || c == '\'') {
            for (++i; i < text_.size() && text_[i] != c; ++i)
                if (text_[i] == '\\') ++i;
        } else if (c == '{') {
            ++depth;
        } else if (c == '}' && --depth == 0) {
            at_ = i + 1;
            skip_space();
            return {};
        }
    }
    return error("a closing '}'");
}

Diagnostic Scanner::error(std::string_view expected) const {
    const std::string found =
        at_end() ? std::string("end of text") : fmt::format("'{}'", shown(rest().substr(0, 12)));
    return bad_input(
        fmt::format("unexpected {} at character {} of '{}'", found, at_ + 1, shown(text_)),
        std::string(expected));
}

Diagnostic Scanner::fault(std::string what, std::string expected) const {
    return bad_input(fmt::format("{} in '{}'", what, shown(text_)), std::move(expected));
}

Result<mesh::AxisRef> find_axis(const Scanner& at, std::string_view name, const mesh::Mesh& mesh) {
    if (const auto found = mesh.find(name)) return mesh.full(*found);
    std::string names;
    for (const mesh::Axis& axis : mesh.axes()) names += (names.empty() ? "" : ", ") + axis.name;
    return at.fault(fmt::format("unknown axis '{}'", shown(name)),
                    names.empty() ? "none, the mesh has no axes" : "one of " + names);
}

Status read_sub_axis(Scanner& scanner, mesh::AxisRef& axis) {
    if (!scanner.accept(":")) return {};
    SW_CHECK(scanner.expect("("));
    SW_TRY(const std::int64_t pre, scanner.number(1, (1 << 24) - 1));
    SW_CHECK(scanner.expect(")"));
    SW_TRY(const std::int64_t size, scanner.number(2, 1 << 24));
    axis.pre = static_cast<std::uint32_t>(pre) & 0xFFFFFFu;
    axis.size = static_cast<std::uint32_t>(size);
    return {};
}

Reduction read_reduction(Scanner& scanner, Reduction fallback) {
    for (const auto& [reduction, word] : kReductionWords)
        if (scanner.accept_word(word)) return reduction;
    return fallback;
}

std::string_view reduction_word(Reduction reduction) {
    for (const auto& [known, word] : kReductionWords)
        if (known == reduction) return word;
    return {};
}

}  // namespace shardwright::sharding
