// shardwright propagate: the completed shardings, and why.

#include <fmt/format.h>

#include "commands.h"
#include "each_model.h"
#include "formats/write_model.h"
#include "options.h"
#include "output.h"
#include "sharding/text.h"

namespace shardwright::cli {
namespace {

struct PropagateOptions {
    ModelOptions model;
    ShardingOptions sharding;
    std::string emit = "table", why;
    bool generic = false;
};

/// Where a value's sharding came from: the source of its first placement.
std::vector<std::string> origins(const plan::Derived& derived) {
    const ir::Module& module = derived.prepared.module;
    std::vector<std::string> from(module.value_count());
    for (const propagation::Placement& p : derived.shardings.placements) {
        std::string& text = from[p.value.index];
        if (!text.empty()) continue;
        switch (p.source) {
            case propagation::Source::kUser:
                text = "user";
                break;
            case propagation::Source::kOperation:
                text =
                    fmt::format("{}", p.op.valid() ? ir::name(module.op(p.op).kind) : "operation");
                break;
            case propagation::Source::kDataFlow:
                text = "data flow";
                break;
            case propagation::Source::kGroup:
                text = "sharding group";
                break;
            case propagation::Source::kConstraint:
                text = "constraint";
                break;
            case propagation::Source::kManual:
                text = "manual region";
                break;
        }
    }
    return from;
}

json propagate_json(const plan::Model& model, const plan::Derived& derived) {
    const ir::Module& module = derived.prepared.module;
    const mesh::Mesh& mesh = module.mesh(derived.prepared.mesh);
    const std::vector<std::string> from = origins(derived);
    json values = json::array(), conflicts = json::array();
    for (std::size_t i = 0; i < module.value_count(); ++i) {
        const ir::ValueId v(i);
        values.push_back({{"name", model.value_name(v)},
                          {"shape", module.type(v).dims},
                          {"type", ir::mlir_text(module.type(v))},
                          {"sharding", sharding_json(derived.shardings.of(v), mesh)},
                          {"from", from[i]}});
    }
    for (const propagation::Conflict& c : derived.shardings.conflicts)
        conflicts.push_back({{"operation", ir::name(module.op(c.op).kind)},
                             {"winner", model.value_name(c.winner)},
                             {"loser", model.value_name(c.loser)},
                             {"preference", c.preference}});
    return {{"name", module.title},
            {"mesh", mesh_json(mesh)},
            {"values", std::move(values)},
            {"conflicts", std::move(conflicts)}};
}

void print_table(const plan::Model& model, const plan::Derived& derived) {
    const ir::Module& module = derived.prepared.module;
    const mesh::Mesh& mesh = module.mesh(derived.prepared.mesh);
    const std::vector<std::string> from = origins(derived);
    Table table({"value", "type", "sharding", "from", "path"});
    std::size_t replicated = 0, shown = 0;
    std::int64_t replicated_bytes = 0, all_bytes = 0;
    for (std::size_t i = 0; i < module.value_count(); ++i) {
        const ir::ValueId v(i);
        const ir::TensorType& type = module.type(v);
        if (type.rank() == 0) continue;
        const sharding::Sharding& s = derived.shardings.of(v);
        all_bytes += type.byte_size();
        ++shown;
        if (s.is_replicated()) {
            ++replicated;
            replicated_bytes += type.byte_size();
        }
        table.add({model.value_name(v), ir::mlir_text(type), sharding::print_short(s, mesh),
                   from[i], model.display_path(v)});
    }
    fmt::print("{}", table.text());
    fmt::print("{} values; {} whole on every device ({:.1f} % of all bytes); {} conflicts\n", shown,
               replicated,
               all_bytes
                   ? 100.0 * static_cast<double>(replicated_bytes) / static_cast<double>(all_bytes)
                   : 0.0,
               derived.shardings.conflicts.size());
}

/// `VALUE` or `VALUE:DIM`.
int print_why(const plan::Model& model, const plan::Derived& derived, const std::string& target) {
    std::string name = target;
    int dim = -1;
    if (const std::size_t colon = target.rfind(':');
        colon != std::string::npos && colon + 1 < target.size() && model.find(target).empty() &&
        target.find_first_not_of("0123456789", colon + 1) == std::string::npos) {
        name = target.substr(0, colon);
        dim = std::stoi(target.substr(colon + 1, 6));
    }
    const std::vector<ir::ValueId> values = model.find(name);
    if (values.empty())
        return fail(bad_input(fmt::format("--why: no value is called '{}'", name),
                              "a value's name or path, optionally with :DIM"));
    for (const ir::ValueId v : values) {
        if (dim >= static_cast<int>(model.module.type(v).rank()))
            return fail(bad_input(fmt::format("--why: '{}' has no dimension {}", name, dim),
                                  fmt::format("0 to {}", model.module.type(v).rank())));
        for (const std::string& line :
             propagation::why(derived.prepared.module, model.rules, derived.shardings, v, dim))
            fmt::print("{}\n", line);
    }
    return 0;
}

int run_propagate(const PropagateOptions& options) {
    const std::string emit = options.model.json ? "json" : options.emit;
    const auto derive = [&](const ModelPtr& model, plan::Plan& plan) {
        return propagate_or_explain(model, plan, options.sharding.allow_unmatched);
    };
    bool first = true;
    return for_each_model(
        options.model, options.sharding, emit == "json" && options.why.empty(), derive,
        [&](const plan::Model& model, const plan::Plan&, const plan::Derived& derived,
            std::vector<json>& documents) {
            if (!options.why.empty()) return print_why(model, derived, options.why);
            if (emit == "json") {
                documents.push_back(propagate_json(model, derived));
            } else if (emit == "table") {
                print_table(model, derived);
            } else {
                formats::WriteOptions write;
                write.generic = options.generic;
                write.shardings = &derived.shardings.of_value;
                write.pool = &derived.shardings.pool;
                print_module(derived.prepared.module, emit, write, std::exchange(first, false));
            }
            return 0;
        });
}

}  // namespace

Command add_propagate(CommandLine& line) {
    auto options = std::make_shared<PropagateOptions>();
    options->model.add(line);
    options->sharding.add(line);
    line.choice("--emit", options->emit, "mlir, hlo, json or table (default)",
                {"mlir", "hlo", "json", "table"});
    line.text("--why", options->why, "the chain from VALUE[:DIM] back to an annotation");
    line.flag("--generic", options->generic, "MLIR's generic form");
    return [options] { return run_propagate(*options); };
}

}  // namespace shardwright::cli
