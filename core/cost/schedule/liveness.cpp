#include "cost/schedule/liveness.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "cost/schedule/fusion.h"

namespace shardwright::cost {
namespace {

using ir::Module;
using ir::OpId;
using ir::OpKind;
using ir::RegionId;
using ir::ValueId;

constexpr std::uint32_t kNever = 0;

/// Follows the buffers of a module: which value owns its storage, and until when it is needed.
class Liveness {
  public:
    Liveness(const Module& m, const MemoryOptions& options) : m_(m), options_(options) {
        const ir::Uses uses(m);
        fused_ = options.fused ? fused_values(m, uses) : std::vector<bool>(m.value_count(), false);
        place_.resize(m.op_count(), 0);
        last_.resize(m.value_count(), kNever);
        root_.resize(m.value_count());
        for (std::size_t i = 0; i < m.value_count(); ++i) root_[i] = ValueId(i);
    }

    Memory run(const std::vector<bool>& lost) {
        Memory out;
        if (!m_.has_entry()) return out;
        const ir::Function& f = m_.entry();
        number(f.body);
        find_last_uses(f.body);
        share(f.body);
        const ir::Region& body = m_.region(f.body);
        const auto end = static_cast<std::uint32_t>(body.ops.size());
        for (std::uint32_t i = 0; i < body.argument_count; ++i) {
            const ValueId v = m_.argument(f.body, i);
            out.argument_bytes += bytes(v);
            if (!f.arguments[i].donated) last_[v.index] = end + 1;
        }
        alias_outputs(f, lost, out);
        for (const ValueId v : distinct_roots(m_.returned(f.body)))
            if (m_.value(v).def.valid()) out.output_bytes += bytes(v);
        walk(f.body, out);
        finish(f, out);
        return out;
    }

  private:
    const Module& m_;
    MemoryOptions options_;
    std::vector<bool> fused_;
    std::vector<std::uint32_t> place_;  // by op: its place in its region, from 1
    std::vector<std::uint32_t> last_;   // by value: place of the last use in the value's region
    std::vector<ValueId> root_;         // by value: whose storage it has
    std::unordered_map<RegionId, OpId> peak_ops_;  // of inner regions

    std::int64_t bytes(ValueId v) const { return fused_[v.index] ? 0 : m_.type(v).byte_size(); }

    ValueId root(ValueId v) const {
        while (root_[v.index] != v) v = root_[v.index];
        return v;
    }

    std::vector<ValueId> distinct_roots(std::span<const ValueId> values) const {
        std::vector<ValueId> out;
        for (const ValueId v : values) out.push_back(root(v));
        std::sort(out.begin(), out.end());
        out.erase(std::unique(out.begin(), out.end()), out.end());
        return out;
    }

    void number(RegionId region) {
        std::uint32_t next = 0;
        for (const OpId id : m_.region(region).ops) {
            place_[id.index] = ++next;
            for (const RegionId inner : m_.regions(id)) number(inner);
        }
    }

    /// A use deep inside a loop is a use by the loop, for values from outside.
    void use(OpId user, ValueId v) {
        OpId at = user;
        while (m_.op(at).parent != m_.value(v).region) {
            at = m_.region(m_.op(at).parent).parent;
            if (!at.valid()) return;
        }
        last_[v.index] = std::max(last_[v.index], place_[at.index]);
    }

    void find_last_uses(RegionId region) {
        const auto& ops = m_.region(region).ops;
        // Backwards, so that what a fused value needs lives as long as the fused value's own use.
        for (auto it = ops.rbegin(); it != ops.rend(); ++it) {
            const ir::Op& op = m_.op(*it);
            for (const RegionId inner : m_.regions(*it)) find_last_uses(inner);
            for (const ValueId v : m_.operands(op)) {
                use(*it, v);
                if (op.result_count != 1 || !fused_[op.first_result.index]) continue;
                if (m_.value(v).region == op.parent)
                    last_[v.index] = std::max(last_[v.index], last_[op.first_result.index]);
            }
        }
    }

    /// Gives `v` the storage of `of`, which then lives as long as `v`.
    void take_storage(ValueId v, ValueId of) {
        const ValueId owner = root(of);
        root_[v.index] = owner;
        if (m_.value(owner).region == m_.value(v).region)
            last_[owner.index] = std::max(last_[owner.index], last_[v.index]);
    }

    bool dies_at(ValueId v, OpId op) const {
        const ValueId owner = root(v);
        if (m_.value(v).region != m_.op(op).parent) return false;
        if (m_.value(owner).region != m_.op(op).parent) return last_[v.index] <= place_[op.index];
        return last_[owner.index] <= place_[op.index];
    }

