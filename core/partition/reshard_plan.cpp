#include "partition/reshard_plan.h"

#include <algorithm>
#include <limits>

#include "partition/collective_cost.h"
#include "partition/reshard_atoms.h"
#include "partition/reshard_search.h"
#include "sharding/geometry.h"

namespace shardwright::partition {
namespace {

/// Joins neighbouring moves that one operation can do: gathers of one dimension, slices of one,
/// reduce-scatters into one, permutes.
std::vector<Move> merge_moves(std::vector<Move> moves) {
    std::vector<Move> merged;
    for (Move& move : moves) {
        Move* last = merged.empty() ? nullptr : &merged.back();
        const bool same = last != nullptr && last->kind == move.kind && last->dim == move.dim &&
                          last->to_dim == move.to_dim;
        bool joins = same && (move.kind == MoveKind::kAllGather || move.kind == MoveKind::kSlice ||
                              move.kind == MoveKind::kReduceScatter ||
                              move.kind == MoveKind::kPermute || move.kind == MoveKind::kAllReduce);
        if (!joins) {
            merged.push_back(std::move(move));
            continue;
        }
        last->axes = move.kind == MoveKind::kAllGather ? joined(move.axes, last->axes)
                                                       : joined(last->axes, move.axes);
        last->after = move.after;
        if (last->kind == MoveKind::kPermute && last->before == last->after) merged.pop_back();
    }
    return merged;
}

double move_seconds(const Move& move, const ir::TensorType& type) {
    const auto before = static_cast<double>(local_bytes(type, move.before));
    const auto after = static_cast<double>(local_bytes(type, move.after));
    const std::int64_t n = mesh::product(move.axes);
    switch (move.kind) {
        case MoveKind::kSlice:
        case MoveKind::kMakePartial:
            return local_seconds(2 * after);
        case MoveKind::kAllGather:
            return all_gather_seconds(before * static_cast<double>(n), n);
        case MoveKind::kAllToAll:
            return all_to_all_seconds(before * static_cast<double>(n), n);
        case MoveKind::kPermute:
            return permute_seconds(before);
        case MoveKind::kAllReduce:
            return all_reduce_seconds(before, n);
        case MoveKind::kReduceScatter:
            return reduce_scatter_seconds(before, n);
    }
    return 0;
}

/// Extra seconds of a move whose blocks do not nest.
double uneven_seconds(const Move& move, const ir::TensorType& type) {
    double seconds = 0;
    const std::int64_t n = mesh::product(move.axes);
    const auto add = [&](std::size_t d, std::int64_t shards, std::int64_t from, std::int64_t to,
                         double bytes) {
        if (from == to) return;
        const RetileHops hops = retile_hops(type.dims[d], shards, from, to);
        seconds += hops.total() > kMaxRetileHops
                       ? all_gather_seconds(bytes * static_cast<double>(shards), shards)
                       : static_cast<double>(hops.total()) * permute_seconds(bytes);
    };
    const ir::TensorType before = local_type(type, move.before);
    const ir::TensorType after = local_type(type, move.after);
    if (move.kind == MoveKind::kAllGather || move.kind == MoveKind::kAllToAll)
        add(move.dim, move.after.shards(move.dim), before.dims[move.dim] * n, after.dims[move.dim],
            static_cast<double>(after.byte_size()));
    if (move.kind == MoveKind::kSlice || move.kind == MoveKind::kAllToAll ||
        move.kind == MoveKind::kReduceScatter)
        add(move.to_dim, move.before.shards(move.to_dim), before.dims[move.to_dim],
            after.dims[move.to_dim] * n, static_cast<double>(before.byte_size()));
    return seconds;
}

ReshardPlan make_plan(const Layout& from, const Layout& to, const ir::TensorType& type,
                      std::int64_t small_tensor_bytes) {
    ReshardPlan plan;
    const Atoms atoms = make_atoms(from, to);
    const sharding::Reduction kind = from.unreduced.empty() ? to.kind : from.kind;
    std::vector<Move> moves;
    Layout at = from;
    const auto push = [&](MoveKind move, std::size_t dim, std::size_t to_dim, AxisList axes,
                          const Layout& after) {
        moves.push_back(Move{move, dim, to_dim, std::move(axes), at, after});
        at = after;
    };
    // Axes that the two cut differently: gathered first, sliced last.
    const auto suffix = [](const AxisList& whole, const AxisList& head) {
        return AxisList(whole.begin() + static_cast<std::ptrdiff_t>(head.size()), whole.end());
    };
    if (from.unreduced != atoms.cut_from.unreduced) {
        Layout after = at;
        after.unreduced.clear();
        push(MoveKind::kAllReduce, 0, 0, from.unreduced, after);
    }
    for (std::size_t d = 0; d < type.rank(); ++d) {
        if (at.dims[d] == atoms.cut_from.dims[d]) continue;
        Layout after = at;
        after.dims[d] = atoms.cut_from.dims[d];
        push(MoveKind::kAllGather, d, d, suffix(from.dims[d], after.dims[d]), after);
    }
    const bool small = type.byte_size() <= small_tensor_bytes;
    const std::int64_t limit =
        small ? std::numeric_limits<std::int64_t>::max() : shard_limit(from, to, type);
    std::optional<std::vector<AtomMove>> found = search_moves(atoms, type, limit);
    if (!found) {
        plan.kept_limit = false;
        found = gather_and_slice(atoms);
    }
    for (AtomMove& move : *found)
        push(move.kind, move.dim, move.to_dim, atoms.axes(move.atoms),
             atoms.layout(move.after, kind));
    for (std::size_t d = 0; d < type.rank(); ++d) {
        if (at.dims[d] == to.dims[d]) continue;
        Layout after = at;
        after.dims[d] = to.dims[d];
        push(MoveKind::kSlice, d, d, suffix(to.dims[d], at.dims[d]), after);
    }
    if (at.unreduced != to.unreduced) {
        Layout after = at;
        after.unreduced = to.unreduced;
        after.kind = to.kind;
        push(MoveKind::kMakePartial, 0, 0, to.unreduced, after);
    }
    plan.moves = merge_moves(std::move(moves));
    plan.peak_bytes = std::max(local_bytes(type, from), local_bytes(type, to));
    for (const Move& move : plan.moves) {
        plan.seconds += move_seconds(move, type) + uneven_seconds(move, type) + kNominal.launch;
        plan.peak_bytes = std::max(plan.peak_bytes, local_bytes(type, move.after));
    }
    if (!small && plan.peak_bytes > limit) plan.kept_limit = false;
    return plan;
}

}  // namespace

std::string_view text(MoveKind kind) {
    switch (kind) {
        case MoveKind::kSlice:
            return "slice";
        case MoveKind::kAllGather:
            return "all_gather";
        case MoveKind::kAllToAll:
            return "all_to_all";
        case MoveKind::kPermute:
            return "collective_permute";
        case MoveKind::kAllReduce:
            return "all_reduce";
        case MoveKind::kReduceScatter:
            return "reduce_scatter";
        case MoveKind::kMakePartial:
            return "make_partial";
    }
    return "";
}

std::int64_t shard_limit(const Layout& from, const Layout& to, const ir::TensorType& type) {
    ir::TensorType rounded = type;
    for (std::size_t d = 0; d < type.rank(); ++d) {
        std::int64_t all = 1;  // the product of all axes that shard it in either
        AxisList seen;
        for (const Layout* layout : {&from, &to})
            for (const AxisRef& ref : layout->dims[d]) {
                if (std::find(seen.begin(), seen.end(), ref) != seen.end()) continue;
                seen.push_back(ref);
                all *= ref.size;
            }
        rounded.dims[d] = sharding::shard_size(type.dims[d], all) * all;
    }
    return std::max(local_bytes(rounded, from), local_bytes(rounded, to));
}

RetileHops retile_hops(std::int64_t size, std::int64_t shards, std::int64_t from, std::int64_t to) {
    RetileHops hops;
    if (shards <= 1 || from == to || size == 0) return hops;
    const std::int64_t last = std::min(shards, (size + to - 1) / to) - 1;  // holds data afterwards
    if (from > to) {
        hops.left = sharding::shard_size(last * (from - to), from);
    } else {
        for (const std::int64_t i : {last, last - 1}) {
            if (i < 0) continue;
            const std::int64_t end = std::min((i + 1) * to, size);
            hops.right = std::max(hops.right, (end - 1) / from - i);
        }
    }
    return hops;
}

std::size_t ReshardPlanner::KeyHash::operator()(const Key& k) const {
    return hash_value(k.from) * 31 + hash_value(k.to) * 17 + hash_value(k.type);
}

const ReshardPlan& ReshardPlanner::plan(const Layout& from, const Layout& to,
                                        const ir::TensorType& type) {
    std::unique_ptr<ReshardPlan>& slot = memo_[Key{from, to, type}];
    if (!slot) {
        slot = std::make_unique<ReshardPlan>();
        if (!(from == to)) *slot = make_plan(from, to, type, small_tensor_bytes_);
    }
    return *slot;
}

}  // namespace shardwright::partition
