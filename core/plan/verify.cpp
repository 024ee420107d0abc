#include "plan/verify.h"

#include <fmt/format.h>

#include <charconv>
#include <chrono>

#include "exec/npz.h"

namespace shardwright::plan {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

bool is_exact(ir::ElementType t) {
    return !ir::is_float(t) && !ir::is_complex(t);
}

struct Runs {
    exec::Outputs whole, mesh;
    double whole_s = 0, mesh_s = 0;
};

Result<Runs> run_both(const Derived& derived, std::size_t function,
                      const std::vector<exec::Tensor>& inputs, const exec::Options& options) {
    Runs runs;
    auto start = std::chrono::steady_clock::now();
    SW_TRY(runs.whole, exec::evaluate(derived.prepared.module, function, inputs, options));
    runs.whole_s = seconds_since(start);
    const auto& signature = derived.program.signatures[function];
    start = std::chrono::steady_clock::now();
    SW_TRY(runs.mesh, exec::execute(derived.program.module, function, derived.prepared.mesh,
                                    signature.arguments, signature.results, inputs, options,
                                    exec::result_types(derived.prepared.module, function)));
    runs.mesh_s = seconds_since(start);
    return runs;
}

}  // namespace

std::string result_name(const ir::Module& module, const ir::Function& function, std::size_t i) {
    const std::string_view own = module.text(function.results[i].name);
    return own.empty() ? fmt::format("result{}", i) : std::string(own);
}

Result<InputSpec> parse_inputs(std::string_view text) {
    InputSpec spec;
    if (text == "zeros") {
        spec.kind = InputSpec::Kind::kZeros;
    } else if (text == "random") {
        spec.kind = InputSpec::Kind::kRandom;
    } else if (text.starts_with("random:")) {
        const std::string_view digits = text.substr(7);
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), spec.seed);
        if (error != std::errc() || end != digits.data() + digits.size() || digits.empty())
            return bad_input(fmt::format("inputs '{}'", text), "random:SEED with a whole number");
    } else {
        spec.kind = InputSpec::Kind::kFile;
        spec.file = text;
    }
    return spec;
}

Result<std::vector<exec::Tensor>> make_inputs(const Model& model, std::size_t function,
                                              const InputSpec& spec) {
    if (spec.kind == InputSpec::Kind::kZeros) return exec::zero_inputs(model.module, function);
    if (spec.kind == InputSpec::Kind::kRandom)
        return exec::random_inputs(model.module, function, spec.seed);
    SW_TRY(exec::NamedTensors named, exec::read_npz(spec.file));
    const ir::Function& f = model.module.functions()[function];
    std::vector<exec::Tensor> inputs;
    for (std::size_t i = 0; i < f.arguments.size(); ++i) {
        const ir::ValueId v = model.module.argument(f.body, i);
        const std::string names[] = {model.value_name(v), model.display_path(v),
                                     fmt::format("{}", i), fmt::format("arr_{}", i)};
        exec::Tensor* found = nullptr;
        for (auto& [name, tensor] : named)
            for (const std::string& wanted : names)
                if (found == nullptr &&
                    (name == wanted || (name.empty() && f.arguments.size() == 1)))
                    found = &tensor;
        Diagnostic d;
        d.file = spec.file;
        if (found == nullptr) {
            d.what = fmt::format("no array for argument '{}'", names[0]);
            d.expected = fmt::format("one named '{}', '{}' or '{}'", names[0], names[1], names[3]);
            return d;
        }
        if (!(found->type == model.module.type(v))) {
            d.what = fmt::format("argument '{}' is {}", names[0], ir::mlir_text(found->type));
            d.expected = ir::mlir_text(model.module.type(v));
            return d;
        }
        inputs.push_back(*found);
    }
    return inputs;
}

Result<VerifyReport> verify(const Model& model, const Derived& derived, std::size_t function,
                            const std::vector<exec::Tensor>& inputs, const exec::Options& options,
                            const exec::Tolerance& tolerance) {
    if (!derived.partition_error.empty()) return derived.partition_fault;
    SW_TRY(const Runs runs, run_both(derived, function, inputs, options));
    const std::vector<std::int64_t> chains = exec::reduction_chains(model.module, function);
    VerifyReport report;
    report.single_device_s = runs.whole_s;
    report.mesh_s = runs.mesh_s;
    report.checks = runs.whole.checks + runs.mesh.checks;
    for (const exec::CheckFailure& f : runs.whole.failures)
        report.failures.push_back("one device: " + f.message);
    for (const exec::CheckFailure& f : runs.mesh.failures)
        report.failures.push_back("on the mesh: " + f.message);

    std::optional<Runs> exact;  // both sides again with f64 accumulation, made when first needed
    const ir::Function& f = model.module.functions()[function];
    for (std::size_t i = 0; i < runs.whole.values.size(); ++i) {
        OutputReport output;
        output.name = result_name(model.module, f, i);
        output.comparison =
            exec::compare(runs.mesh.values[i], runs.whole.values[i], tolerance, chains[i]);
        if (!output.comparison.equal && is_exact(runs.whole.values[i].type.element)) {
            if (!exact) {
                exec::Options in_f64 = options;
                in_f64.accumulate_f64 = true;
                SW_TRY(Runs again, run_both(derived, function, inputs, in_f64));
                exact = std::move(again);
            }
            ++report.f64_reruns;
            output.rerun_in_f64 = true;
            output.comparison =
                exec::compare(exact->mesh.values[i], exact->whole.values[i], tolerance, chains[i]);
        }
        report.equal = report.equal && output.comparison.equal;
        report.outputs.push_back(std::move(output));
    }
    report.equal = report.equal && report.failures.empty();
    return report;
}

}  // namespace shardwright::plan
