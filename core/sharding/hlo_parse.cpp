// HLO's sharding text into tile assignments. Iota forms stay symbolic.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "sharding/hlo_text.h"

namespace shardwright::sharding {
namespace {

using Kind = HloSharding::Kind;

Status read_device_list(Scanner& in, HloSharding& s) {
    do {
        SW_TRY(const std::int64_t id, in.number(0, kMaxHloDevices - 1));
        s.devices.push_back(id);
    } while (in.accept(","));
    std::vector<std::int64_t> sorted = s.devices;
    std::ranges::sort(sorted);
    if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end())
        return in.fault(fmt::format("device {} is listed twice", *twice), "distinct devices");
    return {};
}

Status read_devices(Scanner& in, HloSharding& s) {
    s.kind = Kind::kTiled;
    SW_TRY(s.tile_dims, read_sizes(in));
    std::int64_t count = 0;
    if (in.accept("<=")) {
        SW_TRY(s.reshape_dims, read_sizes(in));
        SW_CHECK(read_permutation(in, s.reshape_dims.size(), s.permutation));
        count = product_of(view(s.reshape_dims));
    } else {
        SW_CHECK(read_device_list(in, s));
        count = static_cast<std::int64_t>(s.devices.size());
    }
    if (count != product_of(view(s.tile_dims)))
        return in.fault(
            fmt::format("{} devices for {} tiles", count, product_of(view(s.tile_dims))),
            "as many devices as tiles");
    return {};
}

Status read_subgroups(Scanner& in, HloSharding& s) {
    SW_CHECK(in.expect("{"));
    while (!in.accept("}")) {
        if (!s.subgroups.empty()) SW_CHECK(in.expect(","));
        if (in.accept_word("replicated"))
            s.subgroups.push_back(Subgroup::kReplicated);
        else if (in.accept_word("manual"))
            s.subgroups.push_back(Subgroup::kManual);
        else if (in.accept_word("unreduced"))
            s.subgroups.push_back(Subgroup::kUnreduced);
        else if (in.accept_word("maximal"))
            s.subgroups.push_back(Subgroup::kMaximal);
        else
            return in.error("replicated, manual, unreduced or maximal");
    }
    return {};
}

Status read_kind(Scanner& in, HloSharding& s) {
    if (in.accept_word("replicated")) {
        s.kind = Kind::kReplicated;
    } else if (in.accept_word("manual")) {
        s.kind = Kind::kManual;
    } else if (in.accept_word("unknown")) {
        s.kind = Kind::kUnknown;
    } else if (in.accept_word("unreduced")) {
        s.kind = Kind::kUnreduced;
    } else if (in.accept_word("maximal")) {
        s.kind = Kind::kMaximal;
        SW_CHECK(in.expect("device"));
        SW_CHECK(in.expect("="));
        SW_TRY(s.device, in.number(0, kMaxHloDevices - 1));
    } else if (in.accept_word("devices")) {
        SW_CHECK(in.expect("="));
        SW_CHECK(read_devices(in, s));
    } else if (in.rest().starts_with("mesh") || in.rest().starts_with("maximal_mesh")) {
        SW_CHECK(read_named(in, s));
    } else {
        return in.error("replicated, maximal, manual, unknown, unreduced, devices= or mesh[");
    }
    return {};
}

/// What may stand behind the kind, in any order.
Status read_suffix(Scanner& in, HloSharding& s) {
    if (in.accept_word("last_tile_dim_replicate")) {
        s.subgroups.push_back(Subgroup::kReplicated);
    } else if (in.accept_word("last_tile_dims")) {
        SW_CHECK(in.expect("="));
        SW_CHECK(read_subgroups(in, s));
    } else if (in.accept_word("metadata")) {
        SW_CHECK(in.expect("="));
        SW_CHECK(in.skip_braces());
    } else if (in.rest().starts_with("shard_as") || in.rest().starts_with("shard_like")) {
        s.group_is_soft = !in.accept_word("shard_as");
        if (s.group_is_soft) SW_CHECK(in.expect("shard_like"));
        SW_TRY(s.group, in.number(0, std::numeric_limits<std::int64_t>::max()));
    } else {
        return in.error("'}', last_tile_dims=, shard_as, shard_like or metadata=");
    }
    return {};
}

Result<HloSharding> read_leaf(Scanner& in) {
    HloSharding s;
    SW_CHECK(in.expect("{"));
    SW_CHECK(read_kind(in, s));
    while (!in.accept("}")) {
        in.accept(",");
        SW_CHECK(read_suffix(in, s));
    }
    if (s.subgroups.size() > s.tile_dims.size())
        return in.fault("more subgroups than tile dimensions", "subgroups only on devices=[…]");
    return s;
}

}  // namespace

Result<Dims> read_sizes(Scanner& in) {
    Dims sizes;
    std::int64_t total = 1;
    SW_CHECK(in.expect("["));
    while (!in.accept("]")) {
        if (!sizes.empty()) SW_CHECK(in.expect(","));
        SW_TRY(const std::int64_t size, in.number(1, kMaxHloDevices));
        if (total > kMaxHloDevices / size)
            return in.fault("too many devices", "a product of at most 2^40");
        total *= size;
        sizes.push_back(size);
    }
    return sizes;
}

Status read_permutation(Scanner& in, std::size_t rank, InlineVector<std::int32_t, 6>& permutation) {
    if (!in.accept("T")) return {};
    SW_CHECK(in.expect("("));
    std::vector<bool> seen(rank, false);
    while (!in.accept(")")) {
        if (!permutation.empty()) SW_CHECK(in.expect(","));
        SW_TRY(const std::int64_t dim, in.number(0, static_cast<std::int64_t>(rank) - 1));
        if (seen[static_cast<std::size_t>(dim)])
            return in.fault(fmt::format("dimension {} occurs twice", dim), "a permutation");
        seen[static_cast<std::size_t>(dim)] = true;
        permutation.push_back(static_cast<std::int32_t>(dim));
    }
    if (permutation.size() != rank)
        return in.fault(fmt::format("{} dimensions are transposed", permutation.size()),
                        fmt::format("{}", rank));
    if (std::ranges::is_sorted(permutation)) permutation.clear();
    return {};
}

Result<HloShardingText> parse_hlo(std::string_view text) {
    HloShardingText parsed;
    Scanner in(text);
    Scanner ahead = in;
    ahead.accept("{");
    parsed.is_tuple = ahead.peek() == '{' || ahead.peek() == '}';
    if (!parsed.is_tuple) {
        SW_TRY(HloSharding leaf, read_leaf(in));
        parsed.leaves.push_back(std::move(leaf));
    } else {
        SW_CHECK(in.expect("{"));
        while (!in.accept("}")) {
            if (!parsed.leaves.empty()) SW_CHECK(in.expect(","));
            SW_TRY(HloSharding leaf, read_leaf(in));
            parsed.leaves.push_back(std::move(leaf));
        }
    }
    if (!in.at_end()) return in.error("the end of the sharding");
    return parsed;
}

}  // namespace shardwright::sharding
