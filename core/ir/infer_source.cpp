// Operations that make a tensor from nothing.
#include "ir/check_type.h"
#include "ir/infer_context.h"

namespace shardwright::ir::inference {
namespace {

Inferred constant(const Context& c) {
    SW_CHECK(need_operands(c, 0));
    SW_TRY(const ConstantAttributes* a, need_attributes<ConstantAttributes>(c));
    if (a->literal.index >= c.module.literal_count())
        return bad_input("constant names a literal that does not exist");
    const Literal& literal = c.module.literal(a->literal);
    SW_CHECK(check_type(literal.type));
    if (literal.kind != Literal::Kind::kElided) {
        const std::int64_t elements =
            literal.kind == Literal::Kind::kSplat ? 1 : literal.type.element_count();
        const std::int64_t bytes = elements * storage_bytes(literal.type.element);
        if (static_cast<std::int64_t>(literal.data().size()) != bytes)
            return bad_input(fmt::format("the literal of type {} holds {} bytes",
                                         mlir_text(literal.type), literal.data().size()),
                             fmt::format("{}", bytes));
    }
    return Types{literal.type};
}

Inferred iota(const Context& c) {
    SW_CHECK(need_operands(c, 0));
    SW_TRY(const DimAttributes* a, need_attributes<DimAttributes>(c));
    SW_TRY(TensorType to, need_stated(c));
    SW_CHECK(need_dim(c, a->dim, to.rank(), "iota_dimension"));
    if (to.element == ElementType::kBool || to.element == ElementType::kToken)
        return bad_input(fmt::format("iota makes {}", mlir_text(to)),
                         "integer, floating-point or complex elements");
    return Types{to};
}

Inferred rng(const Context& c) {
    // StableHLO gives the shape as a third operand; HLO only in the result type.
    if (c.operand_count() != 3) SW_CHECK(need_operands(c, 2));
    SW_TRY(TensorType to, need_stated(c));
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
        SW_CHECK(need_scalar(c, i));
        SW_CHECK(need_element(c, c.operand(i).element == to.element, i,
                              fmt::format("{} elements as the result", mlir_name(to.element))));
    }
    return Types{to};
}

Inferred rng_bit_generator(const Context& c) {
    SW_CHECK(need_operands(c, 1));
    if (c.stated.size() != 2)
        return bad_input(fmt::format("rng_bit_generator states {} result types", c.stated.size()),
                         "2: the new state and the bits");
    const TensorType& state = c.operand(0);
    SW_CHECK(need_element(c, state.rank() == 1 && is_unsigned(state.element), 0,
                          "a vector of unsigned integers"));
    const ElementType e = c.stated[1].element;
    if (!is_integer(e) && !is_float(e))
        return bad_input(fmt::format("rng_bit_generator makes {}", mlir_text(c.stated[1])),
                         "integer or floating-point elements");
    return Types{state, c.stated[1]};
}

}  // namespace

Inferred made_from_nothing(const Context& c) {
    switch (c.op.kind) {
        case OpKind::kConstant:
            return constant(c);
        case OpKind::kIota:
            return iota(c);
        case OpKind::kRng:
            return rng(c);
        case OpKind::kRngBitGenerator:
            return rng_bit_generator(c);
        default:
            break;  // partition_id, replica_id
    }
    SW_CHECK(need_operands(c, 0));
    return Types{{ElementType::kU32, {}}};
}

}  // namespace shardwright::ir::inference
