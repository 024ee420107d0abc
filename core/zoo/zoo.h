#pragma once
// Models made to order: what stands behind `shardwright new KIND option=value …`.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "ir/module.h"

namespace shardwright::zoo {

/// One option of a kind of model.
struct OptionInfo {
    std::string name;
    std::string default_value;
    std::string description;           ///< one line
    std::vector<std::string> choices;  ///< when not empty: the only values allowed
    std::int64_t least = 1;            ///< numbers: the range allowed
    std::int64_t most = std::int64_t{1} << 24;
};

/// One kind of model.
struct KindInfo {
    std::string name;
    std::string description;  ///< one line
    std::vector<OptionInfo> options;
};

using Options = std::vector<std::pair<std::string, std::string>>;

/// All kinds, in the order in which help shows them.
const std::vector<KindInfo>& kinds();

/// Builds a model; options not given have their defaults, of two equal names the later counts. The
/// module has one function, `main`; weights are arguments, so that any size costs the same. Every
/// operation has a scope path ("transformer/layer_3/attention/dot_general"), every argument a path
/// ("layer_3/attention/wq"). The same call makes the same module.
/// Errors: unknown kind, unknown option, a value out of range; each names what is allowed.
///     auto m = build("transformer", {{"layers", "4"}, {"model", "256"}, {"heads", "8"}});
Result<ir::Module> build(std::string_view kind, const Options& options);

}  // namespace shardwright::zoo
