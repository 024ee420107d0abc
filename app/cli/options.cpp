#include "options.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdio>

#include "interrupt.h"

namespace shardwright::cli {

void ModelOptions::add(CommandLine& line) {
    line.required("MODEL", model, "model file: HLO text, or StableHLO/MHLO text (.gz too)");
    line.flag("--json", json, "machine-readable result on stdout; messages go to stderr");
}

void ShardingOptions::add(CommandLine& line) {
    line.group("SHARDING");
    line.text("--mesh", mesh, "mesh, e.g. \"data=4,model=2\"; default: the module's own");
    line.repeated(
        "--shard", shard,
        "'NAME=[data, -, model]', repeatable; NAME is a value, an argument path or a glob");
    line.text("--plan", plan_file, "plan file (.shardplan.json)");
    line.text("--preset", preset, "(not in this version)");
    line.choice("--policy", policy, "gspmd (default) or shardy", {"gspmd", "shardy"});
    line.count("--random-shardings", random_seed,
               "a random legal sharding on every value, from this seed");
    line.flag("--allow-inputs", allow_inputs, "propagation may shard unannotated arguments");
    line.flag("--allow-outputs", allow_outputs, "propagation may shard unannotated results");
    line.flag("--keep-inputs", no_allow_inputs, "unannotated arguments stay replicated");
    line.flag("--keep-outputs", no_allow_outputs, "unannotated results stay replicated");
    line.flag("--ignore-file-annotations", ignore_file, "as if the file annotated nothing");
    line.flag("--allow-unmatched", allow_unmatched, "targets that name nothing are no error");
    line.group("");
}

Result<plan::Plan> ShardingOptions::to_plan(const std::string& model) const {
    plan::Plan plan;
    if (!preset.empty()) return unsupported("--preset " + preset);
    if (!plan_file.empty()) {
        SW_TRY(plan, plan::read_plan(plan_file));
    }
    plan.model = model;
    if (!mesh.empty()) plan.mesh = mesh;
    if (!policy.empty()) {
        plan.policy =
            policy == "shardy" ? propagation::Policy::kShardy : propagation::Policy::kGspmd;
        plan.policy_given = true;
    }
    if (random_seed >= 0) plan.random_seed = random_seed;
    if (allow_inputs) plan.allow_inputs = 1;
    if (no_allow_inputs) plan.allow_inputs = 0;
    if (allow_outputs) plan.allow_outputs = 1;
    if (no_allow_outputs) plan.allow_outputs = 0;
    if (ignore_file) plan.ignore_file_annotations = true;
    for (const std::string& text : shard) {
        // The name may hold '=' signs; the sharding starts at the last "=[".
        const std::size_t split = text.rfind("=[");
        if (split == std::string::npos || split == 0)
            return bad_input(fmt::format("--shard '{}'", text), "'NAME=[axis, -, axis+axis]'");
        plan.annotations.push_back({text.substr(0, split), text.substr(split + 1)});
    }
    return plan;
}

void RunOptions::add(CommandLine& line) {
    line.text("--inputs", inputs, "random[:SEED] (default), zeros, or a file (.npz, .npy)");
    line.text("--fill-elided", fill_elided,
              "values for constants that the file left out: random[:SEED]");
    line.text("--max-memory", max_memory, "refuse to allocate more, e.g. 8GiB");
    line.flag("--no-fuse", no_fuse, "run every elementwise operation by itself (same results)");
}

Result<exec::Options> RunOptions::to_exec() const {
    exec::Options options;
    options.cancel = &interrupted();
    options.fuse = !no_fuse;
    if (!fill_elided.empty()) {
        SW_TRY(const plan::InputSpec spec, plan::parse_inputs(fill_elided));
        if (spec.kind != plan::InputSpec::Kind::kRandom)
            return bad_input(fmt::format("--fill-elided '{}'", fill_elided), "random[:SEED]");
        options.fill_elided_seed = spec.seed;
    }
    if (!max_memory.empty()) {
        SW_TRY(options.max_memory, parse_bytes(max_memory));
    }
    return options;
}

Result<std::int64_t> parse_bytes(std::string_view text) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
    while (unit.starts_with(' ')) unit.remove_prefix(1);
    double scale = 0;
    constexpr std::pair<std::string_view, double> kUnits[] = {{"", 1},
                                                              {"B", 1},
                                                              {"kB", 1e3},
                                                              {"MB", 1e6},
                                                              {"GB", 1e9},
                                                              {"TB", 1e12},
                                                              {"KiB", 1024.0},
                                                              {"MiB", 1048576.0},
                                                              {"GiB", 1073741824.0},
                                                              {"TiB", 1099511627776.0}};
    for (const auto& [name, value] : kUnits)
        if (unit == name) scale = value;
    if (error != std::errc() || scale == 0 || !(number >= 0) || number * scale > 9e18)
        return bad_input(fmt::format("size '{}'", text),
                         "a number with B, KiB, MiB, GiB, MB or GB");
    return static_cast<std::int64_t>(number * scale);
}

int fail(const Diagnostic& diagnostic) {
    fmt::print(stderr, "{}\n", diagnostic.text());
    return diagnostic.exit_code();
}

int worst(int a, int b) {
    return std::max(a, b);
}

namespace {

Result<std::shared_ptr<const plan::Derived>> explain(
    Result<std::shared_ptr<const plan::Derived>> derived, bool allow_unmatched) {
    if (!derived.ok()) return derived;
    const std::vector<std::string>& unmatched = (*derived)->prepared.unmatched;
    if (!unmatched.empty() && !allow_unmatched)
        return bad_input(
            fmt::format("no value is called '{}'", fmt::join(unmatched, "', '")),
            "a value's name, an argument's path or a glob (see `shardwright info`), or "
            "--allow-unmatched");
    for (const std::string& note : (*derived)->prepared.notes)
        fmt::print(stderr, "note: {}\n", note);
    for (const std::string& note : (*derived)->shardings.notes)
        fmt::print(stderr, "note: {}\n", note);
    return derived;
}

}  // namespace

Result<std::shared_ptr<const plan::Derived>> derive_or_explain(
    const std::shared_ptr<const plan::Model>& model, const plan::Plan& plan, bool allow_unmatched,
    const plan::Pricing& pricing) {
    return explain(plan::derive(model, plan, &interrupted(), pricing), allow_unmatched);
}

Result<std::shared_ptr<const plan::Derived>> propagate_or_explain(
    const std::shared_ptr<const plan::Model>& model, const plan::Plan& plan, bool allow_unmatched) {
    return explain(plan::propagate_only(model, plan, &interrupted()), allow_unmatched);
}

}  // namespace shardwright::cli
