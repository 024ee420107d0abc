#include "exec/fusion.h"

#include <algorithm>
#include <cstring>

#include "exec/engine.h"

namespace shardwright::exec {
namespace {

using ir::OpKind;

// What a chain's run keeps in tables on the stack.
constexpr int kMostMembers = 32;

class Fusion {
  public:
    Fusion(const ir::Module& module, ir::RegionId region, std::vector<Step>& steps, bool fuse)
        : module_(module), region_(region), steps_(steps), fuse_(fuse) {}

    void run() {
        facts_.resize(steps_.size());
        note_uses();
        note_constants();
        for (std::size_t s = steps_.size(); s-- > 0;) place(s);
        for (std::size_t s = 0; s < steps_.size(); ++s)
            if (facts_[s].chain == static_cast<int>(s)) build(s);
        std::vector<Step> kept;
        for (std::size_t s = 0; s < steps_.size(); ++s)
            if (!is_gone(s)) kept.push_back(std::move(steps_[s]));
        steps_ = std::move(kept);
    }

  private:
    struct Facts {
        bool constant = false;       ///< follows from constants alone
        bool read_in_place = false;  ///< a broadcast that its chains read themselves
        int chain = -1;              ///< the step at which the chain runs that this one is part of
        int members = 0;             ///< of the chain that runs here, itself included
    };
    struct Uses {
        std::vector<std::size_t> steps;  ///< ascending
        bool escapes = false;            ///< returned, or read by a nested region
    };

    bool is_gone(std::size_t s) const {
        return facts_[s].read_in_place ||
               (facts_[s].chain >= 0 && facts_[s].chain != static_cast<int>(s));
    }
    ir::OpKind kind(std::size_t s) const { return module_.op(steps_[s].op).kind; }
    ir::ValueId result(std::size_t s) const { return module_.result(steps_[s].op); }
    std::int64_t elements(std::size_t s) const { return module_.type(result(s)).element_count(); }
    bool is_reshape(std::size_t s) const { return kind(s) == OpKind::kReshape; }

    void note_uses() {
        for (std::size_t s = 0; s < steps_.size(); ++s) {
            const ir::OpId op = steps_[s].op;
            for (std::size_t r = 0; r < module_.op(op).result_count; ++r)
                made_by_[module_.result(op, r)] = s;
            for (const ir::ValueId v : module_.operands(op)) {
                auto& at = uses_[v].steps;
                if (at.empty() || at.back() != s) at.push_back(s);
            }
            for (std::size_t r = 0; r < module_.op(op).region_count; ++r)
                ir::walk(module_, module_.region_of(op, r), [&](ir::OpId inner) {
                    for (const ir::ValueId v : module_.operands(inner)) uses_[v].escapes = true;
                });
        }
        for (const ir::ValueId v : module_.returned(region_)) uses_[v].escapes = true;
    }

    void note_constants() {
        for (std::size_t s = 0; s < steps_.size(); ++s) {
            const auto operands = module_.operands(steps_[s].op);
            const bool same_everywhere = kind(s) == OpKind::kConstant || kind(s) == OpKind::kIota ||
                                         (!operands.empty() && kind(s) != OpKind::kRng &&
                                          (steps_[s].kernel.run || steps_[s].kernel.elementwise ||
                                           is_alias(module_, steps_[s].op)));
            facts_[s].constant =
                same_everywhere && std::all_of(operands.begin(), operands.end(), [&](auto v) {
                    const auto made = made_by_.find(v);
                    return made != made_by_.end() && facts_[made->second].constant;
                });
        }
    }

    /// The one chain that reads everything this step makes, or -1.
    int only_chain(std::size_t s) const {
        const auto found = uses_.find(result(s));
        if (found == uses_.end() || found->second.escapes) return -1;
        int chain = -1;
        for (const std::size_t user : found->second.steps) {
            const int its = facts_[user].chain;
            if (its < 0 || (chain >= 0 && its != chain)) return -1;
            chain = its;
        }
        return chain;
    }
    /// Only chains read it; for a constant also broadcasts that are gone themselves.
    bool only_chains_read(std::size_t s) const {
        const auto found = uses_.find(result(s));
        return found != uses_.end() && !found->second.escapes &&
               std::all_of(found->second.steps.begin(), found->second.steps.end(),
                           [&](std::size_t user) {
                               return facts_[user].chain >= 0 ||
                                      (facts_[user].read_in_place && kind(s) == OpKind::kConstant);
                           });
    }

