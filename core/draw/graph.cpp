#include "draw/graph.h"

#include <algorithm>
#include <map>

namespace shardwright::draw {
namespace {

using ir::OpId;
using ir::ValueId;

struct RawEdge {
    std::uint32_t from, to;
    ValueId value;
};

class GraphMaker {
  public:
    GraphMaker(const ir::Module& module, const ir::Uses& uses, const GroupTree& tree)
        : module_(module),
          uses_(uses),
          tree_(tree),
          raw_(tree.groups.size()),
          outputs_(tree.groups.size()),
          of_group_node_(tree.groups.size(), 0) {
        out_.of_group.resize(tree.groups.size());
        out_.of_op.resize(module.op_count());
        out_.of_argument.resize(module.value_count());
    }

    Graphs run() {
        add_nodes();
        for (std::size_t i = 0; i < module_.value_count(); ++i) connect(ValueId(i));
        for (std::size_t g = 0; g < tree_.groups.size(); ++g) finish(g);
        return std::move(out_);
    }

  private:
    GroupGraph& graph(GroupId g) { return out_.of_group[g.index]; }

    std::uint32_t add_node(GroupId g, Node node) {
        graph(g).nodes.push_back(std::move(node));
        return static_cast<std::uint32_t>(graph(g).nodes.size() - 1);
    }

    void add_nodes() {
        for (std::size_t i = 0; i < tree_.groups.size(); ++i) {
            const GroupId g(i);
            for (const ValueId v : tree_[g].arguments) {
                Node node{.kind = NodeKind::kArgument,
                          .op = {},
                          .value = v,
                          .group = {},
                          .pills = {v},
                          .hidden_pills = 0,
                          .inline_operands = {}};
                out_.of_argument[v.index] = {g, add_node(g, std::move(node))};
            }
            for (const OpId id : tree_[g].ops) {
                Node node;
                node.op = id;
                for (std::size_t r = 0; r < module_.op(id).result_count; ++r)
                    node.pills.push_back(module_.result(id, r));
                out_.of_op[id.index] = {g, add_node(g, std::move(node))};
            }
            for (const GroupId child : tree_[g].children) {
                Node node;
                node.kind = NodeKind::kGroup;
                node.group = child;
                node.op = tree_[child].owner;
                of_group_node_[child.index] = add_node(g, std::move(node));
                if (const OpId owner = tree_[child].owner; owner.valid())
                    out_.of_op[owner.index] = {g, of_group_node_[child.index]};
            }
        }
    }

    /// The node of group `g` that stands for a place inside it.
    std::uint32_t node_in(GroupId g, NodePlace place) const {
        if (place.group == g) return place.node;
        GroupId below = place.group;
        while (tree_[below].parent != g) below = tree_[below].parent;
        return of_group_node_[below.index];
    }

    void connect(ValueId v) {
        const OpId def = module_.value(v).def;
        if (def.valid() && tree_.inlined[def.index]) return name_inside_users(v);
        const NodePlace from = out_.origin(module_, v);
        if (!from.group.valid()) return;
        for (const ir::Use& use : uses_.of(v)) {
            const NodePlace to = out_.of_op[use.op.index];
            if (!to.group.valid()) {
                if (ir::info(module_.op(use.op).kind).terminator) note_output(v, from.group);
                continue;
            }
            const GroupId meet = tree_.common(from.group, to.group);
            raw_[meet.index].push_back({node_in(meet, from), node_in(meet, to), v});
            for (GroupId g = from.group; g != meet; g = tree_[g].parent) note(outputs_[g.index], v);
            for (GroupId g = to.group; g != meet; g = tree_[g].parent)
                raw_[g.index].push_back({port(g, v), node_in(g, to), v});
        }
    }

    /// What the program or a loop's body returns leaves every group up to its region's own.
    void note_output(ValueId v, GroupId from) {
        for (GroupId g = from; g.valid() && !tree_[g].owner.valid(); g = tree_[g].parent)
            note(outputs_[g.index], v);
    }

    void name_inside_users(ValueId v) {
        for (const ir::Use& use : uses_.of(v))
            if (const NodePlace to = out_.of_op[use.op.index]; to.group.valid())
                note(graph(to.group).nodes[to.node].inline_operands, v);
    }

    static void note(std::vector<ValueId>& list, ValueId v) {
        if (std::find(list.begin(), list.end(), v) == list.end()) list.push_back(v);
    }

    std::uint32_t port(GroupId g, ValueId v) {
        auto [found, is_new] = ports_.try_emplace({g.index, v.index}, 0);
        if (is_new) {
            Node node{.kind = NodeKind::kPort,
                      .op = {},
                      .value = v,
                      .group = {},
                      .pills = {v},
                      .hidden_pills = 0,
                      .inline_operands = {}};
            found->second = add_node(g, std::move(node));
        }
        return found->second;
    }

