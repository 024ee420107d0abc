#pragma once
// Pieces of HLO's sharding text that its parsers share. Private to core/sharding.

#include "sharding/hlo_sharding.h"
#include "sharding/scanner.h"

namespace shardwright::sharding {

constexpr std::int64_t kMaxHloDevices = std::int64_t{1} << 40;
/// Device lists longer than this are not written out for the user.
constexpr std::int64_t kMaxExpandedDevices = std::int64_t{1} << 20;

/// `[2,1,4]`: sizes of at least 1, with a product of at most 2^40.
Result<Dims> read_sizes(Scanner& in);
/// `T(1,0,2)`, if it stands here; checked to be a permutation of `rank`; empty = identity.
Status read_permutation(Scanner& in, std::size_t rank, InlineVector<std::int32_t, 6>& permutation);
/// The body of `{mesh[…] …}` and `{maximal_mesh[…]}`, up to where shard_as or metadata may stand.
Status read_named(Scanner& in, HloSharding& s);
/// `mesh['a'=2,'b'=4]` with its `device_ids=…`, behind the word `mesh`.
Result<mesh::Mesh> read_named_mesh(Scanner& in);
/// `{'a', 'b':(1)2}`: a set of axes, by name or by index.
Result<AxisList> read_named_axes(Scanner& in, const mesh::Mesh& mesh);
/// What stands between the outer braces of a named sharding.
std::string print_named(const HloSharding& s);

inline std::int64_t product_of(std::span<const std::int64_t> sizes) {
    std::int64_t product = 1;
    for (const std::int64_t size : sizes) product *= size;
    return product;
}

}  // namespace shardwright::sharding
