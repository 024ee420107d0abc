// Custom calls whose meaning is known; any other is named and refused.
#include <fmt/format.h>

#include "exec/kernel.h"

namespace shardwright::exec {

Result<Kernel> prepare_custom_call(const Preparation& p) {
    const std::string target(p.module.text(p.attributes<ir::CustomCallAttributes>().target));
    return p.unsupported_here(fmt::format("custom_call @{}", target));
}

}  // namespace shardwright::exec
