#include "ir/element_type.h"

#include <fmt/format.h>

#include <array>

namespace shardwright::ir {
namespace {

enum class Class : std::uint8_t { kBool, kSigned, kUnsigned, kFloat, kComplex, kToken };

struct TypeInfo {
    ElementType type;
    std::string_view mlir;
    std::string_view hlo;
    Class kind;
    int bits;
};

using enum ElementType;
// In the order of the enumeration.
constexpr std::array kTypes = {
    TypeInfo{kBool, "i1", "pred", Class::kBool, 1},
    TypeInfo{kS2, "i2", "s2", Class::kSigned, 2},
    TypeInfo{kS4, "i4", "s4", Class::kSigned, 4},
    TypeInfo{kS8, "i8", "s8", Class::kSigned, 8},
    TypeInfo{kS16, "i16", "s16", Class::kSigned, 16},
    TypeInfo{kS32, "i32", "s32", Class::kSigned, 32},
    TypeInfo{kS64, "i64", "s64", Class::kSigned, 64},
    TypeInfo{kU2, "ui2", "u2", Class::kUnsigned, 2},
    TypeInfo{kU4, "ui4", "u4", Class::kUnsigned, 4},
    TypeInfo{kU8, "ui8", "u8", Class::kUnsigned, 8},
    TypeInfo{kU16, "ui16", "u16", Class::kUnsigned, 16},
    TypeInfo{kU32, "ui32", "u32", Class::kUnsigned, 32},
    TypeInfo{kU64, "ui64", "u64", Class::kUnsigned, 64},
    TypeInfo{kF4E2M1FN, "f4E2M1FN", "f4e2m1fn", Class::kFloat, 4},
    TypeInfo{kF6E2M3FN, "f6E2M3FN", "f6e2m3fn", Class::kFloat, 6},
    TypeInfo{kF6E3M2FN, "f6E3M2FN", "f6e3m2fn", Class::kFloat, 6},
    TypeInfo{kF8E3M4, "f8E3M4", "f8e3m4", Class::kFloat, 8},
    TypeInfo{kF8E4M3, "f8E4M3", "f8e4m3", Class::kFloat, 8},
    TypeInfo{kF8E4M3FN, "f8E4M3FN", "f8e4m3fn", Class::kFloat, 8},
    TypeInfo{kF8E4M3FNUZ, "f8E4M3FNUZ", "f8e4m3fnuz", Class::kFloat, 8},
    TypeInfo{kF8E4M3B11FNUZ, "f8E4M3B11FNUZ", "f8e4m3b11fnuz", Class::kFloat, 8},
    TypeInfo{kF8E5M2, "f8E5M2", "f8e5m2", Class::kFloat, 8},
    TypeInfo{kF8E5M2FNUZ, "f8E5M2FNUZ", "f8e5m2fnuz", Class::kFloat, 8},
    TypeInfo{kF8E8M0FNU, "f8E8M0FNU", "f8e8m0fnu", Class::kFloat, 8},
    TypeInfo{kBF16, "bf16", "bf16", Class::kFloat, 16},
    TypeInfo{kF16, "f16", "f16", Class::kFloat, 16},
    TypeInfo{kF32, "f32", "f32", Class::kFloat, 32},
    TypeInfo{kF64, "f64", "f64", Class::kFloat, 64},
    TypeInfo{kC64, "complex<f32>", "c64", Class::kComplex, 64},
    TypeInfo{kC128, "complex<f64>", "c128", Class::kComplex, 128},
    TypeInfo{kToken, "!stablehlo.token", "token", Class::kToken, 0},
};

const TypeInfo& info(ElementType t) {
    return kTypes[static_cast<std::size_t>(t)];
}

}  // namespace

bool is_float(ElementType t) {
    return info(t).kind == Class::kFloat;
}
bool is_signed(ElementType t) {
    return info(t).kind == Class::kSigned;
}
bool is_unsigned(ElementType t) {
    return info(t).kind == Class::kUnsigned;
}
bool is_integer(ElementType t) {
    return is_signed(t) || is_unsigned(t);
}
bool is_complex(ElementType t) {
    return info(t).kind == Class::kComplex;
}
int bit_width(ElementType t) {
    return info(t).bits;
}
int storage_bytes(ElementType t) {
    return (info(t).bits + 7) / 8;
}

ElementType real_type(ElementType t) {
    if (t == kC64) return kF32;
    if (t == kC128) return kF64;
    return t;
}

std::string_view mlir_name(ElementType t) {
    return info(t).mlir;
}
std::string_view hlo_name(ElementType t) {
    return info(t).hlo;
}

std::optional<ElementType> parse_mlir_element_type(std::string_view text) {
    if (text.starts_with("si")) text.remove_prefix(1);
    for (const TypeInfo& t : kTypes)
        if (t.mlir == text) return t.type;
    return std::nullopt;
}

std::optional<ElementType> parse_hlo_element_type(std::string_view text) {
    for (const TypeInfo& t : kTypes)
        if (t.hlo == text) return t.type;
    return std::nullopt;
}

std::int64_t TensorType::element_count() const {
    std::int64_t count = 1;
    for (const std::int64_t d : dims) count *= d;
    return count;
}

std::int64_t TensorType::byte_size() const {
    const int bits = element == kBool ? 8 : bit_width(element);
    return (element_count() * bits + 7) / 8;
}

std::string mlir_text(const TensorType& t) {
    if (t.element == kToken) return std::string(mlir_name(t.element));
    std::string text = "tensor<";
    for (const std::int64_t d : t.dims) text += fmt::format("{}x", d);
    return text + std::string(mlir_name(t.element)) + ">";
}

std::string hlo_text(const TensorType& t) {
    return fmt::format("{}[{}]", hlo_name(t.element), fmt::join(t.dims, ","));
}

}  // namespace shardwright::ir
