// shardwright estimate: memory per device, step time, collectives. A model, not a measurement.

#include <fmt/format.h>

#include "commands.h"
#include "each_model.h"
#include "options.h"
#include "output.h"
#include "sharding/text.h"

namespace shardwright::cli {
namespace {

struct EstimateCommand {
    ModelOptions model;
    ShardingOptions sharding;
    std::string chip, profile = "ideal", overlap = "async", chips_file;
    std::vector<std::string> assertions;
    bool no_fuse = false;
};

/// The figures that --assert knows, in the units of the JSON.
std::vector<std::pair<std::string, double>> figures(const cost::Estimate& e) {
    return {{"step_time_s", e.step_time_s},
            {"compute_time_s", e.compute_time_s},
            {"collective_time_s", e.collective_time_s},
            {"exposed_collective_time_s", e.exposed_collective_time_s},
            {"peak_bytes_per_device", static_cast<double>(e.peak_bytes_per_device)},
            {"argument_bytes", static_cast<double>(e.argument_bytes)},
            {"argument_bytes_per_device", static_cast<double>(e.argument_bytes_per_device)},
            {"output_bytes_per_device", static_cast<double>(e.output_bytes_per_device)},
            {"model_flops", e.model_flops},
            {"mfu", e.mfu},
            {"hfu", e.hfu}};
}

/// `peak_bytes_per_device < 16GiB`: does it hold?
Result<bool> holds(const std::string& text, const cost::Estimate& e) {
    const std::size_t at = text.find_first_of("<>=!");
    const std::size_t end = at == std::string::npos ? at : text.find_first_not_of("<>=!", at);
    const auto malformed = [&] {
        return bad_input(fmt::format("--assert '{}'", text),
                         "FIGURE < NUMBER (or <=, >, >=), e.g. peak_bytes_per_device < 16GiB");
    };
    if (end == std::string::npos) return malformed();
    std::string name = text.substr(0, at);
    name.erase(name.find_last_not_of(' ') + 1);
    name.erase(0, name.find_first_not_of(' '));
    const std::string comparison = text.substr(at, end - at);
    std::string right = text.substr(std::min(text.size(), text.find_first_not_of(' ', end)));
    double limit = 0;
    if (Result<std::int64_t> bytes = parse_bytes(right);
        bytes.ok() && name.find("bytes") != std::string::npos) {
        limit = static_cast<double>(*bytes);
    } else {
        char* stop = nullptr;
        limit = std::strtod(right.c_str(), &stop);
        if (right.empty() || *stop != '\0') return malformed();
    }
    for (const auto& [figure, value] : figures(e)) {
        if (figure != name) continue;
        if (comparison == "<") return value < limit;
        if (comparison == "<=") return value <= limit;
        if (comparison == ">") return value > limit;
        if (comparison == ">=") return value >= limit;
        return malformed();
    }
    std::string known;
    for (const auto& [figure, value] : figures(e)) known += (known.empty() ? "" : ", ") + figure;
    return bad_input(fmt::format("--assert: unknown figure '{}'", name), known);
}

json estimate_json(const plan::Derived& derived, const plan::Plan& plan) {
    const cost::Estimate& e = *derived.estimate;
    json out = {{"name", derived.prepared.module.title},
                {"chip", plan.chip},
                {"devices", e.devices},
                {"fits", e.fits},
                {"peak_bytes_unfused", e.peak_bytes_unfused},
                {"notes", e.notes},
                {"collectives", collectives_json(derived.collectives)}};
    for (const auto& [name, value] : figures(e)) {
        if (name.find("bytes") != std::string::npos)
            out[name] = static_cast<std::int64_t>(value);
        else
            out[name] = value;
    }
    return out;
}

void print_estimate(const plan::Derived& derived, const cost::Chip& chip,
                    const EstimateCommand& options) {
    const cost::Estimate& e = *derived.estimate;
    const ir::Module& module = derived.prepared.module;
    fmt::print("{} on {} × {} (a model, not a measurement: {} profile, {} overlap)\n", module.title,
               e.devices, chip.name, options.profile, options.overlap);
    fmt::print("arguments        {} whole, {} a device\n", bytes_text(e.argument_bytes),
               bytes_text(e.argument_bytes_per_device));
    fmt::print("outputs          {} a device (aliased ones included)\n",
               bytes_text(e.output_bytes_per_device));
    fmt::print("peak memory      {} a device of {} usable: {}\n",
               bytes_text(e.peak_bytes_per_device), bytes_text(chip.usable_bytes()),
               e.fits ? "fits" : "DOES NOT FIT");
    fmt::print("                 {} when no elementwise chain is fused\n",
               bytes_text(e.peak_bytes_unfused));
    fmt::print("step time        {}\n", seconds_text(e.step_time_s));
    fmt::print("  compute        {}\n", seconds_text(e.compute_time_s));
    fmt::print("  collectives    {}, of them exposed {}\n", seconds_text(e.collective_time_s),
               seconds_text(e.exposed_collective_time_s));
    fmt::print("FLOPs            {} of the model; MFU {:.1f} %, HFU {:.1f} %\n",
               count_text(e.model_flops), 100 * e.mfu, 100 * e.hfu);
    Table table({"at the peak", "bytes"}, {false, true});
    for (std::size_t i = 0; i < std::min<std::size_t>(5, e.memory.at_peak.size()); ++i) {
        const cost::Buffer& buffer = e.memory.at_peak[i];
        const ir::Module& program = derived.program.module;
        table.add({fmt::format("{} {}", program.name(buffer.value),
                               ir::mlir_text(program.type(buffer.value))),
                   bytes_text(buffer.bytes)});
    }
    fmt::print("{}", table.text());
    fmt::print("{}", collectives_table(derived.collectives));
    for (const std::string& note : e.notes) fmt::print("note: {}\n", note);
}

int run_estimate(const EstimateCommand& options) {
    const std::string file = options.chips_file.empty()
                                 ? std::string(SHARDWRIGHT_RESOURCES "/chips.json")
                                 : options.chips_file;
    const Result<cost::ChipTable> chips = cost::load_chips(file);
    if (!chips.ok()) return fail(chips.error());
    plan::Pricing pricing;
    pricing.chips = &*chips;
    pricing.options.memory.fused = pricing.options.time.fused = !options.no_fuse;
    pricing.options.time.overlap =
        options.overlap == "none" ? cost::Overlap::kNone : cost::Overlap::kAsync;
    pricing.options.time.profile = options.profile == "achieved" ? chips->achieved : chips->ideal;
    const Derive program = with_program(options.sharding, pricing);
    const auto derive = [&](const ModelPtr& model, plan::Plan& plan) -> Result<DerivedPtr> {
        if (!options.chip.empty()) plan.chip = options.chip;
        Result<DerivedPtr> derived = program(model, plan);
        if (derived.ok() && !(*derived)->estimate)
            return bad_input("the module has no function to estimate", "a function");
        return derived;
    };
    return for_each_model(options.model, options.sharding, options.model.json, derive,
                          [&](const plan::Model&, const plan::Plan& plan,
                              const plan::Derived& derived, std::vector<json>& documents) {
                              if (options.model.json)
                                  documents.push_back(estimate_json(derived, plan));
                              else
                                  print_estimate(derived, **chips->find(plan.chip), options);
                              int code = 0;
                              for (const std::string& assertion : options.assertions) {
                                  const Result<bool> good = holds(assertion, *derived.estimate);
                                  if (!good.ok()) return fail(good.error());
                                  if (*good) continue;
                                  fmt::print(stderr, "assertion failed: {}\n", assertion);
                                  code = worst(code, 1);
                              }
                              return code;
                          });
}

}  // namespace

Command add_estimate(CommandLine& line) {
    auto options = std::make_shared<EstimateCommand>();
    options->model.add(line);
    options->sharding.add(line);
    line.text("--chip", options->chip, "chip by name (default: the plan's, else TPU v5e)");
    line.text("--chips", options->chips_file, "another chip table (JSON)");
    line.choice("--profile", options->profile, "ideal (default) or achieved fractions of the peaks",
                {"ideal", "achieved"});
    line.choice("--overlap", options->overlap, "async (default) or none", {"async", "none"});
    line.flag("--no-fuse", options->no_fuse, "every result goes to memory");
    line.repeated("--assert", options->assertions,
                  "exit 1 unless it holds, e.g. 'peak_bytes_per_device < 16GiB'; repeatable");
    return [options] { return run_estimate(*options); };
}

}  // namespace shardwright::cli