    /// Finds the results that need no storage of their own.
    void share(RegionId region) {
        for (const OpId id : m_.region(region).ops) {
            const ir::Op& op = m_.op(id);
            switch (op.kind) {
                case OpKind::kReshape:
                case OpKind::kShardingConstraint:
                case OpKind::kReshard:
                case OpKind::kPropagationBarrier:
                case OpKind::kDataFlowEdge:
                case OpKind::kOptimizationBarrier:
                    for (std::uint32_t i = 0; i < op.result_count; ++i)
                        if (!fused_[m_.operand(id, i).index])
                            take_storage(m_.result(id, i), m_.operand(id, i));
                    break;
                case OpKind::kDynamicUpdateSlice:
                case OpKind::kScatter:
                    if (options_.share_in_place && op.result_count == 1 && may_overwrite(id, 0))
                        take_storage(m_.result(id), m_.operand(id, 0));
                    break;
                case OpKind::kWhile:
                    for (std::uint32_t i = 0; i < op.result_count && options_.share_in_place; ++i)
                        if (may_overwrite(id, i)) take_storage(m_.result(id, i), m_.operand(id, i));
                    break;
                default:
                    break;
            }
            for (const RegionId inner : m_.regions(id)) share(inner);
        }
    }

    /// Operand `i` dies here, is used here once, and its storage is ours to write over.
    bool may_overwrite(OpId id, std::uint32_t i) const {
        const ValueId v = m_.operand(id, i);
        if (fused_[v.index] || !dies_at(v, id)) return false;
        const ValueId owner = root(v);
        if (!m_.value(owner).def.valid()) {  // an argument: of a loop's body, or donated
            const RegionId region = m_.value(owner).region;
            if (!m_.region(region).parent.valid() && !donated(owner)) return false;
        } else if (m_.op(m_.value(owner).def).kind == OpKind::kConstant) {
            return false;
        }
        const auto list = m_.operands(id);
        return std::count_if(list.begin(), list.end(),
                             [&](ValueId other) { return root(other) == owner; }) == 1;
    }

    bool donated(ValueId argument) const {
        const ir::Function& f = m_.entry();
        const std::uint32_t i = m_.value(argument).index;
        return m_.value(argument).region == f.body && i < f.arguments.size() &&
               f.arguments[i].donated;
    }

    void alias_outputs(const ir::Function& f, const std::vector<bool>& lost, Memory& out) {
        const auto returned = m_.returned(f.body);
        for (std::size_t i = 0; i < f.arguments.size(); ++i) {
            const std::int32_t output = f.arguments[i].alias_output;
            if (output < 0 || static_cast<std::size_t>(output) >= returned.size()) continue;
            const ValueId argument = m_.argument(f.body, i);
            const ValueId result = returned[static_cast<std::size_t>(output)];
            const auto name = [&] {
                return fmt::format("argument '{}'", m_.text(f.arguments[i].name));
            };
            const ValueId old = root(result);
            if (old == argument) {
                out.aliased_bytes += bytes(argument);
                continue;
            }
            if (i < lost.size() && lost[i]) {
                out.lost_donations.push_back(name() + ": its output is sharded in another way");
                continue;
            }
            const OpId def = m_.value(old).def;
            if (!def.valid() || m_.type(argument).byte_size() != m_.type(result).byte_size()) {
                out.lost_donations.push_back(name() + ": its output has another size");
                continue;
            }
            if (last_[argument.index] > place_[def.index]) {
                out.lost_donations.push_back(name() + ": it is read after its output is made");
                continue;
            }
            root_[old.index] = argument;
            last_[argument.index] = std::max(last_[argument.index], last_[old.index]);
            out.aliased_bytes += bytes(argument);
        }
    }

    /// The most that the operations of a region need beyond what is alive around it.
    std::int64_t inner_peak(RegionId region) {
        std::int64_t live = 0, peak = 0;
        std::vector<std::vector<ValueId>> dying(m_.region(region).ops.size() + 2);
        for (const OpId id : m_.region(region).ops) {
            const std::int64_t made = allocate(id, dying);
            if (const std::int64_t now = live + made + nested(id); now > peak || peak == 0) {
                peak = now;
                peak_ops_[region] = id;
            }
            live += made;
            for (const ValueId v : dying[place_[id.index]]) live -= bytes(v);
        }
        return peak;
    }

