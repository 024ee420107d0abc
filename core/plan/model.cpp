#include "plan/model.h"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>

#include "formats/read_model.h"

namespace shardwright::plan {
namespace {

std::string hash_of(const ir::Module& module) {
    XXH3_state_t* state = XXH3_createState();
    XXH3_64bits_reset(state);
    const auto add = [&](std::uint64_t n) { XXH3_64bits_update(state, &n, sizeof n); };
    for (std::size_t i = 0; i < module.op_count(); ++i) {
        const ir::Op& op = module.op(ir::OpId(i));
        add(static_cast<std::uint64_t>(op.kind));
        for (const ir::ValueId v : module.operands(op)) add(v.index);
        for (std::size_t r = 0; r < op.result_count; ++r) {
            const ir::TensorType& t = module.type(module.result(ir::OpId(i), r));
            add(static_cast<std::uint64_t>(t.element));
            for (const std::int64_t d : t.dims) add(static_cast<std::uint64_t>(d));
        }
    }
    const std::uint64_t digest = XXH3_64bits_digest(state);
    XXH3_freeState(state);
    return fmt::format("{:016x}", digest);
}

bool is_wrapper(std::string_view part) {
    for (std::string_view wrapper :
         {"jit", "pjit", "jvp", "vjp", "transpose", "vmap", "remat", "checkpoint",
          "rematted_computation", "closed_call", "shard_map"}) {
        if (part == wrapper) return true;
        if (part.size() > wrapper.size() + 1 && part.starts_with(wrapper) &&
            part[wrapper.size()] == '(' && part.back() == ')')
            return true;
    }
    return false;
}

/// What a wrapper wraps: `transpose(jvp(layer_3))` is `layer_3`; jit's name alone says nothing.
std::string_view unwrap(std::string_view part) {
    bool is_program_name = false;
    while (is_wrapper(part)) {
        const std::size_t open = part.find('(');
        if (open == std::string_view::npos) return {};
        is_program_name = part.substr(0, open) == "jit" || part.substr(0, open) == "pjit";
        part = part.substr(open + 1, part.size() - open - 2);
    }
    return is_program_name ? std::string_view() : part;
}

}  // namespace

std::string clean_path(std::string_view path) {
    // Brackets and quotes first: `state.params['params']["x"]` -> `state/params/params/x`.
    std::string plain;
    int depth = 0;  // inside a wrapper's parentheses separators are part of the name
    for (std::size_t i = 0; i < path.size(); ++i) {
        const char c = path[i];
        if (c == '(') ++depth;
        if (c == ')') --depth;
        if (c == '\\' || c == '\'' || c == '"' || c == ']') continue;
        const bool dot = c == '.' && depth == 0 && i + 1 < path.size() &&
                         !(path[i + 1] >= '0' && path[i + 1] <= '9');
        const char mapped = (c == '[' || dot) ? '/' : c;
        if (mapped == '/' && (plain.empty() || plain.back() == '/')) continue;
        plain += mapped;
    }
    std::string result;
    std::size_t begin = 0;
    depth = 0;
    for (std::size_t i = 0; i <= plain.size(); ++i) {
        if (i < plain.size() && plain[i] == '(') ++depth;
        if (i < plain.size() && plain[i] == ')') --depth;
        if (i < plain.size() && (plain[i] != '/' || depth > 0)) continue;
        const std::string_view part = unwrap(std::string_view(plain).substr(begin, i - begin));
        begin = i + 1;
        if (part.empty() || part == "while" || part == "body" || part == "cond") continue;
        if (!result.empty()) result += '/';
        result += part;
    }
    return result;
}

bool glob_match(std::string_view pattern, std::string_view text) {
    std::size_t p = 0, t = 0, star = std::string_view::npos, mark = 0;
    while (t < text.size()) {
        if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
            ++p, ++t;
        } else if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            mark = t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++mark;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*') ++p;
    return p == pattern.size();
}

Model::Model(ir::Module m) : module(std::move(m)), uses(module), rules(module) {
    path = module.file;
    structure_hash = hash_of(module);
    for (std::size_t i = 0; i < module.value_count(); ++i) {
        const ir::ValueId v(i);
        if (const std::string_view name = module.name(v); !name.empty())
            by_name_[std::string(name)].push_back(v);
    }
}

std::string Model::display_path(ir::ValueId value) const {
    const ir::Value& v = module.value(value);
    if (!v.def.valid()) {
        for (const ir::Function& f : module.functions()) {
            if (f.body != v.region) continue;
            const std::string_view text = module.text(f.arguments[v.index].path);
            if (std::string cleaned = clean_path(text); !cleaned.empty()) return cleaned;
        }
        return value_name(value);
    }
    const std::string scope = clean_path(module.scope(v.def));
    return scope.empty() ? value_name(value) : scope;
}

std::string Model::value_name(ir::ValueId value) const {
    const std::string_view name = module.name(value);
    if (name.empty()) return fmt::format("%{}", value.index);
    const auto found = by_name_.find(std::string(name));
    if (found == by_name_.end() || found->second.front() == value) return std::string(name);
    return fmt::format("{}@{}", name, value.index);  // a name that a nested region uses again
}

std::vector<ir::ValueId> Model::find(std::string_view target) const {
    const std::string_view bare = target.starts_with('%') ? target.substr(1) : target;
    if (const auto found = by_name_.find(std::string(bare)); found != by_name_.end())
        return {found->second.front()};
    const bool is_glob = target.find_first_of("*?") != std::string_view::npos;
    std::vector<ir::ValueId> matches;
    for (std::size_t i = 0; i < module.value_count(); ++i) {
        const ir::ValueId v(i);
        if (is_glob ? glob_match(bare, module.name(v)) || glob_match(target, display_path(v))
                    : value_name(v) == target || display_path(v) == target)
            matches.push_back(v);
    }
    if (!matches.empty() || !module.has_entry()) return matches;
    // "result 0" or the result's own name.
    const ir::Function& entry = module.entry();
    const auto returned = module.returned(entry.body);
    for (std::size_t i = 0; i < returned.size(); ++i)
        if (target == fmt::format("result {}", i) || target == fmt::format("result{}", i) ||
            (!module.text(entry.results[i].name).empty() &&
             target == module.text(entry.results[i].name)))
            matches.push_back(returned[i]);
    return matches;
}

Result<std::vector<std::shared_ptr<const Model>>> open_models(const std::string& path) {
    SW_TRY(formats::ModelFile file, formats::read_model(path));
    std::vector<std::shared_ptr<const Model>> models;
    for (ir::Module& module : file.modules) {
        auto model = std::make_shared<Model>(std::move(module));
        model->path = path;
        models.push_back(std::move(model));
    }
    return models;
}

}  // namespace shardwright::plan
