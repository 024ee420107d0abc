#include "draw/scene.h"

#include <algorithm>
#include <cmath>
#include <queue>

namespace shardwright::draw {
namespace {

constexpr double kGroupPad = 22, kGroupHeader = 30;
constexpr double kAspect = 1.55;    ///< width : height aimed at
constexpr double kTallGroup = 900;  ///< an open group below this height stays one column

/// One group laid out at the origin.
struct Placed {
    std::vector<Card> cards;  // by node of the group's graph; open groups have only a title
    LayoutResult layout;
};

class SceneBuilder {
  public:
    SceneBuilder(const SceneSource& source, const std::vector<bool>& open, LayoutStore& store)
        : source_(source), open_(open), store_(store), placed_(source.tree.groups.size()) {}

    Scene run() {
        const GroupId root = source_.tree.root();
        scene_.bounds = {0, 0, 1, 1};
        if (source_.graphs.of_group.empty()) return std::move(scene_);
        place(root);
        const Size size = placed_[root.index].layout.size;
        scene_.bounds = {0, 0, std::max(size.width, 1.0), std::max(size.height, 1.0)};
        emit(root, {0, 0}, 0);
        index();
        return std::move(scene_);
    }

  private:
    bool is_open(const Node& node) const {
        return node.kind == NodeKind::kGroup && open_[node.group.index];
    }

    void place(GroupId g) {
        const GroupGraph& graph = source_.graphs.of_group[g.index];
        Placed& placed = placed_[g.index];
        LayoutInput input;
        for (const Node& node : graph.nodes) {
            Card card = measure(source_.module, source_.tree, node, source_.label);
            if (is_open(node)) {
                place(node.group);
                const Size inner = placed_[node.group.index].layout.size;
                card.rows.clear();
                card.pills.clear();
                card.size = {std::max(inner.width + 2 * kGroupPad, 200.0),
                             inner.height + kGroupHeader + 2 * kGroupPad};
            }
            // Whole units: layouts of equal structure then compare equal.
            input.sizes.push_back({std::ceil(card.size.width), std::ceil(card.size.height)});
            card.size = input.sizes.back();
            placed.cards.push_back(std::move(card));
        }
        for (const Edge& edge : graph.edges) input.edges.push_back({edge.from, edge.to});
        const auto layout = store_.layout(input);
        placed.layout = *layout;
        const bool is_root = g == source_.tree.root();
        if (is_root || placed.layout.size.height > kTallGroup)
            placed.layout = into_columns(std::move(placed.layout), input.edges, kAspect);
    }

    void emit(GroupId g, Point origin, std::uint32_t depth) {
        const GroupGraph& graph = source_.graphs.of_group[g.index];
        const Placed& placed = placed_[g.index];
        std::vector<std::uint32_t> scene_node(graph.nodes.size());
        for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
            const Rect rect = placed.layout.nodes[i].moved(origin.x, origin.y);
            scene_node[i] = emit_node(g, graph.nodes[i], placed.cards[i], rect, depth);
            if (is_open(graph.nodes[i])) {
                const Size inner = placed_[graph.nodes[i].group.index].layout.size;
                emit(graph.nodes[i].group,
                     {rect.x + (rect.width - inner.width) / 2, rect.y + kGroupHeader + kGroupPad},
                     depth + 1);
            }
        }
        for (std::size_t e = 0; e < graph.edges.size(); ++e) {
            SceneEdge edge;
            edge.from = scene_node[graph.edges[e].from];
            edge.to = scene_node[graph.edges[e].to];
            edge.value = graph.edges[e].value;
            edge.count = graph.edges[e].count;
            edge.curve = placed.layout.curves[e];
            for (Point& p : edge.curve) p.x += origin.x, p.y += origin.y;
            if (edge.curve.empty()) edge.curve = join(edge.from, edge.to);
            edge.bounds = bounds_of(edge.curve);
            scene_.edges.push_back(std::move(edge));
        }
    }

    std::uint32_t emit_node(GroupId holder, const Node& node, const Card& card, const Rect& rect,
                            std::uint32_t depth) {
        const auto index = static_cast<std::uint32_t>(scene_.nodes.size());
        SceneNode out;
        out.kind = node.kind;
        out.open = is_open(node);
        out.rect = rect;
        out.op = node.op;
        out.value = node.value;
        out.group = node.kind == NodeKind::kGroup ? node.group : holder;
        out.depth = depth;
        out.title = card.title;
        out.note = card.note;
        out.row_begin = static_cast<std::uint32_t>(scene_.rows.size());
        out.row_count = static_cast<std::uint32_t>(card.rows.size());
        for (const RowPlace& row : card.rows)
            scene_.rows.push_back(
                {row.rect.moved(rect.x, rect.y), row.value, row.text, row.portal});
        out.pill_begin = static_cast<std::uint32_t>(scene_.pills.size());
        out.pill_count = static_cast<std::uint32_t>(card.pills.size());
        for (const PillPlace& pill : card.pills) {
            ScenePill p;
            p.rect = pill.rect.moved(rect.x, rect.y);
            p.value = pill.value;
            p.type = pill.type;
            p.node = index;
            p.cell_begin = static_cast<std::uint32_t>(scene_.cells.size());
            p.cell_count = static_cast<std::uint32_t>(pill.cells.size());
            for (const Rect& cell : pill.cells) scene_.cells.push_back(cell.moved(rect.x, rect.y));
            for (const std::int64_t d : source_.module.type(p.value).dims) scene_.dims.push_back(d);
            scene_.pills_of_value.emplace(p.value, static_cast<std::uint32_t>(scene_.pills.size()));
            scene_.pills.push_back(std::move(p));
        }
        if (node.op.valid()) scene_.node_of_op.emplace(node.op, index);
        if (node.kind == NodeKind::kGroup) scene_.node_of_group.emplace(node.group, index);
        scene_.nodes.push_back(std::move(out));
        return index;
    }

