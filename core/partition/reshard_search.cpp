#include "partition/reshard_search.h"

#include <algorithm>
#include <queue>
#include <unordered_map>

#include "partition/collective_cost.h"
#include "sharding/geometry.h"

namespace shardwright::partition {
namespace {

constexpr std::size_t kMaxStates = 20000;  // then gather and slice

class Search {
  public:
    Search(const Atoms& atoms, const ir::TensorType& type, std::int64_t limit)
        : atoms_(atoms), type_(type), limit_(limit) {
        for (std::size_t d = 0; d < type.rank(); ++d) {
            const AtomList &a = atoms.from.dims[d], &b = atoms.to.dims[d];
            if (!a.empty() || !b.empty()) dims_.push_back(d);
            // What both have in front stays in place: it makes every state smaller.
            std::size_t common = 0;
            while (common < a.size() && common < b.size() && a[common] == b[common]) ++common;
            frozen_.push_back(common);
        }
    }

    std::optional<std::vector<AtomMove>> run() {
        visit(AtomMove{MoveKind::kSlice, 0, 0, {}, atoms_.from}, 0.0, -1);
        while (!queue_.empty()) {
            const Entry top = queue_.top();
            queue_.pop();
            const int id = top.node;
            if (nodes_[static_cast<std::size_t>(id)].done) continue;
            nodes_[static_cast<std::size_t>(id)].done = true;
            current_ = nodes_[static_cast<std::size_t>(id)].move.after;
            current_id_ = id;
            current_cost_ = top.cost;
            if (current_ == atoms_.to) return path(id);
            if (nodes_.size() > kMaxStates) break;
            expand();
        }
        return std::nullopt;
    }

  private:
    struct Node {
        AtomMove move;
        double cost = 0;
        int parent = -1;
        bool done = false;
    };
    struct Entry {
        double cost;
        int node;
        // Least cost first; of equals the one found first: deterministic.
        bool operator<(const Entry& o) const {
            return cost != o.cost ? cost > o.cost : node > o.node;
        }
    };

    std::int64_t shards(const AtomList& list) const {
        std::int64_t n = 1;
        for (const std::uint8_t a : list) n *= atoms_.refs[a].size;
        return n;
    }
    std::int64_t block(const AtomState& s, std::size_t d) const {
        return sharding::shard_size(type_.dims[d], shards(s.dims[d]));
    }
    double bytes(const AtomState& s) const {
        ir::TensorType local = type_;
        for (const std::size_t d : dims_) local.dims[d] = block(s, d);
        return static_cast<double>(local.byte_size());
    }
    /// Seconds of re-tiling dimension `d` from blocks of `from` while sharded by `list`.
    double retile(const AtomState& s, std::size_t d, const AtomList& list, std::int64_t from,
                  std::int64_t to) const {
        if (from == to) return 0;
        const std::int64_t n = shards(list);
        const RetileHops hops = retile_hops(type_.dims[d], n, from, to);
        const double shard = bytes(s);
        if (hops.total() > kMaxRetileHops) {
            return all_gather_seconds(shard * static_cast<double>(n), n);
        }
        return static_cast<double>(hops.total()) * permute_seconds(shard) + local_seconds(shard);
    }

    void visit(AtomMove move, double cost, int parent) {
        if (parent >= 0 && bytes(move.after) > static_cast<double>(limit_)) return;
        std::string key = move.after.key();
        const auto [found, is_new] = index_.try_emplace(std::move(key), nodes_.size());
        if (is_new) {
            nodes_.push_back(Node{std::move(move), cost, parent, false});
        } else {
            Node& node = nodes_[found->second];
            if (node.done || node.cost <= cost) return;
            node.move = std::move(move);
            node.cost = cost;
            node.parent = parent;
        }
        queue_.push({cost, static_cast<int>(found->second)});
    }
    void go(AtomMove move, double seconds) {
        visit(std::move(move), current_cost_ + seconds + kNominal.launch, current_id_);
    }

    std::uint32_t used() const {
        std::uint32_t mask = current_.pending;
        for (const AtomList& list : current_.dims)
            for (const std::uint8_t a : list) mask |= 1u << a;
        return mask;
    }

    void expand() {
        slices();
        for (const std::size_t d : dims_) gathers_and_moves(d);
        reductions();
        permutes();
    }

