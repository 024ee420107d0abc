#include "propagation/propagate.h"

#include <algorithm>

#include "propagation/engine.h"
#include "propagation/policies.h"

namespace shardwright::propagation {
namespace {

bool annotates_anything(const ir::Module& module) {
    if (!module.annotations().empty()) return true;
    for (const ir::Function& function : module.functions())
        for (const ir::ResultInfo& result : function.results)
            if (result.annotation) return true;
    for (std::size_t i = 0; i < module.op_count(); ++i) {
        const ir::Attributes& all = module.all_attributes(ir::OpId(i));
        if (std::holds_alternative<ir::ShardingAttributes>(all) ||
            std::holds_alternative<ir::ManualAttributes>(all))
            return true;
    }
    return false;
}

/// HLO's flags: none stated = not allowed; one = for all; several = one each.
void take_flags(const std::vector<bool>& flags, bool& all, std::vector<bool>& each) {
    all = std::ranges::find(flags, true) != flags.end();
    if (flags.size() > 1 && all) each = flags;
}

}  // namespace

Options default_options(const ir::Module& module) {
    Options options;
    const auto& inputs = module.allow_propagation_to_parameters;
    const auto& outputs = module.allow_propagation_to_outputs;
    if (inputs.empty() && outputs.empty() && !annotates_anything(module)) return options;
    take_flags(inputs, options.allow_inputs, options.inputs);
    take_flags(outputs, options.allow_outputs, options.outputs);
    return options;
}

Result propagate(const ir::Module& module, const rules::RuleTable& rules, sharding::MeshId mesh_id,
                 const Options& options) {
    Engine engine(module, rules, mesh_id, options);
    if (options.policy == Policy::kShardy)
        complete_shardy(engine);
    else
        complete_gspmd(engine);
    return engine.finish();
}

}  // namespace shardwright::propagation
