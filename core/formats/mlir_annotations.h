#pragma once
// The shardings of a module's text: Shardy's and HLO's, tied to the module's meshes.

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/mlir_attributes.h"
#include "formats/mlir_syntax.h"
#include "sharding/hlo_sharding.h"

namespace shardwright::formats::mlir {

class Annotations {
  public:
    Annotations(const Source& source, const Syntax& syntax, ir::Module& module)
        : source_(source), syntax_(syntax), module_(module) {}

    /// Meshes first: `sdy.mesh` operations, `xla.sdy.meshes`, then one derived from all
    /// `mhlo.sharding` strings of the module together.
    Status find_meshes();

    /// The shardings in a list of attributes, one a value (fewer when the text has fewer); empty
    /// when there are none. Shardy's count before HLO's.
    Result<std::vector<sharding::Sharding>> of(Range attrs, std::span<const ir::TensorType> types);
    /// A sharding that stands in Shardy text at `pos`: `<@mesh, [{"a"}]>`.
    Result<sharding::Sharding> of_sdy(std::string_view text, Pos pos);
    /// `[<@m, …>, <@m, …>]`.
    Result<std::vector<sharding::Sharding>> of_sdy_list(std::string_view text, Pos pos);
    /// `{"a", "b"}` of `mesh`.
    Result<mesh::AxisList> axes(std::string_view text, Pos pos, ir::MeshId mesh);
    /// One HLO sharding, e.g. of a `@Sharding` call.
    Result<sharding::Sharding> of_hlo(const Attr& attr, std::size_t rank);
    /// The sharding of the only value of `attrs`, whichever form; nothing when there is none.
    Result<std::optional<sharding::Sharding>> one(Range attrs, const ir::TensorType& type);

    /// False when HLO shardings are without meaning: one device.
    bool has_hlo_mesh() const { return hlo_mesh_.has_value(); }
    std::optional<ir::MeshId> hlo_mesh() const { return hlo_mesh_; }
    /// The mesh of all devices that collectives' groups are told over, if there is just one.
    std::optional<ir::MeshId> device_mesh() const;

  private:
    Status add_sdy_mesh(const RawOp& op);
    Status add_frontend_meshes();
    Result<mesh::Mesh> parse_mesh(std::string_view text, Pos pos, std::string name);
    Status collect_hlo();
    Result<const sharding::HloShardingText*> parsed(const Attr& attr);
    Result<sharding::Sharding> of_leaf(const sharding::HloSharding& leaf, std::size_t rank,
                                       Pos pos);
    /// `xla.sdy.sharding` among `mhlo.frontend_attributes`, unescaped; "" when there is none.
    std::string frontend_sharding(Range attrs) const;
    template <class Visit>
    void each_attribute_list(Visit&& visit) const;

    const Source& source_;
    const Syntax& syntax_;
    ir::Module& module_;
    std::optional<ir::MeshId> hlo_mesh_;
    std::unordered_map<std::string_view, sharding::HloShardingText> hlo_;
    std::unordered_map<std::string_view, sharding::Sharding> sdy_;
};

}  // namespace shardwright::formats::mlir
