// check.expect_*: a module's statements about its own values.
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <optional>

#include "exec/engine.h"

namespace shardwright::exec {
namespace {

using ir::ElementType;

/// Element `i` as a number that counts representable values, so that differences are ulps.
std::int64_t ordered_bits(ElementType type, const std::byte* data, std::int64_t i) {
    const auto ordered = [](auto bits) {
        using Bits = decltype(bits);
        const auto magnitude = static_cast<std::int64_t>(bits & std::numeric_limits<Bits>::max());
        return bits < 0 ? -magnitude : magnitude;
    };
    const std::byte* at = data + i * ir::storage_bytes(type);
    switch (ir::storage_bytes(type)) {
        case 1: {
            // Narrow types sign-extend from their own width.
            const auto code = static_cast<unsigned>(*at);
            const int width = ir::bit_width(type);
            const unsigned sign = (code >> (width - 1)) & 1u;
            const auto magnitude = static_cast<std::int64_t>(code & ((1u << (width - 1)) - 1u));
            return sign != 0 ? -magnitude : magnitude;
        }
        case 2: {
            std::int16_t bits = 0;
            std::memcpy(&bits, at, 2);
            return ordered(bits);
        }
        case 4: {
            std::int32_t bits = 0;
            std::memcpy(&bits, at, 4);
            return ordered(bits);
        }
        default: {
            std::int64_t bits = 0;
            std::memcpy(&bits, at, 8);
            return ordered(bits);
        }
    }
}

/// True when actual element `i` satisfies the check against the expected one.
bool element_holds(const ir::CheckAttributes& check, ElementType type, const std::byte* actual,
                   const std::byte* expected, std::int64_t i, std::int64_t count) {
    const std::int64_t bytes = ir::storage_bytes(type);
    const std::span<const std::byte> a(actual, static_cast<std::size_t>(count * bytes));
    const std::span<const std::byte> e(expected, a.size());
    const bool same_bits =
        std::memcmp(actual + i * bytes, expected + i * bytes, static_cast<std::size_t>(bytes)) == 0;
    if (!ir::is_float(type)) {
        if (same_bits) return true;
        const std::int64_t x = ir::element_as_int(a, type, i), y = ir::element_as_int(e, type, i);
        if (check.kind == ir::CheckKind::kAlmostEq)
            return std::fabs(static_cast<double>(x) - static_cast<double>(y)) <= check.tolerance;
        return false;
    }
    const double x = ir::element_as_double(a, type, i), y = ir::element_as_double(e, type, i);
    if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
    if (check.kind == ir::CheckKind::kAlmostEq && !std::isinf(x) && !std::isinf(y))
        return std::fabs(x - y) <= check.tolerance;
    if (check.kind == ir::CheckKind::kClose && !std::isinf(x) && !std::isinf(y)) {
        const auto p = static_cast<std::uint64_t>(ordered_bits(type, actual, i));
        const auto q = static_cast<std::uint64_t>(ordered_bits(type, expected, i));
        const auto distance = static_cast<std::int64_t>(x > y ? p - q : q - p);
        return distance >= check.min_ulp && distance <= check.max_ulp;
    }
    return x == y;
}

}  // namespace

Status Engine::run_check(ir::OpId op, const Frame& frame) {
    const auto& check = module_.attributes<ir::CheckAttributes>(op);
    const ir::TensorType& type = module_.type(module_.operand(op, 0));
    const BufferRef& actual = values_[module_.operand(op, 0).index];
    const BufferRef& expected = values_[module_.operand(op, 1).index];
    const std::int64_t total = frame.world.device_count();
    // Complex numbers are compared part by part.
    const ElementType part = ir::real_type(type.element);
    const std::int64_t count = type.element_count() * (ir::is_complex(type.element) ? 2 : 1);
    ++checks;
    const bool once = actual->devices == 1 && expected->devices == 1;
    for (const std::int64_t d : frame.active.devices) {
        const std::byte* a = actual->slot(d, total);
        const std::byte* e = expected->slot(d, total);
        for (std::int64_t i = 0; i < count; ++i) {
            if (element_holds(check, part, a, e, i, count)) continue;
            const auto bytes = static_cast<std::size_t>(count * ir::storage_bytes(part));
            std::string where = total > 1 ? fmt::format(" on device {}", d) : "";
            failures.push_back(
                {op, fmt::format("{}: element {}{} is {}, expected {}", module_.op(op).line, i,
                                 where, ir::element_as_double({a, bytes}, part, i),
                                 ir::element_as_double({e, bytes}, part, i))});
            return {};
        }
        if (once) break;
    }
    return {};
}

}  // namespace shardwright::exec
