#pragma once
// Dense 32-bit ids. A distinct type for each kind of thing, so that they cannot be mixed up.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace shardwright {

/// An index into the contiguous table of one kind of thing; `Tag` only tells the kinds apart.
template <class Tag>
struct Id {
    static constexpr std::uint32_t kNone = 0xFFFFFFFFu;
    std::uint32_t index = kNone;

    constexpr Id() = default;
    constexpr explicit Id(std::uint32_t i) : index(i) {}
    constexpr explicit Id(std::size_t i) : index(static_cast<std::uint32_t>(i)) {}
    constexpr explicit Id(int i) : index(static_cast<std::uint32_t>(i)) {}
    constexpr bool valid() const { return index != kNone; }
    constexpr auto operator<=>(const Id&) const = default;
};

}  // namespace shardwright

template <class Tag>
struct std::hash<shardwright::Id<Tag>> {
    std::size_t operator()(shardwright::Id<Tag> id) const noexcept { return id.index; }
};
