#include "mesh/axis_ref.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace shardwright::mesh {
namespace {

AxisRef part_of(const AxisRef& whole, std::uint32_t skip, std::uint32_t size) {
    AxisRef part = whole;
    part.pre = (whole.pre * skip) & 0xFFFFFFu;
    part.size = size;
    return part;
}

/// A list read piece by piece; the piece in front may be a remainder of an entry.
struct Cursor {
    std::span<const AxisRef> rest;
    AxisRef front{};

    explicit Cursor(std::span<const AxisRef> list) : rest(list) {
        if (!rest.empty()) front = rest[0];
    }
    bool done() const { return rest.empty(); }
    void take(std::uint32_t size) {
        if (size < front.size) {
            front = part_of(front, size, front.size / size);
            return;
        }
        rest = rest.subspan(1);
        if (!rest.empty()) front = rest[0];
    }
};

}  // namespace

// Also true for parts that no decomposition of the axis has beside each other: an axis of 6 is 2x3
// or 3x2, so `(1)2` and `(3)2` cannot stand in one sharding.
bool overlaps(const AxisRef& a, const AxisRef& b) {
    if (a.axis != b.axis) return false;
    if (a == b) return true;
    const AxisRef& major = a.pre <= b.pre ? a : b;
    const AxisRef& minor = a.pre <= b.pre ? b : a;
    return minor.pre < major.next_pre() || minor.pre % major.next_pre() != 0;
}

bool overlaps(const AxisRef& a, std::span<const AxisRef> list) {
    return std::ranges::any_of(list, [&](const AxisRef& b) { return overlaps(a, b); });
}

bool contains(const AxisRef& whole, const AxisRef& part) {
    if (whole.axis != part.axis) return false;
    return part.pre >= whole.pre && part.next_pre() <= whole.next_pre() &&
           part.pre % whole.pre == 0 && whole.next_pre() % part.next_pre() == 0;
}

std::int64_t product(std::span<const AxisRef> axes) {
    std::int64_t result = 1;
    for (const AxisRef& axis : axes) {
        if (result > std::numeric_limits<std::int64_t>::max() / std::max(1u, axis.size))
            return std::numeric_limits<std::int64_t>::max();
        result *= axis.size;
    }
    return result;
}

AxisList merge_neighbours(std::span<const AxisRef> axes) {
    AxisList merged;
    for (const AxisRef& axis : axes) {
        if (!merged.empty() && merged.back().axis == axis.axis &&
            merged.back().next_pre() == axis.pre && axis.size > 1)
            merged.back().size *= axis.size;
        else
            merged.push_back(axis);
    }
    return merged;
}

AxisList common_prefix(std::span<const AxisRef> a, std::span<const AxisRef> b) {
    AxisList prefix;
    Cursor left(a), right(b);
    while (!left.done() && !right.done()) {
        if (left.front == right.front) {
            prefix.push_back(left.front);
            left.take(left.front.size);
            right.take(right.front.size);
            continue;
        }
        if (left.front.axis != right.front.axis || left.front.pre != right.front.pre) break;
        const std::uint32_t shared = std::gcd(left.front.size, right.front.size);
        if (shared == 1) break;
        prefix.push_back(part_of(left.front, 1, shared));
        if (shared != left.front.size && shared != right.front.size) break;
        left.take(shared);
        right.take(shared);
    }
    return merge_neighbours(view(prefix));
}

AxisList free_prefix(std::span<const AxisRef> axes, std::span<const AxisRef> taken) {
    AxisList free;
    for (const AxisRef& axis : axes) {
        AxisRef part = axis;
        for (const AxisRef& used : taken) {
            if (!overlaps(part, used)) continue;
            // Only what lies before the used part can stay, and only if it divides evenly.
            const bool divides = used.pre > part.pre && used.pre % part.pre == 0;
            part.size = divides ? std::gcd(part.size, used.pre / part.pre) : 1;
            if (part.size == 1) break;
        }
        if (part == axis && !overlaps(axis, taken)) {
            free.push_back(axis);
            continue;
        }
        if (part.size > 1) free.push_back(part);
        break;
    }
    return free;
}

bool is_prefix(std::span<const AxisRef> prefix, std::span<const AxisRef> axes) {
    return common_prefix(prefix, axes) == merge_neighbours(prefix);
}

}  // namespace shardwright::mesh
