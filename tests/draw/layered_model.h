#pragma once
// A small model with scopes and repeated layers for the tests of drawing.

#include <string>
#include <vector>

#include "ir/builder.h"

namespace shardwright::test {

/// `layers` times: dot with a weight, add of a bias, maximum with zero. With scopes
/// "jit(f)/layer_<i>/dot_general" or without any.
inline ir::Module layered_model(int layers, bool scopes, int extra_ops_a_layer = 0) {
    using namespace ir;
    Module m;
    Builder b(m);
    const TensorType x_type{ElementType::kF32, {512, 256}};
    std::vector<TensorType> arguments{x_type};
    for (int i = 0; i < layers; ++i) {
        arguments.push_back({ElementType::kF32, {256, 256}});
        arguments.push_back({ElementType::kF32, {256}});
    }
    const RegionId body = b.begin_function("main", arguments);
    ValueId x = m.argument(body, 0);
    for (int i = 0; i < layers; ++i) {
        const std::string scope = "jit(f)/layer_" + std::to_string(i);
        const auto at = [&](const char* primitive) {
            if (scopes) b.set_scope(scope + "/" + primitive);
        };
        at("dot_general");
        DotAttributes dot;
        dot.lhs_contracting = {1};
        dot.rhs_contracting = {0};
        x = b.dot(x, m.argument(body, static_cast<std::size_t>(1 + 2 * i)), dot, ElementType::kF32);
        at("broadcast_in_dim");
        const std::int64_t to[] = {1};
        const ValueId bias =
            b.broadcast(m.argument(body, static_cast<std::size_t>(2 + 2 * i)), x_type, to);
        at("add");
        x = b.add(OpKind::kAdd, {x, bias});
        at("max");
        x = b.add(OpKind::kMaximum, {x, b.splat(x_type, 0)});
        for (int e = 0; e < extra_ops_a_layer; ++e) x = b.add(OpKind::kTanh, {x});
    }
    const ValueId results[] = {x};
    b.ret(results);
    return m;
}

}  // namespace shardwright::test
