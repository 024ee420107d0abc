// custom_call: known targets have a rule, all others carry only what the user annotates.
#include <algorithm>
#include <array>
#include <string_view>

#include "rules/families.h"

namespace shardwright::rules {
namespace {

/// Targets that return their operands as they are.
constexpr std::array<std::string_view, 11> kIdentities = {
    "Sharding",
    "xla.sdy.FuncResultSharding",
    "xla.sdy.Sharding",
    "LayoutConstraint",
    "MoveToHost",
    "MoveToDevice",
    "annotate_device_placement",
    "PinToDevice",
    "PinToDeviceSram",
    "ShardBarrierFrom",
    "ShardBarrierTo",
};
/// Targets that work element by element.
constexpr std::array<std::string_view, 4> kElementwise = {"mhlo.erf", "mhlo.tan", "erf",
                                                          "X64Combine"};

template <std::size_t N>
bool holds(const std::array<std::string_view, N>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

void custom_call_rule(RuleBuilder& b) {
    const auto* a = b.module().attributes_if<ir::CustomCallAttributes>(b.op());
    const std::string_view target = a ? b.module().text(a->target) : std::string_view();
    if (holds(kIdentities, target)) return identity_rule(b);
    if (holds(kElementwise, target) && b.result_count() == 1) return elementwise_rule(b);
    const bool top_k = target == "TopK" || target == "mhlo.topk" || target == "top_k";
    if (top_k && b.operand_count() == 1 && !b.dims(0).empty() && b.result_count() == 2 &&
        b.dims(1).size() == b.dims(0).size() && b.dims(2).size() == b.dims(0).size())
        return top_k_rule(b);
    b.set_opaque();
}

}  // namespace shardwright::rules
