#include "formats/mlir_literal.h"

#include <fmt/format.h>

#include <charconv>
#include <cstring>

namespace shardwright::formats::mlir {
namespace {

using ir::ElementType;
using Bytes = std::vector<std::byte>;

void append_bits(Bytes& out, std::uint64_t bits, int bytes) {
    for (int i = 0; i < bytes; ++i) out.push_back(static_cast<std::byte>(bits >> (8 * i) & 0xFF));
}

int hex_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
}

/// Reads elements from text, checking nesting against the type's dims as it goes.
class DenseReader {
  public:
    DenseReader(const Source& source, std::string_view body, Pos pos, const ir::TensorType& type)
        : source_(source),
          type_(type),
          p_(body.data()),
          begin_(body.data()),
          end_(body.data() + body.size()),
          pos_(pos) {}

    Result<Bytes> read() {
        blank();
        if (p_ == end_) {
            if (type_.element_count() == 0) return Bytes{};
            return error("no values", "at least one");
        }
        if (*p_ != '[') {
            if (!element() || !done()) return *std::move(error_);
            return std::move(out_);
        }
        const std::int64_t count = type_.element_count();
        // Each element takes two characters of text at least, so the text bounds the memory.
        out_.reserve(static_cast<std::size_t>(std::min<std::int64_t>(count, end_ - p_)) *
                     static_cast<std::size_t>(ir::storage_bytes(type_.element)));
        if (!list() || !done()) return *std::move(error_);
        return std::move(out_);
    }

  private:
    void blank() {
        while (p_ < end_ && (*p_ == ' ' || *p_ == '\n' || *p_ == '\t' || *p_ == '\r')) ++p_;
    }
    Diagnostic error(std::string what, std::string expected) const {
        return source_.at(pos_ + static_cast<Pos>(p_ - begin_), std::move(what),
                          std::move(expected));
    }
    bool fail(std::string what, std::string expected) {
        if (!error_) error_ = error(std::move(what), std::move(expected));
        return false;
    }
    bool done() {
        blank();
        return p_ == end_ || fail("text behind the value", "'>'");
    }

    bool list() {
        const std::size_t rank = type_.rank();
        Dims counts;
        bool want_item = true;
        for (;;) {
            blank();
            if (p_ == end_) return fail("unfinished list", "']'");
            const char c = *p_;
            if (c == '[' && want_item) {
                if (counts.size() == rank)
                    return fail("list nested too deeply",
                                fmt::format("{} levels for {}", rank, ir::mlir_text(type_)));
                counts.push_back(0);
                ++p_;
            } else if (c == ']' && !(want_item && !counts.empty() && counts.back() > 0)) {
                const std::int64_t wanted = type_.dims[counts.size() - 1];
                if (counts.back() != wanted)
                    return fail(fmt::format("list of {} values", counts.back()),
                                fmt::format("{} values for {}", wanted, ir::mlir_text(type_)));
                counts.pop_back();
                ++p_;
                if (counts.empty()) return true;
                ++counts.back();
                want_item = false;
            } else if (c == ',' && !want_item) {
                ++p_;
                want_item = true;
            } else if (want_item) {
                if (counts.size() != rank)
                    return fail("value in a list of lists",
                                fmt::format("{} levels for {}", rank, ir::mlir_text(type_)));
                if (!element()) return false;
                ++counts.back();
                want_item = false;
            } else {
                return fail("malformed list", "',' or ']'");
            }
        }
    }

    bool element() {
        if (!ir::is_complex(type_.element)) return number(type_.element);
        const ElementType part = ir::real_type(type_.element);
        if (*p_ != '(') return fail("malformed complex number", "(real, imaginary)");
        ++p_;
        blank();
        if (!number(part)) return false;
        blank();
        if (p_ == end_ || *p_ != ',') return fail("malformed complex number", "','");
        ++p_;
        blank();
        if (!number(part)) return false;
        blank();
        if (p_ == end_ || *p_ != ')') return fail("malformed complex number", "')'");
        ++p_;
        return true;
    }

