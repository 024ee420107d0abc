#pragma once
// The walk over the source program that writes the per-device program.
//
// Every source value is defined in the layout of its completed sharding. An operation asks for its
// operands in the layouts it wants (`get` reshards, or makes the value anew), is emitted on local
// shapes, and its result is brought to the layout that its sharding says. Internal to
// core/partition; the member functions are spread over partitioner.cpp (walk), values.cpp (get),
// choice.cpp (how an operation runs) and handle_*.cpp (what kinds need beyond their rule).

#include <optional>
#include <string>
#include <vector>

#include "partition/candidates.h"
#include "partition/emitter.h"
#include "partition/partition.h"
#include "partition/reshard_emit.h"
#include "partition/value_table.h"

namespace shardwright::partition {

/// How an operation is run.
struct Choice {
    Assignment assignment;
    AxisList partial;  ///< its results are still to be reduced over these
    double seconds = 0;
};

class Partitioner {
  public:
    Partitioner(const ir::Module& source, const rules::RuleTable& rules,
                const propagation::Result& shardings, sharding::MeshId mesh,
                const Options& options);
    Result<Partitioned> run();

  private:
    // --- walk (partitioner.cpp)
    // ----------------------------------------------------------------------
    Status function(std::size_t index);
    Status ops_of(RegionId region);
    Status op(OpId id);
    void stamp(OpId id);
    /// Starts a program region for a source region whose arguments lie as `layouts`.
    struct Scope {
        RegionId outer, region;
        std::size_t mark;
    };
    Scope enter(RegionId source_region, std::span<const Layout> layouts);
    void leave(const Scope& scope);
    void ret(std::span<const ValueId> values);

    // --- values (values.cpp)
    // ---------------------------------------------------------------------------
    Layout layout_of(ValueId source) const;
    Layout replicated(ValueId source) const;
    /// The value in `layout`, for operation `user`. Emits what is needed.
    ValueId get(ValueId source, const Layout& layout, OpId user);
    /// Estimated seconds of `get`.
    double get_seconds(ValueId source, const Layout& layout);
    /// Splat constants, iotas, broadcasts of scalars: made where they are needed, in any layout.
    bool is_made(ValueId source) const;
    ValueId make(ValueId source, const Layout& layout, OpId user);
    ValueId make_iota(const TensorType& type, std::int64_t dim, const Layout& layout);
    /// The layout that the value is at hand in (its sharding's, for made values).
    const Layout& present_layout(ValueId source);
    void define(ValueId source, const Layout& layout, ValueId value);
    /// Defines result `i` of `op`, which came out as `layout`, in the layout of its sharding.
    void define_result(OpId op, std::size_t i, const Layout& layout, ValueId value);
    ValueId reshard(ValueId value, const Layout& from, const Layout& to, const TensorType& type,
                    OpId user, ValueId source, const std::string& why, bool is_reshard);
    ir::CauseId cause(OpId op, ValueId value, std::string text, bool is_reshard);
    std::string name_of(ValueId source) const;

    // --- choice (choice.cpp)
    // -----------------------------------------------------------------------------
    Shardable shardable(OpId id) const;
    Choice choose(OpId id, const Shardable& can);
    double candidate_seconds(OpId id, const Assignment& a, const AxisList& partial);
    double compute_seconds(OpId id, const Assignment& a) const;
    Layout result_layout(OpId id, const Assignment& a, std::size_t i,
                         const AxisList& partial) const;

    // --- handlers
    // -------------------------------------------------------------------------------------
    void local(OpId id);  // handle_local.cpp: by the rule
    /// The operation on local shapes, with its operands and results as `c` lays them out.
    void emit_as_chosen(OpId id, const Choice& c, Attributes attributes);  // handle_local.cpp
    void record_gathered(OpId id, const Choice& c, const Shardable& can);  // handle_local.cpp
    Attributes localised(OpId id, const Assignment& a) const;
    RegionId copy_region(RegionId source_region);
    void copy_op(OpId id);
    void partial(OpId id, const Choice& c);  // handle_reduction.cpp
    /// `value`, operand `t`, with `fill` in the padding of its uneven reduced dimensions.
    ValueId masked(OpId id, const Choice& c, std::size_t t, ValueId value, ValueId fill);
    /// The reduced result with the reduction's init value, which enters exactly once.
    ValueId with_init(OpId id, ValueId value, const Layout& layout);
    bool init_is_identity(OpId id) const;
    Attributes copied_names(Attributes attributes);  // names and literals of the source's module
    void dynamic_slices(OpId id, const Choice& c);   // handle_dynamic_slice.cpp
    ValueId padded_block(ValueId block, std::span<const std::int64_t> margin);
    void gather(OpId id, const Choice& c);  // handle_gather.cpp
    void scatter(OpId id, const Choice& c);
    void scatter_total(OpId id, const Layout& produced, ValueId value);
    void define_result_from(ValueId source, const Layout& layout, ValueId value, OpId op);
    /// For each index the place where this device's block of the dimension it names begins.
    ValueId index_offsets(const Layout& operand, const Dims& local, const Dims& map,
                          const TensorType& indices, std::int64_t vector_dim);
    ValueId mine(ValueId indices, ValueId bound, const ir::GatherAttributes& a,
                 const TensorType& result);
    bool looks_up(OpId id, const Choice& c) const;
    void identity(OpId id);  // handle_simple.cpp
    void barrier(OpId id);
    void check(OpId id);
    void dimension_size(OpId id);
    void input_collective(OpId id);
    Status loop(OpId id);  // handle_control.cpp
    Status branches(OpId id);
    Status inlined(OpId id);
    Status manual(OpId id);

    const ir::Module& source_;
    const rules::RuleTable& rules_;
    const propagation::Result& shardings_;
    sharding::MeshId mesh_;
    Options options_;
    Partitioned out_;
    Emitter emit_;
    ReshardPlanner planner_;
    ValueTable table_;
    std::vector<Layout> scratch_;  // layouts of the tensors of the operation at hand
    Layout made_layout_;
    std::size_t lost_limits_ = 0;  // reshards without a way inside the memory guarantee
    int regions_deep_ = 0;
};

/// Element type in which partial results wait to be combined: f32 for narrower floats.
ir::ElementType partial_type(ir::ElementType element);

}  // namespace shardwright::partition
