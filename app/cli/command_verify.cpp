// shardwright verify: partition, run on the virtual mesh, compare with one device.

#include <fmt/format.h>

#include <cmath>

#include "commands.h"
#include "each_model.h"
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

/// Every function of the model, one after the other.
int verify_model(const VerifyOptions& options, const plan::Model& model,
                 const plan::Derived& derived, std::vector<json>& documents) {
    int code = 0;
    for (std::size_t f = 0; f < model.module.functions().size(); ++f) {
        auto report = verify_function(options, model, derived, f);
        if (!report.ok()) {
            Diagnostic d = report.error();
            if (d.file.empty()) d.file = model.path;
            documents.push_back({{"name", model.module.title}, {"error", d.text()}});
            code = worst(code, fail(d));
            continue;
        }
        const ir::Function& function = model.module.functions()[f];
        if (options.model.json)
            documents.push_back(report_json(model.module, function, *report));
        else
            print_report(model.module, function, *report);
        code = worst(code, report->equal ? 0 : 1);
    }
    if (!options.model.json)
        fmt::print("{}", gathered_text(derived.prepared.module, derived.program));
    return code;
}

int run_verify(const VerifyOptions& options) {
    return for_each_model(options.model, options.sharding, options.model.json,
                          with_program(options.sharding),
                          [&](const plan::Model& model, const plan::Plan&,
                              const plan::Derived& derived, std::vector<json>& documents) {
                              return verify_model(options, model, derived, documents);
                          });
}

}  // namespace

Command add_verify(CommandLine& line) {
    auto options = std::make_shared<VerifyOptions>();
    options->model.add(line);
    options->sharding.add(line);
    options->run.add(line);
    line.real("--rtol", options->tolerance.rtol,
              "relative to the largest element of the reference; default: 8 · eps of the element "
              "type · square root of the longest reduction chain; integers exactly");
    line.real("--atol", options->tolerance.atol, "absolute, added to --rtol's (default 0)");
    return [options] { return run_verify(*options); };
}

}  // namespace shardwright::cli
