// shardwright verify: partition, run on the virtual mesh, compare with one device.

#include <fmt/format.h>

#include <cmath>

#include "commands.h"
#include "options.h"
#include "output.h"

namespace shardwright::cli {
namespace {

struct VerifyOptions {
    ModelOptions model;
    ShardingOptions sharding;
    RunOptions run;
    exec::Tolerance tolerance;
};

json number(double x) {
    return std::isfinite(x) ? json(x) : json(fmt::format("{}", x));
}

json report_json(const ir::Module& module, const ir::Function& f,
                 const plan::VerifyReport& report) {
    json outputs = json::array();
    for (const plan::OutputReport& o : report.outputs)
        outputs.push_back({{"name", o.name},
                           {"max_abs", number(o.comparison.max_abs)},
                           {"max_rel", number(o.comparison.max_rel)},
                           {"tolerance", number(o.comparison.tolerance)},
                           {"equal", o.comparison.equal},
                           {"rerun_in_f64", o.rerun_in_f64}});
    return {{"name", module.title},
            {"function", module.text(f.name)},
            {"outputs", std::move(outputs)},
            {"equal", report.equal},
            {"checks", report.checks},
            {"failures", report.failures},
            {"f64_reruns", report.f64_reruns},
            {"single_device_s", report.single_device_s},
            {"mesh_s", report.mesh_s}};
}

void print_report(const ir::Module& module, const ir::Function& f,
                  const plan::VerifyReport& report) {
    Table table({"output", "max abs error", "max rel error", "tolerance", ""},
                {false, true, true, true, false});
    for (const plan::OutputReport& o : report.outputs)
        table.add({o.name, fmt::format("{:.3g}", o.comparison.max_abs),
                   fmt::format("{:.3g}", o.comparison.max_rel),
                   fmt::format("{:.3g}", o.comparison.tolerance),
                   o.comparison.equal ? (o.rerun_in_f64 ? "equal (settled in f64)" : "equal")
                                      : fmt::format("DIFFERS at element {}", o.comparison.worst)});
    fmt::print("{}", table.text());
    for (const std::string& failure : report.failures) fmt::print("check failed: {}\n", failure);
    fmt::print("@{}: {}  (one device {}, mesh {})\n", module.text(f.name),
               report.equal ? "equal" : "NOT EQUAL", seconds_text(report.single_device_s),
               seconds_text(report.mesh_s));
}

Result<plan::VerifyReport> verify_function(const VerifyOptions& options, const plan::Model& model,
                                           const plan::Derived& derived, std::size_t function) {
    SW_TRY(const plan::InputSpec spec, plan::parse_inputs(options.run.inputs));
    SW_TRY(const exec::Options run, options.run.to_exec());
    SW_TRY(const std::vector<exec::Tensor> inputs, plan::make_inputs(model, function, spec));
    return plan::verify(model, derived, function, inputs, run, options.tolerance);
}

int verify_model(const VerifyOptions& options, const std::shared_ptr<const plan::Model>& model,
                 std::vector<json>& documents) {
    const auto refuse = [&](Diagnostic d) {
        if (d.file.empty()) d.file = model->path;
        documents.push_back({{"name", model->module.title}, {"error", d.text()}});
        return fail(d);
    };
    Result<plan::Plan> plan = options.sharding.to_plan(model->path);
    if (!plan.ok()) return refuse(plan.error());
    auto derived = derive_or_explain(model, *plan, options.sharding.allow_unmatched);
    if (!derived.ok()) return refuse(derived.error());
    if (!(*derived)->partition_error.empty()) return refuse((*derived)->partition_fault);
    int code = 0;
    for (std::size_t f = 0; f < model->module.functions().size(); ++f) {
        auto report = verify_function(options, *model, **derived, f);
        if (!report.ok()) {
            code = worst(code, refuse(report.error()));
            continue;
        }
        const ir::Function& function = model->module.functions()[f];
        if (options.model.json)
            documents.push_back(report_json(model->module, function, *report));
        else
            print_report(model->module, function, *report);
        code = worst(code, report->equal ? 0 : 1);
    }
    if (!options.model.json)
        fmt::print("{}", gathered_text((*derived)->prepared.module, (*derived)->program));
    return code;
}

int run_verify(const VerifyOptions& options) {
    auto models = plan::open_models(options.model.model);
    if (!models.ok()) return fail(models.error());
    int code = 0;
    std::vector<json> documents;
    for (const auto& model : *models) code = worst(code, verify_model(options, model, documents));
    if (options.model.json) print_json(std::move(documents));
    return code;
}

}  // namespace

Command add_verify(CLI::App& app) {
    auto options = std::make_shared<VerifyOptions>();
    options->model.add(app);
    options->sharding.add(app);
    options->run.add(app);
    app.add_option(
        "--rtol", options->tolerance.rtol,
        "relative to the largest element of the reference; default: 8 · eps of the element "
        "type · square root of the longest reduction chain; integers exactly");
    app.add_option("--atol", options->tolerance.atol, "absolute, added to --rtol's (default 0)");
    return [options] { return run_verify(*options); };
}

}  // namespace shardwright::cli
