#pragma once
// The loops that turn scalar functions into elementwise kernels.

#include "exec/elementwise.h"

namespace shardwright::exec {

template <class In, class Out, auto F>
void unary_loop(const std::byte* const* in, std::byte* out, std::size_t count,
                const ElementParameters&) {
    const auto* a = reinterpret_cast<const In*>(in[0]);
    auto* r = reinterpret_cast<Out*>(out);
    for (std::size_t i = 0; i < count; ++i) r[i] = F(a[i]);
}

template <class In, class Out, auto F>
void binary_loop(const std::byte* const* in, std::byte* out, std::size_t count,
                 const ElementParameters&) {
    const auto* a = reinterpret_cast<const In*>(in[0]);
    const auto* b = reinterpret_cast<const In*>(in[1]);
    auto* r = reinterpret_cast<Out*>(out);
    for (std::size_t i = 0; i < count; ++i) r[i] = F(a[i], b[i]);
}

template <class T, auto F>
void ternary_loop(const std::byte* const* in, std::byte* out, std::size_t count,
                  const ElementParameters&) {
    const auto* a = reinterpret_cast<const T*>(in[0]);
    const auto* b = reinterpret_cast<const T*>(in[1]);
    const auto* c = reinterpret_cast<const T*>(in[2]);
    auto* r = reinterpret_cast<T*>(out);
    for (std::size_t i = 0; i < count; ++i) r[i] = F(a[i], b[i], c[i]);
}

}  // namespace shardwright::exec
