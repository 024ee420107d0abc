#include "propagation/axes_table.h"

#include <algorithm>

namespace shardwright::propagation {

using mesh::AxisList;
using mesh::AxisRef;

AxesTable::AxesTable() : entries_(1), slots_(64, 0) {}

std::uint64_t AxesTable::hash(std::span<const AxisRef> axes) const {
    std::uint64_t h = axes.size();
    for (const AxisRef& axis : axes) {
        const std::uint64_t word =
            std::uint64_t{axis.axis} << 56 | std::uint64_t{axis.pre} << 32 | axis.size;
        h = (h ^ word) * 0x9E3779B97F4A7C15u;
        h ^= h >> 31;
    }
    return h;
}

AxesId AxesTable::intern(std::span<const AxisRef> axes) {
    if (axes.empty()) return kNoAxes;
    const AxisList merged = mesh::merge_neighbours(axes);
    if (2 * entries_.size() > slots_.size()) grow();
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash(view(merged)) & mask;
    for (; slots_[at] != 0; at = (at + 1) & mask)
        if (std::ranges::equal((*this)[slots_[at] - 1], merged)) return slots_[at] - 1;
    const auto id = static_cast<AxesId>(entries_.size());
    entries_.push_back({static_cast<std::uint32_t>(pool_.size()),
                        static_cast<std::uint32_t>(merged.size()), mesh::product(merged)});
    pool_.insert(pool_.end(), merged.begin(), merged.end());
    slots_[at] = id + 1;
    return id;
}

void AxesTable::grow() {
    slots_.assign(2 * slots_.size(), 0);
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t id = 1; id < entries_.size(); ++id) {
        std::size_t at = hash((*this)[static_cast<AxesId>(id)]) & mask;
        while (slots_[at] != 0) at = (at + 1) & mask;
        slots_[at] = static_cast<std::uint32_t>(id + 1);
    }
}

bool AxesTable::is_prefix(AxesId prefix, AxesId axes) const {
    if (prefix == kNoAxes || prefix == axes) return true;
    if (axes == kNoAxes) return false;
    return mesh::is_prefix((*this)[prefix], (*this)[axes]);
}

AxesId AxesTable::common_prefix(AxesId a, AxesId b) {
    if (a == b) return a;
    if (a == kNoAxes || b == kNoAxes) return kNoAxes;
    return intern(mesh::common_prefix((*this)[a], (*this)[b]));
}

AxesId AxesTable::free_prefix(AxesId axes, AxesId taken) {
    if (axes == kNoAxes || taken == kNoAxes) return axes;
    const AxisList free = mesh::free_prefix((*this)[axes], (*this)[taken]);
    return intern(free);
}

AxesId AxesTable::concatenate(AxesId major, AxesId minor) {
    if (major == kNoAxes) return minor;
    if (minor == kNoAxes) return major;
    AxisList both = list(major);
    const auto more = (*this)[minor];
    both.insert(both.end(), more.begin(), more.end());
    return intern(both);
}

AxesId AxesTable::behind(AxesId prefix, AxesId axes) {
    if (prefix == kNoAxes) return axes;
    if (prefix == axes) return kNoAxes;
    const auto head = (*this)[prefix];
    const auto all = (*this)[axes];
    AxisList rest;
    for (std::size_t i = head.size() - 1; i < all.size(); ++i) {
        AxisRef part = all[i];
        if (i == head.size() - 1) {
            if (part.size == head[i].size) continue;
            part.pre = head[i].next_pre() & 0xFFFFFFu;  // the axis goes on behind the prefix
            part.size /= head[i].size;
        }
        rest.push_back(part);
    }
    return intern(rest);
}

}  // namespace shardwright::propagation
