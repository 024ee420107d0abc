// shardwright partition: the per-device program and its collectives.

#include <fmt/format.h>

#include "commands.h"
#include "each_model.h"
#include "formats/write_model.h"
#include "options.h"
#include "output.h"

namespace shardwright::cli {
namespace {

struct PartitionOptions {
    ModelOptions model;
    ShardingOptions sharding;
    std::string emit = "table";
    bool generic = false;
};

json gathered_json(const plan::Model& model, const partition::Partitioned& program) {
    json list = json::array();
    for (const partition::Gathered& g : program.gathered) {
        const ir::Op& op = model.module.op(g.source_op);
        list.push_back({{"operation", ir::name(op.kind)},
                        {"value", op.result_count ? model.value_name(op.first_result) : ""},
                        {"bytes", g.result_bytes},
                        {"reason", g.reason}});
    }
    return list;
}

json partition_json(const plan::Model& model, const plan::Derived& derived) {
    const ir::Module& module = derived.prepared.module;
    return {{"name", module.title},
            {"mesh", mesh_json(module.mesh(derived.prepared.mesh))},
            {"operations", derived.program.module.op_count()},
            {"collectives", collectives_json(derived.collectives)},
            {"gathered", gathered_json(model, derived.program)},
            {"gathered_share", gathered_share(derived.program)},
            {"notes", derived.program.notes},
            {"totals", totals_json(derived.totals)}};
}

void print_table(const plan::Derived& derived) {
    const ir::Module& module = derived.prepared.module;
    fmt::print("{} on {}: {} operations per device\n", module.title,
               module.mesh(derived.prepared.mesh).text(), derived.program.module.op_count());
    fmt::print("{}", collectives_table(derived.collectives));
    fmt::print("{}", gathered_text(module, derived.program));
    for (const std::string& note : derived.program.notes) fmt::print("clean-up: {}\n", note);
    fmt::print("arguments    {} whole, {} a device\n", bytes_text(derived.totals.argument_bytes),
               bytes_text(derived.totals.argument_bytes_per_device));
}

int run_partition(const PartitionOptions& options) {
    const std::string emit = options.model.json ? "json" : options.emit;
    bool first = true;
    return for_each_model(
        options.model, options.sharding, emit == "json", with_program(options.sharding),
        [&](const plan::Model& model, const plan::Plan&, const plan::Derived& derived,
            std::vector<json>& documents) {
            if (emit == "json") {
                documents.push_back(partition_json(model, derived));
            } else if (emit == "table") {
                print_table(derived);
            } else {
                formats::WriteOptions write;
                write.generic = options.generic;
                write.annotate = formats::Annotate::kNone;
                print_module(derived.program.module, emit, write, std::exchange(first, false));
            }
            return 0;
        });
}

}  // namespace

Command add_partition(CommandLine& line) {
    auto options = std::make_shared<PartitionOptions>();
    options->model.add(line);
    options->sharding.add(line);
    line.choice("--emit", options->emit, "mlir, hlo, json or table (default)",
                {"mlir", "hlo", "json", "table"});
    line.flag("--generic", options->generic, "MLIR's generic form");
    return [options] { return run_partition(*options); };
}

}  // namespace shardwright::cli
