#pragma once
// Element types of StableHLO, and tensor types.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/inline_vector.h"

namespace shardwright::ir {

enum class ElementType : std::uint8_t {
    kBool,
    kS2,
    kS4,
    kS8,
    kS16,
    kS32,
    kS64,
    kU2,
    kU4,
    kU8,
    kU16,
    kU32,
    kU64,
    kF4E2M1FN,
    kF6E2M3FN,
    kF6E3M2FN,
    kF8E3M4,
    kF8E4M3,
    kF8E4M3FN,
    kF8E4M3FNUZ,
    kF8E4M3B11FNUZ,
    kF8E5M2,
    kF8E5M2FNUZ,
    kF8E8M0FNU,
    kBF16,
    kF16,
    kF32,
    kF64,
    kC64,
    kC128,
    kToken,  ///< ordering only; no data, rank 0
};

bool is_float(ElementType t);     ///< real floating point, f4 to f64
bool is_signed(ElementType t);    ///< kS2 … kS64
bool is_unsigned(ElementType t);  ///< kU2 … kU64
bool is_integer(ElementType t);   ///< signed or unsigned, not bool
bool is_complex(ElementType t);
/// Width in bits as the model counts it: 1 for bool (StableHLO i1), 2, 4, 8, … 128; 0 for a token.
int bit_width(ElementType t);
/// Bytes of one element in our buffers: sub-byte types and bool take one byte each; token 0.
int storage_bytes(ElementType t);
/// Real part's type of a complex type; the type itself otherwise.
ElementType real_type(ElementType t);

/// MLIR spelling (`f32`, `i1`, `ui8`, `complex<f32>`, `f8E4M3FN`) and HLO spelling (`f32`, `pred`,
/// `u8`, `c64`, `f8e4m3fn`).
std::string_view mlir_name(ElementType t);
std::string_view hlo_name(ElementType t);
/// Signless MLIR integers are signed here (`i32` = kS32, `i1` = kBool); `si32` reads too.
std::optional<ElementType> parse_mlir_element_type(std::string_view text);
std::optional<ElementType> parse_hlo_element_type(std::string_view text);

/// Element type and static sizes.
struct TensorType {
    ElementType element = ElementType::kF32;
    Dims dims;

    std::size_t rank() const { return dims.size(); }
    std::int64_t element_count() const;
    /// Bytes as the model counts them: whole bytes for sub-byte types, packed (two i4 in a byte).
    std::int64_t byte_size() const;
    friend bool operator==(const TensorType&, const TensorType&) = default;
};

/// `tensor<2x3xf32>` and `f32[2,3]`.
std::string mlir_text(const TensorType& t);
std::string hlo_text(const TensorType& t);

}  // namespace shardwright::ir