    /// A constant with one element for all; its bytes, or null.
    const ir::Literal* splat(std::size_t s) const {
        if (!fuse_ || kind(s) != OpKind::kConstant) return nullptr;
        const ir::Literal& literal =
            module_.literal(module_.attributes<ir::ConstantAttributes>(steps_[s].op).literal);
        const bool one =
            literal.kind != ir::Literal::Kind::kElided &&
            (literal.kind != ir::Literal::Kind::kDense || literal.type.element_count() == 1);
        return one ? &literal : nullptr;
    }

    /// Steps go backwards, so that a step's readers have been placed before it.
    void place(std::size_t s) {
        Facts& facts = facts_[s];
        if (steps_[s].kernel.elementwise || is_reshape(s)) {
            if (const int chain = fuse_ ? only_chain(s) : -1; chain >= 0 && may_join(s, chain)) {
                facts.chain = chain;
                ++facts_[static_cast<std::size_t>(chain)].members;
            } else if (steps_[s].kernel.elementwise) {
                facts.chain = static_cast<int>(s);
                facts.members = 1;
            }
        } else if (fuse_ && kind(s) == OpKind::kBroadcastInDim && elements(s) > 0) {
            facts.read_in_place = only_chains_read(s);
        } else if (splat(s) != nullptr) {
            facts.read_in_place = only_chains_read(s);
        }
    }

    bool may_join(std::size_t s, int chain) const {
        const auto root = static_cast<std::size_t>(chain);
        if (facts_[root].members >= kMostMembers) return false;
        if (elements(s) != elements(root) || facts_[s].constant != facts_[root].constant)
            return false;
        // At the chain's step the operands must still be there. That costs nothing when only the
        // chain's own parts and steps without work lie between.
        const bool near = [&] {
            for (std::size_t between = s + 1; between < root; ++between) {
                const bool idle = facts_[between].chain == chain || facts_[between].read_in_place ||
                                  kind(between) == OpKind::kConstant ||
                                  is_alias(module_, steps_[between].op);
                if (!idle) return false;
                if (root - between > 4 * kMostMembers) return false;
            }
            return true;
        }();
        if (near) return true;
        std::int64_t longer = 0;
        for (const ir::ValueId v : module_.operands(steps_[s].op)) {
            const Uses& uses = uses_.at(v);
            const bool held = uses.escapes || uses.steps.back() >= root ||
                              std::any_of(uses.steps.begin(), uses.steps.end(),
                                          [&](std::size_t u) { return facts_[u].chain == chain; });
            if (held) continue;
            const auto made = made_by_.find(v);
            const bool repeats =
                made != made_by_.end() && kind(made->second) == OpKind::kBroadcastInDim;
            longer +=
                slot_bytes(module_.type(repeats ? module_.operand(steps_[made->second].op, 0) : v));
        }
        return longer <= slot_bytes(module_.type(result(s)));
    }

    // --- building ---------------------------------------------------------------------------

    struct Building {
        ElementwiseChain chain;
        std::vector<ir::ValueId> inputs;
        std::unordered_map<ir::ValueId, int> slot;  ///< the registers of members' results
    };
    /// Registers are numbered from here while inputs are still being found.
    static constexpr int kFirstRegister = 1000;

    int input_slot(Building& b, ir::ValueId v, ChainInput how) const {
        for (std::size_t i = 0; i < b.inputs.size(); ++i)
            if (b.inputs[i] == v && b.chain.inputs[i].read == how.read &&
                b.chain.inputs[i].sizes == how.sizes && b.chain.inputs[i].strides == how.strides)
                return static_cast<int>(i);
        b.inputs.push_back(v);
        b.chain.inputs.push_back(std::move(how));
        return static_cast<int>(b.inputs.size() - 1);
    }

    static int literal_slot(Building& b, const ir::Literal& literal) {
        ChainLiteral one;
        one.element = literal.type.element;
        std::memcpy(one.value.data(), literal.data().data(),
                    static_cast<std::size_t>(ir::storage_bytes(one.element)));
        auto& all = b.chain.literals;
        const auto found = std::find(all.begin(), all.end(), one);
        const auto at = static_cast<int>(found - all.begin());
        if (found == all.end()) all.push_back(one);
        return ChainInstruction::literal_at(at);
    }

