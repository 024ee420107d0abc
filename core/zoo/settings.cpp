#include "zoo/settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>
#include <charconv>

namespace shardwright::zoo {
namespace {

std::optional<std::int64_t> parse_number(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

Status check_value(const OptionInfo& option, const std::string& value) {
    if (!option.choices.empty()) {
        if (std::find(option.choices.begin(), option.choices.end(), value) != option.choices.end())
            return {};
        return bad_input(fmt::format("option {}={}", option.name, value),
                         fmt::format("one of {}", fmt::join(option.choices, ", ")));
    }
    const auto number = parse_number(value);
    if (number && *number >= option.least && *number <= option.most) return {};
    return bad_input(fmt::format("option {}={}", option.name, value),
                     fmt::format("a number from {} to {}", option.least, option.most));
}

}  // namespace

Result<Settings> Settings::make(const KindInfo& kind, const Options& given) {
    Settings settings;
    for (const OptionInfo& option : kind.options)
        settings.values_[option.name] = option.default_value;
    for (const auto& [name, value] : given) {
        const auto option = std::find_if(kind.options.begin(), kind.options.end(),
                                         [&](const OptionInfo& o) { return o.name == name; });
        if (option == kind.options.end()) {
            std::vector<std::string_view> names;
            for (const OptionInfo& o : kind.options) names.push_back(o.name);
            return bad_input(fmt::format("unknown option '{}' of {}", name, kind.name),
                             fmt::format("one of {}", fmt::join(names, ", ")));
        }
        SW_CHECK(check_value(*option, value));
        settings.values_[name] = value;
    }
    return settings;
}

std::int64_t Settings::number(const std::string& name) const {
    const auto value = parse_number(text(name));
    assert(value.has_value());
    return *value;
}

const std::string& Settings::text(const std::string& name) const {
    const auto found = values_.find(name);
    assert(found != values_.end());
    return found->second;
}

ir::ElementType Settings::element(const std::string& name) const {
    return ir::parse_mlir_element_type(text(name)).value();
}

OptionInfo number_option(std::string name, std::int64_t value, std::string description,
                         std::int64_t least, std::int64_t most) {
    return {std::move(name), std::to_string(value), std::move(description), {}, least, most};
}

OptionInfo flag_option(std::string name, bool value, std::string description) {
    return {std::move(name), value ? "true" : "false", std::move(description), {"true", "false"}};
}

OptionInfo choice_option(std::string name, std::vector<std::string> choices,
                         std::string description) {
    std::string first = choices.front();
    return {std::move(name), std::move(first), std::move(description), std::move(choices)};
}

OptionInfo element_option() {
    return choice_option("dtype", {"f32", "bf16", "f16", "f64"},
                         "element type of weights and activations");
}

}  // namespace shardwright::zoo
