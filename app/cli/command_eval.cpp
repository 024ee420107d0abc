// shardwright eval and run: the whole program on one device, or the partitioned one on the mesh.

#include <fmt/format.h>

#include <cmath>

#include "commands.h"
#include "exec/npz.h"
#include "options.h"
#include "output.h"

namespace shardwright::cli {
namespace {

struct EvalOptions {
    ModelOptions model;
    RunOptions run;
    ShardingOptions sharding;  // run only
    std::string output, transport = "local";
    bool on_mesh = false;
};

struct Summary {
    double min = 0, max = 0, mean = 0;
    std::int64_t nan = 0;
};

Summary summarize(const exec::Tensor& t) {
    Summary s;
    double sum = 0;
    std::int64_t n = 0;
    for (std::int64_t i = 0; i < t.element_count(); ++i) {
        const double x = t.at(i);
        if (std::isnan(x)) {
            ++s.nan;
            continue;
        }
        s.min = n == 0 ? x : std::min(s.min, x);
        s.max = n == 0 ? x : std::max(s.max, x);
        sum += x;
        ++n;
    }
    s.mean = n == 0 ? 0 : sum / static_cast<double>(n);
    return s;
}

/// JSON has no NaN or infinity: they go as text.
json number(double x) {
    return std::isfinite(x) ? json(x) : json(fmt::format("{}", x));
}

Result<exec::Outputs> run_function(const EvalOptions& options,
                                   const std::shared_ptr<const plan::Model>& model,
                                   std::size_t function) {
    SW_TRY(const plan::InputSpec spec, plan::parse_inputs(options.run.inputs));
    SW_TRY(exec::Options run, options.run.to_exec());
    SW_TRY(const std::vector<exec::Tensor> inputs, plan::make_inputs(*model, function, spec));
    if (!options.on_mesh) return exec::evaluate(model->module, function, inputs, run);
    SW_TRY(const plan::Plan plan, options.sharding.to_plan(model->path));
    SW_TRY(const auto derived, derive_or_explain(model, plan, options.sharding.allow_unmatched));
    if (!derived->partition_error.empty()) return derived->partition_fault;
    const auto& signature = derived->program.signatures[function];
    return exec::execute(derived->program.module, function, derived->prepared.mesh,
                         signature.arguments, signature.results, inputs, run,
                         exec::result_types(model->module, function));
}

int report(const EvalOptions& options, const plan::Model& model, std::size_t function,
           const exec::Outputs& outputs, std::vector<json>& documents,
           exec::NamedTensors& written) {
    const ir::Function& f = model.module.functions()[function];
    json list = json::array();
    Table table({"output", "type", "min", "max", "mean", "NaN"},
                {false, false, true, true, true, true});
    for (std::size_t i = 0; i < outputs.values.size(); ++i) {
        const std::string name = plan::result_name(model.module, f, i);
        const Summary s = summarize(outputs.values[i]);
        list.push_back({{"name", name},
                        {"type", ir::mlir_text(outputs.values[i].type)},
                        {"min", number(s.min)},
                        {"max", number(s.max)},
                        {"mean", number(s.mean)},
                        {"nan", s.nan}});
        table.add({name, ir::mlir_text(outputs.values[i].type), fmt::format("{:.6g}", s.min),
                   fmt::format("{:.6g}", s.max), fmt::format("{:.6g}", s.mean),
                   fmt::format("{}", s.nan)});
        written.emplace_back(model.module.functions().size() > 1
                                 ? fmt::format("{}/{}", model.module.text(f.name), name)
                                 : name,
                             outputs.values[i]);
    }
    json failures = json::array();
    for (const exec::CheckFailure& failure : outputs.failures) {
        fmt::print(stderr, "{}:{}: check failed: {}\n", model.path,
                   model.module.op(failure.op).line, failure.message);
        failures.push_back(failure.message);
    }
    if (options.model.json) {
        documents.push_back({{"name", model.module.title},
                             {"function", model.module.text(f.name)},
                             {"outputs", std::move(list)},
                             {"checks", outputs.checks},
                             {"failures", std::move(failures)},
                             {"peak_bytes", outputs.peak_bytes},
                             {"planned_bytes", outputs.planned_bytes}});
    } else {
        if (!outputs.values.empty()) fmt::print("{}", table.text());
        if (!outputs.values.empty())
            fmt::print("memory of buffers: {} planned, {} at the peak\n",
                       bytes_text(outputs.planned_bytes), bytes_text(outputs.peak_bytes));
        if (outputs.checks > 0)
            fmt::print("@{}: {} checks, {} failed\n", model.module.text(f.name), outputs.checks,
                       outputs.failures.size());
    }
    return outputs.failures.empty() ? 0 : 1;
}

int run_eval(const EvalOptions& options) {
    if (options.on_mesh && options.transport != "local")
        return fail(unsupported("--transport " + options.transport));
    auto models = plan::open_models(options.model.model);
    if (!models.ok()) return fail(models.error());
    int code = 0;
    std::vector<json> documents;
    exec::NamedTensors written;
    for (const auto& model : *models) {
        for (std::size_t f = 0; f < model->module.functions().size(); ++f) {
            Result<exec::Outputs> outputs = run_function(options, model, f);
            if (!outputs.ok()) {
                if (outputs.error().file.empty()) outputs.error().file = model->path;
                code = worst(code, fail(outputs.error()));
                documents.push_back(
                    {{"name", model->module.title}, {"error", outputs.error().text()}});
                continue;
            }
            code = worst(code, report(options, *model, f, *outputs, documents, written));
        }
    }
    if (options.model.json) print_json(std::move(documents));
    if (!options.output.empty() && code < 2)
        if (Status status = exec::write_npz(options.output, written); !status.ok())
            return fail(status.error());
    return code;
}

Command add(CommandLine& line, bool on_mesh) {
    auto options = std::make_shared<EvalOptions>();
    options->on_mesh = on_mesh;
    options->model.add(line);
    options->run.add(line);
    if (on_mesh) {
        options->sharding.add(line);
        line.text("--transport", options->transport, "local");
    }
    line.text("-o,--output", options->output, "write the results to an .npz file");
    return [options] { return run_eval(*options); };
}

}  // namespace

Command add_eval(CommandLine& line) {
    return add(line, false);
}
Command add_run(CommandLine& line) {
    return add(line, true);
}

}  // namespace shardwright::cli