    void slices() {
        const std::uint32_t taken = used();
        for (const std::size_t home : dims_)
            for (const std::uint8_t a : atoms_.to.dims[home]) {
                if ((taken >> a & 1u) != 0) continue;
                for (const std::size_t d : dims_) {
                    AtomMove move{MoveKind::kSlice, d, d, {a}, current_};
                    move.after.dims[d].push_back(a);
                    const std::int64_t inner = block(move.after, d) * atoms_.refs[a].size;
                    const double seconds =
                        retile(current_, d, current_.dims[d], block(current_, d), inner) +
                        local_seconds(2 * bytes(move.after));
                    go(std::move(move), seconds);
                }
            }
        for (std::uint32_t rest = atoms_.to.pending & ~taken, a = 0; rest >> a != 0; ++a) {
            if ((rest >> a & 1u) == 0) continue;
            AtomMove move{MoveKind::kMakePartial, 0, 0, {static_cast<std::uint8_t>(a)}, current_};
            move.after.pending |= 1u << a;
            go(std::move(move), local_seconds(2 * bytes(current_)));
        }
    }

    void gathers_and_moves(std::size_t d) {
        const AtomList& list = current_.dims[d];
        AtomList taken;
        for (std::size_t k = list.size(); k > frozen_[d]; --k) {
            taken.insert(taken.begin(), list[k - 1]);
            const std::int64_t n = shards(taken);
            AtomMove gather{MoveKind::kAllGather, d, d, taken, current_};
            gather.after.dims[d].resize(k - 1);
            const double undo = retile(gather.after, d, gather.after.dims[d],
                                       block(current_, d) * n, block(gather.after, d));
            const double gathered = bytes(current_) * static_cast<double>(n);
            for (const std::size_t to : dims_) {
                if (to == d) continue;
                AtomMove move{MoveKind::kAllToAll, d, to, taken, gather.after};
                move.after.dims[to].insert(move.after.dims[to].end(), taken.begin(), taken.end());
                const std::int64_t inner = block(move.after, to) * n;
                const double pad =
                    retile(current_, to, current_.dims[to], block(current_, to), inner);
                go(std::move(move), pad + undo + all_to_all_seconds(gathered, n));
            }
            go(std::move(gather), undo + all_gather_seconds(gathered, n));
        }
    }

    void reductions() {
        const std::uint32_t surplus = current_.pending & ~atoms_.to.pending;
        if (surplus == 0) return;
        AtomMove all{MoveKind::kAllReduce, 0, 0, {}, current_};
        const double size = bytes(current_);
        for (std::uint32_t a = 0; surplus >> a != 0; ++a) {
            if ((surplus >> a & 1u) == 0) continue;
            const auto atom = static_cast<std::uint8_t>(a);
            all.atoms.push_back(atom);
            AtomMove one{MoveKind::kAllReduce, 0, 0, {atom}, current_};
            one.after.pending &= ~(1u << a);
            for (const std::size_t d : dims_) {
                AtomMove scatter{MoveKind::kReduceScatter, d, d, {atom}, one.after};
                scatter.after.dims[d].push_back(atom);
                const std::int64_t inner = block(scatter.after, d) * atoms_.refs[a].size;
                const double pad = retile(current_, d, current_.dims[d], block(current_, d), inner);
                go(std::move(scatter), pad + reduce_scatter_seconds(size, atoms_.refs[a].size));
            }
            go(std::move(one), all_reduce_seconds(size, atoms_.refs[a].size));
        }
        all.after.pending &= ~surplus;
        const std::int64_t n = shards(all.atoms);
        go(std::move(all), all_reduce_seconds(size, n));
    }

    void permute_to(const AtomState& after) {
        if (after == current_) return;
        go(AtomMove{MoveKind::kPermute, 0, 0, {}, after}, permute_seconds(bytes(current_)));
    }

    void permutes() {
        // Straight to the goal, when only the places differ.
        bool same_counts = current_.pending == atoms_.to.pending;
        for (const std::size_t d : dims_)
            same_counts = same_counts && shards(current_.dims[d]) == shards(atoms_.to.dims[d]);
        if (same_counts) permute_to(atoms_.to);
        const std::uint32_t taken = used();
        for (const std::size_t d : dims_) {
            const AtomList& list = current_.dims[d];
            for (std::size_t i = frozen_[d]; i < list.size(); ++i) {
                AtomState last = current_;  // make this one the minor-most
                AtomList& moved = last.dims[d];
                std::rotate(moved.begin() + static_cast<std::ptrdiff_t>(i),
                            moved.begin() + static_cast<std::ptrdiff_t>(i) + 1, moved.end());
                permute_to(last);
                swaps(d, i, taken);
            }
        }
    }

