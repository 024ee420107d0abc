#include "plan/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/atomic_file.h"

namespace shardwright::plan {
namespace {

using nlohmann::json;
constexpr std::string_view kSchema = "shardwright-plan/1";

std::string_view policy_name(propagation::Policy policy) {
    return policy == propagation::Policy::kGspmd ? "gspmd" : "shardy";
}

Diagnostic fault(const std::string& file, std::string what, std::string expected) {
    Diagnostic d = bad_input(std::move(what), std::move(expected));
    d.file = file;
    return d;
}

/// Line and column (1-based) of a byte offset, for JSON syntax errors.
void place(Diagnostic& d, std::string_view text, std::size_t offset) {
    d.line = 1;
    d.column = 1;
    for (std::size_t i = 0; i < std::min(offset, text.size()); ++i) {
        ++d.column;
        if (text[i] == '\n') {
            ++d.line;
            d.column = 1;
        }
    }
}

int allow_from(const json& value) {
    return value.is_null() ? -1 : (value.get<bool>() ? 1 : 0);
}
json allow_to(int allow) {
    return allow < 0 ? json(nullptr) : json(allow == 1);
}

Result<Annotation> annotation_from(const json& entry, const std::string& file) {
    if (!entry.is_object() || !entry.contains("target") || !entry["target"].is_string() ||
        !entry.contains("sharding") || !entry["sharding"].is_string())
        return fault(file, "an annotation without 'target' and 'sharding'",
                     "{\"target\": \"layer_*/mlp/wi\", \"sharding\": \"[data, -]\"}");
    return Annotation{entry["target"].get<std::string>(), entry["sharding"].get<std::string>()};
}

}  // namespace

void Plan::set(const std::string& target, const std::string& sharding) {
    const auto found = std::find_if(annotations.begin(), annotations.end(),
                                    [&](const Annotation& a) { return a.target == target; });
    if (found != annotations.end()) annotations.erase(found);
    if (!sharding.empty()) annotations.push_back({target, sharding});
}

std::string to_json(const Plan& plan) {
    json annotations = json::array();
    for (const Annotation& a : plan.annotations)
        annotations.push_back({{"target", a.target}, {"sharding", a.sharding}});
    json root = {{"schema", kSchema},
                 {"model", plan.model},
                 {"structure_hash", plan.structure_hash},
                 {"mesh", plan.mesh},
                 {"annotations", std::move(annotations)},
                 {"ignore_file_annotations", plan.ignore_file_annotations},
                 {"policy", policy_name(plan.policy)},
                 {"allow_inputs", allow_to(plan.allow_inputs)},
                 {"allow_outputs", allow_to(plan.allow_outputs)},
                 {"chip", plan.chip}};
    if (plan.random_seed >= 0) root["random_shardings"] = plan.random_seed;
    return root.dump(2) + "\n";
}

Result<Plan> from_json(std::string_view text, const std::string& file) {
    json root;
    try {
        root = json::parse(text);
    } catch (const json::parse_error& e) {  // the library's only way to tell
        Diagnostic d = fault(file, "not a JSON document", "a plan as 'Save plan' writes it");
        place(d, text, e.byte > 0 ? e.byte - 1 : 0);
        return d;
    }
    if (!root.is_object()) return fault(file, "not a plan", "a JSON object");
    if (root.value("schema", json()) != json(kSchema))
        return fault(file, fmt::format("schema {}", root.value("schema", json()).dump()),
                     fmt::format("\"{}\"", kSchema));
    Plan plan;
    try {
        for (const auto& [key, value] : root.items()) {
            if (key == "schema") {
            } else if (key == "model") {
                plan.model = value.get<std::string>();
            } else if (key == "structure_hash") {
                plan.structure_hash = value.get<std::string>();
            } else if (key == "mesh") {
                plan.mesh = value.get<std::string>();
            } else if (key == "annotations") {
                if (!value.is_array()) return fault(file, "'annotations' is no list", "a list");
                for (const json& entry : value) {
                    SW_TRY(Annotation a, annotation_from(entry, file));
                    plan.annotations.push_back(std::move(a));
                }
            } else if (key == "ignore_file_annotations") {
                plan.ignore_file_annotations = value.get<bool>();
            } else if (key == "policy") {
                const std::string name = value.get<std::string>();
                if (name != "gspmd" && name != "shardy")
                    return fault(file, fmt::format("policy '{}'", name), "gspmd or shardy");
                plan.policy =
                    name == "gspmd" ? propagation::Policy::kGspmd : propagation::Policy::kShardy;
                plan.policy_given = true;
            } else if (key == "allow_inputs") {
                plan.allow_inputs = allow_from(value);
            } else if (key == "allow_outputs") {
                plan.allow_outputs = allow_from(value);
            } else if (key == "chip") {
                plan.chip = value.get<std::string>();
            } else if (key == "random_shardings") {
                plan.random_seed = value.get<std::int64_t>();
            } else {
                return fault(file, fmt::format("unknown key '{}'", key),
                             "model, structure_hash, mesh, annotations, ignore_file_annotations, "
                             "policy, allow_inputs, allow_outputs, chip or random_shardings");
            }
        }
    } catch (const json::type_error& e) {
        return fault(file, "a value of the wrong type", e.what());
    }
    return plan;
}

Result<Plan> read_plan(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) return fault(path, "cannot be read", "a plan file (.shardplan.json)");
    std::stringstream text;
    text << in.rdbuf();
    return from_json(text.str(), path);
}

Status write_plan(const Plan& plan, const std::string& path) {
    return write_file_atomically(path, to_json(plan));
}

}  // namespace shardwright::plan
