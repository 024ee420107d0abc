// Tile assignments into HLO's sharding text.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sharding/hlo_text.h"

namespace shardwright::sharding {
namespace {

using Kind = HloSharding::Kind;

std::string_view subgroup_word(Subgroup subgroup) {
    switch (subgroup) {
        case Subgroup::kReplicated:
            return "replicated";
        case Subgroup::kManual:
            return "manual";
        case Subgroup::kUnreduced:
            return "unreduced";
        case Subgroup::kMaximal:
            return "maximal";
    }
    return "replicated";
}

std::string print_tiled(const HloSharding& s) {
    std::string text = fmt::format("devices=[{}]", fmt::join(s.tile_dims, ","));
    if (s.devices.empty()) {
        text += fmt::format("<=[{}]", fmt::join(s.reshape_dims, ","));
        if (!s.permutation.empty()) text += fmt::format("T({})", fmt::join(s.permutation, ","));
    } else {
        text += fmt::format("{}", fmt::join(s.devices, ","));
    }
    if (s.subgroups.size() == 1 && s.subgroups[0] == Subgroup::kReplicated)
        return text + " last_tile_dim_replicate";
    if (s.subgroups.empty()) return text;
    text += " last_tile_dims={";
    for (std::size_t i = 0; i < s.subgroups.size(); ++i)
        text += fmt::format("{}{}", i > 0 ? ", " : "", subgroup_word(s.subgroups[i]));
    return text + "}";
}

std::string print_kind(const HloSharding& s) {
    switch (s.kind) {
        case Kind::kReplicated:
            return "replicated";
        case Kind::kMaximal:
            return fmt::format("maximal device={}", s.device);
        case Kind::kManual:
            return "manual";
        case Kind::kUnknown:
            return "unknown";
        case Kind::kUnreduced:
            return "unreduced";
        case Kind::kTiled:
            return print_tiled(s);
        case Kind::kNamed:
            return print_named(s);
    }
    return "unknown";
}

}  // namespace

std::string print_hlo(const HloSharding& s) {
    std::string text = "{" + print_kind(s);
    if (s.group >= 0)
        text += fmt::format(" {} {}", s.group_is_soft ? "shard_like" : "shard_as", s.group);
    return text + "}";
}

}  // namespace shardwright::sharding