    /// Exchanges the atom at (d, i) with an equal-sized one, placed or unused.
    void swaps(std::size_t d, std::size_t i, std::uint32_t taken) {
        const std::uint8_t mine = current_.dims[d][i];
        for (std::uint8_t a = 0; a < atoms_.refs.size(); ++a) {
            if (atoms_.refs[a].size != atoms_.refs[mine].size || (taken >> a & 1u) != 0) continue;
            AtomState swapped = current_;
            swapped.dims[d][i] = a;
            permute_to(swapped);
        }
        for (const std::size_t e : dims_)
            for (std::size_t j = frozen_[e]; j < current_.dims[e].size(); ++j) {
                const std::uint8_t other = current_.dims[e][j];
                if (e < d || (e == d && j <= i)) continue;
                if (atoms_.refs[other].size != atoms_.refs[mine].size) continue;
                AtomState swapped = current_;
                std::swap(swapped.dims[d][i], swapped.dims[e][j]);
                permute_to(swapped);
            }
    }

    std::vector<AtomMove> path(int id) const {
        std::vector<AtomMove> moves;
        for (; nodes_[static_cast<std::size_t>(id)].parent >= 0;
             id = nodes_[static_cast<std::size_t>(id)].parent)
            moves.push_back(nodes_[static_cast<std::size_t>(id)].move);
        std::reverse(moves.begin(), moves.end());
        return moves;
    }

    const Atoms& atoms_;
    const ir::TensorType& type_;
    std::int64_t limit_;
    std::vector<std::size_t> dims_;  // dims that some axis shards in either layout
    std::vector<std::size_t> frozen_;
    std::vector<Node> nodes_;
    std::unordered_map<std::string, std::size_t> index_;
    std::priority_queue<Entry> queue_;
    AtomState current_;
    int current_id_ = -1;
    double current_cost_ = 0;
};

}  // namespace

std::optional<std::vector<AtomMove>> search_moves(const Atoms& atoms, const ir::TensorType& type,
                                                  std::int64_t limit) {
    return Search(atoms, type, limit).run();
}

std::vector<AtomMove> gather_and_slice(const Atoms& atoms) {
    std::vector<AtomMove> moves;
    AtomState state = atoms.from;
    const auto push = [&](MoveKind kind, std::size_t dim, AtomList list) {
        moves.push_back(AtomMove{kind, dim, dim, std::move(list), state});
    };
    const std::uint32_t surplus = state.pending & ~atoms.to.pending;
    if (surplus != 0) {
        AtomList list;
        for (std::uint8_t a = 0; a < atoms.refs.size(); ++a)
            if ((surplus >> a & 1u) != 0) list.push_back(a);
        state.pending &= ~surplus;
        push(MoveKind::kAllReduce, 0, list);
    }
    InlineVector<std::size_t, 4> common(state.dims.size(), 0);
    for (std::size_t d = 0; d < state.dims.size(); ++d) {
        AtomList& list = state.dims[d];
        const AtomList& goal = atoms.to.dims[d];
        while (common[d] < list.size() && common[d] < goal.size() &&
               list[common[d]] == goal[common[d]])
            ++common[d];
        AtomList dropped(list.begin() + static_cast<std::ptrdiff_t>(common[d]), list.end());
        if (dropped.empty()) continue;
        list.resize(common[d]);
        push(MoveKind::kAllGather, d, dropped);
    }
    for (std::size_t d = 0; d < state.dims.size(); ++d) {
        const AtomList& goal = atoms.to.dims[d];
        AtomList added(goal.begin() + static_cast<std::ptrdiff_t>(common[d]), goal.end());
        if (added.empty()) continue;
        state.dims[d] = goal;
        push(MoveKind::kSlice, d, added);
    }
    for (std::uint8_t a = 0; a < atoms.refs.size(); ++a)
        if (((atoms.to.pending & ~state.pending) >> a & 1u) != 0) {
            state.pending |= 1u << a;
            push(MoveKind::kMakePartial, 0, {a});
        }
    return moves;
}

}  // namespace shardwright::partition
