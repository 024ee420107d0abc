#pragma once
// Where a value's data lies: the axes of every dimension and the axes it is still to be reduced
// over. A sharding without what only propagation needs (open dims, priorities, replicated axes).

#include <cstdint>
#include <string>

#include "ir/element_type.h"
#include "mesh/mesh.h"
#include "sharding/sharding.h"

namespace shardwright::partition {

using mesh::AxisList;
using mesh::AxisRef;
using sharding::Reduction;

/// Canonical: neighbouring parts of one axis are merged, pending axes sorted. Compare with ==.
struct Layout {
    InlineVector<AxisList, 4> dims;
    AxisList unreduced;  ///< the value is a pending reduction over these
    Reduction kind = Reduction::kSum;

    static Layout replicated(std::size_t rank);
    std::size_t rank() const { return dims.size(); }
    std::int64_t shards(std::size_t dim) const { return mesh::product(dims[dim]); }
    bool is_replicated() const;
    /// Every axis in use, in dims or pending.
    AxisList used_axes() const;
    /// Merges neighbours and sorts pending axes.
    void canonicalise();
    friend bool operator==(const Layout& a, const Layout& b) {
        return a.dims == b.dims && a.unreduced == b.unreduced &&
               (a.unreduced.empty() || a.kind == b.kind);
    }
};

/// The layout of a sharding of a tensor of `rank` dims. Maximal and unknown shardings are
/// replicated (every device holds what the one device would); manual axes are no concern of a
/// layout.
Layout to_layout(const sharding::Sharding& s, std::size_t rank);
/// The closed sharding of a layout.
sharding::Sharding to_sharding(const Layout& layout, sharding::MeshId mesh);

/// The local buffer's type, and its bytes.
ir::TensorType local_type(const ir::TensorType& type, const Layout& layout);
std::int64_t local_bytes(const ir::TensorType& type, const Layout& layout);

/// `a` followed by `b`, neighbours merged.
AxisList joined(const AxisList& a, const AxisList& b);
std::size_t hash_value(const Layout& layout);
std::size_t hash_value(const ir::TensorType& type);

}  // namespace shardwright::partition
