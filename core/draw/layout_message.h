#pragma once
// The layout worker's protocol. A message is a 32-bit length and that many bytes of little-endian
// numbers: a request holds counts, sizes and edges; an answer holds a flag, rectangles and curves.

#include <optional>
#include <string>
#include <string_view>

#include "draw/layout.h"

namespace shardwright::draw {

constexpr std::uint32_t kMaxMessageBytes = 64u << 20;

std::string encode(const LayoutInput& input);
std::string encode(const std::optional<LayoutResult>& result);
/// Nothing when the bytes are not a whole, sane message (edges that name no node, …).
std::optional<LayoutInput> decode_input(std::string_view bytes);
std::optional<LayoutResult> decode_result(std::string_view bytes, const LayoutInput& input);

/// Blocking; false at the end of the stream or on an error. `deadline_s` < 0 waits for ever.
bool send_message(int descriptor, std::string_view bytes);
std::optional<std::string> receive_message(int descriptor, double deadline_s = -1);

}  // namespace shardwright::draw
