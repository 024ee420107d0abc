#pragma once
// The frame in which a policy completes shardings: packed state, links, growth, provenance.
//
// How a policy plugs in: `propagate()` builds an Engine (annotations placed, nothing propagated),
// calls the policy's function from policies.h, then `finish()` makes the Result. A policy
//   1. walks `links()` (program order = a post-order: operands' makers first; control-flow edges
//      stand where their operation stands) or a queue fed by `take_changed()` and `links_of(slot)`;
//   2. for a link with something to say (`has_axes`), reads its dims as factors (`project`,
//      projection.h), decides which factor gets which axes;
//   3. writes back with `write_back`, or grows one dimension directly with `grow`.
// Dimensions only ever grow: `grow` takes a list that starts with what stands there.
// Closed dims (`is_open` false) and `blocked` axes are the policy's duty to respect; `grow` refuses
// axes that the tensor uses already. Sharding groups, targets of control flow and both sides of a
// manual computation are kept equal by the engine.
//
//     for (LinkId l : engine.links()) {
//         if (!engine.has_axes(l)) continue;
//         engine.project(l, p);                       // p: Projection, reused
//         p.at(2, 0).axes = p.at(0, 0).axes;          // tensor 2, factor 0 learns from tensor 0
//         engine.write_back(l, p, 2, causes);         // causes: one Cause a factor
//     }

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ir/module.h"
#include "propagation/axes_table.h"
#include "propagation/projection.h"
#include "propagation/propagate.h"
#include "rules/rule.h"

namespace shardwright::propagation {

struct SlotTag;
struct LinkTag;
/// A tensor whose sharding is tracked. Values that must be sharded alike (the targets of a
/// data-flow edge, a sharding group) share one slot. Function results and the outside of manual
/// computations have slots without a value of their own.
using SlotId = Id<SlotTag>;
/// Tensors tied by a rule: an operation, or an identity (data flow, function result, manual
/// region).
using LinkId = Id<LinkTag>;

struct Link {
    const rules::Rule* rule = nullptr;
    std::uint32_t tensors = 0;  ///< into the pool of slots: operands, then results
    std::uint32_t operand_count = 0, result_count = 0;
    ir::OpId op;  ///< invalid for a function's result
    Source source = Source::kOperation;
    bool is_function_result = false;  ///< ties a returned value (operand) and the function's result
};

/// Why a dimension grows; becomes a Placement for each new axis. `from` is the tensor that had it.
struct Cause {
    Source source = Source::kOperation;
    std::uint8_t pass = 0;
    ir::OpId op;
    SlotId from;
    std::uint16_t from_dim = 0;
    std::uint16_t factor = 0;
};

class Engine {
  public:
    Engine(const ir::Module& module, const rules::RuleTable& rules, sharding::MeshId mesh,
           const Options& options);

    const ir::Module& module() const { return module_; }
    const mesh::Mesh& mesh() const { return module_.mesh(mesh_); }
    const Options& options() const { return options_; }
    AxesTable& axes_table() { return table_; }
    const AxesTable& axes_table() const { return table_; }

    // --- structure -------------------------------------------------------------------------------
    std::size_t slot_count() const { return slot_begin_.size() - 1; }
    std::size_t link_count() const { return links_.size(); }
    const Link& link(LinkId id) const { return links_[id.index]; }
    std::span<const SlotId> tensors(const Link& link) const {
        return {link_slots_.data() + link.tensors, link.operand_count + link.result_count};
    }
    /// Links that have `slot` among their tensors, in program order.
    std::span<const LinkId> links_of(SlotId slot) const {
        return {slot_links_.data() + slot_links_begin_[slot.index],
                slot_links_begin_[slot.index + 1] - slot_links_begin_[slot.index]};
    }
    SlotId slot(ir::ValueId value) const { return SlotId(slot_of_value_[value.index]); }
    /// The value that a slot stands for in messages; slots without a value name their neighbour.
    ir::ValueId value(SlotId slot) const { return value_of_slot_[slot.index]; }
    /// The sharding that the user gave it, if any.
    const sharding::Sharding* annotation(SlotId slot) const;
    std::span<const std::int64_t> shape(SlotId slot) const;
    /// Sum over its members, for preferences.
    std::int64_t element_count(SlotId slot) const;

    // --- state -----------------------------------------------------------------------------------
    std::size_t rank(SlotId s) const { return slot_begin_[s.index + 1] - slot_begin_[s.index]; }
    AxesId axes(SlotId s, std::size_t dim) const { return dims_[slot_begin_[s.index] + dim].axes; }
    bool is_open(SlotId s, std::size_t dim) const { return dims_[slot_begin_[s.index] + dim].open; }
    /// Axes that no dimension of `s` may take: replicated, unreduced, manual, not yet admitted.
    AxesId blocked(SlotId s) const { return blocked_[s.index]; }
    bool has_axes(SlotId s) const { return cut_dims_[s.index] != 0; }
    /// True when some tensor of the link is cut.
    bool has_axes(LinkId id) const;
    /// Number of shards over all dims.
    std::int64_t tiles(SlotId s) const;

