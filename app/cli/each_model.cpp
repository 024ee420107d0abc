#include "each_model.h"

#include <fmt/format.h>

namespace shardwright::cli {

int for_each_model(const ModelOptions& model_options, const ShardingOptions& sharding, bool as_json,
                   const Derive& derive, const Use& use) {
    const auto models = plan::open_models(model_options.model);
    if (!models.ok()) return fail(models.error());
    int code = 0;
    std::vector<json> documents;
    for (const ModelPtr& model : *models) {
        Result<plan::Plan> plan = sharding.to_plan(model->path);
        if (!plan.ok()) return fail(plan.error());
        const Result<DerivedPtr> derived = derive(model, *plan);
        if (derived.ok()) {
            code = worst(code, use(*model, *plan, **derived, documents));
            continue;
        }
        Diagnostic fault = derived.error();
        if (fault.file.empty()) fault.file = model->path;
        documents.push_back({{"name", model->module.title}, {"error", fault.text()}});
        code = worst(code, fail(fault));
    }
    if (as_json) print_json(std::move(documents));
    return code;
}

Derive with_program(const ShardingOptions& sharding, const plan::Pricing& pricing) {
    return [&sharding, pricing](const ModelPtr& model, plan::Plan& plan) -> Result<DerivedPtr> {
        Result<DerivedPtr> derived =
            derive_or_explain(model, plan, sharding.allow_unmatched, pricing);
        if (derived.ok() && !(*derived)->partition_error.empty())
            return Diagnostic((*derived)->partition_fault);
        return derived;
    };
}

void print_module(const ir::Module& module, const std::string& format,
                  const formats::WriteOptions& write, bool first) {
    if (!first) fmt::print("\n// -----\n\n");
    fmt::print("{}", format == "mlir" ? formats::write_mlir(module, write)
                                      : formats::write_hlo(module, write));
}

}  // namespace shardwright::cli
