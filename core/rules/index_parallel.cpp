#include "rules/index_parallel.h"

namespace shardwright::rules {
namespace {

using ir::OpKind;
constexpr int kMaxDepth = 16;  // a chain longer than that is no index computation of a compiler

/// The dim of `to` that dim `d` of `from` becomes when the reshape leaves it as it is.
std::int64_t follow_reshape(const Dims& from, const Dims& to, std::int64_t d) {
    std::int64_t before = 1;
    for (std::int64_t i = 0; i < d; ++i) before *= from[static_cast<std::size_t>(i)];
    std::int64_t seen = 1;
    for (std::size_t r = 0; r < to.size(); ++r) {
        if (seen == before && to[r] == from[static_cast<std::size_t>(d)])
            return static_cast<std::int64_t>(r);
        seen *= to[r];
    }
    return -1;
}

/// The dim along which the whole of `value` is an iota, or -1.
std::int64_t iota_dim(const ir::Module& module, ir::ValueId value, int depth) {
    const ir::OpId def = module.value(value).def;
    if (!def.valid() || depth > kMaxDepth) return -1;
    const OpKind kind = module.op(def).kind;
    if (kind == OpKind::kIota) return module.attributes<ir::DimAttributes>(def).dim;
    const bool looks_through = kind == OpKind::kConvert || kind == OpKind::kCopy ||
                               kind == OpKind::kBroadcastInDim || kind == OpKind::kTranspose ||
                               kind == OpKind::kReshape;
    if (!looks_through) return -1;
    const ir::ValueId source = module.operand(def, 0);
    const std::int64_t d = iota_dim(module, source, depth + 1);
    if (d < 0) return -1;
    const Dims& from = module.type(source).dims;
    const Dims& to = module.type(value).dims;
    if (kind == OpKind::kReshape) return follow_reshape(from, to, d);
    if (kind == OpKind::kConvert || kind == OpKind::kCopy) return d;
    const Dims& dims = module.attributes<ir::DimsAttributes>(def).dims;
    if (kind == OpKind::kBroadcastInDim) {
        const std::int64_t r = dims[static_cast<std::size_t>(d)];
        return to[static_cast<std::size_t>(r)] == from[static_cast<std::size_t>(d)] ? r : -1;
    }
    for (std::size_t r = 0; r < dims.size(); ++r)
        if (dims[r] == d) return static_cast<std::int64_t>(r);
    return -1;
}

}  // namespace

Dims iota_components(const ir::Module& module, ir::ValueId indices, std::int64_t vector_dim) {
    const Dims& dims = module.type(indices).dims;
    const bool implicit = vector_dim >= static_cast<std::int64_t>(dims.size());
    const std::int64_t components = implicit ? 1 : dims[static_cast<std::size_t>(vector_dim)];
    Dims found(static_cast<std::size_t>(components), -1);
    ir::OpId def = module.value(indices).def;
    for (int depth = 0; def.valid() && depth < kMaxDepth; ++depth) {
        const OpKind kind = module.op(def).kind;
        if (kind != OpKind::kConvert && kind != OpKind::kCopy) break;
        def = module.value(module.operand(def, 0)).def;
    }
    const bool joined = !implicit && def.valid() && module.op(def).kind == OpKind::kConcatenate &&
                        module.attributes<ir::DimAttributes>(def).dim == vector_dim;
    if (!joined) {
        if (components != 1) return found;
        const std::int64_t d = iota_dim(module, indices, 0);
        if (d != vector_dim) found[0] = d;
        return found;
    }
    std::size_t component = 0;
    for (const ir::ValueId piece : module.operands(def)) {
        const auto width =
            static_cast<std::size_t>(module.type(piece).dims[static_cast<std::size_t>(vector_dim)]);
        // Along the vector itself a piece of width 1 does not vary.
        const std::int64_t d = iota_dim(module, piece, 0);
        for (std::size_t i = 0; i < width; ++i)
            if (d != vector_dim) found[component + i] = d;
        component += width;
    }
    return found;
}

}  // namespace shardwright::rules
