#include "partition/reshard_emit.h"

#include <algorithm>

#include "ir/builder.h"
#include "sharding/geometry.h"

namespace shardwright::partition {
namespace {

using sharding::shard_size;

/// The parts of `axes` that `other` lacks, by whole references after cutting both alike.
AxisList atoms_of(const Layout& layout) {
    AxisList all;
    for (const AxisList& axes : layout.dims) all.insert(all.end(), axes.begin(), axes.end());
    return all;
}

/// `list` cut so that no reference partly overlaps one of `other`.
AxisList cut_against(const AxisList& list, const AxisList& other) {
    AxisList result;
    for (const AxisRef& ref : list) {
        InlineVector<std::uint32_t, 8> points{ref.pre, ref.next_pre()};
        for (const AxisRef& o : other) {
            if (o.axis != ref.axis) continue;
            for (const std::uint32_t p : {std::uint32_t{o.pre}, o.next_pre()})
                if (p > ref.pre && p < ref.next_pre()) points.push_back(p);
        }
        std::sort(points.begin(), points.end());
        points.erase(std::unique(points.begin(), points.end()), points.end());
        for (std::size_t i = 0; i + 1 < points.size(); ++i) {
            AxisRef piece = ref;
            piece.pre = points[i] & 0xFFFFFFu;
            piece.size = points[i + 1] / points[i];
            result.push_back(piece);
        }
    }
    return result;
}

/// A permute needs two orders of the same devices: each gets, behind its own axes, those that only
/// the other uses.
ValueId emit_permute(Emitter& emit, ValueId v, const Move& move) {
    const AxisList before = cut_against(atoms_of(move.before), atoms_of(move.after));
    const AxisList after = cut_against(atoms_of(move.after), atoms_of(move.before));
    AxisList from(before), to(after);
    for (const AxisRef& a : after)
        if (std::find(before.begin(), before.end(), a) == before.end()) from.push_back(a);
    for (const AxisRef& a : before)
        if (std::find(after.begin(), after.end(), a) == after.end()) to.push_back(a);
    return emit.permute(v, mesh::merge_neighbours(view(from)), mesh::merge_neighbours(view(to)));
}

ValueId emit_partial(Emitter& emit, ValueId v, const Move& move) {
    const TensorType type = emit.type(v);
    const ValueId mine =
        emit.one(OpKind::kCompare, {emit.axis_index(move.axes), emit.s32(0)},
                 TensorType{ir::ElementType::kBool, {}},
                 ir::CompareAttributes{ir::Direction::kEq, ir::CompareType::kDefault});
    const ValueId identity = identity_scalar(emit, move.after.kind, type.element);
    return emit.one(OpKind::kSelect, {mine, v, emit.broadcast(identity, type, {})}, type);
}

}  // namespace

ValueId identity_scalar(Emitter& emit, Reduction kind, ir::ElementType element) {
    return emit.constant(ir::identity_literal(ir::to_combiner(kind), TensorType{element, {}}));
}

ValueId retile(Emitter& emit, ValueId v, std::size_t dim, const AxisList& axes, std::int64_t size,
               std::int64_t to) {
    const std::int64_t from = emit.type(v).dims[dim];
    if (from == to) return v;
    const std::int64_t n = mesh::product(axes);
    if (n <= 1) return emit.resize(v, dim, to);
    const RetileHops hops = retile_hops(size, n, from, to);
    if (hops.total() > kMaxRetileHops) {
        v = emit.all_gather(v, dim, axes);
        v = emit.resize(v, dim, n * to);
        return emit.dynamic_slice(v, dim, emit.position(axes, to), to);
    }
    // The neighbours' blocks beside ours are one contiguous stretch; ours is cut out of it.
    InlineVector<ValueId, 8> stretch;
    for (std::int64_t k = hops.left; k > 0; --k) stretch.push_back(emit.shift(v, axes, k));
    stretch.push_back(v);
    for (std::int64_t k = 1; k <= hops.right; ++k) stretch.push_back(emit.shift(v, axes, -k));
    ValueId all = emit.concatenate(view(stretch), dim);
    // Device i wants to start at i·to; the stretch starts at (i - left)·from. The last window may
    // end past the stretch, where there is no data.
    const std::int64_t last = std::min(n, (size + to - 1) / std::max<std::int64_t>(to, 1));
    const std::int64_t needed =
        hops.left * from +
        std::max<std::int64_t>(last - 1, 0) * std::max<std::int64_t>(to - from, 0) + to;
    all = emit.pad_to(all, dim, needed);
    return emit.dynamic_slice(all, dim, emit.position(axes, to - from, hops.left * from), to);
}

ValueId emit_move(Emitter& emit, ValueId v, const Move& move, const TensorType& type) {
    const std::int64_t n = mesh::product(move.axes);
    const auto block = [&](const Layout& layout, std::size_t d) {
        return shard_size(type.dims[d], layout.shards(d));
    };
    const auto fit = [&](ValueId value, const Layout& layout, std::size_t d, std::int64_t to) {
        return retile(emit, value, d, layout.dims[d], type.dims[d], to);
    };
    switch (move.kind) {
        case MoveKind::kSlice: {
            const std::int64_t size = block(move.after, move.dim);
            v = fit(v, move.before, move.dim, size * n);
            return emit.dynamic_slice(v, move.dim, emit.position(move.axes, size), size);
        }
        case MoveKind::kAllGather:
            v = emit.all_gather(v, move.dim, move.axes);
            return fit(v, move.after, move.dim, block(move.after, move.dim));
        case MoveKind::kAllToAll:
            v = fit(v, move.before, move.to_dim, block(move.after, move.to_dim) * n);
            v = emit.all_to_all(v, move.to_dim, move.dim, move.axes);
            return fit(v, move.after, move.dim, block(move.after, move.dim));
        case MoveKind::kPermute:
            return emit_permute(emit, v, move);
        case MoveKind::kAllReduce:
            return emit.all_reduce(v, move.axes, move.before.kind);
        case MoveKind::kReduceScatter:
            v = fit(v, move.before, move.to_dim, block(move.after, move.to_dim) * n);
            return emit.reduce_scatter(v, move.to_dim, move.axes, move.before.kind);
        case MoveKind::kMakePartial:
            return emit_partial(emit, v, move);
    }
    return v;
}

ValueId emit_plan(Emitter& emit, ValueId v, const ReshardPlan& plan, const TensorType& type) {
    for (const Move& move : plan.moves) v = emit_move(emit, v, move, type);
    return v;
}

}  // namespace shardwright::partition
