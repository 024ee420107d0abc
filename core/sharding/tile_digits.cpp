#include "sharding/tile_digits.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "sharding/hlo_text.h"

namespace shardwright::sharding {
namespace {

/// True when the strides of `digits` are those of a row-major numbering of 0 … n-1.
bool covers_all(const Digits& digits) {
    Digits sorted = digits;
    std::ranges::sort(sorted, {}, &Digit::stride);
    std::int64_t next = 1;
    for (const Digit& digit : sorted) {
        if (digit.stride != next) return false;
        next = digit.end();
    }
    return true;
}

/// Device order inside a replicated subgroup means nothing: sorts it.
void sort_replicas(const HloSharding& s, std::vector<std::int64_t>& devices) {
    if (s.subgroups.empty() || s.subgroups.back() != Subgroup::kReplicated) return;
    const auto replicas = static_cast<std::size_t>(s.tile_dims.back());
    for (std::size_t at = 0; at + replicas <= devices.size(); at += replicas)
        std::sort(devices.begin() + static_cast<std::ptrdiff_t>(at),
                  devices.begin() + static_cast<std::ptrdiff_t>(at + replicas));
}

}  // namespace

Digits join_neighbours(std::span<const Digit> digits) {
    Digits joined;
    for (const Digit& digit : digits) {
        if (digit.size == 1) continue;
        if (!joined.empty() && joined.back().stride == digit.end())
            joined.back() = {joined.back().size * digit.size, digit.stride};
        else
            joined.push_back(digit);
    }
    return joined;
}

Digits iota_digits(std::span<const std::int64_t> reshape_dims,
                   std::span<const std::int32_t> permutation) {
    Digits source(reshape_dims.size());
    std::int64_t stride = 1;
    for (std::size_t i = reshape_dims.size(); i-- > 0;) {
        source[i] = {reshape_dims[i], stride};
        stride *= reshape_dims[i];
    }
    if (permutation.empty()) return join_neighbours(view(source));
    Digits digits;
    for (const std::int32_t dim : permutation)
        digits.push_back(source[static_cast<std::size_t>(dim)]);
    return join_neighbours(view(digits));
}

std::optional<Digits> list_digits(std::span<const std::int64_t> devices) {
    const std::size_t count = devices.size();
    if (count == 0 || devices[0] != 0) return std::nullopt;
    Digits minor_first;
    for (std::size_t block = 1; block < count;) {
        const std::int64_t stride = devices[block];
        std::size_t size = 1;
        while (size * block < count &&
               devices[size * block] == static_cast<std::int64_t>(size) * stride)
            ++size;
        if (count % (size * block) != 0) return std::nullopt;
        minor_first.push_back({static_cast<std::int64_t>(size), stride});
        block *= size;
    }
    Digits digits(minor_first.rbegin(), minor_first.rend());
    digits = join_neighbours(view(digits));
    if (!covers_all(digits)) return std::nullopt;
    const std::vector<std::int64_t> written = expand(digits);
    if (!std::ranges::equal(written, devices)) return std::nullopt;
    return digits;
}

void set_iota(HloSharding& s, const Digits& digits) {
    s.devices.clear();
    s.reshape_dims.clear();
    s.permutation.clear();
    InlineVector<std::int32_t, 6> order(digits.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, [&](std::int32_t a, std::int32_t b) {
        return digits[static_cast<std::size_t>(a)].stride >
               digits[static_cast<std::size_t>(b)].stride;
    });
    s.permutation.resize(digits.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        s.reshape_dims.push_back(digits[static_cast<std::size_t>(order[i])].size);
        s.permutation[static_cast<std::size_t>(order[i])] = static_cast<std::int32_t>(i);
    }
    if (std::ranges::is_sorted(s.permutation)) s.permutation.clear();
    if (s.reshape_dims.empty()) s.reshape_dims.push_back(1);
}

std::vector<std::int64_t> expand(const Digits& digits) {
    std::vector<std::int64_t> devices{0};
    for (const Digit& digit : digits) {
        std::vector<std::int64_t> finer;
        finer.reserve(devices.size() * static_cast<std::size_t>(digit.size));
        for (const std::int64_t device : devices)
            for (std::int64_t i = 0; i < digit.size; ++i)
                finer.push_back(device + i * digit.stride);
        devices = std::move(finer);
    }
    return devices;
}

bool is_identity(std::span<const std::int64_t> devices) {
    for (std::size_t i = 0; i < devices.size(); ++i)
        if (devices[i] != static_cast<std::int64_t>(i)) return false;
    return true;
}

std::optional<Digits> assignment_digits(const HloSharding& s,
                                        std::span<const std::int64_t> mesh_order) {
    if (mesh_order.empty() && s.devices.empty())
        return iota_digits(view(s.reshape_dims), view(s.permutation));
    std::vector<std::int64_t> devices = s.devices;
    if (devices.empty()) {
        if (product_of(view(s.reshape_dims)) != static_cast<std::int64_t>(mesh_order.size()))
            return std::nullopt;
        devices = expand(iota_digits(view(s.reshape_dims), view(s.permutation)));
    }
    if (!mesh_order.empty()) {
        std::unordered_map<std::int64_t, std::int64_t> position_of;
        for (std::size_t i = 0; i < mesh_order.size(); ++i)
            position_of[mesh_order[i]] = static_cast<std::int64_t>(i);
        for (std::int64_t& device : devices) {
            const auto found = position_of.find(device);
            if (found == position_of.end()) return std::nullopt;
            device = found->second;
        }
    }
    sort_replicas(s, devices);
    return list_digits(devices);
}

std::optional<std::vector<Digits>> split_by_dims(const Digits& digits,
                                                 std::span<const std::int64_t> tile_dims) {
    std::vector<Digits> by_dim(tile_dims.size());
    std::size_t next = 0;
    Digit front = digits.empty() ? Digit{} : digits[0];
    for (std::size_t d = 0; d < tile_dims.size(); ++d) {
        for (std::int64_t left = tile_dims[d]; left > 1;) {
            if (next == digits.size()) return std::nullopt;
            if (left % front.size == 0) {
                by_dim[d].push_back(front);
                left /= front.size;
                if (++next < digits.size()) front = digits[next];
            } else if (front.size % left == 0) {
                const std::int64_t rest = front.size / left;
                by_dim[d].push_back({left, front.stride * rest});
                front.size = rest;
                left = 1;
            } else {
                return std::nullopt;
            }
        }
        by_dim[d] = join_neighbours(view(by_dim[d]));
    }
    return by_dim;
}

std::optional<AxisList> digits_to_axes(const Digits& digits, const mesh::Mesh& mesh) {
    AxisList axes;
    for (const Digit& digit : digits) {
        std::int64_t high = digit.end();
        std::int64_t axis_end = mesh.device_count();
        for (std::size_t a = 0; a < mesh.rank() && high > digit.stride; ++a) {
            const std::int64_t size = mesh.axes()[a].size;
            const std::int64_t axis_begin = axis_end / size;
            if (high > axis_end) return std::nullopt;
            if (high > axis_begin && size > 1) {
                const std::int64_t low = std::max(digit.stride, axis_begin);
                if (axis_end % high != 0 || high % low != 0 || low % axis_begin != 0)
                    return std::nullopt;
                AxisRef axis = mesh.full(a);
                axis.pre = static_cast<std::uint32_t>(axis_end / high) & 0xFFFFFFu;
                axis.size = static_cast<std::uint32_t>(high / low);
                axes.push_back(axis);
                high = low;
            }
            axis_end = axis_begin;
        }
        if (high != digit.stride) return std::nullopt;
    }
    return mesh::merge_neighbours(view(axes));
}

Digits axes_to_digits(std::span<const AxisRef> axes, const mesh::Mesh& mesh) {
    Digits digits;
    for (const AxisRef& axis : axes) {
        std::int64_t stride = 1;
        for (std::size_t i = mesh.rank(); i-- > axis.axis + std::size_t{1};)
            stride *= mesh.axes()[i].size;
        digits.push_back({axis.size, stride * (mesh.axes()[axis.axis].size / axis.next_pre())});
    }
    return digits;
}

}  // namespace shardwright::sharding
