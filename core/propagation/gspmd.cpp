// Policy gspmd: levels of aggressiveness 0 to 3, each to a fixed point (design/35, section 2).
#include <algorithm>
#include <unordered_map>

#include "propagation/gspmd_pass.h"
#include "propagation/policies.h"

namespace shardwright::propagation {
namespace {

constexpr int kLevels = 4;

bool is_operand_only(const rules::Factor& f) {
    return f.kind == rules::FactorKind::kReduction || f.kind == rules::FactorKind::kScattered;
}

}  // namespace

void complete_gspmd(Engine& engine) {
    engine.admit_all();  // this policy knows no priorities
    GspmdPass(engine).run();
}

GspmdPass::GspmdPass(Engine& engine) : engine_(engine), table_(engine.axes_table()) {
    is_given_.resize(engine_.slot_count(), 0);
    is_fixed_.resize(engine_.slot_count(), 0);
    for (std::size_t i = 0; i < engine_.slot_count(); ++i) {
        const SlotId slot(i);
        is_given_[i] = engine_.annotation(slot) != nullptr;
        bool open = false;
        for (std::size_t d = 0; d < engine_.rank(slot); ++d) open |= engine_.is_open(slot, d);
        is_fixed_[i] = !open;
    }
    forward_.resize(engine_.link_count());
    backward_.resize(engine_.slot_count());
    read_traits();
}

void GspmdPass::read_traits() {
    traits_.resize(engine_.link_count());
    was_refused_.resize(engine_.link_count(), 0);
    std::unordered_map<const rules::Rule*, Traits> known;  // rules are shared
    std::size_t most = 0;
    for (std::size_t l = 0; l < traits_.size(); ++l) {
        const rules::Rule& rule = *engine_.link(LinkId(l)).rule;
        const auto [found, is_new] = known.try_emplace(&rule);
        if (is_new) {
            found->second = traits_of(rule);
            most = std::max(most, rule.factors.size());
        }
        traits_[l] = found->second;
    }
    causes_.resize(most);
}

GspmdPass::Traits GspmdPass::traits_of(const rules::Rule& rule) {
    Traits t;
    for (const rules::Factor& f : rule.factors) {
        if (f.gspmd & rules::kForward) t.forward_level = std::min(t.forward_level, f.forward_level);
        if (f.gspmd & rules::kBackward)
            t.backward_level = std::min(t.backward_level, f.backward_level);
        t.ties_operands |= is_operand_only(f);
    }
    for (std::size_t i = 0; i < rule.tensor_count(); ++i)
        for (const rules::DimMapping& dim : rule.tensor(i)) t.is_simple &= dim.size() < 2;
    return t;
}

void GspmdPass::run() {
    pin_constrained_values();
    for (std::size_t s = 0; s < engine_.slot_count(); ++s)
        if (engine_.has_axes(SlotId(s))) queue_around(SlotId(s));
    for (level_ = 0; level_ < kLevels; ++level_) {
        if (level_ > 0) start_level();
        to_fixed_point();
    }
    level_ = kLevels - 1;
    if (engine_.options().record) list_conflicts();
}

/// A wholly constrained value is computed that way from the start, unless it has a sharding of its
/// own. A reshard asks for the move itself; an argument is where it is.
void GspmdPass::pin_constrained_values() {
    const ir::Module& m = engine_.module();
    for (std::size_t l = 0; l < engine_.link_count(); ++l) {
        const Link& link = engine_.link(LinkId(l));
        if (link.source != Source::kConstraint || m.op(link.op).kind == ir::OpKind::kReshard)
            continue;
        const SlotId operand = engine_.tensors(link)[0], result = engine_.tensors(link)[1];
        if (!is_fixed_[result.index] || is_given_[operand.index] || is_fixed_[operand.index])
            continue;
        if (!m.value(m.operand(link.op, 0)).def.valid()) continue;
        for (std::size_t d = 0; d < engine_.rank(result); ++d) {
            Cause cause;
            cause.source = Source::kConstraint;
            cause.op = link.op;
            cause.from = result;
            cause.from_dim = static_cast<std::uint16_t>(d);
            engine_.grow(operand, d, engine_.axes(result, d), cause);
        }
        is_given_[operand.index] = is_fixed_[operand.index] = 1;
    }
    engine_.take_changed();
}

/// Puts everything on the lists that this level may move and earlier ones could not.
void GspmdPass::start_level() {
    for (std::size_t l = 0; l < traits_.size(); ++l) {
        // From level 1 on partial shardings merge: what level 0 left unsaid is heard once more.
        const auto starts = [&](std::uint8_t first) {
            return first == level_ || (level_ == 1 && first == 0 && was_refused_[l]);
        };
        if (starts(traits_[l].forward_level)) forward_.add(l);
        if (!starts(traits_[l].backward_level)) continue;
        const Link& link = engine_.link(LinkId(l));
        for (const SlotId s : engine_.tensors(link).first(link.operand_count))
            backward_.add(s.index);
    }
}

void GspmdPass::to_fixed_point() {
    while (forward_.any() || backward_.any()) {  // ends: shardings only grow finer
        forward_.sweep_up([&](std::size_t l) {
            if (traits_[l].forward_level <= level_) hear_operands(LinkId(l));
        });
        backward_.sweep_down([&](std::size_t s) { hear_users(SlotId(s)); });
    }
}

void GspmdPass::queue_around(SlotId slot) {
    for (const LinkId id : engine_.links_of(slot)) {
        const Link& link = engine_.link(id);
        const auto slots = engine_.tensors(link);
        bool is_operand = false, is_result = false;
        for (std::size_t t = 0; t < slots.size(); ++t)
            if (slots[t] == slot) (t < link.operand_count ? is_operand : is_result) = true;
        if (is_operand) forward_.add(id.index);
        if (!is_result && !traits_[id.index].ties_operands) continue;
        for (std::size_t t = 0; t < link.operand_count; ++t) backward_.add(slots[t].index);
    }
}

void GspmdPass::queue_changes() {
    if (engine_.changed().empty()) return;
    for (const SlotId slot : engine_.take_changed()) queue_around(slot);
}

}  // namespace shardwright::propagation
