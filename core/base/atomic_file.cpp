#include "base/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

namespace shardwright {
namespace {

constexpr int kMostLinks = 40;  // as the kernel's own limit

Diagnostic cannot_write(const std::string& path, int error) {
    Diagnostic d =
        bad_input(fmt::format("cannot be written: {}", std::generic_category().message(error)),
                  "a writable file in an existing folder with free space");
    d.file = path;
    return d;
}

/// The file that a chain of symbolic links names, which need not exist.
std::string behind_links(std::filesystem::path path) {
    std::error_code error;
    for (int link = 0; link < kMostLinks && std::filesystem::is_symlink(path, error); ++link) {
        const std::filesystem::path target = std::filesystem::read_symlink(path, error);
        if (error) break;
        path = target.is_absolute() ? target : path.parent_path() / target;
    }
    return path.string();
}

/// Writes everything; returns errno, 0 when all is well.
int write_all(int file, std::string_view content) {
    while (!content.empty()) {
        const ssize_t written = ::write(file, content.data(), content.size());
        if (written >= 0)
            content.remove_prefix(static_cast<std::size_t>(written));
        else if (errno != EINTR)
            return errno;
    }
    return 0;
}

bool is_same(const struct stat& a, const struct stat& b) {
    return a.st_ino == b.st_ino && a.st_dev == b.st_dev;
}

/// Our own output that `there` is, so that /dev/stdout continues what was printed; -1 for none.
int standard_output_at(const struct stat& there) {
    for (const int file : {STDOUT_FILENO, STDERR_FILENO})
        if (struct stat own = {}; ::fstat(file, &own) == 0 && is_same(own, there)) return file;
    return -1;
}

/// Opens, again when a signal came in between; -1 with errno set when it cannot be.
int open_for_writing(const std::string& path, int flags, mode_t mode) {
    int file = -1;
    do file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | flags, mode);
    while (file < 0 && errno == EINTR);
    return file;
}

Status write_directly(const std::string& path, std::string_view content) {
    const int file = open_for_writing(path, 0, 0);
    if (file < 0) return cannot_write(path, errno);
    int error = write_all(file, content);
    if (::close(file) != 0 && error == 0) error = errno;
    if (error != 0) return cannot_write(path, error);
    return {};
}

Status replace_file(const std::string& path, const std::string& target, const struct stat* there,
                    std::string_view content) {
    const std::string temporary = fmt::format("{}.{}.part", target, ::getpid());
    const int file = open_for_writing(temporary, O_CREAT | O_TRUNC, 0666);
    if (file < 0) return cannot_write(path, errno);
    // The permissions are a courtesy: where they cannot be set, the content still counts.
    if (there != nullptr) static_cast<void>(::fchmod(file, there->st_mode & 07777));
    int error = write_all(file, content);
    // Some file systems cannot flush (EINVAL); the rename is whole all the same.
    if (error == 0 && ::fsync(file) != 0 && errno != EINVAL) error = errno;
    if (::close(file) != 0 && error == 0) error = errno;
    if (error == 0 && std::rename(temporary.c_str(), target.c_str()) != 0) error = errno;
    if (error == 0) return {};
    static_cast<void>(::unlink(temporary.c_str()));
    return cannot_write(path, error);
}

}  // namespace

Status write_file_atomically(const std::string& path, std::string_view content) {
    struct stat there = {};
    if (::stat(path.c_str(), &there) != 0) {
        if (errno != ENOENT) return cannot_write(path, errno);  // a circle of links, say
        return replace_file(path, behind_links(path), nullptr, content);
    }
    if (S_ISDIR(there.st_mode)) return cannot_write(path, EISDIR);
    if (const int file = standard_output_at(there); file >= 0) {
        std::fflush(file == STDOUT_FILENO ? stdout : stderr);
        if (const int error = write_all(file, content); error != 0)
            return cannot_write(path, error);
        return {};
    }
    if (::access(path.c_str(), W_OK) != 0) return cannot_write(path, errno);
    const std::string target = behind_links(path);
    // A link under /proc may name a file that was deleted: that one can only be written to.
    struct stat named = {};
    const bool has_name = ::stat(target.c_str(), &named) == 0 && is_same(named, there);
    if (!S_ISREG(there.st_mode) || !has_name) return write_directly(path, content);
    return replace_file(path, target, &there, content);
}

}  // namespace shardwright
