#pragma once
// Models of a wanted size for the benchmarks, annotated over a mesh.

#include <string>
#include <string_view>

#include "ir/module.h"
#include "zoo/zoo.h"

namespace shardwright::bench {

/// A zoo model of about `operations` operations ("mlp" or "transformer"), without annotations.
ir::Module model_of_size(std::string_view kind, std::int64_t operations,
                         const zoo::Options& options = {});

/// Puts mesh `axes` ("data=4,model=2") and the usual annotations on a zoo model: batch over `data`,
/// weights over both axes (the paper's finalised dense sharding). Returns the mesh's id.
sharding::MeshId annotate(ir::Module& module, std::string_view axes);

/// Sizes all divisible by 256, so that meshes of 2 x 4 and 256 x 256 cut every annotated dimension
/// evenly.
zoo::Options divisible_transformer();

}  // namespace shardwright::bench
