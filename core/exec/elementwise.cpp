#include "exec/elementwise.h"

#include <algorithm>
#include <cstring>

#include "exec/narrow.h"

namespace shardwright::exec {
namespace {

using ir::ElementType;
using ir::OpKind;

ElementFunction function_of(OpKind kind, ElementType type) {
    if (ir::is_complex(type)) return complex_function(kind, type);
    if (ir::is_float(type)) return float_function(kind, type);
    return integer_function(kind, type);
}

/// Operands and results of different kinds: convert, compare, select.
bool resolve_special(const ir::Module& module, ir::OpId op, Elementwise& e) {
    const OpKind kind = module.op(op).kind;
    if (kind == OpKind::kConvert) {
        e.parameters.out = e.out;
        if (e.in[0] == e.out) {
            e.function = copy_function(ir::storage_bytes(e.out));
            return true;
        }
        const ElementType from = compute_type(e.in[0]);
        e.widens = is_narrow_float(e.in[0]);
        e.narrows = is_narrow_float(e.out) && from == ElementType::kF32;
        const bool only_adapts = e.narrows || from == e.out;  // the adapters do all the work
        e.function = only_adapts ? copy_function(4) : convert_function(from, e.out);
        return true;
    }
    if (kind == OpKind::kCompare) {
        const auto* attributes = module.attributes_if<ir::CompareAttributes>(op);
        e.widens = is_narrow_float(e.in[0]);
        e.parameters.direction = attributes->direction;
        e.function = compare_function(compute_type(e.in[0]), attributes->type);
        return true;
    }
    if (kind == OpKind::kSelect) {
        e.function = select_function(ir::storage_bytes(e.out));
        return true;
    }
    return false;
}

}  // namespace

std::optional<Elementwise> find_elementwise(const ir::Module& module, ir::OpId id) {
    const ir::Op& op = module.op(id);
    if (!ir::info(op.kind).elementwise || op.operand_count == 0 || op.operand_count > 3 ||
        op.result_count != 1 || op.kind == OpKind::kMap || op.kind == OpKind::kCopy)
        return std::nullopt;
    Elementwise e;
    e.arity = static_cast<int>(op.operand_count);
    const ir::TensorType& result = module.type(module.result(id));
    for (std::size_t i = 0; i < op.operand_count; ++i) {
        const ir::TensorType& type = module.type(module.operand(id, i));
        e.in[i] = type.element;
        e.scalar_operand[i] = type.rank() == 0 && result.rank() > 0;
    }
    e.out = result.element;
    e.parameters.in = e.in[0];
    e.parameters.out = e.out;
    e.parameters.bits = ir::bit_width(e.in[0]);
    if (const auto* precision = module.attributes_if<ir::ReducePrecisionAttributes>(id)) {
        e.parameters.exponent_bits = precision->exponent_bits;
        e.parameters.mantissa_bits = precision->mantissa_bits;
    }
    if (!resolve_special(module, id, e)) {
        e.widens = is_narrow_float(e.in[0]);
        e.narrows = is_narrow_float(e.out);
        e.function = function_of(op.kind, compute_type(e.in[0]));
    }
    if (e.function == nullptr) return std::nullopt;
    return e;
}

void Elementwise::run(const std::byte* const* inputs, std::byte* output, std::size_t count) const {
    if (!widens && !narrows) return function(inputs, output, count, parameters);
    float wide[3][kBlock];
    float result[kBlock];
    const auto out_bytes = static_cast<std::size_t>(ir::storage_bytes(out));
    for (std::size_t begin = 0; begin < count; begin += kBlock) {
        const std::size_t n = std::min(kBlock, count - begin);
        const std::byte* block[3] = {};
        for (int i = 0; i < arity; ++i) {
            const auto bytes = static_cast<std::size_t>(ir::storage_bytes(in[i]));
            block[i] = inputs[i] + begin * bytes;
            if (!widens || !is_narrow_float(in[i])) continue;
            widen(in[i], block[i], wide[i], n);
            block[i] = reinterpret_cast<const std::byte*>(wide[i]);
        }
        std::byte* target = output + begin * out_bytes;
        if (!narrows) {
            function(block, target, n, parameters);
            continue;
        }
        function(block, reinterpret_cast<std::byte*>(result), n, parameters);
        narrow(out, result, target, n);
    }
}

}  // namespace shardwright::exec
