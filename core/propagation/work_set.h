#pragma once
// What is still to be visited.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace shardwright::propagation {

/// A set of dense ids that a sweep empties in order while it fills up.
class WorkSet {
  public:
    void resize(std::size_t n) { words_.assign((n + 63) / 64, 0); }
    void add(std::size_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
    bool any() const {
        return std::any_of(words_.begin(), words_.end(), [](std::uint64_t w) { return w != 0; });
    }
    /// Removes and visits the members in rising order. What `visit` adds ahead is visited in the
    /// same sweep; what it adds behind waits for the next.
    template <class Visit>
    void sweep_up(Visit&& visit) {
        for (std::size_t w = 0; w < words_.size(); ++w) {
            std::uint64_t ahead = ~std::uint64_t{0};
            while ((words_[w] & ahead) != 0) {
                const auto bit = static_cast<std::size_t>(__builtin_ctzll(words_[w] & ahead));
                words_[w] &= ~(std::uint64_t{1} << bit);
                ahead = bit == 63 ? 0 : ~std::uint64_t{0} << (bit + 1);
                visit(w * 64 + bit);
            }
        }
    }
    /// The same in falling order.
    template <class Visit>
    void sweep_down(Visit&& visit) {
        for (std::size_t w = words_.size(); w-- > 0;) {
            std::uint64_t ahead = ~std::uint64_t{0};
            while ((words_[w] & ahead) != 0) {
                const auto bit = static_cast<std::size_t>(63 - __builtin_clzll(words_[w] & ahead));
                words_[w] &= ~(std::uint64_t{1} << bit);
                ahead = (std::uint64_t{1} << bit) - 1;
                visit(w * 64 + bit);
            }
        }
    }

  private:
    std::vector<std::uint64_t> words_;
};

}  // namespace shardwright::propagation
