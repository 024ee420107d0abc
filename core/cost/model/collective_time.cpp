#include "cost/model/collective_time.h"

#include <algorithm>
#include <cmath>

namespace shardwright::cost {
namespace {

using ir::OpKind;

double link(const Span& span, const Chip& chip, const Profile& profile) {
    return chip.network.link_bandwidth * profile.links / static_cast<double>(span.stride);
}

double ring_latency(const Span& span, const Chip& chip) {
    const auto n = static_cast<double>(span.size);
    const double hops = (span.wraps ? std::floor(n / 2) : n - 1) * static_cast<double>(span.stride);
    return hops * chip.network.hop_latency;
}

/// All-gather (or reduce-scatter) over torus axes at once; V is gathered over all of them.
double torus_gather(double v, std::span<const Span> spans, const Chip& chip,
                    const Profile& profile) {
    double devices = 1, bandwidth = 0, latency = 0;
    bool wraps = true;
    for (const Span& span : spans) {
        devices *= static_cast<double>(span.size);
        bandwidth += link(span, chip, profile);
        wraps = wraps && span.wraps;
        latency += ring_latency(span, chip);
    }
    // Without a wrap-around link the data goes one way round only.
    const double steps = wraps ? std::floor(devices / 2) : devices - 1;
    return std::max(steps * (v / devices) / bandwidth, latency);
}

double torus_all_to_all(double v, std::span<const Span> spans, const Chip& chip,
                        const Profile& profile) {
    double devices = 1, latency = 0, worst = 0;
    for (const Span& span : spans) {
        devices *= static_cast<double>(span.size);
        latency += ring_latency(span, chip);
    }
    for (const Span& span : spans) {
        const auto k = static_cast<double>(span.size);
        // ⌊k²/4⌋/k is k/4 for even k: the load of the busiest link of the row.
        const double load = std::floor(k * k / 4) / k;
        const double time = load * v / (2 * link(span, chip, profile) * devices);
        worst = std::max(worst, span.wraps ? time : 2 * time);
    }
    return std::max(worst, latency);
}

double torus_permute(const Transfer& t, std::span<const Span> spans, const Chip& chip,
                     const Profile& profile) {
    const Span& span = spans.back();  // the minor span is the one whose neighbours are next
    std::int64_t hops =
        std::clamp<std::int64_t>(t.hops, 1, std::max<std::int64_t>(1, span.size - 1));
    if (span.wraps) hops = std::min(hops, span.size - hops);
    const auto h = static_cast<double>(std::max<std::int64_t>(1, hops));
    return h * t.bytes / link(span, chip, profile) +
           h * static_cast<double>(span.stride) * chip.network.hop_latency;
}

struct Level {
    double devices = 1;    // of the group, inside this level's domain
    double bandwidth = 0;  // egress of one device
    double latency = 0;
};

/// Levels from the inside out, empty ones left out.
std::vector<Level> levels_of(std::span<const Span> spans, const Chip& chip,
                             const Profile& profile) {
    std::vector<Level> out(chip.network.levels.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
        out[i].bandwidth = chip.network.levels[i].egress_bandwidth * profile.links;
        out[i].latency = chip.network.levels[i].latency;
    }
    for (const Span& span : spans)
        if (span.kind == Span::Kind::kSwitch)
            out[span.axis].devices *= static_cast<double>(span.size);
    std::erase_if(out, [](const Level& l) { return l.devices <= 1; });
    return out;
}

double switched(const Transfer& t, std::span<const Level> levels) {
    double all = 1, inside = 1, worst = 0, latency = 0;
    for (const Level& level : levels) all *= level.devices;
    for (const Level& level : levels) {
        double moved = 0;  // bytes that one device sends through this level
        if (t.kind == OpKind::kCollectivePermute) {
            moved = t.bytes;
        } else if (t.kind == OpKind::kAllToAll) {
            moved = t.bytes / (all * all) * inside * (level.devices - 1);
        } else {
            // The devices of an inner domain share what comes from outside among themselves.
            moved = t.bytes / inside * (level.devices - 1) / level.devices;
        }
        worst = std::max(worst, moved / level.bandwidth);
        latency += level.latency;
        inside *= level.devices;
    }
    return std::max(worst, latency);
}

}  // namespace

double collective_time(const Transfer& t, std::span<const Span> spans, const Chip& chip,
                       const Profile& profile) {
    if (spans.empty() || t.bytes <= 0) return 0;
    const double passes = t.kind == OpKind::kAllReduce ? 2 : 1;
    if (chip.network.topology == Topology::kSwitched)
        return passes * switched(t, levels_of(spans, chip, profile));
    // What leaves the slice goes over the data-centre network, after the slice's own part.
    std::vector<Span> inner;
    double outer_devices = 1, inner_devices = 1;
    for (const Span& span : spans) {
        if (span.kind == Span::Kind::kDataCentre) {
            outer_devices *= static_cast<double>(span.size);
        } else {
            inner.push_back(span);
            inner_devices *= static_cast<double>(span.size);
        }
    }
    double time = 0;
    if (outer_devices > 1) {
        const double all = outer_devices * inner_devices;
        const double bandwidth = chip.network.data_centre_bandwidth * profile.links;
        const double moved = t.kind == OpKind::kCollectivePermute ? t.bytes
                             : t.kind == OpKind::kAllToAll
                                 ? t.bytes / (all * all) * (all - inner_devices)
                                 : t.bytes / inner_devices * (outer_devices - 1) / outer_devices;
        time += passes * moved / bandwidth;
        if (t.kind == OpKind::kCollectivePermute) return time;
    }
    if (inner.empty()) return time;
    switch (t.kind) {
        case OpKind::kAllToAll:
            return time + torus_all_to_all(t.bytes / outer_devices, inner, chip, profile);
        case OpKind::kCollectivePermute:
            return time + torus_permute(t, inner, chip, profile);
        default:
            return time + passes * torus_gather(t.bytes, inner, chip, profile);
    }
}

}  // namespace shardwright::cost