    void finish(std::size_t g) {
        std::vector<RawEdge>& raw = raw_[g];
        const auto key = [](const RawEdge& e) { return std::tuple(e.from, e.to, e.value); };
        std::sort(raw.begin(), raw.end(),
                  [&](const RawEdge& a, const RawEdge& b) { return key(a) < key(b); });
        raw.erase(std::unique(raw.begin(), raw.end(),
                              [&](const RawEdge& a, const RawEdge& b) { return key(a) == key(b); }),
                  raw.end());
        cut_fan_out(g);
        cut_long(g);
        GroupGraph& out = out_.of_group[g];
        for (const RawEdge& e : raw) {
            if (!out.edges.empty() && out.edges.back().from == e.from &&
                out.edges.back().to == e.to)
                ++out.edges.back().count;
            else
                out.edges.push_back({e.from, e.to, e.value, 1});
        }
        drop_idle_ports(out);
        for (Node& node : out.nodes) {
            if (node.kind == NodeKind::kGroup) node.pills = outputs_[node.group.index];
            keep_largest(node);
        }
    }

    void make_portal(std::size_t g, const RawEdge& e) {
        Node& user = out_.of_group[g].nodes[e.to];
        if (user.kind == NodeKind::kOp) note(user.inline_operands, e.value);
    }

    void cut_fan_out(std::size_t g) {
        std::map<ValueId, std::size_t> users;
        for (const RawEdge& e : raw_[g]) ++users[e.value];
        std::erase_if(raw_[g], [&](const RawEdge& e) {
            if (users[e.value] <= Graphs::kMaxFanOut) return false;
            make_portal(g, e);
            return true;
        });
    }

    void cut_long(std::size_t g) {
        const std::size_t n = out_.of_group[g].nodes.size();
        std::vector<std::int32_t> rank(n, 0), waiting(n, 0);
        std::vector<std::vector<std::uint32_t>> next(n);
        for (const RawEdge& e : raw_[g]) next[e.from].push_back(e.to), ++waiting[e.to];
        std::vector<std::uint32_t> ready;
        for (std::uint32_t i = 0; i < n; ++i)
            if (waiting[i] == 0) ready.push_back(i);
        for (std::size_t at = 0; at < ready.size(); ++at)
            for (const std::uint32_t to : next[ready[at]]) {
                rank[to] = std::max(rank[to], rank[ready[at]] + 1);
                if (--waiting[to] == 0) ready.push_back(to);
            }
        // A source stands just above its first user, not at the top.
        std::vector<std::int32_t> first_use(n, -1);
        std::vector<bool> is_source(n, true);
        for (const RawEdge& e : raw_[g]) {
            is_source[e.to] = false;
            if (first_use[e.from] < 0 || rank[e.to] < first_use[e.from])
                first_use[e.from] = rank[e.to];
        }
        for (std::size_t i = 0; i < n; ++i)
            if (is_source[i] && first_use[i] > 0) rank[i] = first_use[i] - 1;
        std::erase_if(raw_[g], [&](const RawEdge& e) {
            if (rank[e.to] - rank[e.from] <= Graphs::kMaxSpan) return false;
            make_portal(g, e);
            return true;
        });
    }

    /// Ports whose every use became a portal say nothing more; later nodes move up.
    void drop_idle_ports(GroupGraph& graph) {
        std::vector<bool> used(graph.nodes.size(), false);
        for (const Edge& e : graph.edges) used[e.from] = true;
        std::vector<std::uint32_t> renumbered(graph.nodes.size(), 0);
        std::uint32_t kept = 0;
        for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
            renumbered[i] = kept;
            if (graph.nodes[i].kind == NodeKind::kPort && !used[i]) continue;
            if (kept != i) graph.nodes[kept] = std::move(graph.nodes[i]);
            ++kept;
        }
        // Ports were added last, so places that others remember keep their numbers.
        graph.nodes.resize(kept);
        for (Edge& e : graph.edges) e.from = renumbered[e.from], e.to = renumbered[e.to];
    }

    void keep_largest(Node& node) const {
        if (node.pills.size() <= Graphs::kMaxPills) return;
        std::stable_sort(node.pills.begin(), node.pills.end(), [&](ValueId a, ValueId b) {
            return module_.type(a).byte_size() > module_.type(b).byte_size();
        });
        node.hidden_pills = static_cast<std::uint32_t>(node.pills.size() - Graphs::kMaxPills);
        node.pills.resize(Graphs::kMaxPills);
    }

    const ir::Module& module_;
    const ir::Uses& uses_;
    const GroupTree& tree_;
    Graphs out_;
    std::vector<std::vector<RawEdge>> raw_;
    std::vector<std::vector<ValueId>> outputs_;
    std::vector<std::uint32_t> of_group_node_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> ports_;
};

}  // namespace

NodePlace Graphs::origin(const ir::Module& module, ir::ValueId value) const {
    const OpId def = module.value(value).def;
    return def.valid() ? of_op[def.index] : of_argument[value.index];
}

Graphs make_graphs(const ir::Module& module, const ir::Uses& uses, const GroupTree& tree) {
    return GraphMaker(module, uses, tree).run();
}

}  // namespace shardwright::draw