    bool keyword(std::string_view word) {
        if (static_cast<std::size_t>(end_ - p_) < word.size() ||
            std::memcmp(p_, word.data(), word.size()) != 0)
            return false;
        p_ += word.size();
        return true;
    }

    bool number(ElementType element) {
        if (p_ == end_) return fail("missing value", "a number");
        if (element == ElementType::kBool && (*p_ == 't' || *p_ == 'f')) {
            const bool truth = *p_ == 't';
            if (!keyword(truth ? "true" : "false")) return fail("malformed value", "true or false");
            out_.push_back(static_cast<std::byte>(truth));
            return true;
        }
        const char* const start = p_;
        const bool negative = *p_ == '-';
        if (negative) ++p_;
        if (end_ - p_ > 2 && p_[0] == '0' && p_[1] == 'x') return hex(element, negative);
        if (ir::is_float(element)) {
            double value = 0;
            const auto [next, status] = std::from_chars(p_, end_, value);
            if (status == std::errc::invalid_argument || (next > p_ && (*p_ == 'n' || *p_ == 'i')))
                return fail("malformed value", "a number");
            p_ = next;  // out of range: from_chars leaves ±inf or 0, as rounding would
            if (negative) value = -value;
            if (element == ElementType::kF32) {
                const auto single = static_cast<float>(value);
                append_raw(&single, sizeof single);
            } else if (element == ElementType::kF64) {
                append_raw(&value, sizeof value);
            } else {
                ir::append_element(out_, element, value);
            }
            return true;
        }
        std::uint64_t magnitude = 0;
        const auto [next, status] = std::from_chars(p_, end_, magnitude);
        if (status != std::errc()) {
            return fail("malformed value",
                        element == ElementType::kBool ? "true or false" : "an integer");
        }
        p_ = next;
        return integer(element, negative, magnitude, start);
    }

    bool hex(ElementType element, bool negative) {
        const char* const start = p_;
        std::uint64_t bits = 0;
        const auto [next, status] = std::from_chars(p_ + 2, end_, bits, 16);
        if (status != std::errc()) return fail("malformed value", "a hexadecimal number");
        p_ = next;
        if (!ir::is_float(element)) return integer(element, negative, bits, start);
        const int width = ir::storage_bytes(element);
        if (width < 8 && bits >> (8 * width) != 0) {
            p_ = start;
            return fail("too many hexadecimal digits",
                        fmt::format("{} for {}", 2 * width, ir::mlir_name(element)));
        }
        append_bits(out_, bits, width);
        return true;
    }

    bool integer(ElementType element, bool negative, std::uint64_t magnitude, const char* start) {
        const int width = ir::bit_width(element);
        const std::uint64_t lowest = std::uint64_t{1} << (width - 1);
        const std::uint64_t highest = width == 64 ? ~std::uint64_t{0} : (lowest << 1) - 1;
        if (negative ? (magnitude > lowest) : (magnitude > highest)) {
            p_ = start;
            return fail("value out of range",
                        fmt::format("one that fits {}", ir::mlir_name(element)));
        }
        std::uint64_t bits = negative ? 0 - magnitude : magnitude;
        if (element == ElementType::kBool) bits &= 1;
        // Sub-byte integers lie in a byte each, sign-extended when signed.
        if (width < 8 && ir::is_signed(element)) {
            bits &= highest;
            bits = (bits ^ lowest) - lowest;
        } else if (width < 8) {
            bits &= highest;
        }
        append_bits(out_, bits, ir::storage_bytes(element));
        return true;
    }

    void append_raw(const void* data, std::size_t size) {
        const auto* bytes = static_cast<const std::byte*>(data);
        out_.insert(out_.end(), bytes, bytes + size);
    }

