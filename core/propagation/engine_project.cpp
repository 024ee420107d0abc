// Dims to factors and back.
#include <numeric>

#include "propagation/engine.h"

namespace shardwright::propagation {
namespace {

using mesh::AxisList;
using mesh::AxisRef;

/// Takes as much of the front of `rest` as fits a factor of `size` with factors behind it. Sets
/// `overflows` when axes are left that share no divisor with what is left of the factor.
AxisList take_major(AxisList& rest, std::int64_t size, bool& overflows) {
    AxisList taken;
    while (!rest.empty()) {
        AxisRef& front = rest.front();
        const std::int64_t shared = std::gcd(size, std::int64_t{front.size});
        if (front.size != 1 && shared == 1) break;
        AxisRef part = front;
        part.size = front.size == 1 ? 1u : static_cast<std::uint32_t>(shared);
        taken.push_back(part);
        size /= part.size;
        if (part.size == front.size) {
            rest.erase(rest.begin());
        } else {
            front.pre = part.next_pre() & 0xFFFFFFu;
            front.size /= part.size;
        }
    }
    overflows = size > 1 && !rest.empty();
    return taken;
}

void split(AxesTable& table, const rules::DimMapping& mapping, AxesId axes, bool open,
           std::size_t tensor, Projection& p) {
    AxisList rest = table.list(axes);
    bool overflowed = false;
    for (std::size_t i = 0; i < mapping.size(); ++i) {
        FactorState& state = p.at(tensor, mapping[i].factor);
        state.is_minor_most = i + 1 == mapping.size();
        state.open = open && !overflowed;
        if (overflowed) continue;
        if (state.is_minor_most) {
            state.axes = table.intern(rest);
            continue;
        }
        state.axes = table.intern(take_major(rest, mapping[i].size, overflowed));
        if (overflowed) state.overflow = table.intern(rest);
    }
}

}  // namespace

void Engine::project(LinkId id, Projection& p) {
    const Link& l = link(id);
    const auto slots = tensors(l);
    p.tensor_count = slots.size();
    p.factor_count = l.rule->factors.size();
    p.states.assign(p.tensor_count * p.factor_count, FactorState{});
    p.taken.assign(p.tensor_count, kNoAxes);
    for (std::size_t t = 0; t < slots.size(); ++t) {
        const rules::TensorMapping& mapping = l.rule->tensor(t);
        p.taken[t] = blocked(slots[t]);
        for (std::size_t d = 0; d < rank(slots[t]); ++d) {
            const AxesId present = axes(slots[t], d);
            if (d >= mapping.size() || mapping[d].empty()) {
                p.taken[t] = table_.concatenate(p.taken[t], present);
                continue;
            }
            for (const rules::DimFactor& part : mapping[d]) {
                FactorState& state = p.at(t, part.factor);
                state.present = true;
                state.size = part.size;
                state.dim = static_cast<std::uint16_t>(d);
            }
            if (mapping[d].size() > 1) {
                split(table_, mapping[d], present, is_open(slots[t], d), t, p);
                continue;
            }
            FactorState& state = p.at(t, mapping[d][0].factor);
            state.axes = present;
            state.open = is_open(slots[t], d);
        }
    }
}

bool Engine::write_back(LinkId id, const Projection& p, std::size_t tensor,
                        std::span<const Cause> causes) {
    const Link& l = link(id);
    const SlotId slot = tensors(l)[tensor];
    const rules::TensorMapping& mapping = l.rule->tensor(tensor);
    bool grew = false;
    for (std::size_t d = 0; d < mapping.size() && d < rank(slot); ++d) {
        AxesId whole = kNoAxes;
        const AxesId present = axes(slot, d);
        Cause cause;
        bool is_known = false;
        for (const rules::DimFactor& part : mapping[d]) {
            const FactorState& state = p.at(tensor, part.factor);
            whole = table_.concatenate(whole, state.axes);
            if (!is_known && whole != kNoAxes && !table_.is_prefix(whole, present)) {
                cause = causes[part.factor];
                is_known = true;
            }
            if (state.overflow != kNoAxes) {
                whole = table_.concatenate(whole, state.overflow);
                break;
            }
            // Behind a factor that is not cut through, axes would mean a strided view.
            if (table_.product(state.axes) < part.size) break;
        }
        if (whole != present && grow(slot, d, whole, cause)) grew = true;
    }
    return grew;
}

}  // namespace shardwright::propagation
