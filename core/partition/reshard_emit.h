#pragma once
// The moves of a resharding plan as operations of the program, uneven dimensions included.

#include "partition/emitter.h"
#include "partition/reshard_plan.h"

namespace shardwright::partition {

/// Emits one move of a value of the whole type `type`; `v` lies as `move.before`, the result as
/// `move.after`.
ValueId emit_move(Emitter& emit, ValueId v, const Move& move, const TensorType& type);

/// Emits a whole plan.
ValueId emit_plan(Emitter& emit, ValueId v, const ReshardPlan& plan, const TensorType& type);

/// Changes the block of a dimension of `size`, sharded by `axes`, from its present one to `to`:
/// locally when one shard holds all, by neighbour permutes otherwise (or gather and slice when the
/// hops are many).
ValueId retile(Emitter& emit, ValueId v, std::size_t dim, const AxisList& axes, std::int64_t size,
               std::int64_t to);

/// The identity of a pending reduction as a scalar.
ValueId identity_scalar(Emitter& emit, Reduction kind, ir::ElementType element);

}  // namespace shardwright::partition
