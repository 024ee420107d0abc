#include "plan/roles.h"

#include <algorithm>
#include <array>
#include <string>

#include "plan/model.h"

namespace shardwright::plan {
namespace {

bool has_part(std::string_view path, std::span<const std::string_view> wanted) {
    std::size_t begin = 0;
    while (begin <= path.size()) {
        const std::size_t end = std::min(path.find('/', begin), path.size());
        if (std::find(wanted.begin(), wanted.end(), path.substr(begin, end - begin)) !=
            wanted.end())
            return true;
        begin = end + 1;
    }
    return false;
}

constexpr std::array<std::string_view, 7> kOptimizer = {
    "opt_state", "mu", "nu", "adam_m", "adam_v", "momentum", "optimizer"};
constexpr std::array<std::string_view, 4> kCache = {"cache", "kv_cache", "key_cache",
                                                    "value_cache"};
constexpr std::array<std::string_view, 12> kInputs = {"batch",  "inputs", "input",   "tokens",
                                                      "images", "labels", "targets", "x",
                                                      "y",      "data",   "pixels",  "features"};

}  // namespace

std::string_view text(Role role) {
    switch (role) {
        case Role::kParameter:
            return "parameter";
        case Role::kOptimizerState:
            return "optimiser state";
        case Role::kInput:
            return "input";
        case Role::kCache:
            return "cache";
        case Role::kScalar:
            return "scalar";
    }
    return "";
}

std::vector<Role> argument_roles(const ir::Module& module, const ir::Function& function) {
    std::vector<Role> roles;
    for (std::size_t i = 0; i < function.arguments.size(); ++i) {
        const ir::ValueId v = module.argument(function.body, i);
        const ir::TensorType& type = module.type(v);
        std::string path = clean_path(module.text(function.arguments[i].path));
        if (path.empty()) path = std::string(module.name(v));
        if (type.rank() == 0)
            roles.push_back(Role::kScalar);
        else if (has_part(path, kOptimizer))
            roles.push_back(Role::kOptimizerState);
        else if (has_part(path, kCache))
            roles.push_back(Role::kCache);
        else if (!(ir::is_float(type.element) || ir::is_complex(type.element)) ||
                 has_part(path, kInputs))
            roles.push_back(Role::kInput);
        else
            roles.push_back(Role::kParameter);
    }
    return roles;
}

}  // namespace shardwright::plan
