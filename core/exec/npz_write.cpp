// Writing .npz: stored entries, each a .npy file.
#include <fmt/format.h>
#include <zlib.h>

#include <cstring>

#include "base/atomic_file.h"
#include "exec/npz.h"
#include "exec/npz_format.h"

namespace shardwright::exec {
namespace {

template <class T>
void put(std::string& out, T value) {
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    out.append(bytes, sizeof(T));
}

std::string npy_header(const ir::TensorType& type) {
    std::string shape;
    for (const std::int64_t d : type.dims)
        shape += fmt::format("{},{}", d, type.rank() > 1 ? " " : "");
    std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}",
                                   code_of_element(type.element), shape);
    // numpy wants the data to start at a multiple of 64.
    const std::size_t total = (10 + text.size() + 1 + 63) / 64 * 64;
    text.append(total - 10 - text.size() - 1, ' ');
    text += '\n';
    std::string header(kNpyMagic, 6);
    header += '\x01';
    header += '\x00';
    put(header, static_cast<std::uint16_t>(text.size()));
    return header + text;
}

struct Entry {
    std::string name;
    std::uint32_t crc, size, offset;
};

/// The fields that local and central records share.
void put_facts(std::string& out, const Entry& e) {
    put(out, std::uint16_t{20});  // version needed
    put(out, std::uint16_t{0});   // flags
    put(out, std::uint16_t{0});   // stored
    put(out, std::uint16_t{0});   // time: none, so that equal tensors make equal files
    put(out, std::uint16_t{33});  // 1 January 1980
    put(out, e.crc);
    put(out, e.size);
    put(out, e.size);
    put(out, static_cast<std::uint16_t>(e.name.size()));
    put(out, std::uint16_t{0});
}

}  // namespace

Status write_npz(const std::string& path, const NamedTensors& tensors) {
    std::string archive;
    std::vector<Entry> entries;
    constexpr std::size_t kLimit = 0xFFFFFFF0u;
    for (const auto& [name, tensor] : tensors) {
        const std::string header = npy_header(tensor.type);
        const std::size_t size = header.size() + tensor.data.size();
        if (size > kLimit || archive.size() + size > kLimit)
            return unsupported(fmt::format("array '{}' makes {} larger than 4 GiB", name, path));
        const auto* data = reinterpret_cast<const Bytef*>(tensor.data.data());
        uLong crc = crc32_z(0, reinterpret_cast<const Bytef*>(header.data()), header.size());
        if (!tensor.data.empty()) crc = crc32_z(crc, data, tensor.data.size());
        Entry entry{name + ".npy", static_cast<std::uint32_t>(crc),
                    static_cast<std::uint32_t>(size), static_cast<std::uint32_t>(archive.size())};
        put(archive, kZipLocal);
        put_facts(archive, entry);
        archive += entry.name;
        archive += header;
        archive.append(reinterpret_cast<const char*>(tensor.data.data()), tensor.data.size());
        entries.push_back(std::move(entry));
    }
    const std::size_t directory = archive.size();
    for (const Entry& e : entries) {
        put(archive, kZipCentral);
        put(archive, std::uint16_t{20});
        put_facts(archive, e);
        put(archive, std::uint16_t{0});  // comment
        put(archive, std::uint16_t{0});  // disk
        put(archive, std::uint16_t{0});  // attributes
        put(archive, std::uint32_t{0});
        put(archive, e.offset);
        archive += e.name;
    }
    const std::size_t directory_size = archive.size() - directory;
    put(archive, kZipEnd);
    put(archive, std::uint32_t{0});
    put(archive, static_cast<std::uint16_t>(entries.size()));
    put(archive, static_cast<std::uint16_t>(entries.size()));
    put(archive, static_cast<std::uint32_t>(directory_size));
    put(archive, static_cast<std::uint32_t>(directory));
    put(archive, std::uint16_t{0});
    return write_file_atomically(path, archive);
}

}  // namespace shardwright::exec
