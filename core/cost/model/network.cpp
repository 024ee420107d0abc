#include "cost/model/network.h"

#include <fmt/format.h>

#include <algorithm>

namespace shardwright::cost {
namespace {

/// One torus axis while it is handed out.
struct Row {
    std::int64_t capacity = 1;
    std::int64_t used = 1;
    std::vector<std::pair<std::size_t, std::size_t>> spans;  // (mesh axis, index of its span)
};

std::int64_t largest_divisor(std::int64_t n, std::int64_t limit) {
    for (std::int64_t d = std::min(n, limit); d > 1; --d)
        if (n % d == 0) return d;
    return 1;
}

Placement place_on_torus(const mesh::Mesh& mesh, const Chip& chip) {
    Placement out;
    out.axes.resize(mesh.rank());
    std::vector<Row> rows;
    for (const std::int64_t size : chip.network.torus) rows.push_back({size, 1, {}});
    const auto take = [&](std::size_t axis, std::size_t row, std::int64_t size) {
        out.axes[axis].push_back({Span::Kind::kTorus, row, size, 1, false});
        rows[row].used *= size;
        rows[row].spans.emplace_back(axis, out.axes[axis].size() - 1);
    };
    for (std::size_t axis = 0; axis < mesh.rank(); ++axis) {
        std::int64_t rest = mesh.axes()[axis].size;
        const std::string& name = mesh.axes()[axis].name;
        const auto whole = [&](bool fresh) {
            for (std::size_t row = 0; row < rows.size() && rest > 1; ++row) {
                if (fresh != (rows[row].used == 1) || rows[row].capacity / rows[row].used < rest)
                    continue;
                if (!fresh)
                    out.notes.push_back(
                        fmt::format("axis '{}' shares torus axis {} with another: "
                                    "they compete for its links",
                                    name, row));
                take(axis, row, rest);
                rest = 1;
            }
        };
        whole(true);
        for (std::size_t row = 0; row < rows.size() && rest > 1; ++row) {  // over several free ones
            if (rows[row].used != 1) continue;
            const std::int64_t part = largest_divisor(rest, rows[row].capacity);
            if (part == 1) continue;
            take(axis, row, part);
            rest /= part;
        }
        whole(false);
        if (rest > 1) {
            out.notes.push_back(
                fmt::format("axis '{}' leaves the slice: {} parts over the "
                            "data-centre network",
                            name, rest));
            out.axes[axis].insert(out.axes[axis].begin(),
                                  {Span::Kind::kDataCentre, 0, rest, 1, false});
            for (Row& row : rows)
                for (auto& [owner, index] : row.spans)
                    if (owner == axis) ++index;
        }
    }
    for (std::size_t r = 0; r < rows.size(); ++r) {
        // The earlier axis is the major one: its neighbours are as far apart as the later is long.
        std::int64_t stride = 1;
        for (auto it = rows[r].spans.rbegin(); it != rows[r].spans.rend(); ++it) {
            Span& span = out.axes[it->first][it->second];
            span.stride = stride;
            span.wraps =
                std::next(it) == rows[r].spans.rend() && chip.network.wraps(r, rows[r].used);
            stride *= span.size;
        }
    }
    return out;
}

Placement place_on_switches(const mesh::Mesh& mesh, const Chip& chip) {
    Placement out;
    out.axes.resize(mesh.rank());
    std::int64_t inside = 1;  // devices of the axes more minor than the one at hand
    for (std::size_t axis = mesh.rank(); axis-- > 0;) {
        std::int64_t rest = mesh.axes()[axis].size;
        const auto& levels = chip.network.levels;
        for (std::size_t level = 0; level < levels.size() && rest > 1; ++level) {
            const std::int64_t domain = levels[level].devices;
            const std::int64_t room = domain == 0 ? rest : domain / inside;
            const std::int64_t part = largest_divisor(rest, room);
            if (part == 1) continue;
            out.axes[axis].insert(out.axes[axis].begin(),
                                  {Span::Kind::kSwitch, level, part, 1, false});
            rest /= part;
            inside *= part;
        }
        if (rest > 1) {
            out.notes.push_back(
                fmt::format("axis '{}' does not fit the network: {} parts over its "
                            "outermost level",
                            mesh.axes()[axis].name, rest));
            out.axes[axis].insert(out.axes[axis].begin(),
                                  {Span::Kind::kSwitch, levels.size() - 1, rest, 1, false});
            inside *= rest;
        }
    }
    return out;
}

}  // namespace

Placement place_axes(const mesh::Mesh& mesh, const Chip& chip) {
    return chip.network.topology == Topology::kTorus ? place_on_torus(mesh, chip)
                                                     : place_on_switches(mesh, chip);
}

std::vector<Span> spans_of(const mesh::Mesh& mesh, const Placement& placement,
                           const mesh::AxisRef& ref) {
    const std::vector<Span>& all = placement.axes[ref.axis];
    if (mesh.is_full(ref)) return all;
    std::vector<Span> out;
    const std::int64_t begin = ref.pre, end = begin * ref.size;
    std::int64_t before = 1;  // product of the spans more major than this one
    for (Span span : all) {
        const std::int64_t low = std::max(begin, before), high = std::min(end, before * span.size);
        if (high > low && high / low > 1) {
            Span part = span;
            part.size = high / low;
            part.stride *= std::max<std::int64_t>(1, before * span.size / high);
            part.wraps = span.wraps && low == before;
            out.push_back(part);
        }
        before *= span.size;
    }
    return out;
}

}  // namespace shardwright::cost
