// A model file: mapped into memory, unpacked when gzipped, and given to the reader of its format.
#include "formats/read_model.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>

namespace shardwright::formats {
namespace {

// A small .gz must not become all of memory.
constexpr std::size_t kMaxUnpacked = std::size_t{4} << 30;

/// A file mapped read-only; an empty file maps to empty text.
class MappedFile {
  public:
    explicit MappedFile(const std::string& path) {
        const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        if (fd < 0) {
            error_ = std::strerror(errno);
            return;
        }
        struct stat info {};
        if (::fstat(fd, &info) != 0) {
            error_ = std::strerror(errno);
        } else if (!S_ISREG(info.st_mode)) {
            error_ = S_ISDIR(info.st_mode) ? "is a directory" : "is not a regular file";
        } else if (info.st_size > 0) {
            size_ = static_cast<std::size_t>(info.st_size);
            data_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, fd, 0);
            if (data_ == MAP_FAILED) error_ = std::strerror(errno);
        }
        ::close(fd);
    }
    ~MappedFile() {
        if (data_ != nullptr && data_ != MAP_FAILED) ::munmap(data_, size_);
    }
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    const std::string& error() const { return error_; }
    std::string_view text() const {
        return data_ == nullptr ? std::string_view()
                                : std::string_view(static_cast<const char*>(data_), size_);
    }

  private:
    void* data_ = nullptr;
    std::size_t size_ = 0;
    std::string error_;
};

Diagnostic in_file(Diagnostic diagnostic, const std::string& file) {
    diagnostic.file = file;
    return diagnostic;
}

Result<std::string> unpack(std::string_view packed, const std::string& file) {
    z_stream stream{};
    if (inflateInit2(&stream, 15 + 16) != Z_OK)
        return in_file(bad_input("cannot unpack", "gzip data"), file);
    std::string out;
    std::string chunk(std::size_t{1} << 20, '\0');
    int status = Z_OK;
    std::size_t consumed = 0;
    while (status == Z_OK && (consumed < packed.size() || stream.avail_in > 0)) {
        if (stream.avail_in == 0) {
            const std::size_t piece = std::min<std::size_t>(packed.size() - consumed, 1U << 30);
            // zlib does not write through its input pointer, but does not say so in its type.
            stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + consumed));
            stream.avail_in = static_cast<uInt>(piece);
            consumed += piece;
        }
        stream.next_out = reinterpret_cast<Bytef*>(chunk.data());
        stream.avail_out = static_cast<uInt>(chunk.size());
        status = inflate(&stream, Z_NO_FLUSH);
        if (status == Z_BUF_ERROR) break;
        out.append(chunk.data(), chunk.size() - stream.avail_out);
        if (out.size() > kMaxUnpacked) {
            inflateEnd(&stream);
            return in_file(unsupported("a model of more than 4 GiB unpacked"), file);
        }
        // Several gzip members behind one another are one text.
        if (status == Z_STREAM_END && (stream.avail_in > 0 || consumed < packed.size()))
            status = inflateReset(&stream);
    }
    inflateEnd(&stream);
    if (status != Z_STREAM_END)
        return in_file(bad_input("damaged gzip data", "a whole .gz file"), file);
    return out;
}

/// The text without leading white space and comments.
std::string_view first_words(std::string_view text) {
    for (;;) {
        const std::size_t start = text.find_first_not_of(" \t\r\n");
        if (start == std::string_view::npos) return {};
        text.remove_prefix(start);
        if (text.starts_with("//") || (text.starts_with("# "))) {
            const std::size_t newline = text.find('\n');
            if (newline == std::string_view::npos) return {};
            text.remove_prefix(newline);
        } else if (text.starts_with("/*")) {
            const std::size_t close = text.find("*/");
            if (close == std::string_view::npos) return {};
            text.remove_prefix(close + 2);
        } else {
            return text;
        }
    }
}

}  // namespace

Result<ModelFile> read_model_text(std::string_view text, const std::string& file,
                                  const ReadOptions& options) {
    if (text.starts_with("\x1f\x8b")) {
        SW_TRY(const std::string unpacked, unpack(text, file));
        if (unpacked.starts_with("\x1f\x8b"))  // a file can unpack to itself for ever
            return in_file(unsupported("a .gz file inside a .gz file"), file);
        return read_model_text(unpacked, file, options);
    }
    if (text.starts_with("ML\xefR"))
        return in_file(unsupported("MLIR bytecode (print it as text first)"), file);
    ModelFile out;
    // Text starts with no control character; protobufs (ONNX, XLA's HLO) do.
    if (!text.empty() && static_cast<unsigned char>(text.front()) < ' ' &&
        std::string_view("\t\r\n").find(text.front()) == std::string_view::npos)
        return in_file(unsupported("a binary model file (ONNX, HLO protobuf)"), file);
    const std::string_view words = first_words(text);
    if (words.empty()) return in_file(bad_input("the file is empty", "a model"), file);
    if (words.starts_with("HloModule")) {
        SW_TRY(ir::Module module, read_hlo(text, file, options));
        out.modules.push_back(std::move(module));
        return out;
    }
    SW_TRY(out.modules, read_mlir(text, file, options));
    return out;
}

Result<ModelFile> read_model(const std::string& path, const ReadOptions& options) {
    const MappedFile mapped(path);
    if (!mapped.error().empty())
        return in_file(bad_input("cannot read the file: " + mapped.error(), "a model file"), path);
    return read_model_text(mapped.text(), path, options);
}

}  // namespace shardwright::formats
