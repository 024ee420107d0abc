// Our own layered layout: what is used when Graphviz is missing, slow or dead.
#include <algorithm>
#include <numeric>

#include "draw/layout.h"

namespace shardwright::draw {
namespace {

constexpr double kNodeGap = 24, kRankGap = 44;

struct Layers {
    std::vector<std::int32_t> rank;                   // by node
    std::vector<std::vector<std::uint32_t>> order;    // by rank, left to right
    std::vector<std::vector<std::uint32_t>> in, out;  // by node, without edges that go back
};

/// Depth-first search marks edges into the current path: they are left out of ranks and sweeps.
std::vector<bool> find_back_edges(const LayoutInput& input) {
    const std::size_t n = input.sizes.size();
    std::vector<std::vector<std::size_t>> edges_of(n);
    for (std::size_t e = 0; e < input.edges.size(); ++e) edges_of[input.edges[e].from].push_back(e);
    std::vector<bool> back(input.edges.size(), false);
    enum : char { kNew, kOpen, kDone };
    std::vector<char> state(n, kNew);
    std::vector<std::pair<std::uint32_t, std::size_t>> stack;
    for (std::uint32_t root = 0; root < n; ++root) {
        if (state[root] != kNew) continue;
        stack.push_back({root, 0});
        state[root] = kOpen;
        while (!stack.empty()) {
            auto& [node, next] = stack.back();
            if (next == edges_of[node].size()) {
                state[node] = kDone;
                stack.pop_back();
                continue;
            }
            const std::size_t e = edges_of[node][next++];
            const std::uint32_t to = input.edges[e].to;
            if (state[to] == kOpen) back[e] = true;
            if (state[to] == kNew) {
                state[to] = kOpen;
                stack.push_back({to, 0});
            }
        }
    }
    return back;
}

Layers make_layers(const LayoutInput& input) {
    const std::size_t n = input.sizes.size();
    Layers layers;
    layers.rank.assign(n, 0);
    layers.in.resize(n);
    layers.out.resize(n);
    const std::vector<bool> back = find_back_edges(input);
    for (std::size_t e = 0; e < input.edges.size(); ++e) {
        if (back[e]) continue;
        layers.out[input.edges[e].from].push_back(input.edges[e].to);
        layers.in[input.edges[e].to].push_back(input.edges[e].from);
    }
    std::vector<std::size_t> waiting(n);
    std::vector<std::uint32_t> ready;
    for (std::uint32_t i = 0; i < n; ++i)
        if ((waiting[i] = layers.in[i].size()) == 0) ready.push_back(i);
    for (std::size_t at = 0; at < ready.size(); ++at)
        for (const std::uint32_t to : layers.out[ready[at]]) {
            layers.rank[to] = std::max(layers.rank[to], layers.rank[ready[at]] + 1);
            if (--waiting[to] == 0) ready.push_back(to);
        }
    std::int32_t last = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
        if (!layers.in[i].empty() || layers.out[i].empty()) continue;
        std::int32_t first_use = layers.rank[layers.out[i][0]];
        for (const std::uint32_t to : layers.out[i])
            first_use = std::min(first_use, layers.rank[to]);
        layers.rank[i] = first_use - 1;  // weights stand right above their user
    }
    for (const std::int32_t r : layers.rank) last = std::max(last, r);
    layers.order.resize(n == 0 ? 0 : static_cast<std::size_t>(last) + 1);
    for (std::uint32_t i = 0; i < n; ++i)
        layers.order[static_cast<std::size_t>(layers.rank[i])].push_back(i);
    return layers;
}

/// Sorts every rank by the mean position of its neighbours, downwards and upwards in turn.
void sweep(Layers& layers) {
    std::vector<double> position(layers.rank.size(), 0), wish(layers.rank.size(), 0);
    const auto renumber = [&](const std::vector<std::uint32_t>& row) {
        for (std::size_t i = 0; i < row.size(); ++i) position[row[i]] = static_cast<double>(i);
    };
    for (const auto& row : layers.order) renumber(row);
    for (int round = 0; round < 4; ++round) {
        const bool down = round % 2 == 0;
        for (std::size_t step = 0; step < layers.order.size(); ++step) {
            auto& row = layers.order[down ? step : layers.order.size() - 1 - step];
            for (const std::uint32_t node : row) {
                const auto& neighbours = down ? layers.in[node] : layers.out[node];
                wish[node] = position[node];
                if (neighbours.empty()) continue;
                double sum = 0;
                for (const std::uint32_t other : neighbours) sum += position[other];
                wish[node] = sum / static_cast<double>(neighbours.size());
            }
            std::stable_sort(row.begin(), row.end(),
                             [&](std::uint32_t a, std::uint32_t b) { return wish[a] < wish[b]; });
            renumber(row);
        }
    }
}

}  // namespace

LayoutResult layout_layered(const LayoutInput& input) {
    Layers layers = make_layers(input);
    sweep(layers);
    LayoutResult out;
    out.nodes.resize(input.sizes.size());
    out.curves.resize(input.edges.size());
    std::vector<double> widths;
    for (const auto& row : layers.order) {
        double width = row.empty() ? 0 : kNodeGap * static_cast<double>(row.size() - 1);
        for (const std::uint32_t node : row) width += input.sizes[node].width;
        widths.push_back(width);
        out.size.width = std::max(out.size.width, width);
    }
    double y = 0;
    for (std::size_t r = 0; r < layers.order.size(); ++r) {
        double height = 0, x = (out.size.width - widths[r]) / 2;
        for (const std::uint32_t node : layers.order[r])
            height = std::max(height, input.sizes[node].height);
        for (const std::uint32_t node : layers.order[r]) {
            const Size size = input.sizes[node];
            out.nodes[node] = {x, y + (height - size.height) / 2, size.width, size.height};
            x += size.width + kNodeGap;
        }
        y += height + kRankGap;
    }
    out.size.height = layers.order.empty() ? 0 : y - kRankGap;
    return out;
}

}  // namespace shardwright::draw
