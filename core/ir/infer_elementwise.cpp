// Elementwise operations: equal shapes, and which element types each accepts.
#include "ir/infer_context.h"

namespace shardwright::ir::inference {
namespace {

/// Sets of element types, as bits.
enum Set : unsigned { kNoType = 0, kBools = 1, kInts = 2, kFloats = 4, kComplexes = 8 };

unsigned set_of(ElementType t) {
    if (t == ElementType::kBool) return kBools;
    if (is_integer(t)) return kInts;
    if (is_float(t)) return kFloats;
    return is_complex(t) ? kComplexes : kNoType;
}

std::string describe(unsigned set) {
    std::vector<std::string_view> parts;
    if (set & kBools) parts.push_back("bool");
    if (set & kInts) parts.push_back("integer");
    if (set & kFloats) parts.push_back("floating-point");
    if (set & kComplexes) parts.push_back("complex");
    return fmt::format("{} elements", fmt::join(parts, ", "));
}

struct Signature {
    std::size_t operands;
    unsigned elements;
};

Signature signature_of(OpKind kind) {
    using enum OpKind;
    constexpr unsigned kAny = kBools | kInts | kFloats | kComplexes;
    constexpr unsigned kNumber = kInts | kFloats | kComplexes;
    switch (kind) {
        case kAbs:
        case kNegate:
        case kSign:
            return {1, kNumber};
        case kCeil:
        case kFloor:
        case kRoundNearestAfz:
        case kRoundNearestEven:
        case kReducePrecision:
        case kErf:
        case kErfInv:
            return {1, kFloats};
        case kCountLeadingZeros:
        case kPopcnt:
            return {1, kInts};
        case kNot:
            return {1, kBools | kInts};
        case kAdd:
        case kMultiply:
        case kMaximum:
        case kMinimum:
            return {2, kAny};
        case kAnd:
        case kOr:
        case kXor:
            return {2, kBools | kInts};
        case kSubtract:
        case kDivide:
        case kPower:
        case kRemainder:
            return {2, kNumber};
        case kAtan2:
            return {2, kFloats | kComplexes};
        case kShiftLeft:
        case kShiftRightArithmetic:
        case kShiftRightLogical:
            return {2, kInts};
        default:
            return {1, kFloats | kComplexes};  // exponential, sine, …
    }
}

Inferred convert(const Context& c) {
    SW_CHECK(need_operands(c, 1));
    SW_TRY(TensorType to, need_stated(c));
    SW_CHECK(need_element(c, c.operand(0).element != ElementType::kToken, 0, "a tensor"));
    SW_CHECK(need_same_dims(c, c.operand(0), to, "the result"));
    return Types{to};
}

Inferred compare(const Context& c) {
    SW_CHECK(need_operands(c, 2));
    SW_CHECK(need_same_type(c, 0, 1));
    SW_TRY(const CompareAttributes* a, need_attributes<CompareAttributes>(c));
    const ElementType e = c.operand(0).element;
    SW_CHECK(need_element(c, set_of(e) != kNoType, 0, "a tensor"));
    bool agrees = true;
    switch (a->type) {
        case CompareType::kDefault:
            break;
        case CompareType::kFloat:
            agrees = is_float(e) || is_complex(e);
            break;
        case CompareType::kTotalOrder:
            agrees = is_float(e);
            break;
        case CompareType::kSigned:
            agrees = is_signed(e);
            break;
        case CompareType::kUnsigned:
            agrees = is_unsigned(e) || e == ElementType::kBool;
            break;
    }
    if (!agrees)
        return bad_input(
            fmt::format("the compare_type of compare does not fit {} elements", mlir_name(e)),
            "FLOAT or TOTALORDER for floats, SIGNED or UNSIGNED for integers");
    return Types{{ElementType::kBool, c.operand(0).dims}};
}

Inferred complex(const Context& c) {
    SW_CHECK(need_operands(c, 2));
    SW_CHECK(need_same_type(c, 0, 1));
    const ElementType e = c.operand(0).element;
    SW_CHECK(need_element(c, e == ElementType::kF32 || e == ElementType::kF64, 0,
                          "f32 or f64 elements"));
    return Types{
        {e == ElementType::kF32 ? ElementType::kC64 : ElementType::kC128, c.operand(0).dims}};
}

Inferred clamp(const Context& c) {
    SW_CHECK(need_operands(c, 3));
    const TensorType& middle = c.operand(1);
    SW_CHECK(need_element(c, set_of(middle.element) != kNoType, 1, "a tensor"));
    for (const std::size_t i : {std::size_t{0}, std::size_t{2}}) {
        const TensorType& bound = c.operand(i);
        if (bound.element != middle.element || (bound.rank() != 0 && bound.dims != middle.dims))
            return bad_input(fmt::format("operand {} of clamp is {}", i, mlir_text(bound)),
                             fmt::format("{} or a scalar of it", mlir_text(middle)));
    }
    return Types{middle};
}

Inferred select(const Context& c) {
    SW_CHECK(need_operands(c, 3));
    const TensorType& predicate = c.operand(0);
    SW_CHECK(need_element(c, predicate.element == ElementType::kBool, 0, "bool elements"));
    SW_CHECK(need_same_type(c, 1, 2));
    if (predicate.rank() != 0) SW_CHECK(need_same_dims(c, c.operand(1), predicate, "operand 0"));
    return Types{c.operand(1)};
}

Inferred reduce_precision(const Context& c) {
    SW_TRY(const ReducePrecisionAttributes* a, need_attributes<ReducePrecisionAttributes>(c));
    if (a->exponent_bits < 1 || a->mantissa_bits < 0)
        return bad_input(
            fmt::format("reduce_precision to e{}m{}", a->exponent_bits, a->mantissa_bits),
            "at least one exponent bit and no fewer than zero mantissa bits");
    return Types{c.operand(0)};
}

}  // namespace

Inferred elementwise(const Context& c) {
    switch (c.op.kind) {
        case OpKind::kConvert:
            return convert(c);
        case OpKind::kCompare:
            return compare(c);
        case OpKind::kComplex:
            return complex(c);
        case OpKind::kClamp:
            return clamp(c);
        case OpKind::kSelect:
            return select(c);
        case OpKind::kCopy:
            SW_CHECK(need_operands(c, 1));
            return Types{c.operand(0)};
        default:
            break;
    }
    const Signature signature = signature_of(c.op.kind);
    SW_CHECK(need_operands(c, signature.operands));
    const TensorType& first = c.operand(0);
    SW_CHECK(need_element(c, (set_of(first.element) & signature.elements) != 0, 0,
                          describe(signature.elements)));
    for (std::size_t i = 1; i < c.operand_count(); ++i) SW_CHECK(need_same_type(c, 0, i));
    switch (c.op.kind) {
        case OpKind::kAbs:
        case OpKind::kReal:
        case OpKind::kImag:
            return Types{{real_type(first.element), first.dims}};
        case OpKind::kIsFinite:
            return Types{{ElementType::kBool, first.dims}};
        case OpKind::kReducePrecision:
            return reduce_precision(c);
        default:
            return Types{first};
    }
}

Inferred map(const Context& c) {
    SW_CHECK(need_operands_at_least(c, 1));
    SW_CHECK(need_regions(c, 1));
    Types scalars;
    for (std::size_t i = 0; i < c.operand_count(); ++i) {
        SW_CHECK(need_same_dims(c, c.operand(0), c.operand(i), fmt::format("operand {}", i)));
        scalars.push_back({c.operand(i).element, {}});
    }
    if (const auto* a = c.attributes_if<DimsAttributes>()) {
        SW_CHECK(need_entries(c, a->dims.size(), c.operand(0).rank(), "dimensions"));
        SW_CHECK(need_unique_dims(c, view(a->dims), c.operand(0).rank(), "dimension"));
        SW_CHECK(need_sorted(c, view(a->dims), "dimensions"));
    }
    SW_CHECK(need_region_arguments(c, 0, scalars));
    SW_TRY(const Types results, region_results(c, 0));
    if (results.size() != 1 || results[0].rank() != 0)
        return bad_input("the region of map does not return one scalar", "one scalar");
    return Types{{results[0].element, c.operand(0).dims}};
}

}  // namespace shardwright::ir::inference
