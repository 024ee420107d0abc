#include "base/atomic_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

namespace shardwright {
namespace {

Diagnostic cannot_write(const std::string& path, const std::string& why) {
    Diagnostic d = bad_input("cannot be written" + why, "a writable folder with free space");
    d.file = path;
    return d;
}

}  // namespace

Status write_file_atomically(const std::string& path, std::string_view content) {
    const std::string temporary = fmt::format("{}.{}.part", path, ::getpid());
    {
        std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
        out.write(content.data(), static_cast<std::streamsize>(content.size()));
        out.flush();
        if (!out) {
            std::remove(temporary.c_str());
            return cannot_write(path, "");
        }
    }
    std::error_code error;
    std::filesystem::rename(temporary, path, error);
    if (error) {
        std::remove(temporary.c_str());
        return cannot_write(path, ": " + error.message());
    }
    return {};
}

}  // namespace shardwright
