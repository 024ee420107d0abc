// Control flow, structural identities, and operations whose types are their own choice.
#include "ir/infer_context.h"

namespace shardwright::ir::inference {
namespace {

Types operand_types(const Context& c) {
    Types types;
    for (std::size_t i = 0; i < c.operand_count(); ++i) types.push_back(c.operand(i));
    return types;
}

Inferred while_loop(const Context& c) {
    SW_CHECK(need_regions(c, 2));
    const Types carried = operand_types(c);
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}})
        SW_CHECK(need_region_arguments(c, i, carried));
    SW_TRY(const Types condition, region_results(c, 0));
    if (condition.size() != 1 || !(condition[0] == TensorType{ElementType::kBool, {}}))
        return bad_input("the condition of while does not return a bool", "one tensor<i1>");
    SW_TRY(const Types body, region_results(c, 1));
    if (body.size() != carried.size())
        return bad_input(fmt::format("the body of while returns {} values", body.size()),
                         fmt::format("{}", carried.size()));
    for (std::size_t i = 0; i < carried.size(); ++i)
        if (!(body[i] == carried[i]))
            return bad_input(
                fmt::format("value {} that the body of while returns is {}", i, mlir_text(body[i])),
                mlir_text(carried[i]));
    return carried;
}

Inferred branches(const Context& c) {
    const bool is_if = c.op.kind == OpKind::kIf;
    SW_CHECK(need_operands(c, 1));
    if (is_if) SW_CHECK(need_regions(c, 2));
    if (c.op.regions.empty()) return bad_input("case has no branches", "at least 1");
    const TensorType wanted{is_if ? ElementType::kBool : ElementType::kS32, {}};
    SW_CHECK(need_element(c, c.operand(0) == wanted, 0, mlir_text(wanted)));
    Types types;
    for (std::size_t i = 0; i < c.op.regions.size(); ++i) {
        SW_CHECK(need_region_arguments(c, i, {}));
        SW_TRY(Types results, region_results(c, i));
        if (i > 0 && results != types)
            return bad_input(
                fmt::format("branch {} of {} returns other types than branch 0", i, c.op_name()),
                "the same types from every branch");
        types = std::move(results);
    }
    return types;
}

Inferred named_computation(const Context& c) {
    SW_CHECK(need_regions(c, 1));
    SW_CHECK(need_region_arguments(c, 0, operand_types(c)));
    return region_results(c, 0);
}

/// sharding_constraint, reshard, barriers: what goes in comes out.
Inferred identity(const Context& c, std::size_t operands) {
    SW_CHECK(need_operands(c, operands));
    return operand_types(c);
}

Status need_tokens(const Context& c, std::size_t first) {
    for (std::size_t i = first; i < c.operand_count(); ++i)
        SW_CHECK(need_element(c, c.operand(i).element == ElementType::kToken, i, "a token"));
    return {};
}

Inferred check(const Context& c) {
    SW_CHECK(need_operands(c, 2));
    SW_TRY(const CheckAttributes* a, need_attributes<CheckAttributes>(c));
    (void)a;
    SW_CHECK(need_same_type(c, 0, 1));
    return Types{};
}

Inferred with_sharding(const Context& c) {
    SW_TRY(const ShardingAttributes* a, need_attributes<ShardingAttributes>(c));
    SW_CHECK(need_operands(c, 1));
    const std::size_t rank = c.operand(0).rank();
    if (a->sharding.form == sharding::Form::kTiled)
        SW_CHECK(need_entries(c, a->sharding.dims.size(), rank, "the sharding"));
    SW_CHECK(need_unique_dims(c, view(a->unspecified_dims), rank, "unspecified dimension"));
    return identity(c, 1);
}

}  // namespace

Inferred control(const Context& c) {
    using enum OpKind;
    const TensorType token{ElementType::kToken, {}};
    switch (c.op.kind) {
        case kWhile:
            return while_loop(c);
        case kIf:
        case kCase:
            return branches(c);
        case kReturn:
            return Types{};
        case kOptimizationBarrier:
            return identity(c, c.operand_count());
        case kPropagationBarrier:
        case kDataFlowEdge:
            return identity(c, 1);
        case kShardingConstraint:
        case kReshard:
            return with_sharding(c);
        case kShardingGroup:
            SW_CHECK(need_operands(c, 1));
            return Types{};
        case kNamedComputation:
            return named_computation(c);
        case kAfterAll:
            SW_CHECK(need_tokens(c, 0));
            return Types{token};
        case kOutfeed:
        case kSend:
            SW_CHECK(need_operands_at_least(c, 1));
            SW_CHECK(need_tokens(c, c.operand_count() - 1));
            return Types{token};
        case kInfeed:
        case kRecv:
            SW_CHECK(need_operands(c, 1));
            SW_CHECK(need_tokens(c, 0));
            return Types(c.stated.begin(), c.stated.end());
        case kCheck:
            return check(c);
        case kCustomCall:
        case kRunParallel:
            return Types(c.stated.begin(), c.stated.end());
        default:
            break;
    }
    return bad_input(fmt::format("{} has no type rule", c.op_name()));
}

}  // namespace shardwright::ir::inference
