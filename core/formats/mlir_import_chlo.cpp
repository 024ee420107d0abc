// chlo: operations that StableHLO leaves to its clients, expanded into its own.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "formats/mlir_import.h"

namespace shardwright::formats::mlir {
namespace {

using ir::OpKind;
using ir::ValueId;

/// Writes formulas over values of one type. Types agree by construction, so nothing can fail.
class Formula {
  public:
    Formula(ir::Builder& builder, const ir::TensorType& type) : b_(builder), type_(type) {}
    ValueId un(OpKind kind, ValueId x) { return b_.add(kind, {x}); }
    ValueId bin(OpKind kind, ValueId x, ValueId y) { return b_.add(kind, {x, y}); }
    ValueId add(ValueId x, ValueId y) { return bin(OpKind::kAdd, x, y); }
    ValueId sub(ValueId x, ValueId y) { return bin(OpKind::kSubtract, x, y); }
    ValueId mul(ValueId x, ValueId y) { return bin(OpKind::kMultiply, x, y); }
    ValueId div(ValueId x, ValueId y) { return bin(OpKind::kDivide, x, y); }
    ValueId c(double value) { return b_.splat(type_, value); }
    ValueId less(ValueId x, ValueId y) { return b_.compare(x, y, ir::Direction::kLt); }
    ValueId choose(ValueId p, ValueId x, ValueId y) { return b_.select(p, x, y); }
    /// (1 - x)(1 + x) without cancellation near 1.
    ValueId one_minus_square(ValueId x) { return mul(sub(c(1), x), add(c(1), x)); }

    // Half of e^x ± e^-x, the half moved into the exponent so that it does not overflow early.
    ValueId exponentials(ValueId x, OpKind combine) {
        const ValueId log_half = c(-std::numbers::ln2);
        return bin(combine, un(OpKind::kExponential, add(x, log_half)),
                   un(OpKind::kExponential, add(un(OpKind::kNegate, x), log_half)));
    }
    ValueId sinh(ValueId x) {
        const ValueId large = exponentials(x, OpKind::kSubtract);
        if (ir::is_complex(type_.element)) return large;
        const ValueId e = un(OpKind::kExponentialMinusOne, x);
        const ValueId small = mul(c(0.5), add(e, div(e, add(e, c(1)))));
        return choose(less(un(OpKind::kAbs, x), c(1)), small, large);
    }
    ValueId asin(ValueId x) {
        const ValueId cosine = un(OpKind::kSqrt, one_minus_square(x));
        return mul(c(2), bin(OpKind::kAtan2, x, add(c(1), cosine)));
    }
    ValueId acos(ValueId x) {
        const ValueId sine = un(OpKind::kSqrt, one_minus_square(x));
        const ValueId inside = mul(c(2), bin(OpKind::kAtan2, sine, add(c(1), x)));
        return choose(b_.compare(x, c(-1), ir::Direction::kEq), c(std::numbers::pi), inside);
    }
    double square_root_of_largest() const {
        return type_.element == ir::ElementType::kF64 ? 1e154 : 1e19;
    }
    ValueId acosh(ValueId x) {
        const ValueId large = add(un(OpKind::kLog, x), c(std::numbers::ln2));
        const ValueId root = mul(un(OpKind::kSqrt, add(x, c(1))), un(OpKind::kSqrt, sub(x, c(1))));
        const ValueId usual = un(OpKind::kLogPlusOne, add(sub(x, c(1)), root));
        return choose(less(c(square_root_of_largest()), x), large, usual);
    }
    ValueId asinh(ValueId x) {
        const ValueId a = un(OpKind::kAbs, x);
        const ValueId large = add(un(OpKind::kLog, a), c(std::numbers::ln2));
        const ValueId root = un(OpKind::kSqrt, add(mul(a, a), c(1)));
        const ValueId usual = un(OpKind::kLogPlusOne, add(a, div(mul(a, a), add(c(1), root))));
        return mul(un(OpKind::kSign, x),
                   choose(less(c(square_root_of_largest()), a), large, usual));
    }
    ValueId atanh(ValueId x) {
        return mul(c(0.5), sub(un(OpKind::kLogPlusOne, x),
                               un(OpKind::kLogPlusOne, un(OpKind::kNegate, x))));
    }