    // --- steps of a policy -----------------------------------------------------------------------
    /// Reads the link's tensors as factors.
    void project(LinkId id, Projection& projection);
    /// Writes the factors of tensor `tensor` back to its dims; returns whether any dim grew.
    /// Factors whose axes cannot be said by the dim (a strided view) are left out. `causes`: one a
    /// factor.
    bool write_back(LinkId id, const Projection& projection, std::size_t tensor,
                    std::span<const Cause> causes);
    /// Makes a dim's axes longer. Returns whether it grew: not when `axes` does not start with
    /// those there, or when a new one is in use on another dim of the tensor.
    bool grow(SlotId slot, std::size_t dim, AxesId axes, const Cause& cause);
    /// Slots that grew since the last call, in order, each growth once.
    std::vector<SlotId> take_changed() { return std::exchange(changed_, {}); }
    /// The same without giving up the memory: read, then clear.
    std::span<const SlotId> changed() const { return changed_; }
    void clear_changed() { changed_.clear(); }

    /// The user's priorities above 0, ascending; dims with one are empty and closed until admitted.
    /// A policy without priorities calls `admit_all()` first.
    std::vector<int> priorities() const;
    void admit(int priority);
    void admit_all();

    /// Notes two wishes for one factor; only the first for each (link, factor, loser) is kept.
    void note_conflict(LinkId id, std::size_t factor, SlotId winner, AxesId winning, SlotId loser,
                       AxesId losing, std::string_view preference);
    void note(std::string text) { result_.notes.push_back(std::move(text)); }

    /// Drops uneven axes that propagation chose on unannotated arguments and results, interns all.
    Result finish();

  private:
    struct DimState {
        AxesId axes = kNoAxes;
        bool open = true;
    };
    struct StagedDim {
        int priority;
        SlotId slot;
        std::uint16_t dim;
        bool open;
        AxesId axes;
    };
    /// Two slots in lock-step: `outside` dim = manual axes, then `inside` dim.
    struct ManualPair {
        SlotId outside, inside;
        std::uint32_t manual;  ///< into manual_axes_, one AxesId a dimension
        ir::OpId op;
    };

    // engine_slots.cpp
    void build_slots(std::span<const rules::DataFlowEdge> edges);
    void unite_groups();
    std::uint32_t find(std::uint32_t value);
    bool unite(ir::ValueId a, ir::ValueId b);
    SlotId add_slot(ir::ValueId value, std::span<const std::int64_t> shape);
    AxesId manual_axes_of(ir::RegionId region);
    AxesId manual_axes_of(ir::OpId op);
    // engine_links.cpp
    void build_links(std::span<const rules::DataFlowEdge> edges);
    void add_op_link(ir::OpId op);
    void add_edge_link(const rules::DataFlowEdge& edge);
    void add_manual_links(ir::OpId op, const ir::ManualAttributes& attributes);
    void add_function_results(const ir::Function& function);
    void add_identity(std::span<const SlotId> sources, SlotId target, ir::OpId op, Source source);
    const rules::Rule* identity(std::span<const std::int64_t> shape, std::size_t operands);
    void index_links();
    // engine_manual.cpp
    void pair_manual(SlotId outside, SlotId inside, ir::OpId op, AxesId manual);
    void seed_pair(const ManualPair& pair);
    void mirror(SlotId slot, std::size_t dim);
    // engine_seed.cpp
    void give(SlotId slot, const sharding::Sharding& given);
    void give_annotations();
    void seed_all();
    void seed(SlotId slot);
    void place(SlotId slot, std::size_t dim, AxesId axes, bool open);
    void close(SlotId slot);
    void block(SlotId slot, AxesId axes);
    void close_what_may_not_change();
    std::optional<sharding::Sharding> adopt(const sharding::Sharding& given) const;
    // engine_result.cpp
    void set_axes(SlotId slot, std::size_t dim, AxesId axes);
    void record(SlotId slot, std::size_t dim, AxesId before, AxesId after, const Cause& cause);
    void drop_uneven(SlotId slot);
    sharding::Sharding sharding_of(SlotId slot) const;

    const ir::Module& module_;
    const rules::RuleTable& rules_;
    sharding::MeshId mesh_;
    Options options_;
    AxesTable table_;

    std::vector<std::uint32_t> slot_of_value_;
    std::vector<ir::ValueId> value_of_slot_;
    std::vector<std::uint32_t> slot_begin_;  ///< into dims_; one more than slots
    std::vector<DimState> dims_;
    std::vector<std::int64_t> sizes_;  ///< beside dims_
    std::vector<AxesId> blocked_;
    std::vector<std::uint8_t> cut_dims_;  ///< how many dims have axes
    std::size_t real_slots_ = 0;          ///< slots from here on have no value of their own
    std::vector<std::uint32_t> given_;    ///< index + 1 into annotations_, 0 = none
    std::deque<sharding::Sharding> annotations_;
    std::vector<std::vector<ir::ValueId>> shared_;  ///< members of slots of several values
    std::vector<std::uint32_t> shared_of_slot_;     ///< index + 1, 0 = one value
    std::vector<AxesId> region_manual_;

    std::vector<Link> links_;
    std::vector<SlotId> link_slots_;
    std::vector<std::uint32_t> slot_links_begin_;
    std::vector<LinkId> slot_links_;
    std::deque<rules::Rule> identities_;
    std::map<std::vector<std::int64_t>, const rules::Rule*> identity_index_;
    std::vector<std::vector<SlotId>> result_slots_;  ///< by function
    std::vector<ManualPair> pairs_;
    std::vector<AxesId> manual_axes_;
    std::vector<std::uint32_t> pair_of_slot_;  ///< index + 1; empty when there are no pairs

    std::vector<StagedDim> staged_;
    std::vector<SlotId> changed_;
    std::unordered_set<std::uint64_t> noted_;
    Result result_;
};

}  // namespace shardwright::propagation
