#include "exec/shards.h"

#include <cmath>
#include <cstring>
#include <map>
#include <vector>

#include "exec/strided_copy.h"
#include "ir/literal.h"
#include "sharding/geometry.h"

namespace shardwright::exec {
namespace {

/// The valid part of a device's shard, in the whole and in the buffer.
struct Piece {
    Dims sizes, whole_strides, shard_strides, shard_dims;
    std::int64_t offset = 0;  // elements into the whole
    bool full = true;         // no padding in the buffer

    Piece(const ir::TensorType& whole, const sharding::Sharding& s, const mesh::Mesh& mesh,
          std::int64_t position)
        : whole_strides(row_major(view(whole.dims))) {
        shard_dims = sharding::shard_shape(view(whole.dims), s);
        shard_strides = row_major(view(shard_dims));
        const auto slice = sharding::shard_slice(view(whole.dims), s, mesh, position);
        for (std::size_t d = 0; d < whole.dims.size(); ++d) {
            sizes.push_back(slice[d].length());
            full = full && slice[d].length() == shard_dims[d];
            offset += slice[d].begin * whole_strides[d];
        }
    }
    std::int64_t count(const Dims& dims) const {
        std::int64_t n = 1;
        for (const std::int64_t d : dims) n *= d;
        return n;
    }
};

std::vector<std::byte> padding_element(ir::ElementType type) {
    std::vector<std::byte> element;
    if (ir::is_float(type) || ir::is_complex(type)) {
        ir::append_element(element, type, std::nan(""));
        if (ir::is_complex(type)) {  // both parts
            const std::size_t half = element.size() / 2;
            std::memcpy(element.data() + half, element.data(), half);
        }
    } else if (type == ir::ElementType::kBool) {
        element.push_back(std::byte{1});
    } else {
        element.assign(static_cast<std::size_t>(ir::storage_bytes(type)), std::byte{0x5A});
        if (ir::bit_width(type) < 8) {
            element.clear();
            ir::append_element_int(element, type, 1);
        }
    }
    return element;
}

/// Which shard the device holds: equal numbers mean equal slices.
std::int64_t shard_number(const sharding::Sharding& s, const mesh::Mesh& mesh,
                          std::int64_t position) {
    if (s.form != sharding::Form::kTiled) return 0;
    std::int64_t number = 0;
    for (const auto& dim : s.dims)
        number = number * mesh::product(dim.axes) + mesh.index_along(position, view(dim.axes));
    return number;
}

bool is_nan_at(ir::ElementType type, const std::byte* data, std::int64_t index,
               std::int64_t count) {
    const auto bytes = static_cast<std::size_t>(count * ir::storage_bytes(type));
    return std::isnan(ir::element_as_double({data, bytes}, type, index));
}

}  // namespace

void slice_shard(const ir::TensorType& whole, const sharding::Sharding& s, const mesh::Mesh& mesh,
                 std::int64_t position, const std::byte* from, std::byte* to) {
    const Piece piece(whole, s, mesh, position);
    const int bytes = ir::storage_bytes(whole.element);
    if (bytes == 0) return;
    const bool absent = s.form == sharding::Form::kMaximal && position != s.maximal_device;
    if (!piece.full || absent)
        fill(bytes, padding_element(whole.element).data(), to, piece.count(piece.shard_dims));
    if (!absent)
        strided_copy(bytes, view(piece.sizes), from + piece.offset * bytes,
                     view(piece.whole_strides), to, view(piece.shard_strides));
}

bool same_values(ir::ElementType type, const std::byte* a, const std::byte* b, std::int64_t count) {
    const std::int64_t bytes = ir::storage_bytes(type);
    if (count * bytes == 0 || std::memcmp(a, b, static_cast<std::size_t>(count * bytes)) == 0)
        return true;
    if (ir::is_complex(type)) return same_values(ir::real_type(type), a, b, 2 * count);
    if (!ir::is_float(type)) return false;
    for (std::int64_t i = 0; i < count; ++i) {
        if (std::memcmp(a + i * bytes, b + i * bytes, static_cast<std::size_t>(bytes)) == 0)
            continue;
        if (!is_nan_at(type, a, i, count) || !is_nan_at(type, b, i, count)) return false;
    }
    return true;
}

std::optional<std::pair<std::int64_t, std::int64_t>> assemble_shards(
    const ir::TensorType& whole, const sharding::Sharding& s, const mesh::Mesh& mesh,
    std::span<const ShardView> shards, std::byte* to) {
    const int bytes = ir::storage_bytes(whole.element);
    std::map<std::int64_t, const ShardView*> first;
    for (const ShardView& shard : shards) {
        if (s.form == sharding::Form::kMaximal && shard.position != s.maximal_device) continue;
        const Piece piece(whole, s, mesh, shard.position);
        const auto [known, fresh] = first.emplace(shard_number(s, mesh, shard.position), &shard);
        if (fresh) {
            strided_copy(bytes, view(piece.sizes), shard.data, view(piece.shard_strides),
                         to + piece.offset * bytes, view(piece.whole_strides));
            continue;
        }
        const std::byte* other = known->second->data;
        const std::int64_t all = piece.count(piece.shard_dims);
        if (other == shard.data || all * bytes == 0 ||
            std::memcmp(other, shard.data, static_cast<std::size_t>(all * bytes)) == 0)
            continue;
        // Padding may differ: compare the valid parts alone.
        const std::int64_t count = piece.count(piece.sizes);
        std::vector<std::byte> a(static_cast<std::size_t>(count * bytes)), b(a.size());
        const Dims dense = row_major(view(piece.sizes));
        strided_copy(bytes, view(piece.sizes), other, view(piece.shard_strides), a.data(),
                     view(dense));
        strided_copy(bytes, view(piece.sizes), shard.data, view(piece.shard_strides), b.data(),
                     view(dense));
        if (!same_values(whole.element, a.data(), b.data(), count))
            return std::pair{known->second->position, shard.position};
    }
    return std::nullopt;
}

}  // namespace shardwright::exec
