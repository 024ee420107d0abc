// Cutting a long list of operations where few values cross: layers first, then narrow places.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "draw/groups.h"

namespace shardwright::draw {
namespace {

using ir::OpId;
using ir::ValueId;

/// crossing[i]: values made before position i and used at or behind it.
std::vector<std::int64_t> crossings(const ir::Module& module, const ir::Uses& uses,
                                    std::span<const OpId> ops) {
    std::unordered_map<OpId, std::size_t> position;
    for (std::size_t i = 0; i < ops.size(); ++i) position.emplace(ops[i], i);
    std::vector<std::int64_t> delta(ops.size() + 2, 0);
    for (std::size_t i = 0; i < ops.size(); ++i) {
        const ir::Op& op = module.op(ops[i]);
        for (std::size_t r = 0; r < op.result_count; ++r) {
            std::size_t last = i;
            for (const ir::Use& use : uses.of(module.result(ops[i], r)))
                if (const auto found = position.find(use.op); found != position.end())
                    last = std::max(last, found->second);
            if (last <= i) continue;
            ++delta[i + 1];
            --delta[last + 1];
        }
    }
    std::vector<std::int64_t> width(ops.size() + 1, 0);
    std::int64_t running = 0;
    for (std::size_t i = 0; i <= ops.size(); ++i) width[i] = running += delta[i];
    return width;
}

struct Period {
    std::size_t begin = 0, length = 0, repeats = 0;
};

/// The repetition that covers most of the list, by kind and result type of the operations.
Period find_period(const ir::Module& module, std::span<const OpId> ops) {
    std::vector<std::uint64_t> sign;
    for (const OpId id : ops) {
        const ir::Op& op = module.op(id);
        const std::uint64_t type =
            op.result_count > 0 ? module.value(op.first_result).type.index : 0xFFFFu;
        sign.push_back((type << 8) | static_cast<std::uint64_t>(op.kind));
    }
    constexpr std::size_t kShortest = 8, kLongest = 2000;
    Period best;
    std::size_t best_cover = 0;
    for (std::size_t p = kShortest; p <= std::min(kLongest, ops.size() / 2); ++p) {
        std::size_t run = 0;
        for (std::size_t i = 0; i + p < ops.size(); ++i) {
            run = sign[i] == sign[i + p] ? run + 1 : 0;
            const std::size_t cover = run + p, repeats = cover / p;
            // A longer period only wins by covering clearly more: 2 x 40 is 4 x 20 seen badly.
            if (repeats >= 2 && run >= p && repeats * p > best_cover + best_cover / 8) {
                best = {i + p + 1 - cover, p, repeats};
                best_cover = repeats * p;
            }
        }
    }
    return best_cover * 3 >= ops.size() ? best : Period{};
}

/// The best phase of the repetition: the one whose cuts fewest values cross. Shifting by more than
/// the slack would cost a repeat.
void shift_to_narrow(Period& period, std::span<const std::int64_t> width, std::size_t size) {
    std::size_t best = period.begin;
    std::int64_t best_sum = -1;
    for (std::size_t shift = 0; shift < period.length; ++shift) {
        const std::size_t begin = period.begin + shift;
        if (begin + period.length * (period.repeats - 1) + period.length / 2 > size) break;
        std::int64_t sum = 0;
        for (std::size_t r = 0; r < period.repeats; ++r) sum += width[begin + r * period.length];
        if (best_sum < 0 || sum < best_sum) best = begin, best_sum = sum;
    }
    period.begin = best;
    if (period.begin + period.length * period.repeats > size) --period.repeats;
}

/// "dot_general ×7, reduce": what a stretch mostly does.
std::string content_name(const ir::Module& module, std::span<const OpId> ops) {
    std::map<ir::OpKind, int> counts;
    for (const OpId id : ops) ++counts[module.op(id).kind];
    const auto weight = [](ir::OpKind kind, int n) {
        using enum ir::OpKind;
        const bool heavy = kind == kDotGeneral || kind == kConvolution || kind == kGather ||
                           kind == kScatter || kind == kSort || kind == kReduceWindow ||
                           kind == kWhile;
        const bool light =
            kind == kBroadcastInDim || kind == kReshape || kind == kConvert || kind == kCopy;
        return heavy ? 1000 + n : light ? n - 1000 : n;
    };
    std::vector<std::pair<ir::OpKind, int>> order(counts.begin(), counts.end());
    std::stable_sort(order.begin(), order.end(), [&](const auto& a, const auto& b) {
        return weight(a.first, a.second) > weight(b.first, b.second);
    });
    std::string out;
    for (std::size_t i = 0; i < std::min<std::size_t>(2, order.size()); ++i) {
        if (!out.empty()) out += ", ";
        out += ir::name(order[i].first);
        if (order[i].second > 1) out += fmt::format(" ×{}", order[i].second);
    }
    return out;
}

/// Cuts [begin, end) into pieces of at most `limit`, each at the narrowest place in reach.
void cut_narrow(std::vector<Stretch>& out, std::span<const std::int64_t> width, std::size_t begin,
                std::size_t end, std::size_t limit) {
    while (end - begin > limit) {
        std::size_t best = begin + limit;
        for (std::size_t i = begin + limit; i >= begin + limit / 2; --i)
            if (width[i] < width[best]) best = i;
        out.push_back({begin, best, {}});
        begin = best;
    }
    if (end > begin) out.push_back({begin, end, {}});
}

}  // namespace

std::vector<Stretch> split_by_flow(const ir::Module& module, const ir::Uses& uses,
                                   std::span<const OpId> ops, std::size_t max_cards) {
    const std::vector<std::int64_t> width = crossings(module, uses, ops);
    std::vector<Stretch> out;
    Period period = find_period(module, ops);
    if (period.repeats >= 2) shift_to_narrow(period, width, ops.size());
    if (period.repeats < 2) {
        cut_narrow(out, width, 0, ops.size(), max_cards);
    } else {
        cut_narrow(out, width, 0, period.begin, max_cards);
        for (std::size_t r = 0; r < period.repeats; ++r) {
            const std::size_t begin = period.begin + r * period.length;
            out.push_back({begin, begin + period.length,
                           fmt::format("block {} of {}", r + 1, period.repeats)});
        }
        cut_narrow(out, width, period.begin + period.length * period.repeats, ops.size(),
                   max_cards);
    }
    for (Stretch& s : out)
        if (s.name.empty()) s.name = content_name(module, ops.subspan(s.begin, s.end - s.begin));
    return out;
}

}  // namespace shardwright::draw
