#pragma once
// One step of policy `shardy`: propagates along the factors of one link.

#include <vector>

#include "propagation/engine.h"

namespace shardwright::propagation {

/// For each factor the axes on which all tensors agree (the longest list of which every tensor has
/// a prefix, cut where two differ); then each tensor takes what it can of each factor's axes:
/// not more than it may hold (closed, replicated, no division), not what another factor has there.
/// Factors whose axes come from a larger tensor are served first, then those of the earlier
/// operand.
///
/// Example: `[i,k] x [k,j] -> [i,j]` with i on `a`, j on `b,a`: the result gets `[a, b]`.
class ShardyStep {
  public:
    explicit ShardyStep(Engine& engine) : engine_(engine), table_(engine.axes_table()) {}
    /// Returns whether any tensor grew. `pass` is the operation priority, 0 to 2.
    bool run(LinkId link, std::uint8_t pass);

  private:
    struct Wish {
        AxesId axes = kNoAxes;
        AxesId sideways = kNoAxes;  ///< what operands may take: the most that some result may
        std::uint16_t factor = 0;
        std::uint16_t source = 0;  ///< tensor that had the axes first
        std::int64_t source_size = 0;
    };
    bool is_settled() const;
    std::uint8_t direction(const rules::Factor& factor, std::uint8_t pass) const;
    void gather(LinkId id, std::size_t factor, std::uint8_t direction);
    AxesId fitting(const FactorState& state, AxesId wanted, AxesId blocked);
    AxesId sideways(const Wish& wish, std::size_t operands);
    bool serve(LinkId id, std::size_t tensor);

    Engine& engine_;
    AxesTable& table_;
    Projection p_;
    std::vector<Wish> wishes_;
    std::vector<Cause> causes_;
};

}  // namespace shardwright::propagation
