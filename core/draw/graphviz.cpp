// `dot` through cgraph and gvc. Runs in the layout worker only.
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#endif
#include <cgraph.h>
#include <gvc.h>

#include <string>

#include "draw/layout.h"

namespace shardwright::draw {
namespace {

constexpr double kPointsPerInch = 72;

/// cgraph's functions take `char*` and do not write to it.
char* c_text(const char* text) {
    return const_cast<char*>(text);
}

void set(void* object, const char* key, const std::string& value) {
    agsafeset(object, c_text(key), c_text(value.c_str()), c_text(""));
}

Agraph_t* build(const LayoutInput& input, std::vector<Agnode_t*>& nodes,
                std::vector<Agedge_t*>& edges) {
    Agraph_t* graph = agopen(c_text("group"), Agdirected, nullptr);
    set(graph, "rankdir", "TB");
    set(graph, "nodesep", "0.34");
    set(graph, "ranksep", "0.5");
    // Without these limits the network simplex takes minutes on graphs of a few hundred nodes.
    set(graph, "nslimit", "1");
    set(graph, "nslimit1", "1");
    set(graph, "mclimit", ".1");
    for (std::size_t i = 0; i < input.sizes.size(); ++i) {
        Agnode_t* node = agnode(graph, c_text(("n" + std::to_string(i)).c_str()), 1);
        set(node, "shape", "box");
        set(node, "label", " ");
        set(node, "fixedsize", "true");
        set(node, "width", std::to_string(input.sizes[i].width / kPointsPerInch));
        set(node, "height", std::to_string(input.sizes[i].height / kPointsPerInch));
        nodes.push_back(node);
    }
    for (std::size_t e = 0; e < input.edges.size(); ++e) {
        Agedge_t* edge = agedge(graph, nodes[input.edges[e].from], nodes[input.edges[e].to],
                                c_text(("e" + std::to_string(e)).c_str()), 1);
        set(edge, "tailport", "s");
        set(edge, "headport", "n");
        edges.push_back(edge);
    }
    return graph;
}

LayoutResult read(Agraph_t* graph, const LayoutInput& input, const std::vector<Agnode_t*>& nodes,
                  const std::vector<Agedge_t*>& edges) {
    LayoutResult out;
    const boxf box = GD_bb(graph);
    // Graphviz's y grows upwards.
    const auto flip = [&](double x, double y) { return Point{x - box.LL.x, box.UR.y - y}; };
    out.size = {box.UR.x - box.LL.x, box.UR.y - box.LL.y};
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const Point centre = flip(ND_coord(nodes[i]).x, ND_coord(nodes[i]).y);
        const Size size = input.sizes[i];
        out.nodes.push_back(
            {centre.x - size.width / 2, centre.y - size.height / 2, size.width, size.height});
    }
    for (Agedge_t* edge : edges) {
        std::vector<Point> curve;
        if (const splines* s = ED_spl(edge); s != nullptr && s->size > 0) {
            const bezier& b = s->list[0];
            for (int i = 0; i < static_cast<int>(b.size); ++i)
                curve.push_back(flip(b.list[i].x, b.list[i].y));
            if (b.eflag != 0 && !curve.empty()) curve.back() = flip(b.ep.x, b.ep.y);
        }
        out.curves.push_back(std::move(curve));
    }
    return out;
}

}  // namespace

std::optional<LayoutResult> layout_dot(const LayoutInput& input) {
    GVC_t* context = gvContext();
    if (context == nullptr) return std::nullopt;
    std::vector<Agnode_t*> nodes;
    std::vector<Agedge_t*> edges;
    Agraph_t* graph = build(input, nodes, edges);
    std::optional<LayoutResult> out;
    if (gvLayout(context, graph, "dot") == 0) {
        out = read(graph, input, nodes, edges);
        gvFreeLayout(context, graph);
    }
    agclose(graph);
    gvFreeContext(context);
    return out;
}

}  // namespace shardwright::draw
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
