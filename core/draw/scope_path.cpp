#include "draw/scope_path.h"

#include <algorithm>
#include <array>

#include "ir/op_kind.h"

namespace shardwright::draw {
namespace {

constexpr std::array<std::string_view, 15> kStructure = {"while",
                                                         "body",
                                                         "cond",
                                                         "closed_call",
                                                         "checkpoint",
                                                         "remat",
                                                         "pjit",
                                                         "jit",
                                                         "core_call",
                                                         "remat2",
                                                         "scan",
                                                         "rematted_computation",
                                                         "custom_jvp_call",
                                                         "custom_vjp_call",
                                                         "shard_map"};
constexpr std::array<std::string_view, 3> kCalls = {"jit", "pjit", "xla_call"};
constexpr std::array<std::string_view, 8> kTransforms = {
    "jvp", "transpose", "vmap", "remat", "checkpoint", "custom_jvp", "custom_vjp", "rematted"};
/// Primitives whose tracing name is not an operation's name in the IR.
constexpr std::array<std::string_view, 45> kPrimitives = {"sub",
                                                          "mul",
                                                          "div",
                                                          "max",
                                                          "min",
                                                          "exp",
                                                          "exp2",
                                                          "neg",
                                                          "eq",
                                                          "ne",
                                                          "lt",
                                                          "le",
                                                          "gt",
                                                          "ge",
                                                          "rem",
                                                          "pow",
                                                          "sin",
                                                          "cos",
                                                          "squeeze",
                                                          "expand_dims",
                                                          "select_n",
                                                          "convert_element_type",
                                                          "reduce_sum",
                                                          "reduce_max",
                                                          "reduce_min",
                                                          "reduce_and",
                                                          "reduce_or",
                                                          "reduce_prod",
                                                          "argmax",
                                                          "argmin",
                                                          "integer_pow",
                                                          "square",
                                                          "scatter-add",
                                                          "scatter_add",
                                                          "cumsum",
                                                          "stop_gradient",
                                                          "random_bits",
                                                          "threefry2x32",
                                                          "shift_right",
                                                          "erf_inv",
                                                          "split",
                                                          "conv_general_dilated",
                                                          "sharding_constraint",
                                                          "clamp",
                                                          "pad"};

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& list, std::string_view text) {
    return std::find(list.begin(), list.end(), text) != list.end();
}

bool is_branch(std::string_view part) {
    return part.starts_with("branch_") && part.ends_with("_fun");
}

/// `transpose(jvp(Model))` -> `Model`; a call or bare structure -> "".
std::string_view unwrapped(std::string_view part) {
    while (part.ends_with(')')) {
        const std::size_t open = part.find('(');
        if (open == std::string_view::npos) break;
        const std::string_view head = part.substr(0, open);
        if (is_one_of(kCalls, head)) return {};
        if (!is_one_of(kTransforms, head)) break;
        part = part.substr(open + 1, part.size() - open - 2);
    }
    return is_one_of(kStructure, part) || is_branch(part) ? std::string_view() : part;
}

bool is_primitive(std::string_view part) {
    return ir::find_op_kind(part).has_value() || is_one_of(kPrimitives, part);
}

/// Splits at '/' outside parentheses and brackets.
std::vector<std::string_view> parts_of(std::string_view path) {
    std::vector<std::string_view> parts;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= path.size(); ++i) {
        const char c = i < path.size() ? path[i] : '/';
        if (c == '(' || c == '[') ++depth;
        if ((c == ')' || c == ']') && depth > 0) --depth;
        if (i == path.size() || (c == '/' && depth == 0)) {
            if (i > begin) parts.push_back(path.substr(begin, i - begin));
            begin = i + 1;
        }
    }
    return parts;
}

}  // namespace

std::vector<std::string> scope_components(std::string_view path) {
    std::vector<std::string_view> parts = parts_of(path);
    if (!parts.empty() && is_primitive(parts.back())) parts.pop_back();
    std::vector<std::string> out;
    for (const std::string_view part : parts)
        if (const std::string_view kept = unwrapped(part); !kept.empty()) out.emplace_back(kept);
    return out;
}

}  // namespace shardwright::draw
