#include "output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <tuple>

#include "ir/print.h"
#include "sharding/hlo_sharding.h"
#include "sharding/text.h"

namespace shardwright::cli {
namespace {

/// Code points, not bytes: `µ` and `×` are one column wide.
std::size_t width(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    }));
}

}  // namespace

std::string bytes_text(std::int64_t bytes) {
    const double b = static_cast<double>(bytes);
    if (bytes < 1024) return fmt::format("{} B", bytes);
    if (b < 1048576.0) return fmt::format("{:.1f} KiB", b / 1024);
    if (b < 1073741824.0) return fmt::format("{:.1f} MiB", b / 1048576.0);
    return fmt::format("{:.3f} GiB", b / 1073741824.0);
}

std::string seconds_text(double s) {
    if (s == 0) return "0 s";
    if (s < 1e-3) return fmt::format("{:.3g} µs", s * 1e6);
    if (s < 1) return fmt::format("{:.3g} ms", s * 1e3);
    return fmt::format("{:.3g} s", s);
}

std::string count_text(double n) {
    if (n < 1e4) return fmt::format("{:.0f}", n);
    constexpr std::pair<double, const char*> kUnits[] = {{1e18, "E"}, {1e15, "P"}, {1e12, "T"},
                                                         {1e9, "G"},  {1e6, "M"},  {1e3, "k"}};
    for (const auto& [scale, unit] : kUnits)
        if (n >= scale) return fmt::format("{:.3f} {}", n / scale, unit);
    return fmt::format("{:.0f}", n);
}

Table::Table(std::vector<std::string> header, std::vector<bool> right) : right_(std::move(right)) {
    right_.resize(header.size(), false);
    rows_.push_back(std::move(header));
}

void Table::add(std::vector<std::string> row) {
    rows_.push_back(std::move(row));
}

std::string Table::text() const {
    std::vector<std::size_t> widths(rows_.front().size(), 0);
    for (const auto& row : rows_)
        for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], width(row[c]));
    std::string text;
    for (const auto& row : rows_) {
        std::string line;
        for (std::size_t c = 0; c < row.size(); ++c) {
            const std::string gap(widths[c] - width(row[c]), ' ');
            line += right_[c] ? gap + row[c] : row[c] + gap;
            line += "  ";
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

void print_json(std::vector<json> modules) {
    json document;
    if (modules.size() == 1)
        document = std::move(modules.front());
    else
        document["modules"] = std::move(modules);
    document["schema"] = "shardwright/1";
    fmt::print("{}\n", document.dump(2, ' ', false, json::error_handler_t::replace));
}

json mesh_json(const mesh::Mesh& mesh) {
    json axes = json::array();
    for (const mesh::Axis& axis : mesh.axes())
        axes.push_back({{"name", axis.name}, {"size", axis.size}});
    return {{"name", mesh.name()}, {"axes", std::move(axes)}, {"devices", mesh.device_count()}};
}

json sharding_json(const sharding::Sharding& s, const mesh::Mesh& mesh) {
    return {{"sdy", sharding::print_sdy(s, mesh)},
            {"hlo", sharding::print_hlo(sharding::to_hlo(s, mesh))},
            {"short", sharding::print_short(s, mesh)}};
}

json totals_json(const plan::Totals& t) {
    return {{"argument_bytes", t.argument_bytes},
            {"argument_bytes_per_device", t.argument_bytes_per_device},
            {"collectives", t.collectives},
            {"collective_bytes", t.collective_bytes},
            {"conflicts", t.conflicts}};
}

json collectives_json(const std::vector<partition::CollectiveLine>& lines) {
    json list = json::array();
    for (const partition::CollectiveLine& line : lines)
        list.push_back({{"kind", ir::name(line.kind)},
                        {"axes", line.axes},
                        {"bytes", line.bytes_moved},
                        {"bytes_in", line.bytes_in},
                        {"bytes_out", line.bytes_out},
                        {"group_size", line.group_size},
                        {"count", line.trips},
                        {"cause", line.cause},
                        {"scope", line.scope}});
    return list;
}

std::string collectives_table(const std::vector<partition::CollectiveLine>& lines) {
    struct Row {
        const partition::CollectiveLine* first;
        std::int64_t count = 0;
    };
    std::vector<Row> rows;
    std::map<std::tuple<ir::OpKind, std::string, std::int64_t, std::int64_t, std::string>,
             std::size_t>
        index;
    std::int64_t moved = 0;
    for (const partition::CollectiveLine& line : lines) {
        const auto key = std::tuple(line.kind, line.axes, line.bytes_moved, line.trips, line.cause);
        const auto [found, is_new] = index.emplace(key, rows.size());
        if (is_new) rows.push_back({&line});
        ++rows[found->second].count;
        moved += line.bytes_moved * line.trips;
    }
    Table table({"collective", "axes", "devices", "in", "out", "sent", "count", "trips", "cause"},
                {false, false, true, true, true, true, true, true, false});
    for (const Row& row : rows) {
        const partition::CollectiveLine& line = *row.first;
        table.add({std::string(ir::name(line.kind)), line.axes, fmt::format("{}", line.group_size),
                   bytes_text(line.bytes_in), bytes_text(line.bytes_out),
                   bytes_text(line.bytes_moved), fmt::format("{}", row.count),
                   fmt::format("{}", line.trips), line.cause});
    }
    return table.text() + fmt::format("{} collectives; {} sent by each device, trips counted\n",
                                      lines.size(), bytes_text(moved));
}

double gathered_share(const partition::Partitioned& program) {
    std::int64_t gathered = 0;
    for (const partition::Gathered& g : program.gathered) gathered += g.result_bytes;
    return program.total_result_bytes == 0
               ? 0.0
               : static_cast<double>(gathered) / static_cast<double>(program.total_result_bytes);
}

std::string gathered_text(const ir::Module& source, const partition::Partitioned& program) {
    if (program.gathered.empty()) return "no operation was gathered for want of a handler\n";
    std::vector<const partition::Gathered*> all;
    for (const partition::Gathered& g : program.gathered) all.push_back(&g);
    std::stable_sort(all.begin(), all.end(), [](const auto* a, const auto* b) {
        return a->result_bytes > b->result_bytes;
    });
    std::string text = fmt::format(
        "{} operations gathered for want of a handler, {:.2f} % of all result bytes; the "
        "largest:\n",
        all.size(), 100 * gathered_share(program));
    for (std::size_t i = 0; i < std::min<std::size_t>(all.size(), 5); ++i) {
        const ir::OpId op = all[i]->source_op;
        text +=
            fmt::format("  {} {} ({}): {}\n", ir::name(source.op(op).kind),
                        source.op(op).result_count > 0 ? ir::display_name(source, source.result(op))
                                                       : std::string(),
                        bytes_text(all[i]->result_bytes), all[i]->reason);
    }
    return text;
}

}  // namespace shardwright::cli
