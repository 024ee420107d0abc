#pragma once
// Values of constants: shared, splats stay splats, raw bytes decoded once.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "ir/element_type.h"

namespace shardwright::ir {

/// Constant data in our buffers' form (`storage_bytes` an element, row-major, little endian).
struct Literal {
    enum class Kind : std::uint8_t {
        kSplat,   ///< `bytes` holds one element
        kDense,   ///< `bytes` holds all elements
        kElided,  ///< the file left the value out (`constant({...})`, `dense_resource<__elided__>`)
    };
    TensorType type;
    Kind kind = Kind::kDense;
    std::shared_ptr<const std::vector<std::byte>> bytes;  ///< null for kElided

    std::span<const std::byte> data() const {
        return bytes ? std::span<const std::byte>(*bytes) : std::span<const std::byte>();
    }
    static Literal splat(TensorType type, std::vector<std::byte> element);
    static Literal dense(TensorType type, std::vector<std::byte> data);
    static Literal elided(TensorType type);
    /// A splat of a number, rounded to the element type (real part, for complex).
    static Literal splat_of(TensorType type, double value);
    static Literal splat_of_int(TensorType type, std::int64_t value);
    friend bool operator==(const Literal& a, const Literal& b);
};

/// Rounds `value` to `type` and appends its storage form. Integers saturate; NaN becomes 0 there.
void append_element(std::vector<std::byte>& out, ElementType type, double value);
void append_element_int(std::vector<std::byte>& out, ElementType type, std::int64_t value);
/// Reads element `index` as a double (real part for complex).
double element_as_double(std::span<const std::byte> data, ElementType type, std::int64_t index);
std::int64_t element_as_int(std::span<const std::byte> data, ElementType type, std::int64_t index);

}  // namespace shardwright::ir