    // Lanczos' approximation with g = 7 and eight terms, reflected for x < 1/2.
    ValueId lgamma(ValueId x) {
        static constexpr double kBase = 0.99999999999980993;
        static constexpr double kTerms[] = {
            676.5203681218851,  -1259.1392167224028,  771.32342877765313,    -176.61502916214059,
            12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7};
        constexpr double kG = 7.5;  // g + 1/2
        const ValueId reflect = less(x, c(0.5));
        const ValueId z = choose(reflect, un(OpKind::kNegate, x), sub(x, c(1)));
        ValueId sum = c(kBase);
        for (int i = 0; i < 8; ++i) sum = add(sum, div(c(kTerms[i]), add(z, c(i + 1))));
        const ValueId t = add(z, c(kG));
        const ValueId log_t = add(c(std::log(kG)), un(OpKind::kLogPlusOne, div(z, c(kG))));
        const ValueId log_y = add(add(mul(sub(add(z, c(0.5)), div(t, log_t)), log_t),
                                      c(0.5 * std::log(2 * std::numbers::pi))),
                                  un(OpKind::kLog, sum));
        // sin(pi x) has the period 2 up to its sign, and only its size matters here.
        const ValueId size = un(OpKind::kAbs, x);
        const ValueId part = sub(size, un(OpKind::kFloor, size));
        const ValueId near = choose(less(c(0.5), part), sub(c(1), part), part);
        const ValueId log_sine =
            un(OpKind::kLog, un(OpKind::kSine, mul(c(std::numbers::pi), near)));
        const ValueId finite = un(OpKind::kIsFinite, log_sine);
        const ValueId reflection =
            choose(finite, sub(sub(c(std::log(std::numbers::pi)), log_sine), log_y),
                   un(OpKind::kNegate, log_sine));
        const ValueId result = choose(reflect, reflection, log_y);
        const double infinity = std::numeric_limits<double>::infinity();
        return choose(b_.compare(size, c(infinity), ir::Direction::kEq), c(infinity), result);
    }

