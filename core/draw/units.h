#pragma once
// Numbers with units that people read.

#include <cstdint>
#include <string>

#include "ir/op_kind.h"

namespace shardwright::draw {

/// `0 B`, `512 B`, `1.5 KB`, `2.1 GB`: binary multiples (1 KB = 1024 B), three digits at most.
std::string bytes_text(std::int64_t bytes);
/// `0`, `850 ns`, `12.5 µs`, `0.9 ms`, `1.2 s`.
std::string time_text(double seconds);
/// `+1.2 GB`, `−3.0 MB`, `±0`.
std::string bytes_delta_text(std::int64_t bytes);
std::string time_delta_text(double seconds);
/// `AG`, `AR`, `RS`, `A2A`, `CP`, `CB`: what a badge has room for.
std::string_view short_name(ir::OpKind collective);

}  // namespace shardwright::draw
