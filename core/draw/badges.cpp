#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "draw/overlay.h"
#include "draw/units.h"

namespace shardwright::draw {
namespace {

struct Sum {
    std::map<ir::OpKind, int> kinds;
    std::int64_t bytes = 0;
    double time_s = 0;
    bool all_reshards = true;
};

std::string text_of(const Sum& sum) {
    std::string figures = bytes_text(sum.bytes);
    if (sum.time_s > 0) figures += " " + time_text(sum.time_s);
    std::string text;
    for (const auto& [kind, count] : sum.kinds) {
        if (!text.empty()) text += " · ";
        if (count > 1) text += fmt::format("{} × ", count);
        text += short_name(kind);
    }
    // Where there is much to say, the figures come first: the end may be cut.
    return sum.kinds.size() > 1 ? figures + " · " + text : text + " " + figures;
}

/// The scene node that shows the operation: its card, or the closed group that hides it.
std::int64_t visible_node(const Scene& scene, const GroupTree& tree, const Graphs& graphs,
                          ir::OpId op, bool& is_hidden) {
    is_hidden = false;
    if (!op.valid() || op.index >= graphs.of_op.size()) return -1;
    if (const auto found = scene.node_of_op.find(op); found != scene.node_of_op.end()) {
        return found->second;
    }
    is_hidden = true;
    GroupId g = graphs.of_op[op.index].group;
    if (!g.valid()) return -1;
    for (; g.valid(); g = tree[g].parent)
        if (const auto found = scene.node_of_group.find(g); found != scene.node_of_group.end())
            return found->second;
    return -1;
}

}  // namespace

std::vector<Badge> place_badges(const Scene& scene, const GroupTree& tree, const Graphs& graphs,
                                const std::vector<CollectiveMark>& marks) {
    std::map<std::pair<std::uint32_t, ir::ValueId>, std::uint32_t> edge_into;
    for (std::uint32_t e = 0; e < scene.edges.size(); ++e)
        edge_into.emplace(std::pair(scene.edges[e].to, scene.edges[e].value), e);
    std::map<std::pair<Badge::Place, std::uint32_t>, Sum> sums;
    for (const CollectiveMark& mark : marks) {
        bool is_hidden = false;
        const std::int64_t node = visible_node(scene, tree, graphs, mark.op, is_hidden);
        if (node < 0) continue;
        std::pair<Badge::Place, std::uint32_t> place{Badge::Place::kNode,
                                                     static_cast<std::uint32_t>(node)};
        if (is_hidden) {
            place.first = Badge::Place::kGroup;
        } else if (mark.is_reshard) {
            const auto edge = edge_into.find({place.second, mark.value});
            if (edge != edge_into.end()) place = {Badge::Place::kEdge, edge->second};
        }
        Sum& sum = sums[place];
        ++sum.kinds[mark.kind];
        sum.bytes += mark.bytes;
        sum.time_s += mark.time_s;
        sum.all_reshards &= mark.is_reshard;
    }
    double most = 1;
    for (const auto& [place, sum] : sums) most = std::max(most, static_cast<double>(sum.bytes));
    std::vector<Badge> badges;
    for (const auto& [place, sum] : sums)
        badges.push_back({place.first, place.second, text_of(sum), sum.all_reshards,
                          static_cast<double>(sum.bytes) / most});
    return badges;
}

}  // namespace shardwright::draw
