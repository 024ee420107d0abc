#include "formats/hlo_literal.h"

#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

namespace shardwright::formats::hlo {
namespace {

bool is_number_char(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' ||
           c == '+' || c == '-';
}

/// One number's text: `-1.5e+3`, `inf`, `nan`, `0x1p-3`, `true`.
std::string_view number_text(Cursor& cursor) {
    cursor.skip();
    const char* begin = cursor.at();
    while (is_number_char(cursor.raw())) cursor.set(cursor.at() + 1);
    return {begin, static_cast<std::size_t>(cursor.at() - begin)};
}

std::optional<double> parse_real(std::string_view text) {
    bool negative = false;
    if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
        negative = text.front() == '-';
        text.remove_prefix(1);
    }
    double value = 0;
    const bool hex = text.starts_with("0x") || text.starts_with("0X");
    if (hex) text.remove_prefix(2);
    const char* end = text.data() + text.size();
    const auto [next, fault] = std::from_chars(
        text.data(), end, value, hex ? std::chars_format::hex : std::chars_format::general);
    if (next != end || text.empty() || fault == std::errc::invalid_argument) return std::nullopt;
    if (fault == std::errc::result_out_of_range) {
        // Too large or too small for a double: tell which by the sign of the exponent.
        const std::size_t e = text.find_first_of(hex ? "pP" : "eE");
        const bool small = e != std::string_view::npos && e + 1 < text.size() && text[e + 1] == '-';
        value = small ? 0.0 : std::numeric_limits<double>::infinity();
    }
    return negative ? -value : value;
}

template <class T>
void append_raw(std::vector<std::byte>& out, T value) {
    const std::size_t at = out.size();
    out.resize(at + sizeof(T));
    std::memcpy(out.data() + at, &value, sizeof(T));
}

/// Appends one real, integer or boolean element.
bool append_number(std::vector<std::byte>& out, ir::ElementType type, std::string_view text) {
    const char* end = text.data() + text.size();
    if (type == ir::ElementType::kBool) {
        const bool yes = text == "true" || text == "1";
        if (!yes && text != "false" && text != "0") return false;
        append_raw(out, std::uint8_t{yes});
        return true;
    }
    if (type == ir::ElementType::kU64) {
        std::uint64_t value = 0;
        const auto [next, fault] = std::from_chars(text.data(), end, value);
        if (next != end || fault != std::errc()) return false;
        append_raw(out, value);
        return true;
    }
    if (ir::is_integer(type)) {
        std::int64_t value = 0;
        const auto [next, fault] = std::from_chars(text.data(), end, value);
        if (next != end || fault != std::errc()) return false;
        ir::append_element_int(out, type, value);
        return true;
    }
    if (type == ir::ElementType::kF32) {  // straight to float: no double rounding
        float value = 0;
        const auto [next, fault] = std::from_chars(text.data(), end, value);
        if (next == end && fault == std::errc() && !text.empty()) {
            append_raw(out, value);
            return true;
        }
    }
    const auto value = parse_real(text);
    if (!value) return false;
    ir::append_element(out, type, *value);
    return true;
}

Status append_element_text(Cursor& cursor, std::vector<std::byte>& out, ir::ElementType type) {
    const auto bad = [&](const char* at, std::string_view text) {
        return cursor.source().error(at, "bad value '" + std::string(text) + "'",
                                     "a value of type " + std::string(ir::hlo_name(type)));
    };
    cursor.skip();
    const char* start = cursor.at();
    if (!ir::is_complex(type)) {
        const std::string_view text = number_text(cursor);
        if (!append_number(out, type, text)) return bad(start, text);
        // `nan(0x8001)`: the payload is not kept.
        if (cursor.raw() == '(') {
            SW_TRY([[maybe_unused]] const std::string_view payload, cursor.group());
        }
        return {};
    }
    const bool pair = cursor.eat('(');
    for (int part = 0; part < 2; ++part) {
        const std::string_view text = part == 1 && !pair ? "0" : number_text(cursor);
        if (!append_number(out, ir::real_type(type), text)) return bad(start, text);
        if (pair && part == 0) SW_CHECK(cursor.expect(','));
    }
    if (pair) SW_CHECK(cursor.expect(')'));
    return {};
}

bool is_uniform(const std::vector<std::byte>& data, std::size_t width) {
    return data.size() >= width && width > 0 &&
           std::memcmp(data.data(), data.data() + width, data.size() - width) == 0;
}

}  // namespace

Result<ir::Literal> parse_literal(Cursor& cursor, const ir::TensorType& type) {
    cursor.skip();
    const char* start = cursor.at();
    if (type.element == ir::ElementType::kToken)
        return cursor.source().unsupported({start, 0}, "constant of token type");
    const auto width = static_cast<std::size_t>(ir::storage_bytes(type.element));
    std::vector<std::byte> data;
    if (cursor.peek() != '{') {
        if (type.rank() != 0)
            return cursor.error("constant without braces", "a list for " + ir::hlo_text(type));
        SW_CHECK(append_element_text(cursor, data, type.element));
        return ir::Literal::splat(type, std::move(data));
    }
    std::size_t depth = 0;
    std::int64_t count = 0;
    do {
        const char c = cursor.peek();
        if (c == '{' || c == '}' || c == ',') {
            depth = c == '{' ? depth + 1 : c == '}' ? depth - 1 : depth;
            cursor.eat(c);
            if (depth > type.rank())
                return cursor.source().error(start, "constant nested too deeply",
                                             "a list for " + ir::hlo_text(type));
        } else if (c == '.') {
            if (!cursor.eat("...")) return cursor.error("unexpected text", "a value or '...'");
            cursor.set(start);
            SW_TRY([[maybe_unused]] const std::string_view skipped, cursor.group());
            return ir::Literal::elided(type);
        } else if (c == '\0') {
            return cursor.error("constant without end", "'}'");
        } else {
            SW_CHECK(append_element_text(cursor, data, type.element));
            ++count;
        }
    } while (depth > 0);
    if (count != type.element_count())
        return cursor.source().error(
            start, "constant of " + std::to_string(count) + " values",
            std::to_string(type.element_count()) + " for " + ir::hlo_text(type));
    if (is_uniform(data, width)) {
        data.resize(width);
        return ir::Literal::splat(type, std::move(data));
    }
    return ir::Literal::dense(type, std::move(data));
}

}  // namespace shardwright::formats::hlo
