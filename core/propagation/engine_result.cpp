// Growth with its record, and the result.
#include <fmt/format.h>

#include "propagation/engine.h"

namespace shardwright::propagation {

using sharding::Form;
using sharding::Sharding;

void Engine::set_axes(SlotId slot, std::size_t dim, AxesId axes) {
    DimState& state = dims_[slot_begin_[slot.index] + dim];
    if ((state.axes == kNoAxes) != (axes == kNoAxes))
        cut_dims_[slot.index] =
            static_cast<std::uint8_t>(cut_dims_[slot.index] + (axes == kNoAxes ? -1 : 1));
    state.axes = axes;
}

bool Engine::grow(SlotId slot, std::size_t dim, AxesId axes, const Cause& cause) {
    const AxesId before = this->axes(slot, dim);
    if (!table_.is_strict_prefix(before, axes)) return false;
    const AxesId added = table_.behind(before, axes);
    if (table_.free_prefix(added, blocked(slot)) != added) return false;
    for (std::size_t d = 0; d < rank(slot); ++d)
        if (d != dim && table_.free_prefix(added, this->axes(slot, d)) != added) return false;
    set_axes(slot, dim, axes);
    record(slot, dim, before, axes, cause);
    changed_.push_back(slot);
    if (!pair_of_slot_.empty() && pair_of_slot_[slot.index] != 0) mirror(slot, dim);
    return true;
}

void Engine::record(SlotId slot, std::size_t dim, AxesId before, AxesId after, const Cause& cause) {
    if (!options_.record || slot.index >= real_slots_) return;
    Placement placement;
    placement.dim = static_cast<std::uint16_t>(dim);
    placement.pass = cause.pass;
    placement.source = cause.source;
    placement.op = cause.op;
    placement.from_dim = cause.from_dim;
    placement.factor = cause.factor;
    const std::uint32_t shared = shared_of_slot_[slot.index];
    const ir::ValueId own = value(slot);
    ir::ValueId from = cause.from.valid() ? value(cause.from) : ir::ValueId();
    if (from == own && cause.from.valid() && cause.from.index >= real_slots_ && !pairs_.empty() &&
        pair_of_slot_[cause.from.index] != 0) {
        // A manual computation's edge that has no value of its own: name the value behind it.
        const ManualPair& pair = pairs_[pair_of_slot_[cause.from.index] - 1];
        from = value(cause.from == pair.outside ? pair.inside : pair.outside);
    }
    const std::span<const ir::ValueId> members =
        shared == 0 ? std::span<const ir::ValueId>(&own, 1) : shared_[shared - 1];
    for (const mesh::AxisRef& axis : table_.list(table_.behind(before, after))) {
        placement.axis = axis;
        for (const ir::ValueId member : members) {
            placement.value = member;
            placement.from = from;
            result_.placements.push_back(placement);
        }
    }
}

void Engine::note_conflict(LinkId id, std::size_t factor, SlotId winner, AxesId winning,
                           SlotId loser, AxesId losing, std::string_view preference) {
    if (!options_.record) return;
    const std::uint64_t key =
        std::uint64_t{id.index} << 32 | (factor & 0xFFFFu) << 16 | (loser.index & 0xFFFFu);
    if (!noted_.insert(key).second) return;
    Conflict conflict;
    conflict.op = link(id).op;
    conflict.factor = static_cast<std::uint16_t>(factor);
    conflict.winner = winner.valid() ? value(winner) : ir::ValueId();
    conflict.loser = loser.valid() ? value(loser) : ir::ValueId();
    conflict.winning = table_.list(winning);
    conflict.losing = table_.list(losing);
    conflict.preference = std::string(preference);
    result_.conflicts.push_back(std::move(conflict));
}

/// Axes that propagation chose and that do not divide their dim go; user-given ones stay.
void Engine::drop_uneven(SlotId slot) {
    const Sharding* given = annotation(slot);
    if (given && (given->form != Form::kTiled || given->mesh != mesh_)) return;
    for (std::size_t d = 0; d < rank(slot); ++d) {
        const std::int64_t size = shape(slot)[d];
        if (axes(slot, d) == kNoAxes || size % table_.product(axes(slot, d)) == 0) continue;
        const AxesId users = given ? table_.intern(given->dims[d].axes) : kNoAxes;
        mesh::AxisList kept = table_.list(users);
        std::int64_t shards = table_.product(users);
        for (const mesh::AxisRef& axis : table_.list(table_.behind(users, axes(slot, d)))) {
            if (size % (shards * axis.size) != 0) break;
            shards *= axis.size;
            kept.push_back(axis);
        }
        set_axes(slot, d, table_.intern(kept));
    }
}

Sharding Engine::sharding_of(SlotId slot) const {
    const Sharding* given = annotation(slot);
    if (given && (given->form != Form::kTiled || given->mesh != mesh_)) return *given;
    Sharding s;
    s.mesh = mesh_;
    s.dims.resize(rank(slot));
    for (std::size_t d = 0; d < rank(slot); ++d) {
        const auto list = table_[axes(slot, d)];
        s.dims[d].axes.assign(list.begin(), list.end());
        s.dims[d].open = is_open(slot, d);
    }
    if (!given) return s;
    s.replicated = given->replicated;
    s.unreduced = given->unreduced;
    s.unreduced_kind = given->unreduced_kind;
    s.manual = given->manual;
    return s;
}

Result Engine::finish() {
    for (const ir::Function& function : module_.functions())
        for (std::size_t i = 0; i < module_.region(function.body).argument_count; ++i)
            drop_uneven(slot(module_.argument(function.body, i)));
    for (const auto& slots : result_slots_)
        for (const SlotId s : slots) drop_uneven(s);

    std::vector<ShardingId> of_slot(slot_count());
    for (std::size_t s = 0; s < slot_count(); ++s)
        of_slot[s] = result_.pool.intern(sharding_of(SlotId(s)));
    result_.of_value.reserve(module_.value_count());
    for (std::size_t v = 0; v < module_.value_count(); ++v)
        result_.of_value.push_back(of_slot[slot_of_value_[v]]);
    for (const auto& slots : result_slots_) {
        auto& results = result_.of_result.emplace_back();
        for (const SlotId s : slots) results.push_back(of_slot[s.index]);
    }
    return std::move(result_);
}

}  // namespace shardwright::propagation
