#pragma once
// Loops that move elements without looking into them: one instance a width, not one a type.

#include <cassert>
#include <complex>
#include <cstdint>

namespace shardwright::exec {

/// Calls `use` with a value of a trivially copyable type of `bytes` (1, 2, 4, 8 or 16) bytes and
/// returns what it returns.
template <class Use>
auto with_width(int bytes, const Use& use) {
    switch (bytes) {
        case 1:
            return use(std::uint8_t{});
        case 2:
            return use(std::uint16_t{});
        case 4:
            return use(std::uint32_t{});
        case 8:
            return use(std::uint64_t{});
        default:
            assert(bytes == 16);
            return use(std::complex<double>{});
    }
}

}  // namespace shardwright::exec
