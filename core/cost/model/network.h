#pragma once
// Which links a mesh axis runs over: the first, simple mapping of logical to physical axes.

#include <string>
#include <vector>

#include "cost/model/chip.h"
#include "mesh/mesh.h"

namespace shardwright::cost {

/// A mesh axis, or the part of one, that lies along one physical network axis.
struct Span {
    enum class Kind : std::uint8_t { kTorus, kSwitch, kDataCentre };
    Kind kind = Kind::kTorus;
    std::size_t axis = 0;   ///< torus axis, or level of the switched network
    std::int64_t size = 1;  ///< devices along it
    /// Torus: neighbours along the mesh axis are this many hops apart, and as many rings share the
    /// links. 1 = direct neighbours.
    std::int64_t stride = 1;
    bool wraps = false;
};

/// Where the axes of a mesh lie on a chip's network.
struct Placement {
    std::vector<std::vector<Span>> axes;  ///< by mesh axis, major to minor
    std::vector<std::string> notes;       ///< shared links, axes that leave the slice
};

/// Torus: each mesh axis, in order, takes the first free torus axis that holds it; a larger one is
/// split over several; when none is free it shares one with an earlier axis (noted: they compete
/// for its links), else it runs over the data-centre network (noted). Switched: the minor mesh axes
/// fill the innermost domain. Example: v5e, data=4, model=2 lie along torus axes 0 and 1.
Placement place_axes(const mesh::Mesh& mesh, const Chip& chip);

/// The spans of a (sub-)axis.
std::vector<Span> spans_of(const mesh::Mesh& mesh, const Placement& placement,
                           const mesh::AxisRef& ref);

}  // namespace shardwright::cost
