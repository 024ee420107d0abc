#include "formats/mlir_write_literal.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace shardwright::formats::mlir {
namespace {

using ir::ElementType;
using Bytes = std::span<const std::byte>;

// Beyond this many elements a hex blob is shorter and faster; MLIR itself does the same.
constexpr std::int64_t kMaxListed = 64;

/// MLIR's floats must have a point: `1.0e-05`, not `1e-05`.
std::string with_point(std::string digits) {
    if (digits.find('.') != std::string::npos) return digits;
    const std::size_t exponent = digits.find('e');
    digits.insert(exponent == std::string::npos ? digits.size() : exponent, ".0");
    return digits;
}

void append_bits(std::string& out, Bytes data, ElementType type, std::int64_t index) {
    const auto width = static_cast<std::size_t>(ir::storage_bytes(type));
    out += "0x";
    for (std::size_t i = width; i-- > 0;)
        fmt::format_to(std::back_inserter(out), "{:02X}",
                       static_cast<unsigned>(data[static_cast<std::size_t>(index) * width + i]));
}

void append_number(std::string& out, Bytes data, ElementType type, std::int64_t index) {
    if (type == ElementType::kBool) {
        out += data[static_cast<std::size_t>(index)] != std::byte{0} ? "true" : "false";
    } else if (ir::is_unsigned(type)) {
        out += std::to_string(static_cast<std::uint64_t>(ir::element_as_int(data, type, index)));
    } else if (ir::is_integer(type)) {
        out += std::to_string(ir::element_as_int(data, type, index));
    } else {
        const double value = ir::element_as_double(data, type, index);
        if (!std::isfinite(value)) {
            append_bits(out, data, type, index);
        } else {
            out += with_point(type == ElementType::kF64
                                  ? fmt::format("{}", value)
                                  : fmt::format("{}", static_cast<float>(value)));
        }
    }
}

void append_element(std::string& out, Bytes data, ElementType type, std::int64_t index) {
    if (!ir::is_complex(type)) {
        append_number(out, data, type, index);
        return;
    }
    const ElementType part = ir::real_type(type);
    out += '(';
    append_number(out, data, part, 2 * index);
    out += ", ";
    append_number(out, data, part, 2 * index + 1);
    out += ')';
}

void append_list(std::string& out, Bytes data, const ir::TensorType& type, std::size_t dim,
                 std::int64_t& index) {
    if (dim == type.rank()) {
        append_element(out, data, type.element, index++);
        return;
    }
    out += '[';
    for (std::int64_t i = 0; i < type.dims[dim]; ++i) {
        if (i > 0) out += ", ";
        append_list(out, data, type, dim + 1, index);
    }
    out += ']';
}

void append_blob(std::string& out, Bytes data, ElementType type) {
    static constexpr char kDigits[] = "0123456789ABCDEF";
    const auto put = [&](unsigned byte) {
        out += kDigits[byte >> 4];
        out += kDigits[byte & 15];
    };
    out += "\"0x";
    if (type == ElementType::kBool) {  // eight to a byte, as MLIR holds them
        for (std::size_t i = 0; i < data.size(); i += 8) {
            unsigned byte = 0;
            for (std::size_t k = 0; k < 8 && i + k < data.size(); ++k)
                byte |= (data[i + k] != std::byte{0} ? 1U : 0U) << k;
            put(byte);
        }
    } else {
        for (const std::byte b : data) put(static_cast<unsigned>(b));
    }
    out += '"';
}

}  // namespace

std::string dense_text(const ir::Literal& literal) {
    const std::string type = ir::mlir_text(literal.type);
    if (literal.kind == ir::Literal::Kind::kElided) return "dense_resource<__elided__> : " + type;
    std::string out = "dense<";
    const std::int64_t count = literal.type.element_count();
    std::int64_t index = 0;
    if (literal.kind == ir::Literal::Kind::kSplat) {
        append_element(out, literal.data(), literal.type.element, 0);
    } else if (count == 0) {
        // no elements: nothing stands between the brackets
    } else if (count > kMaxListed) {
        append_blob(out, literal.data(), literal.type.element);
    } else {
        append_list(out, literal.data(), literal.type, 0, index);
    }
    return out + "> : " + type;
}

}  // namespace shardwright::formats::mlir
