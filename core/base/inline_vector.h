#pragma once
// The one small-vector type of the core: a few elements inline, no allocation for usual ranks.

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <span>

namespace shardwright {

template <class T, std::size_t N>
using InlineVector = boost::container::small_vector<T, N>;

/// Sizes, dimension numbers, strides: one entry a dimension.
using Dims = InlineVector<std::int64_t, 6>;

template <class T, std::size_t N>
std::span<const T> view(const InlineVector<T, N>& v) {
    return {v.data(), v.size()};
}

}  // namespace shardwright
