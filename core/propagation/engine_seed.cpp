// Where propagation starts: the user's annotations, what may not change, and staged priorities.
#include <algorithm>
#include <set>

#include "propagation/engine.h"

namespace shardwright::propagation {

using sharding::DimSharding;
using sharding::Form;
using sharding::Sharding;

/// An annotation in terms of the mesh of this propagation. Nothing for one over other devices.
std::optional<Sharding> Engine::adopt(const Sharding& given) const {
    if (given.mesh == mesh_ || given.form != Form::kTiled) return given;
    if (given.mesh.index >= module_.meshes().size()) return std::nullopt;
    const mesh::Mesh& theirs = module_.mesh(given.mesh);
    // Another name for the same mesh, or the empty mesh, which names no axis.
    const bool same = std::ranges::equal(theirs.axes(), mesh().axes()) &&
                      theirs.device_ids() == mesh().device_ids();
    if (!same && !(theirs.axes().empty() && !theirs.is_maximal())) return std::nullopt;
    Sharding adopted = given;
    adopted.mesh = mesh_;
    return adopted;
}

void Engine::give(SlotId slot, const Sharding& given) {
    if (given.form == Form::kUnknown) return;
    if (given.form == Form::kTiled && given.dims.size() != rank(slot)) return;
    auto adopted = adopt(given);
    annotations_.push_back(adopted ? std::move(*adopted) : given);
    given_[slot.index] = static_cast<std::uint32_t>(annotations_.size());
}

const Sharding* Engine::annotation(SlotId slot) const {
    const std::uint32_t number = given_[slot.index];
    return number == 0 ? nullptr : &annotations_[number - 1];
}

void Engine::give_annotations() {
    std::vector<ir::ValueId> values;
    values.reserve(module_.annotations().size());
    for (const auto& [value, given] : module_.annotations()) values.push_back(value);
    std::ranges::sort(values);
    for (const ir::ValueId value : values)
        if (!annotation(slot(value))) give(slot(value), *module_.annotation(value));
    for (std::size_t i = 0; i < module_.op_count(); ++i) {
        const auto* stated = module_.attributes_if<ir::ShardingAttributes>(ir::OpId(i));
        if (!stated || module_.op(ir::OpId(i)).result_count != 1) continue;
        const SlotId target = slot(module_.result(ir::OpId(i)));
        Sharding given = stated->sharding;
        for (const std::int64_t dim : stated->unspecified_dims)
            if (dim >= 0 && static_cast<std::size_t>(dim) < given.dims.size())
                given.dims[static_cast<std::size_t>(dim)].open = true;
        give(target, given);
    }
}

void Engine::block(SlotId slot, AxesId axes) {
    blocked_[slot.index] = table_.concatenate(blocked_[slot.index], axes);
}

void Engine::close(SlotId slot) {
    for (std::size_t d = 0; d < rank(slot); ++d) dims_[slot_begin_[slot.index] + d].open = false;
}

/// Puts the user's axes on a dim.
void Engine::place(SlotId slot, std::size_t dim, AxesId axes, bool open) {
    dims_[slot_begin_[slot.index] + dim].open = open;
    if (axes == kNoAxes) return;
    set_axes(slot, dim, axes);
    record(slot, dim, kNoAxes, axes, Cause{Source::kUser, 0, {}, slot, {}, {}});
    changed_.push_back(slot);
    if (!pair_of_slot_.empty() && pair_of_slot_[slot.index] != 0) mirror(slot, dim);
}

void Engine::seed(SlotId slot) {
    const Sharding& given = *annotation(slot);
    const bool is_foreign = given.form == Form::kTiled && given.mesh != mesh_;
    if (given.form != Form::kTiled || is_foreign) return close(slot);
    for (const mesh::AxisList* set : {&given.replicated, &given.unreduced, &given.manual})
        block(slot, table_.intern(*set));
    for (std::size_t d = 0; d < given.dims.size(); ++d) {
        const DimSharding& dim = given.dims[d];
        const AxesId axes = table_.intern(dim.axes);
        if (dim.priority <= 0) {
            place(slot, d, axes, dim.open);
            continue;
        }
        place(slot, d, kNoAxes, false);
        staged_.push_back({dim.priority, slot, static_cast<std::uint16_t>(d), dim.open, axes});
        block(slot, axes);
    }
}

/// Arguments and results that carry no annotation and may not be given one.
void Engine::close_what_may_not_change() {
    const auto may = [](bool all, const std::vector<bool>& each, std::size_t i) {
        return all && (i >= each.size() || each[i]);
    };
    for (std::size_t f = 0; f < module_.functions().size(); ++f) {
        const ir::RegionId body = module_.functions()[f].body;
        for (std::size_t i = 0; i < module_.region(body).argument_count; ++i) {
            const SlotId argument = slot(module_.argument(body, i));
            if (!annotation(argument) && !may(options_.allow_inputs, options_.inputs, i))
                close(argument);
        }
        for (std::size_t i = 0; i < result_slots_[f].size(); ++i) {
            const SlotId result = result_slots_[f][i];
            if (!annotation(result) && !may(options_.allow_outputs, options_.outputs, i))
                close(result);
        }
    }
}

void Engine::seed_all() {
    for (std::size_t v = 0; v < module_.value_count(); ++v) {
        const ir::RegionId region = module_.value(ir::ValueId(v)).region;
        if (!region.valid()) continue;
        const AxesId manual = manual_axes_of(region);
        const SlotId s = slot(ir::ValueId(v));
        if (manual != kNoAxes && blocked(s) == kNoAxes) block(s, manual);
    }
    for (std::size_t s = 0; s < slot_count(); ++s)
        if (annotation(SlotId(s))) seed(SlotId(s));
    close_what_may_not_change();
    if (!pairs_.empty()) {
        pair_of_slot_.assign(slot_count(), 0);
        for (const ManualPair& pair : pairs_) seed_pair(pair);
    }
}

std::vector<int> Engine::priorities() const {
    std::set<int> all;
    for (const StagedDim& staged : staged_) all.insert(staged.priority);
    return {all.begin(), all.end()};
}

void Engine::admit(int priority) {
    std::vector<StagedDim> now, later;
    for (const StagedDim& staged : staged_)
        (staged.priority == priority ? now : later).push_back(staged);
    staged_ = std::move(later);
    for (const StagedDim& staged : now) {
        // Its axes are free for this dim again, and for no other one.
        mesh::AxisList left;
        for (const mesh::AxisRef& axis : table_.list(blocked(staged.slot)))
            if (!mesh::overlaps(axis, table_[staged.axes])) left.push_back(axis);
        blocked_[staged.slot.index] = table_.intern(left);
        place(staged.slot, staged.dim, staged.axes, staged.open);
    }
}

void Engine::admit_all() {
    for (const int priority : priorities()) admit(priority);
}

}  // namespace shardwright::propagation
