#pragma once
// Files are written whole or not at all.

#include <string>
#include <string_view>

#include "base/result.h"

namespace shardwright {

/// Writes `content` to a temporary file beside `path`, flushes it to the disk and renames it. A
/// fault leaves what was there before. A symbolic link stays and its target is replaced; an
/// existing file keeps its permissions. What is no file (a device such as /dev/stdout, a pipe) is
/// never replaced: the bytes are written to it directly. A folder is an error.
Status write_file_atomically(const std::string& path, std::string_view content);

}  // namespace shardwright
