#pragma once
// Files are written whole or not at all.

#include <string>
#include <string_view>

#include "base/result.h"

namespace shardwright {

/// Writes `content` to a temporary file beside `path`, then renames it. A fault leaves what was
/// there before.
Status write_file_atomically(const std::string& path, std::string_view content);

}  // namespace shardwright
