// Which values share a sharding, and the packed table of their dims.
#include <algorithm>
#include <numeric>

#include "propagation/engine.h"

namespace shardwright::propagation {
namespace {

constexpr AxesId kNotYet = 0xFFFFFFFFu;

}  // namespace

std::uint32_t Engine::find(std::uint32_t value) {
    while (slot_of_value_[value] != value) {
        slot_of_value_[value] = slot_of_value_[slot_of_value_[value]];
        value = slot_of_value_[value];
    }
    return value;
}

bool Engine::unite(ir::ValueId a, ir::ValueId b) {
    if (module_.type(a).dims != module_.type(b).dims) return false;
    const std::uint32_t left = find(a.index), right = find(b.index);
    slot_of_value_[std::max(left, right)] = std::min(left, right);
    return true;
}

/// Members of a `sharding_group` operation or of HLO's shard_as / shard_like end equal. Members
/// that the user annotated differently stay apart; that is said in a note.
void Engine::unite_groups() {
    std::map<std::int64_t, ir::ValueId> leader;
    const auto join = [&](std::int64_t group, ir::ValueId member) {
        const auto [at, is_new] = leader.try_emplace(group, member);
        if (is_new) return;
        const sharding::Sharding* mine = module_.annotation(member);
        const sharding::Sharding* theirs = module_.annotation(at->second);
        const bool differ = mine && theirs && !same_placement(*mine, *theirs);
        if (differ || !unite(member, at->second))
            note("sharding group " + std::to_string(group) +
                 " has members with different annotations or shapes; they stay as given");
        else if (mine && !theirs)
            at->second = member;
    };
    for (std::size_t i = 0; i < module_.op_count(); ++i)
        if (const auto* a = module_.attributes_if<ir::GroupAttributes>(ir::OpId(i)))
            for (const ir::ValueId member : module_.operands(ir::OpId(i))) join(a->group, member);
    // HLO's groups are numbered apart from Shardy's.
    constexpr std::int64_t kHlo = std::int64_t{1} << 40;
    std::vector<std::pair<ir::ValueId, std::int64_t>> annotated;
    for (const auto& [value, given] : module_.annotations())
        if (given.group >= 0) annotated.emplace_back(value, given.group + kHlo);
    std::ranges::sort(annotated);
    for (const auto& [value, group] : annotated) join(group, value);
}

SlotId Engine::add_slot(ir::ValueId value, std::span<const std::int64_t> shape) {
    const SlotId slot(value_of_slot_.size());
    value_of_slot_.push_back(value);
    dims_.resize(dims_.size() + shape.size());
    sizes_.insert(sizes_.end(), shape.begin(), shape.end());
    slot_begin_.push_back(static_cast<std::uint32_t>(dims_.size()));
    blocked_.push_back(kNoAxes);
    cut_dims_.push_back(0);
    given_.push_back(0);
    shared_of_slot_.push_back(0);
    return slot;
}

void Engine::build_slots(std::span<const rules::DataFlowEdge> edges) {
    const std::size_t values = module_.value_count();
    slot_of_value_.resize(values);
    std::iota(slot_of_value_.begin(), slot_of_value_.end(), 0u);
    for (const rules::DataFlowEdge& edge : edges)
        for (std::size_t i = 1; i < edge.targets.size(); ++i)
            unite(edge.targets[0], edge.targets[i]);
    unite_groups();

    slot_begin_.assign(1, 0);
    value_of_slot_.reserve(values);
    // A root is the lowest of its values, so it is met first and its slot number is known by then.
    for (std::uint32_t v = 0; v < values; ++v) {
        const std::uint32_t root = slot_of_value_[v] == v ? v : find(v);
        if (root == v) continue;
        slot_of_value_[v] = root;
    }
    std::vector<std::uint32_t> slot_of_root(values);
    for (std::uint32_t v = 0; v < values; ++v) {
        const std::uint32_t root = slot_of_value_[v];
        if (root == v) {
            slot_of_root[v] =
                add_slot(ir::ValueId(v), view(module_.type(ir::ValueId(v)).dims)).index;
        } else {
            std::uint32_t& shared = shared_of_slot_[slot_of_root[root]];
            if (shared == 0) {
                shared_.push_back({ir::ValueId(root)});
                shared = static_cast<std::uint32_t>(shared_.size());
            }
            shared_[shared - 1].push_back(ir::ValueId(v));
        }
    }
    for (std::uint32_t v = 0; v < values; ++v) slot_of_value_[v] = slot_of_root[slot_of_value_[v]];
    real_slots_ = value_of_slot_.size();
    region_manual_.assign(module_.region_count(), kNotYet);
}

AxesId Engine::manual_axes_of(ir::OpId op) {
    const auto* manual = module_.attributes_if<ir::ManualAttributes>(op);
    if (!manual) return kNoAxes;
    sharding::Sharding carrier;
    carrier.mesh = manual->mesh;
    carrier.manual = manual->axes;
    const auto adopted = adopt(carrier);
    return adopted ? table_.intern(adopted->manual) : kNoAxes;
}

/// Manual axes of all manual computations around a region.
AxesId Engine::manual_axes_of(ir::RegionId region) {
    std::vector<ir::RegionId> chain;
    AxesId axes = kNoAxes;
    for (ir::RegionId at = region; at.valid(); at = module_.op(module_.region(at).parent).parent) {
        if (region_manual_[at.index] != kNotYet) {
            axes = region_manual_[at.index];
            break;
        }
        chain.push_back(at);
        if (!module_.region(at).parent.valid()) break;
    }
    for (std::size_t i = chain.size(); i-- > 0;) {
        const ir::OpId parent = module_.region(chain[i]).parent;
        if (parent.valid()) axes = table_.concatenate(axes, manual_axes_of(parent));
        region_manual_[chain[i].index] = axes;
    }
    return axes;
}

}  // namespace shardwright::propagation
