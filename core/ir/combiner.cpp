// What a reduction's region computes, when it is one of the simple ones.
#include <cassert>
#include <cmath>
#include <limits>

#include "ir/builder.h"

namespace shardwright::ir {
namespace {

bool is_simple(OpKind kind) {
    using enum OpKind;
    switch (kind) {
        case kAdd:
        case kMultiply:
        case kMaximum:
        case kMinimum:
        case kAnd:
        case kOr:
        case kXor:
            return true;
        default:
            return false;
    }
}

/// The least number of a float type: -inf where it has one. `sign` = +1 asks for the greatest.
double extreme(ElementType type, double sign) {
    const double infinity = sign * std::numeric_limits<double>::infinity();
    if (!is_float(type)) return infinity;  // integers saturate
    std::vector<std::byte> data;
    append_element(data, type, infinity);
    if (std::isinf(element_as_double(data, type, 0))) return infinity;
    // Types without infinity are a byte wide: look through their codes.
    double best = std::numeric_limits<double>::quiet_NaN();
    for (int code = 0; code < 1 << bit_width(type); ++code) {
        data.assign(1, static_cast<std::byte>(code));
        const double value = element_as_double(data, type, 0);
        if (!std::isnan(value) && (std::isnan(best) || value * sign > best * sign)) best = value;
    }
    return best;
}

}  // namespace

std::optional<OpKind> simple_combiner(const Module& module, RegionId id) {
    const Region& region = module.region(id);
    if (region.argument_count != 2 || region.ops.size() != 2) return std::nullopt;
    const Op& op = module.op(region.ops[0]);
    const Op& end = module.op(region.ops[1]);
    if (!is_simple(op.kind) || end.kind != OpKind::kReturn || end.operand_count != 1 ||
        op.operand_count != 2 || module.operands(end)[0] != op.first_result)
        return std::nullopt;
    const ValueId a = module.argument(id, 0);
    const ValueId b = module.argument(id, 1);
    const auto operands = module.operands(op);
    const bool both =
        (operands[0] == a && operands[1] == b) || (operands[0] == b && operands[1] == a);
    return both ? std::optional(op.kind) : std::nullopt;
}

Reduction to_reduction(OpKind combiner) {
    switch (combiner) {
        case OpKind::kAdd:
            return Reduction::kSum;
        case OpKind::kMultiply:
            return Reduction::kProduct;
        case OpKind::kMaximum:
            return Reduction::kMaximum;
        case OpKind::kMinimum:
            return Reduction::kMinimum;
        case OpKind::kAnd:
            return Reduction::kAnd;
        case OpKind::kOr:
            return Reduction::kOr;
        case OpKind::kXor:
            return Reduction::kXor;
        default:
            return Reduction::kOther;
    }
}

OpKind to_combiner(Reduction reduction) {
    switch (reduction) {
        case Reduction::kSum:
            return OpKind::kAdd;
        case Reduction::kProduct:
            return OpKind::kMultiply;
        case Reduction::kMaximum:
            return OpKind::kMaximum;
        case Reduction::kMinimum:
            return OpKind::kMinimum;
        case Reduction::kAnd:
            return OpKind::kAnd;
        case Reduction::kOr:
            return OpKind::kOr;
        case Reduction::kXor:
            return OpKind::kXor;
        case Reduction::kOther:
            break;
    }
    assert(false && "a reduction of no simple combiner");
    return OpKind::kAdd;
}

Literal identity_literal(OpKind combiner, const TensorType& type) {
    const bool is_bool = type.element == ElementType::kBool;
    switch (combiner) {
        case OpKind::kMultiply:
            return Literal::splat_of_int(type, 1);
        case OpKind::kMaximum:
            return Literal::splat_of(type, is_bool ? 0.0 : extreme(type.element, -1));
        case OpKind::kMinimum:
            return Literal::splat_of(type, is_bool ? 1.0 : extreme(type.element, +1));
        case OpKind::kAnd:
            // All bits set: -1, or the greatest unsigned number.
            if (is_signed(type.element)) return Literal::splat_of_int(type, -1);
            return Literal::splat_of(type, is_bool ? 1.0 : extreme(type.element, +1));
        default:
            return Literal::splat_of_int(type, 0);
    }
}

}  // namespace shardwright::ir
