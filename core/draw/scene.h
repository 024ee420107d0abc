#pragma once
// The whole picture in one coordinate system: every open group with its contents, every card, pill,
// cell and edge at its place. Built beside the interface; painted many times.
//
//     Scene scene = build_scene({module, tree, graphs, label}, open_groups, store);
//     DisplayList list = paint(scene, overlay, {.visible = scene.bounds, .scale = 1});

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "draw/graph.h"
#include "draw/grid.h"
#include "draw/layout.h"
#include "draw/measure.h"

namespace shardwright::draw {

struct ScenePill {
    Rect rect;
    ir::ValueId value;
    std::string type;
    std::uint32_t node = 0;
    std::uint32_t cell_begin = 0, cell_count = 0;
};
struct SceneRow {
    Rect rect;
    ir::ValueId value;
    std::string text;
    bool portal = false;
};
struct SceneNode {
    NodeKind kind = NodeKind::kOp;
    bool open = false;  ///< a group whose contents are shown
    Rect rect;
    ir::OpId op;
    ir::ValueId value;
    GroupId group;  ///< kGroup: itself; else the group that holds it
    std::uint32_t depth = 0;
    std::string title, note;
    std::uint32_t pill_begin = 0, pill_count = 0;
    std::uint32_t row_begin = 0, row_count = 0;
};
struct SceneEdge {
    std::uint32_t from = 0, to = 0;  ///< scene nodes
    ir::ValueId value;
    std::uint32_t count = 1;
    std::vector<Point> curve;
    Rect bounds;
};

struct Scene {
    std::vector<SceneNode> nodes;  ///< open groups before what they hold
    std::vector<ScenePill> pills;
    std::vector<Rect> cells;         ///< one a dimension, by the pills' cell ranges
    std::vector<std::int64_t> dims;  ///< their sizes
    std::vector<SceneRow> rows;
    std::vector<SceneEdge> edges;
    Rect bounds;
    Grid node_grid, edge_grid;
    std::unordered_map<ir::OpId, std::uint32_t> node_of_op;
    std::unordered_multimap<ir::ValueId, std::uint32_t> pills_of_value;
    std::unordered_map<GroupId, std::uint32_t> node_of_group;

    /// The pill that shows the value at its origin, else any pill of it.
    std::optional<std::uint32_t> pill_of(ir::ValueId value) const;
};

struct SceneSource {
    const ir::Module& module;
    const GroupTree& tree;
    const Graphs& graphs;
    ValueLabel label;
};

/// `open[g]`: group g is shown open if all above it are. The root always is.
Scene build_scene(const SceneSource& source, const std::vector<bool>& open, LayoutStore& store);

/// Groups to open at first: from the top while no more than about `cards` cards are on the screen.
std::vector<bool> first_view(const GroupTree& tree, std::int64_t cards = 44);

/// What lies under a point.
struct Hit {
    std::int64_t node = -1, pill = -1, cell = -1, row = -1;
};
Hit hit_test(const Scene& scene, Point point);

}  // namespace shardwright::draw
