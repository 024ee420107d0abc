#pragma once
// Annotations of HLO text: `sharding=` in its three forms and the named one beside it.

#include <map>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/hlo_cursor.h"
#include "formats/hlo_syntax.h"
#include "ir/module.h"
#include "sharding/hlo_sharding.h"

namespace shardwright::formats::hlo {

/// Key and value pairs of `frontend_attributes={a="x",b={…}}`.
Result<std::vector<Attribute>> parse_frontend_attributes(const Source& source,
                                                         std::string_view text);

/// Ties the annotations of one file to named mesh axes. The meshes of `xla.sdy.meshes` are used
/// where the file has them; else one is derived from all tile assignments together. An assignment
/// that this mesh does not explain gets a mesh of its own, with an explicit device order.
class Shardings {
  public:
    Shardings(const Source& source, ir::Module& module) : source_(source), module_(module) {}

    /// Reads the header's meshes, or derives a mesh; adds them to the module.
    Status find_meshes(const File& file);

    /// One sharding a leaf of the instruction's shape; empty when it has no annotation. `shape`
    /// says what the annotation is of (usually `instruction.shape`).
    Result<std::vector<sharding::Sharding>> of(const Instruction& instruction, const Shape& shape);
    /// From Shardy text: `#sdy.sharding<@mesh, …>` or `#sdy.sharding_per_value<[…]>`, unescaped.
    Result<std::vector<sharding::Sharding>> of_sdy(std::string_view place, const std::string& text,
                                                   const Shape& shape);

  private:
    const Source& source_;
    ir::Module& module_;
    sharding::MeshId primary_{0};
    std::map<std::string, sharding::MeshId, std::less<>> by_name_;
    std::unordered_map<std::string_view, sharding::HloShardingText> parsed_;
    std::unordered_map<std::string_view, std::string>
        sdy_texts_;  // raw attributes -> sharding text

    Status read_meshes(std::string_view place, const std::string& text);
    Status derive(const File& file);
    Result<const sharding::HloShardingText*> parsed(std::string_view text);
    Result<const std::string*> sdy_text(const Instruction& instruction);
    Result<sharding::Sharding> of_leaf(std::string_view place, const sharding::HloSharding& s,
                                       std::size_t rank);
};

}  // namespace shardwright::formats::hlo
