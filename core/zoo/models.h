#pragma once
// The builders behind the kinds, one file each. Private to core/zoo.

#include "zoo/settings.h"
#include "zoo/zoo.h"

namespace shardwright::zoo {

KindInfo mlp_kind();
Result<ir::Module> build_mlp(const Settings& settings);

KindInfo transformer_kind();
Result<ir::Module> build_transformer(const Settings& settings);

/// Refuses a tensor of these sizes when its bytes could overflow; `what` names it.
Status need_buildable(std::initializer_list<std::int64_t> sizes, std::string_view what);

}  // namespace shardwright::zoo