    const Source& source_;
    const ir::TensorType& type_;
    const char* p_;
    const char* begin_;
    const char* end_;
    Pos pos_;
    Bytes out_;
    std::optional<Diagnostic> error_;
};

Result<Bytes> decode_hex(const Source& source, std::string_view hex, Pos pos) {
    if (!hex.starts_with("0x")) return source.at(pos, "malformed hex blob", "\"0x…\"");
    hex.remove_prefix(2);
    if (hex.size() % 2 != 0) return source.at(pos, "odd number of hex digits", "two for each byte");
    Bytes bytes(hex.size() / 2);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const int high = hex_value(hex[2 * i]), low = hex_value(hex[2 * i + 1]);
        if ((high | low) < 0)
            return source.at(pos + static_cast<Pos>(2 + 2 * i), "malformed hex blob",
                             "a hex digit");
        bytes[i] = static_cast<std::byte>(high * 16 + low);
    }
    return bytes;
}

/// A blob in MLIR's layout: i1 packed eight to a byte, other sub-byte types a byte each.
Result<ir::Literal> from_blob(const Source& source, Bytes bytes, Pos pos,
                              const ir::TensorType& type) {
    const auto count = static_cast<std::uint64_t>(type.element_count());
    const auto element = static_cast<std::uint64_t>(ir::storage_bytes(type.element));
    if (type.element == ElementType::kBool) {
        if (bytes.size() == 1 && (count > 8 || bytes[0] == std::byte{0xFF}))
            return ir::Literal::splat(type, Bytes{bytes[0] & std::byte{1}});
        if (bytes.size() == (count + 7) / 8 && count > 1) {
            Bytes unpacked(count);
            for (std::uint64_t i = 0; i < count; ++i)
                unpacked[i] = bytes[i / 8] >> (i % 8) & std::byte{1};
            return ir::Literal::dense(type, std::move(unpacked));
        }
    }
    if (bytes.size() == count * element) return ir::Literal::dense(type, std::move(bytes));
    if (bytes.size() == element) return ir::Literal::splat(type, std::move(bytes));
    return source.at(pos, fmt::format("hex blob of {} bytes", bytes.size()),
                     fmt::format("{} bytes for {}", count * element, ir::mlir_text(type)));
}

}  // namespace

Result<ir::Literal> decode_dense(const Source& source, std::string_view body, Pos pos,
                                 const ir::TensorType& type) {
    if (type.element == ElementType::kToken) return source.at(pos, "constant token", "a tensor");
    if (body.starts_with('"')) {
        if (body.size() < 2 || !body.ends_with('"'))
            return source.at(pos, "malformed hex blob", "\"0x…\"");
        SW_TRY(Bytes bytes, decode_hex(source, body.substr(1, body.size() - 2), pos + 1));
        return from_blob(source, std::move(bytes), pos, type);
    }
    const bool is_list = body.find('[') != std::string_view::npos;
    SW_TRY(Bytes bytes, DenseReader(source, body, pos, type).read());
    if (is_list || bytes.empty()) return ir::Literal::dense(type, std::move(bytes));
    return ir::Literal::splat(type, std::move(bytes));
}

Result<ir::Literal> decode_resource(const Source& source, std::string_view hex, Pos pos,
                                    const ir::TensorType& type) {
    SW_TRY(Bytes bytes, decode_hex(source, hex, pos));
    if (bytes.size() < 4)
        return source.at(pos, "resource without an alignment", "four bytes or more");
    bytes.erase(bytes.begin(), bytes.begin() + 4);
    return from_blob(source, std::move(bytes), pos, type);
}

ir::Literal splat_of_attribute(const ir::TensorType& type, double real, std::int64_t integer,
                               bool is_integer) {
    return is_integer && !ir::is_float(type.element) ? ir::Literal::splat_of_int(type, integer)
                                                     : ir::Literal::splat_of(type, real);
}

}  // namespace shardwright::formats::mlir