    /// Bytes of the new results of `id`; notes where each dies.
    std::int64_t allocate(OpId id, std::vector<std::vector<ValueId>>& dying) {
        std::int64_t made = 0;
        for (std::uint32_t i = 0; i < m_.op(id).result_count; ++i) {
            const ValueId v = m_.result(id, i);
            if (root(v) != v) continue;
            made += bytes(v);
            const std::uint32_t end = std::max(last_[v.index], place_[id.index]);
            if (end < dying.size()) dying[end].push_back(v);
        }
        return made;
    }

    std::int64_t nested(OpId id) {
        std::int64_t most = 0;
        switch (m_.op(id).kind) {
            case OpKind::kWhile:
            case OpKind::kCase:
            case OpKind::kIf:
            case OpKind::kManualComputation:
            case OpKind::kNamedComputation:
            case OpKind::kRunParallel:
                for (const RegionId inner : m_.regions(id))
                    most = std::max(most, inner_peak(inner));
                return most;
            default:
                return 0;  // combiners and comparators work on scalars
        }
    }

    void walk(RegionId region, Memory& out) {
        const auto& ops = m_.region(region).ops;
        std::vector<std::vector<ValueId>> dying(ops.size() + 2);
        for (std::uint32_t i = 0; i < m_.region(region).argument_count; ++i) {
            const ValueId v = m_.argument(region, i);
            if (last_[v.index] >= 1 && last_[v.index] <= ops.size())
                dying[last_[v.index]].push_back(v);
        }
        std::int64_t live = out.argument_bytes;
        out.peak_bytes = live;
        for (const OpId id : ops) {
            const std::int64_t inner = nested(id);
            live += allocate(id, dying);
            out.live_bytes.push_back(live + inner);
            if (live + inner > out.peak_bytes || !out.peak_op.valid()) {
                out.peak_bytes = live + inner;
                out.peak_op = id;
            }
            for (const ValueId v : dying[place_[id.index]]) live -= bytes(v);
        }
    }

    /// Lists what is alive at the peak, in the entry and in the loops that run then.
    void finish(const ir::Function& f, Memory& out) {
        if (!out.peak_op.valid()) return;
        const std::vector<ValueId> returned = distinct_roots(m_.returned(f.body));
        list_alive(f.body, out.peak_op, returned, out);
        OpId at = out.peak_op;
        while (at.valid()) {  // into the region that is the most demanding
            RegionId inner;
            std::int64_t most = 0;
            for (const RegionId region : m_.regions(at)) {
                if (nested(at) == 0) break;
                const std::int64_t peak = inner_peak(region);
                if (peak > most) most = peak, inner = region;
            }
            if (!inner.valid()) break;
            at = peak_ops_[inner];
            list_alive(inner, at, {}, out);
        }
        std::stable_sort(out.at_peak.begin(), out.at_peak.end(),
                         [](const Buffer& a, const Buffer& b) { return a.bytes > b.bytes; });
    }

    void list_alive(RegionId region, OpId at, const std::vector<ValueId>& returned, Memory& out) {
        const std::uint32_t now = place_[at.index];
        const auto add = [&](ValueId v, std::uint32_t born) {
            const bool argument = !m_.value(v).def.valid();
            // An argument that nothing reads stays where it is.
            const bool alive =
                last_[v.index] >= now || born == now || (argument && last_[v.index] == kNever);
            if (root(v) != v || bytes(v) == 0 || born > now || !alive) return;
            out.at_peak.push_back({v, bytes(v), class_of(v, returned)});
        };
        // The arguments of an inner region stand in their owner's storage.
        if (!m_.region(region).parent.valid())
            for (std::uint32_t i = 0; i < m_.region(region).argument_count; ++i)
                add(m_.argument(region, i), 0);
        for (const OpId id : m_.region(region).ops)
            for (std::uint32_t i = 0; i < m_.op(id).result_count; ++i)
                add(m_.result(id, i), place_[id.index]);
    }

    BufferClass class_of(ValueId v, const std::vector<ValueId>& returned) const {
        const OpId def = m_.value(v).def;
        if (!def.valid()) return BufferClass::kArgument;
        if (std::binary_search(returned.begin(), returned.end(), v)) return BufferClass::kOutput;
        if (ir::info(m_.op(def).kind).collective) return BufferClass::kCollective;
        return m_.op(def).kind == OpKind::kWhile ? BufferClass::kLoopState
                                                 : BufferClass::kTemporary;
    }
};

}  // namespace

Memory memory_of(const Module& module, const MemoryOptions& options,
                 const std::vector<bool>& lost) {
    return Liveness(module, options).run(lost);
}

}  // namespace shardwright::cost
