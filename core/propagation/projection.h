#pragma once
// The tensors of one link read as factors: which axes stand on which factor of which tensor.

#include <cstdint>
#include <vector>

#include "propagation/axes_table.h"

namespace shardwright::propagation {

/// One factor in one tensor.
struct FactorState {
    AxesId axes = kNoAxes;
    /// Axes behind `axes` on the same dim that do not fit this factor (sizes without a common
    /// divisor); nothing can be added then.
    AxesId overflow = kNoAxes;
    std::int64_t size = 1;  ///< the factor's size in this tensor
    bool present = false;   ///< the tensor has the factor
    bool open = false;
    bool is_minor_most = true;  ///< the last factor of its dim: may be cut unevenly
    std::uint16_t dim = 0;      ///< where it stands
};

/// Scratch memory of a policy, reused from link to link. A dim of one factor gives its axes to that
/// factor; a dim of several hands them out from the major factor on, splitting axes: a dim of
/// factors 8 and 4 cut by `a` of size 16 gives `a:(1)8` and `a:(8)2`.
struct Projection {
    std::size_t tensor_count = 0, factor_count = 0;
    std::vector<FactorState> states;  ///< tensor-major
    std::vector<AxesId> taken;        ///< by tensor: blocked, and on dims without a factor

    FactorState& at(std::size_t tensor, std::size_t factor) {
        return states[tensor * factor_count + factor];
    }
    const FactorState& at(std::size_t tensor, std::size_t factor) const {
        return states[tensor * factor_count + factor];
    }
};

}  // namespace shardwright::propagation