  private:
    ir::Builder& b_;
    ir::TensorType type_;
};

std::optional<ValueId> expand(Formula& f, std::string_view name, ValueId x, bool is_complex) {
    if (name == "square") return f.mul(x, x);
    if (name == "sinh") return f.sinh(x);
    if (name == "cosh") return f.exponentials(x, OpKind::kAdd);
    if (is_complex) return std::nullopt;
    if (name == "asin") return f.asin(x);
    if (name == "acos") return f.acos(x);
    if (name == "atan") return f.bin(OpKind::kAtan2, x, f.c(1));
    if (name == "acosh") return f.acosh(x);
    if (name == "asinh") return f.asinh(x);
    if (name == "atanh") return f.atanh(x);
    if (name == "lgamma") return f.lgamma(x);
    return std::nullopt;
}

}  // namespace

bool Importer::import_chlo(Frame& frame, const RawOp& op) {
    Values values;
    if (!operands(frame, op, values) || !check_operand_types(op, values)) return false;
    const std::string_view name = op.known->name.substr(5);
    const auto refuse = [&] {
        return fail_unsupported(op.pos, fmt::format("operation '{}'", op.known->name));
    };
    if (values.size() != 1) return refuse();
    const ir::TensorType type = module_.type(values[0]);
    const bool is_complex = ir::is_complex(type.element);
    if (!is_complex && !ir::is_float(type.element)) {
        if (name != "square") return refuse();
    }
    builder_.set_scope(scope_of(frame, op));
    builder_.set_line(op.line);
    ValueId result;
    if (name == "is_inf" || name == "is_pos_inf" || name == "is_neg_inf") {
        if (is_complex) return refuse();
        const double infinity = std::numeric_limits<double>::infinity();
        const ValueId x = name == "is_inf" ? builder_.add(OpKind::kAbs, {values[0]}) : values[0];
        result =
            builder_.compare(x, builder_.splat(type, name == "is_neg_inf" ? -infinity : infinity),
                             ir::Direction::kEq);
    } else if (name == "conj") {
        if (!is_complex) return bind_results(frame, op, view(values));
        const ValueId re = builder_.add(OpKind::kReal, {values[0]});
        const ValueId im = builder_.add(OpKind::kImag, {values[0]});
        result = builder_.add(OpKind::kComplex, {re, builder_.add(OpKind::kNegate, {im})});
    } else {
        // Narrow floats lose too much on the way: the formula runs in f32.
        const bool narrow = ir::is_float(type.element) && ir::bit_width(type.element) < 32;
        ir::TensorType wide = type;
        if (narrow) wide.element = ir::ElementType::kF32;
        // Decide before anything is built: a refused name must not leave half a formula behind.
        const bool real_only = name != "square" && name != "sinh" && name != "cosh";
        if (is_complex && real_only) return refuse();
        static constexpr std::string_view kKnown[] = {
            "square", "sinh", "cosh", "asin", "acos", "atan", "acosh", "asinh", "atanh", "lgamma"};
        if (std::find(std::begin(kKnown), std::end(kKnown), name) == std::end(kKnown))
            return refuse();
        Formula formula(builder_, wide);
        const auto made =
            expand(formula, name, builder_.convert(values[0], wide.element), is_complex);
        if (!made) return refuse();
        result = builder_.convert(*made, type.element);
    }
    if (op.result_types.count == 1) {
        ir::TensorType stated;
        if (!tensor_type(op.result_types.begin, stated)) return false;
        if (!(stated == module_.type(result)))
            return fail(
                op.pos,
                fmt::format("result of {} is stated as {}", op.known->name, ir::mlir_text(stated)),
                ir::mlir_text(module_.type(result)));
    }
    return bind_results(frame, op, {&result, 1});
}

// `broadcast_dimensions` places the operand of lower rank; by default its dims are the last ones.
bool Importer::import_chlo_broadcast(Frame& frame, const RawOp& op) {
    Values values;
    if (!operands(frame, op, values) || !check_operand_types(op, values)) return false;
    if (op.result_types.count != 1 || values.empty())
        return fail(op.pos, "malformed broadcasting operation", "operands and one result");
    ir::TensorType result;
    if (!tensor_type(op.result_types.begin, result)) return false;
    OpReader r = reader(op);
    std::optional<Dims> placed;
    if (r.has("broadcast_dimensions")) r.dims("broadcast_dimensions", placed.emplace());
    ir::Attributes attributes;
    decode_attributes(r, module_, op.known->kind, result.rank(), attributes);
    if (!check(r)) return false;
    builder_.set_scope(scope_of(frame, op));
    for (ValueId& value : values) {
        ir::TensorType to = module_.type(value);
        if (to.dims == result.dims) continue;
        if (to.rank() > result.rank())
            return fail(op.pos, "operand of higher rank than the result", "a lower rank");
        ir::DimsAttributes a;
        for (std::size_t i = 0; i < to.rank(); ++i)
            a.dims.push_back(static_cast<std::int64_t>(result.rank() - to.rank() + i));
        if (placed && to.rank() < result.rank() && placed->size() == to.rank()) a.dims = *placed;
        to.dims = result.dims;
        ValueId wide;
        if (!make(op, OpKind::kBroadcastInDim, {&value, 1}, std::move(a), &to, wide)) return false;
        value = wide;
    }
    return add(frame, op, op.known->kind, view(values), std::move(attributes));
}

}  // namespace shardwright::formats::mlir