    /// A plain curve where the layout gave none.
    std::vector<Point> join(std::uint32_t from, std::uint32_t to) const {
        const Rect &a = scene_.nodes[from].rect, &b = scene_.nodes[to].rect;
        const Point start{a.centre().x, a.bottom()}, end{b.centre().x, b.y};
        const double reach = std::max(24.0, (end.y - start.y) / 2);
        return {start, {start.x, start.y + reach}, {end.x, end.y - reach}, end};
    }

    static Rect bounds_of(const std::vector<Point>& points) {
        Rect bounds{points[0].x, points[0].y, 0.01, 0.01};
        for (const Point& p : points) bounds = bounds.united({p.x, p.y, 0.01, 0.01});
        return bounds;
    }

    void index() {
        std::vector<Rect> nodes, edges;
        for (const SceneNode& node : scene_.nodes) nodes.push_back(node.rect);
        for (const SceneEdge& edge : scene_.edges) {
            edges.push_back(edge.bounds);
            scene_.bounds = scene_.bounds.united(edge.bounds);
        }
        scene_.node_grid = Grid(nodes, scene_.bounds);
        scene_.edge_grid = Grid(edges, scene_.bounds);
    }

    const SceneSource& source_;
    const std::vector<bool>& open_;
    LayoutStore& store_;
    std::vector<Placed> placed_;
    Scene scene_;
};

}  // namespace

Scene build_scene(const SceneSource& source, const std::vector<bool>& open, LayoutStore& store) {
    return SceneBuilder(source, open, store).run();
}

std::vector<bool> first_view(const GroupTree& tree, std::int64_t cards) {
    std::vector<bool> open(tree.groups.size(), false);
    const auto direct = [&](GroupId g) {
        return static_cast<std::int64_t>(tree[g].ops.size() + tree[g].children.size());
    };
    std::int64_t shown = direct(tree.root());
    open[0] = true;
    std::queue<GroupId> waiting;
    for (const GroupId child : tree[tree.root()].children) waiting.push(child);
    while (!waiting.empty()) {
        const GroupId g = waiting.front();
        waiting.pop();
        if (shown + direct(g) - 1 > cards) continue;
        shown += direct(g) - 1;
        open[g.index] = true;
        for (const GroupId child : tree[g].children) waiting.push(child);
    }
    return open;
}

std::optional<std::uint32_t> Scene::pill_of(ir::ValueId value) const {
    std::optional<std::uint32_t> best;
    const auto [begin, end] = pills_of_value.equal_range(value);
    for (auto it = begin; it != end; ++it) {
        const NodeKind kind = nodes[pills[it->second].node].kind;
        const bool is_origin = kind == NodeKind::kOp || kind == NodeKind::kArgument;
        if (!best || is_origin) best = it->second;
        if (is_origin) break;
    }
    return best;
}

Hit hit_test(const Scene& scene, Point point) {
    Hit hit;
    std::uint32_t depth = 0;
    for (const std::uint32_t i : scene.node_grid.find({point.x, point.y, 0.01, 0.01})) {
        if (!scene.nodes[i].rect.contains(point)) continue;
        if (hit.node >= 0 && scene.nodes[i].depth < depth) continue;
        hit.node = i;
        depth = scene.nodes[i].depth;
    }
    if (hit.node < 0) return hit;
    const SceneNode& node = scene.nodes[static_cast<std::size_t>(hit.node)];
    for (std::uint32_t p = node.pill_begin; p < node.pill_begin + node.pill_count; ++p) {
        if (!scene.pills[p].rect.contains(point)) continue;
        hit.pill = p;
        for (std::uint32_t c = 0; c < scene.pills[p].cell_count; ++c)
            if (scene.cells[scene.pills[p].cell_begin + c].contains(point)) hit.cell = c;
    }
    for (std::uint32_t r = node.row_begin; r < node.row_begin + node.row_count; ++r)
        if (scene.rows[r].rect.contains(point)) hit.row = r;
    return hit;
}

}  // namespace shardwright::draw
