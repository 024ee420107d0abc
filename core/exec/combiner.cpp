#include <algorithm>
#include <cstring>

#include "exec/narrow.h"
#include "exec/reduce.h"

namespace shardwright::exec {

Combiner Combiner::of(ir::OpKind kind, ir::ElementType type, bool accumulate_f64) {
    Combiner c;
    c.storage = type;
    c.compute = compute_type(type);
    if (accumulate_f64 && ir::is_float(type)) c.compute = ir::ElementType::kF64;
    c.parameters.bits = ir::bit_width(type);
    c.parameters.in = c.parameters.out = c.compute;
    if (ir::is_complex(type))
        c.function = complex_function(kind, type);
    else
        c.function =
            ir::is_float(type) ? float_function(kind, c.compute) : integer_function(kind, type);
    if (c.compute == ir::ElementType::kF64 && type != ir::ElementType::kF64 && ir::is_float(type)) {
        c.load_function = convert_function(ir::ElementType::kF32, ir::ElementType::kF64);
        c.store_function = convert_function(ir::ElementType::kF64, type);
    }
    return c;
}

void Combiner::load(const std::byte* in, std::byte* out, std::size_t count) const {
    if (same_form()) {
        std::memcpy(out, in, count * storage_bytes());
    } else if (load_function == nullptr) {
        widen(storage, in, reinterpret_cast<float*>(out), count);
    } else {
        float wide[Elementwise::kBlock];
        for (std::size_t at = 0; at < count; at += Elementwise::kBlock) {
            const std::size_t n = std::min(Elementwise::kBlock, count - at);
            const std::byte* block = in + at * storage_bytes();
            if (is_narrow_float(storage)) {
                widen(storage, block, wide, n);
                block = reinterpret_cast<const std::byte*>(wide);
            }
            load_function(&block, out + at * compute_bytes(), n, parameters);
        }
    }
}

void Combiner::store(const std::byte* in, std::byte* out, std::size_t count) const {
    if (same_form()) {
        std::memcpy(out, in, count * storage_bytes());
    } else if (store_function == nullptr) {
        narrow(storage, reinterpret_cast<const float*>(in), out, count);
    } else {
        ElementParameters p = parameters;
        p.out = storage;
        store_function(&in, out, count, p);
    }
}

void Combiner::accumulate(std::byte* acc, const std::byte* values, std::size_t count) const {
    if (same_form()) return apply(acc, values, count);
    double block[Elementwise::kBlock];
    for (std::size_t at = 0; at < count; at += Elementwise::kBlock) {
        const std::size_t n = std::min(Elementwise::kBlock, count - at);
        load(values + at * storage_bytes(), reinterpret_cast<std::byte*>(block), n);
        apply(acc + at * compute_bytes(), reinterpret_cast<const std::byte*>(block), n);
    }
}

}  // namespace shardwright::exec
