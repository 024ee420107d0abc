#pragma once
// Every layout of a tensor over the axes of a mesh.

#include <vector>

#include "partition/layout.h"

namespace shardwright::test {

/// Every axis on some dimension, at any place in its list, or unused; full axes only.
inline std::vector<partition::Layout> all_layouts(const mesh::Mesh& mesh, std::size_t rank) {
    std::vector<partition::Layout> all{partition::Layout::replicated(rank)};
    for (std::size_t a = 0; a < mesh.rank(); ++a) {
        const std::vector<partition::Layout> before = all;
        for (const partition::Layout& layout : before)
            for (std::size_t d = 0; d < rank; ++d)
                for (std::size_t at = 0; at <= layout.dims[d].size(); ++at) {
                    partition::Layout more = layout;
                    auto& axes = more.dims[d];
                    axes.insert(axes.begin() + static_cast<std::ptrdiff_t>(at), mesh.full(a));
                    all.push_back(more);
                }
    }
    return all;
}

}  // namespace shardwright::test