    /// Where operand `v` comes from: a member's register, a literal, or an input.
    int operand_slot(Building& b, ir::ValueId v, std::size_t root, bool scalar) const {
        if (const auto known = b.slot.find(v); known != b.slot.end()) return known->second;
        ChainInput how;
        how.element = module_.type(v).element;
        if (scalar) how.read = ChainInput::Read::kScalar;
        const auto made = made_by_.find(v);
        if (made != made_by_.end()) {
            const std::size_t s = made->second;
            if (facts_[s].chain == static_cast<int>(root) && is_reshape(s))
                return operand_slot(b, module_.operand(steps_[s].op, 0), root, false);
            if (const ir::Literal* literal = splat(s)) return literal_slot(b, *literal);
            if (facts_[s].read_in_place) {
                const ir::ValueId source = module_.operand(steps_[s].op, 0);
                if (const auto constant = made_by_.find(source); constant != made_by_.end())
                    if (const ir::Literal* literal = splat(constant->second))
                        return literal_slot(b, *literal);
                how = broadcast_input(
                    module_.type(source), module_.type(v),
                    view(module_.attributes<ir::DimsAttributes>(steps_[s].op).dims));
                if (scalar) how.read = ChainInput::Read::kScalar;
                return input_slot(b, source, std::move(how));
            }
        }
        return input_slot(b, v, std::move(how));
    }

    void build(std::size_t root) {
        Building b;
        b.chain.out = module_.type(result(root)).element;
        b.chain.elements = elements(root);
        std::vector<std::size_t> members;
        for (std::size_t s = root + 1; s-- > 0;) {
            if (facts_[s].chain == static_cast<int>(root)) members.push_back(s);
            if (static_cast<int>(members.size()) == facts_[root].members) break;
        }
        std::reverse(members.begin(), members.end());
        for (const std::size_t s : members) {
            if (is_reshape(s)) continue;
            ChainInstruction step;
            step.kernel = *steps_[s].kernel.elementwise;
            for (int i = 0; i < step.kernel.arity; ++i)
                step.operand[i] =
                    operand_slot(b, module_.operand(steps_[s].op, static_cast<std::size_t>(i)),
                                 root, step.kernel.scalar_operand[i]);
            if (s != root) {
                step.result = kFirstRegister + static_cast<int>(b.slot.size());
                b.slot[result(s)] = step.result;
            }
            b.chain.code.push_back(step);
        }
        number_registers(b);
        Step& step = steps_[root];
        step.kernel.elementwise.reset();
        step.chain = std::move(b.chain);
        step.inputs = std::move(b.inputs);
    }

    /// A register is free again after its last reader, for results of its width.
    static void number_registers(Building& b) {
        auto& code = b.chain.code;
        std::unordered_map<int, std::size_t> last_read;
        for (std::size_t c = 0; c < code.size(); ++c)
            for (const int slot : code[c].operand)
                if (slot >= kFirstRegister) last_read[slot] = c;
        std::unordered_map<int, int> number;
        std::vector<int> idle;
        const int first = static_cast<int>(b.chain.inputs.size());
        for (std::size_t c = 0; c < code.size(); ++c) {
            std::vector<int> done;
            for (int& slot : code[c].operand) {
                if (slot < kFirstRegister) continue;
                if (last_read.at(slot) == c) done.push_back(number.at(slot));
                slot = number.at(slot);
            }
            std::sort(done.begin(), done.end());
            done.erase(std::unique(done.begin(), done.end()), done.end());
            // Not before the result has its own: some kernels write while they still read.
            if (code[c].result >= 0) {
                const int width = ir::storage_bytes(code[c].kernel.out);
                auto& widths = b.chain.register_widths;
                const auto same = std::find_if(idle.begin(), idle.end(), [&](int i) {
                    return widths[static_cast<std::size_t>(i - first)] == width;
                });
                int mine = first + static_cast<int>(widths.size());
                if (same != idle.end()) {
                    mine = *same;
                    idle.erase(same);
                } else {
                    widths.push_back(width);
                }
                number[code[c].result] = mine;
                code[c].result = mine;
            }
            idle.insert(idle.end(), done.begin(), done.end());
        }
    }

    const ir::Module& module_;
    const ir::RegionId region_;
    std::vector<Step>& steps_;
    const bool fuse_;
    std::vector<Facts> facts_;
    std::unordered_map<ir::ValueId, Uses> uses_;
    std::unordered_map<ir::ValueId, std::size_t> made_by_;
};

}  // namespace

void form_chains(const ir::Module& module, ir::RegionId region, std::vector<Step>& steps,
                 bool fuse) {
    Fusion(module, region, steps, fuse).run();
}

}  // namespace shardwright::exec
