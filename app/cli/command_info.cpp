// shardwright info: what is in a model.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "commands.h"
#include "options.h"
#include "output.h"
#include "plan/roles.h"

namespace shardwright::cli {
namespace {

struct InfoOptions {
    ModelOptions model;
    bool rules = false;
    bool arguments = false;
};

struct Parameters {
    std::int64_t count = 0, bytes = 0, argument_bytes = 0;
};

Parameters count_parameters(const ir::Module& module, const ir::Function& function) {
    Parameters p;
    const std::vector<plan::Role> roles = plan::argument_roles(module, function);
    for (std::size_t i = 0; i < roles.size(); ++i) {
        const ir::TensorType& type = module.type(module.argument(function.body, i));
        p.argument_bytes += type.byte_size();
        if (roles[i] != plan::Role::kParameter) continue;
        p.count += type.element_count();
        p.bytes += type.byte_size();
    }
    return p;
}

std::vector<std::pair<std::string, std::int64_t>> operations_by_kind(const ir::Module& module) {
    std::map<std::string, std::int64_t> counts;
    for (std::size_t i = 0; i < module.op_count(); ++i)
        ++counts[std::string(ir::name(module.op(ir::OpId(i)).kind))];
    std::vector<std::pair<std::string, std::int64_t>> sorted(counts.begin(), counts.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    return sorted;
}

std::vector<std::pair<std::string, std::int64_t>> rule_texts(const plan::Model& model) {
    std::map<std::string, std::int64_t> counts;
    for (std::size_t i = 0; i < model.module.op_count(); ++i) {
        const ir::OpId op(i);
        ++counts[fmt::format("{:<22} {}", ir::name(model.module.op(op).kind),
                             rules::einsum_text(model.rules.of(op)))];
    }
    return {counts.begin(), counts.end()};
}

std::string annotation_text(const plan::Model& model, ir::ValueId v) {
    const sharding::Sharding* s = model.module.annotation(v);
    return s == nullptr ? ""
                        : sharding_json(*s, model.module.mesh(s->mesh))["short"].get<std::string>();
}

json info_json(const plan::Model& model, const InfoOptions& options) {
    const ir::Module& module = model.module;
    json kinds = json::object();
    for (const auto& [kind, count] : operations_by_kind(module)) kinds[kind] = count;
    json meshes = json::array(), functions = json::array();
    for (const mesh::Mesh& mesh : module.meshes()) meshes.push_back(mesh_json(mesh));
    Parameters all;
    for (const ir::Function& f : module.functions()) {
        const Parameters p = count_parameters(module, f);
        all.count += p.count;
        all.bytes += p.bytes;
        all.argument_bytes += p.argument_bytes;
        functions.push_back({{"name", module.text(f.name)},
                             {"arguments", f.arguments.size()},
                             {"results", f.results.size()}});
    }
    json out = {{"name", module.title},
                {"file", model.path},
                {"operations", module.op_count()},
                {"operations_by_kind", std::move(kinds)},
                {"functions", std::move(functions)},
                {"parameters", all.count},
                {"parameter_bytes", all.bytes},
                {"argument_bytes", all.argument_bytes},
                {"flops", plan::model_flops(module)},
                {"mesh", meshes.empty() ? json(nullptr) : meshes.front()},
                {"meshes", std::move(meshes)},
                {"num_partitions", module.num_partitions},
                {"annotated_values", module.annotations().size()},
                {"distinct_rules", model.rules.size()},
                {"structure_hash", model.structure_hash}};
    if (options.rules) {
        json list = json::array();
        for (const auto& [text, count] : rule_texts(model))
            list.push_back({{"rule", text}, {"count", count}});
        out["rules"] = std::move(list);
    }
    if (options.arguments && module.has_entry()) {
        json list = json::array();
        const ir::Function& entry = module.entry();
        const std::vector<plan::Role> roles = plan::argument_roles(module, entry);
        for (std::size_t i = 0; i < entry.arguments.size(); ++i) {
            const ir::ValueId v = module.argument(entry.body, i);
            list.push_back({{"name", model.value_name(v)},
                            {"path", model.display_path(v)},
                            {"type", ir::mlir_text(module.type(v))},
                            {"role", plan::text(roles[i])},
                            {"sharding", annotation_text(model, v)}});
        }
        out["arguments"] = std::move(list);
    }
    return out;
}

void print_arguments(const plan::Model& model) {
    const ir::Function& entry = model.module.entry();
    const std::vector<plan::Role> roles = plan::argument_roles(model.module, entry);
    Table table({"argument", "type", "bytes", "role", "sharding"}, {false, false, true});
    for (std::size_t i = 0; i < entry.arguments.size(); ++i) {
        const ir::ValueId v = model.module.argument(entry.body, i);
        const ir::TensorType& type = model.module.type(v);
        table.add({model.display_path(v), ir::mlir_text(type), bytes_text(type.byte_size()),
                   std::string(plan::text(roles[i])), annotation_text(model, v)});
    }
    fmt::print("{}", table.text());
}

void print_info(const plan::Model& model, const InfoOptions& options) {
    const ir::Module& module = model.module;
    fmt::print("{}  ({})\n", module.title, model.path);
    for (const ir::Function& f : module.functions()) {
        const Parameters p = count_parameters(module, f);
        fmt::print("function     @{}: {} arguments ({}), {} results\n", module.text(f.name),
                   f.arguments.size(), bytes_text(p.argument_bytes), f.results.size());
        fmt::print("parameters   {} ({})\n", p.count, bytes_text(p.bytes));
    }
    fmt::print("FLOPs        {}  (multiply-adds count two; loops by their trip count)\n",
               count_text(plan::model_flops(module)));
    std::string kinds;
    const auto counts = operations_by_kind(module);
    for (std::size_t i = 0; i < std::min<std::size_t>(counts.size(), 8); ++i)
        kinds += fmt::format("{}{} {}", i ? ", " : "", counts[i].first, counts[i].second);
    fmt::print("operations   {}  ({}{})\n", module.op_count(), kinds,
               counts.size() > 8 ? ", …" : "");
    if (module.meshes().empty()) fmt::print("mesh         none: give --mesh\n");
    for (const mesh::Mesh& mesh : module.meshes())
        fmt::print("mesh         @{} {} ({} devices)\n", mesh.name(), mesh.text(),
                   mesh.device_count());
    fmt::print("annotated    {} values\n", module.annotations().size());
    for (const Diagnostic& warning : module.warnings) fmt::print("{}\n", warning.text());
    if (options.arguments && module.has_entry()) print_arguments(model);
    if (options.rules)
        for (const auto& [text, count] : rule_texts(model)) fmt::print("{:>6} × {}\n", count, text);
}

int run_info(const InfoOptions& options) {
    auto models = plan::open_models(options.model.model);
    if (!models.ok()) return fail(models.error());
    std::vector<json> documents;
    for (const auto& model : *models) {
        if (options.model.json)
            documents.push_back(info_json(*model, options));
        else
            print_info(*model, options);
    }
    if (options.model.json) print_json(std::move(documents));
    return 0;
}

}  // namespace

Command add_info(CommandLine& line) {
    auto options = std::make_shared<InfoOptions>();
    options->model.add(line);
    line.flag("--rules", options->rules, "each distinct sharding rule as einsum text");
    line.flag("--arguments", options->arguments, "list the entry's arguments");
    return [options] { return run_info(*options); };
}

}  // namespace shardwright::cli
