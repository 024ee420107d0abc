#pragma once
// Reading index operands, whatever integer type they have.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include "ir/element_type.h"

namespace shardwright::exec {

/// Element `at` of an integer array. Unsigned numbers beyond the signed range saturate: clamping
/// to a dimension's size follows anyway.
inline std::int64_t index_value(const std::byte* data, ir::ElementType type, std::int64_t at) {
    const auto read = [&]<class T>(T value) {
        std::memcpy(&value, data + at * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
        return value;
    };
    switch (type) {
        case ir::ElementType::kS2:
        case ir::ElementType::kS4:
        case ir::ElementType::kS8:
            return read(std::int8_t{});
        case ir::ElementType::kS16:
            return read(std::int16_t{});
        case ir::ElementType::kS32:
            return read(std::int32_t{});
        case ir::ElementType::kS64:
            return read(std::int64_t{});
        case ir::ElementType::kU16:
            return read(std::uint16_t{});
        case ir::ElementType::kU32:
            return read(std::uint32_t{});
        case ir::ElementType::kU64: {
            const std::uint64_t value = read(std::uint64_t{});
            constexpr auto top = std::numeric_limits<std::int64_t>::max();
            return value > static_cast<std::uint64_t>(top) ? top : static_cast<std::int64_t>(value);
        }
        default:
            return read(std::uint8_t{});
    }
}

}  // namespace shardwright::exec
