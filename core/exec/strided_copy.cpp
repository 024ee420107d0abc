#include "exec/strided_copy.h"

#include <algorithm>
#include <cassert>
#include <complex>
#include <cstring>

#include "exec/element_width.h"
#include "exec/parallel.h"

namespace shardwright::exec {
namespace {

struct Loop {
    std::int64_t size, src, dst;
};
using Loops = InlineVector<Loop, 6>;

/// Drops dims of size 1 and joins neighbours that both views walk as one.
Loops coalesce(std::span<const std::int64_t> sizes, std::span<const std::int64_t> src,
               std::span<const std::int64_t> dst) {
    Loops loops;
    for (std::size_t d = 0; d < sizes.size(); ++d) {
        if (sizes[d] == 1) continue;
        const Loop next{sizes[d], src[d], dst[d]};
        if (!loops.empty() && loops.back().src == next.src * next.size &&
            loops.back().dst == next.dst * next.size)
            loops.back() = {loops.back().size * next.size, next.src, next.dst};
        else
            loops.push_back(next);
    }
    if (loops.empty()) loops.push_back({1, 1, 1});
    return loops;
}

template <class T>
void copy_row(const T* src, std::int64_t src_stride, T* dst, std::int64_t dst_stride,
              std::int64_t count) {
    if (dst_stride == 1 && src_stride == 1) {
        std::memcpy(dst, src, static_cast<std::size_t>(count) * sizeof(T));
    } else if (dst_stride == 1 && src_stride == 0) {
        std::fill_n(dst, count, *src);
    } else {
        for (std::int64_t i = 0; i < count; ++i) dst[i * dst_stride] = src[i * src_stride];
    }
}

/// A tile that is contiguous in the source along `a` and in the destination along `b`: small
/// squares keep both sides in cache.
template <class T>
void copy_tile(const T* src, T* dst, const Loop& a, const Loop& b) {
    constexpr std::int64_t kTile = 32;
    for (std::int64_t i0 = 0; i0 < a.size; i0 += kTile)
        for (std::int64_t j0 = 0; j0 < b.size; j0 += kTile) {
            const std::int64_t i1 = std::min(a.size, i0 + kTile), j1 = std::min(b.size, j0 + kTile);
            for (std::int64_t i = i0; i < i1; ++i) {
                const T* from = src + i * a.src;
                T* to = dst + i * a.dst;
                for (std::int64_t j = j0; j < j1; ++j) to[j * b.dst] = from[j * b.src];
            }
        }
}

/// Calls `body(src offset, dst offset)` for every index of `outer` in [begin, end).
template <class Body>
void for_outer(const Loops& outer, std::int64_t begin, std::int64_t end, Body&& body) {
    Dims index(outer.size(), 0);
    std::int64_t src = 0, dst = 0, rest = begin;
    for (std::size_t d = outer.size(); d-- > 0;) {
        index[d] = rest % outer[d].size;
        rest /= outer[d].size;
        src += index[d] * outer[d].src;
        dst += index[d] * outer[d].dst;
    }
    for (std::int64_t n = begin; n < end; ++n) {
        body(src, dst);
        for (std::size_t d = outer.size(); d-- > 0;) {
            src += outer[d].src;
            dst += outer[d].dst;
            if (++index[d] < outer[d].size) break;
            src -= outer[d].src * outer[d].size;
            dst -= outer[d].dst * outer[d].size;
            index[d] = 0;
        }
    }
}

template <class T>
void copy_typed(Loops loops, const T* src, T* dst) {
    const Loop inner = loops.back();
    loops.pop_back();
    // A transposition: another dim is contiguous in the source while the inner one is not.
    std::size_t other = loops.size();
    if (inner.dst == 1 && inner.src != 1 && inner.src != 0 && inner.size > 4)
        for (std::size_t d = 0; d < loops.size(); ++d)
            if (loops[d].src == 1 && loops[d].size > 4) other = d;
    const bool tiled = other < loops.size();
    Loop across{1, 0, 0};
    if (tiled) {
        across = loops[other];
        loops.erase(loops.begin() + static_cast<std::ptrdiff_t>(other));
        if (loops.empty() && across.size * inner.size > 65536) {
            // One big matrix: cut it into bands so that several threads share it.
            const std::int64_t band = std::max<std::int64_t>(32, 32768 / inner.size);
            parallel_for((across.size + band - 1) / band, 1, [&](std::int64_t b, std::int64_t e) {
                const std::int64_t first = b * band;
                const Loop part{std::min(across.size, e * band) - first, across.src, across.dst};
                copy_tile(src + first * across.src, dst + first * across.dst, part, inner);
            });
            return;
        }
    }
    std::int64_t outer = 1;
    for (const Loop& l : loops) outer *= l.size;
    parallel_for(outer, grain_for(inner.size * across.size), [&](std::int64_t b, std::int64_t e) {
        for_outer(loops, b, e, [&](std::int64_t s, std::int64_t d) {
            if (tiled)
                copy_tile(src + s, dst + d, across, inner);
            else
                copy_row(src + s, inner.src, dst + d, inner.dst, inner.size);
        });
    });
}

}  // namespace

Dims row_major(std::span<const std::int64_t> dims) {
    Dims strides(dims.size(), 1);
    for (std::size_t d = dims.size(); d-- > 1;) strides[d - 1] = strides[d] * dims[d];
    return strides;
}

void strided_copy(int bytes, std::span<const std::int64_t> sizes, const std::byte* src,
                  std::span<const std::int64_t> src_strides, std::byte* dst,
                  std::span<const std::int64_t> dst_strides) {
    for (const std::int64_t size : sizes)
        if (size == 0) return;
    const Loops loops = coalesce(sizes, src_strides, dst_strides);
    if (bytes == 0) return;  // tokens
    with_width(bytes, [&]<class T>(T) {
        copy_typed(loops, reinterpret_cast<const T*>(src), reinterpret_cast<T*>(dst));
    });
}

void fill(int bytes, const std::byte* value, std::byte* dst, std::int64_t count) {
    const std::int64_t sizes[] = {count}, zero[] = {0}, one[] = {1};
    strided_copy(bytes, sizes, value, zero, dst, one);
}

}  // namespace shardwright::exec
