#include "draw/units.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace shardwright::draw {
namespace {

std::string three_digits(double v) {
    if (v >= 99.95) return fmt::format("{:.0f}", v);
    return fmt::format("{:.1f}", v);
}

}  // namespace

std::string bytes_text(std::int64_t bytes) {
    constexpr std::array<const char*, 6> kUnits = {"B", "KB", "MB", "GB", "TB", "PB"};
    auto v = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (std::abs(v) >= 1023.95 && unit + 1 < kUnits.size()) v /= 1024, ++unit;
    if (unit == 0) return fmt::format("{} B", bytes);
    return fmt::format("{} {}", three_digits(v), kUnits[unit]);
}

std::string time_text(double seconds) {
    if (seconds <= 0) return "0 ms";
    if (seconds < 1e-6) return fmt::format("{:.0f} ns", seconds * 1e9);
    if (seconds < 1e-3) return three_digits(seconds * 1e6) + " µs";
    if (seconds < 1) return three_digits(seconds * 1e3) + " ms";
    return fmt::format("{:.2f} s", seconds);
}

std::string bytes_delta_text(std::int64_t bytes) {
    if (bytes == 0) return "±0";
    return (bytes > 0 ? "+" : "−") + bytes_text(std::abs(bytes));
}

std::string time_delta_text(double seconds) {
    if (std::abs(seconds) < 1e-12) return "±0";
    return (seconds > 0 ? "+" : "−") + time_text(std::abs(seconds));
}

std::string_view short_name(ir::OpKind collective) {
    using enum ir::OpKind;
    if (collective == kAllGather) return "AG";
    if (collective == kAllReduce) return "AR";
    if (collective == kReduceScatter) return "RS";
    if (collective == kAllToAll) return "A2A";
    if (collective == kCollectivePermute) return "CP";
    if (collective == kCollectiveBroadcast) return "CB";
    return ir::name(collective);
}

}  // namespace shardwright::draw
