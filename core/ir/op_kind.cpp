#include "ir/op_kind.h"

#include <array>
#include <unordered_map>

namespace shardwright::ir {
namespace {

enum class Trait : std::uint8_t { E, S, T, C, N };

constexpr OpInfo make_info(std::string_view name, Trait trait) {
    return OpInfo{name, trait == Trait::E, trait == Trait::S, trait == Trait::T, trait == Trait::C};
}

constexpr std::array kInfos = {
#define X(enumerator, name, traits) make_info(name, Trait::traits),
    SHARDWRIGHT_OPS(X)
#undef X
};

}  // namespace

const OpInfo& info(OpKind kind) {
    return kInfos[static_cast<std::size_t>(kind)];
}

std::size_t op_kind_count() {
    return kInfos.size();
}

std::optional<OpKind> find_op_kind(std::string_view name) {
    static const auto* const by_name = [] {
        auto* map = new std::unordered_map<std::string_view, OpKind>;
        for (std::size_t i = 0; i < kInfos.size(); ++i)
            map->emplace(kInfos[i].name, static_cast<OpKind>(i));
        return map;
    }();
    const auto found = by_name->find(name);
    if (found == by_name->end()) return std::nullopt;
    return found->second;
}

}  // namespace shardwright::ir
