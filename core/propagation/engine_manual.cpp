// Manual computations: the sharding outside is the manual axes, then the sharding inside.
#include "propagation/engine.h"

namespace shardwright::propagation {

void Engine::pair_manual(SlotId outside, SlotId inside, ir::OpId op, AxesId manual) {
    if (rank(outside) != rank(inside)) return;
    const sharding::Sharding* given = annotation(outside);
    if (!given || given->dims.size() != rank(outside)) return;
    ManualPair pair{outside, inside, static_cast<std::uint32_t>(manual_axes_.size()), op};
    const mesh::AxisList free = table_.list(manual);
    for (const sharding::DimSharding& dim : given->dims) {
        mesh::AxisList leading;
        for (const mesh::AxisRef& axis : dim.axes) {
            if (!mesh::overlaps(axis, view(free))) break;
            leading.push_back(axis);
        }
        manual_axes_.push_back(table_.intern(leading));
    }
    pairs_.push_back(pair);
}

/// Opens the inside as far as the outside is, and gives it the axes behind the manual ones.
void Engine::seed_pair(const ManualPair& pair) {
    const auto number = static_cast<std::uint32_t>(&pair - pairs_.data()) + 1;
    if (pair_of_slot_[pair.outside.index] != 0 || pair_of_slot_[pair.inside.index] != 0) return;
    pair_of_slot_[pair.outside.index] = number;
    pair_of_slot_[pair.inside.index] = number;
    block(pair.inside, blocked(pair.outside));
    // The inside may not take the manual axes, nor the outside put them behind others.
    block(pair.inside, manual_axes_of(pair.op));
    for (std::size_t d = 0; d < rank(pair.outside); ++d) {
        dims_[slot_begin_[pair.inside.index] + d].open = is_open(pair.outside, d);
        set_axes(pair.inside, d, kNoAxes);
        mirror(pair.outside, d);
    }
}

/// Brings the other side of a manual pair up to what `slot` has on `dim`.
void Engine::mirror(SlotId slot, std::size_t dim) {
    const ManualPair& pair = pairs_[pair_of_slot_[slot.index] - 1];
    const AxesId manual = manual_axes_[pair.manual + dim];
    const bool from_outside = slot == pair.outside;
    const SlotId other = from_outside ? pair.inside : pair.outside;
    AxesId wanted = kNoAxes;
    if (!from_outside)
        wanted = table_.concatenate(manual, axes(slot, dim));
    else if (table_.is_prefix(manual, axes(slot, dim)))
        wanted = table_.behind(manual, axes(slot, dim));
    const AxesId before = axes(other, dim);
    if (!table_.is_strict_prefix(before, wanted)) return;
    Cause cause;
    cause.source = Source::kManual;
    cause.op = pair.op;
    cause.from = slot;
    cause.from_dim = static_cast<std::uint16_t>(dim);
    set_axes(other, dim, wanted);
    record(other, dim, before, wanted, cause);
    changed_.push_back(other);
}

}  // namespace shardwright::propagation
