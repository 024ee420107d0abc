// Reading numpy's arrays: the .npy header and the zip archive around several of them.
#include <fmt/format.h>
#include <zlib.h>

#include <charconv>
#include <cstring>
#include <fstream>
#include <limits>
#include <optional>

#include "exec/npz.h"
#include "exec/npz_format.h"
#include "exec/strided_copy.h"

namespace shardwright::exec {
namespace {

using Bytes = std::vector<std::byte>;

Diagnostic damaged(const std::string& file, std::string what, std::string expected = {}) {
    Diagnostic d = bad_input(std::move(what), std::move(expected));
    d.file = file;
    return d;
}

template <class T>
std::optional<T> number_at(std::span<const std::byte> data, std::size_t at) {
    if (at > data.size() || data.size() - at < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, data.data() + at, sizeof(T));
    return value;
}

/// The text behind `'key':` in the header's dictionary.
std::string_view field(std::string_view header, std::string_view key) {
    const std::size_t at = header.find(fmt::format("'{}'", key));
    if (at == std::string_view::npos) return {};
    const std::size_t colon = header.find(':', at);
    if (colon == std::string_view::npos) return {};
    std::string_view rest = header.substr(colon + 1);
    while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
    return rest;
}

std::optional<Dims> parse_shape(std::string_view text) {
    const std::size_t end = text.find(')');
    if (text.empty() || text.front() != '(' || end == std::string_view::npos) return std::nullopt;
    Dims dims;
    const char* at = text.data() + 1;
    const char* const last = text.data() + end;
    while (at < last) {
        if (*at == ' ' || *at == ',') {
            ++at;
            continue;
        }
        std::int64_t size = 0;
        const auto [next, error] = std::from_chars(at, last, size);
        if (error != std::errc() || size < 0) return std::nullopt;
        dims.push_back(size);
        at = next;
    }
    return dims;
}

Result<Tensor> parse_npy(std::span<const std::byte> data, const std::string& file) {
    if (data.size() < 10 || std::memcmp(data.data(), kNpyMagic, 6) != 0)
        return damaged(file, "not a numpy array", "the bytes \\x93NUMPY first");
    const bool long_header = static_cast<unsigned>(data[6]) >= 2;
    const std::size_t start = long_header ? 12 : 10;
    const std::optional<std::uint32_t> length =
        long_header ? number_at<std::uint32_t>(data, 8)
                    : std::optional<std::uint32_t>(number_at<std::uint16_t>(data, 8).value_or(0));
    if (!length || *length > data.size() - start || start > data.size())
        return damaged(file, "the array's header is cut off");
    const std::string_view header(reinterpret_cast<const char*>(data.data()) + start, *length);
    std::string_view code = field(header, "descr");
    if (code.size() < 2 || code.front() != '\'')
        return damaged(file, "the array's header has no plain 'descr'");
    code = code.substr(1, code.find('\'', 1) - 1);
    const auto element = element_of_code(code);
    if (!element)
        return damaged(file, fmt::format("arrays of type '{}' are not read", code),
                       "numbers or bools, little endian");
    const auto dims = parse_shape(field(header, "shape"));
    if (!dims) return damaged(file, "the array's header has no 'shape'");
    // The size is checked against the bytes that are there before anything is allocated.
    const std::size_t available = data.size() - start - *length;
    std::size_t bytes = static_cast<std::size_t>(ir::storage_bytes(*element));
    for (const std::int64_t d : *dims) {
        if (d != 0 && bytes > available / static_cast<std::size_t>(d) + 1)
            return damaged(file, "the array is shorter than its shape says");
        bytes *= static_cast<std::size_t>(d);
    }
    if (bytes > available) return damaged(file, "the array is shorter than its shape says");
    Tensor tensor = Tensor::zeros({*element, *dims});
    const std::byte* from = data.data() + start + *length;
    if (field(header, "fortran_order").starts_with("True") && dims->size() > 1) {
        Dims strides(dims->size(), 1);
        for (std::size_t d = 1; d < strides.size(); ++d)
            strides[d] = strides[d - 1] * (*dims)[d - 1];
        strided_copy(ir::storage_bytes(*element), view(*dims), from, view(strides),
                     tensor.data.data(), view(row_major(view(*dims))));
    } else if (bytes > 0) {
        std::memcpy(tensor.data.data(), from, bytes);
    }
    return tensor;
}

Result<Bytes> inflate_entry(std::span<const std::byte> packed, std::size_t size,
                            const std::string& file) {
    // A deflated byte holds at most 1032 bytes: larger claims are lies, found before allocating.
    if (size / 1040 > packed.size() + 1) return damaged(file, "an entry claims an impossible size");
    Bytes out(size);
    z_stream stream{};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return damaged(file, "zlib could not start");
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(packed.data()));
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    std::size_t in_left = packed.size(), out_left = size;
    int state = Z_OK;
    constexpr std::size_t kMost = std::numeric_limits<uInt>::max();
    while (state == Z_OK) {
        if (stream.avail_in == 0) {
            stream.avail_in = static_cast<uInt>(std::min(in_left, kMost));
            in_left -= stream.avail_in;
        }
        if (stream.avail_out == 0) {
            stream.avail_out = static_cast<uInt>(std::min(out_left, kMost));
            out_left -= stream.avail_out;
        }
        state = inflate(&stream, Z_NO_FLUSH);
    }
    const bool whole = state == Z_STREAM_END && out_left == 0 && stream.avail_out == 0;
    inflateEnd(&stream);
    if (!whole) return damaged(file, "a compressed entry is damaged");
    return out;
}

Result<NamedTensors> parse_zip(std::span<const std::byte> data, const std::string& file) {
    // The end record lies in the last 64 KiB; it names the central directory.
    std::size_t end = data.size() < 22 ? 0 : data.size() - 22;
    const std::size_t lowest = end > 65536 ? end - 65536 : 0;
    while (end > lowest && number_at<std::uint32_t>(data, end) != kZipEnd) --end;
    if (number_at<std::uint32_t>(data, end) != kZipEnd)
        return damaged(file, "the archive has no end record", "a complete .npz file");
    const std::size_t entries = number_at<std::uint16_t>(data, end + 10).value_or(0);
    std::size_t at = number_at<std::uint32_t>(data, end + 16).value_or(0);
    NamedTensors tensors;
    for (std::size_t i = 0; i < entries; ++i) {
        const auto signature = number_at<std::uint32_t>(data, at);
        const auto method = number_at<std::uint16_t>(data, at + 10);
        const auto packed = number_at<std::uint32_t>(data, at + 20);
        const auto size = number_at<std::uint32_t>(data, at + 24);
        const auto name_length = number_at<std::uint16_t>(data, at + 28);
        const auto extra = number_at<std::uint16_t>(data, at + 30);
        const auto comment = number_at<std::uint16_t>(data, at + 32);
        const auto local = number_at<std::uint32_t>(data, at + 42);
        if (signature != kZipCentral || !local || at + 46 + *name_length > data.size())
            return damaged(file, "the archive's directory is damaged");
        std::string name(reinterpret_cast<const char*>(data.data()) + at + 46, *name_length);
        at += 46u + *name_length + *extra + *comment;
        if (*packed == 0xFFFFFFFFu || *size == 0xFFFFFFFFu)
            return damaged(file, fmt::format("entry '{}' is larger than 4 GiB", name),
                           "smaller arrays");
        const auto local_name = number_at<std::uint16_t>(data, std::size_t{*local} + 26);
        const auto local_extra = number_at<std::uint16_t>(data, std::size_t{*local} + 28);
        if (!local_extra) return damaged(file, fmt::format("entry '{}' is damaged", name));
        const std::size_t begin = std::size_t{*local} + 30 + *local_name + *local_extra;
        if (begin > data.size() || data.size() - begin < *packed)
            return damaged(file, fmt::format("entry '{}' is cut off", name));
        std::span<const std::byte> bytes = data.subspan(begin, *packed);
        Bytes inflated;
        if (*method == 8) {
            SW_TRY(inflated, inflate_entry(bytes, *size, file));
            bytes = inflated;
        } else if (*method != 0) {
            return damaged(file, fmt::format("entry '{}' is packed by method {}", name, *method),
                           "stored or deflated");
        }
        if (name.ends_with(".npy")) name.resize(name.size() - 4);
        SW_TRY(Tensor tensor, parse_npy(bytes, file));
        tensors.emplace_back(std::move(name), std::move(tensor));
    }
    return tensors;
}

}  // namespace

Result<NamedTensors> read_npz(const std::string& path) {
    std::ifstream in(path, std::ios::binary | std::ios::ate);
    const auto size = in ? static_cast<std::streamoff>(in.tellg()) : std::streamoff{-1};
    if (size < 0) return damaged(path, "cannot be opened", "a readable .npz or .npy file");
    Bytes data(static_cast<std::size_t>(size));
    in.seekg(0);
    if (size > 0 && !in.read(reinterpret_cast<char*>(data.data()), size))
        return damaged(path, "cannot be read");
    if (data.size() >= 6 && std::memcmp(data.data(), kNpyMagic, 6) == 0) {
        SW_TRY(Tensor tensor, parse_npy(data, path));
        NamedTensors one;
        one.emplace_back("", std::move(tensor));
        return one;
    }
    return parse_zip(data, path);
}

}  // namespace shardwright::exec
