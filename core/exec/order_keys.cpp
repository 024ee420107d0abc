#include "exec/order_keys.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "exec/narrow.h"

namespace shardwright::exec {
namespace {

template <class T>
T read(const std::byte* data, std::int64_t index) {
    T value;
    std::memcpy(&value, data + index * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
    return value;
}

template <class T, class Bits>
void float_keys(const std::byte* data, std::int64_t stride, std::int64_t count, bool total,
                OrderKeys& out) {
    for (std::int64_t i = 0; i < count; ++i) {
        const T value = read<T>(data, i * stride);
        if (std::isnan(value)) out.has_nan = true;
        auto bits = std::bit_cast<Bits>(value);
        if (!total && value == 0) bits = 0;
        out.keys[static_cast<std::size_t>(i)] =
            bits < 0 ? static_cast<Bits>(bits ^ std::numeric_limits<Bits>::max()) : bits;
    }
}

template <class T>
void integer_keys(const std::byte* data, std::int64_t stride, std::int64_t count, OrderKeys& out) {
    for (std::int64_t i = 0; i < count; ++i)
        out.keys[static_cast<std::size_t>(i)] =
            static_cast<std::int64_t>(read<T>(data, i * stride));
}

}  // namespace

OrderKeys order_keys(ir::ElementType type, const std::byte* data, std::int64_t stride,
                     std::int64_t count, bool total) {
    OrderKeys out;
    out.keys.resize(static_cast<std::size_t>(count));
    if (is_narrow_float(type)) {
        const std::int64_t bytes = ir::storage_bytes(type);
        for (std::int64_t i = 0; i < count; ++i) {
            float value = 0;
            widen(type, data + i * stride * bytes, &value, 1);
            if (std::isnan(value)) out.has_nan = true;
            auto bits = std::bit_cast<std::int32_t>(value);
            if (!total && value == 0) bits = 0;
            out.keys[static_cast<std::size_t>(i)] = bits < 0 ? bits ^ 0x7FFFFFFF : bits;
        }
        return out;
    }
    switch (type) {
        case ir::ElementType::kF32:
            float_keys<float, std::int32_t>(data, stride, count, total, out);
            break;
        case ir::ElementType::kF64:
            float_keys<double, std::int64_t>(data, stride, count, total, out);
            break;
        case ir::ElementType::kS2:
        case ir::ElementType::kS4:
        case ir::ElementType::kS8:
            integer_keys<std::int8_t>(data, stride, count, out);
            break;
        case ir::ElementType::kS16:
            integer_keys<std::int16_t>(data, stride, count, out);
            break;
        case ir::ElementType::kS32:
            integer_keys<std::int32_t>(data, stride, count, out);
            break;
        case ir::ElementType::kS64:
            integer_keys<std::int64_t>(data, stride, count, out);
            break;
        case ir::ElementType::kU16:
            integer_keys<std::uint16_t>(data, stride, count, out);
            break;
        case ir::ElementType::kU32:
            integer_keys<std::uint32_t>(data, stride, count, out);
            break;
        case ir::ElementType::kU64:
            for (std::int64_t i = 0; i < count; ++i)
                out.keys[static_cast<std::size_t>(i)] = static_cast<std::int64_t>(
                    read<std::uint64_t>(data, i * stride) ^ (std::uint64_t{1} << 63));
            break;
        default:
            integer_keys<std::uint8_t>(data, stride, count, out);
            break;
    }
    return out;
}

}  // namespace shardwright::exec
