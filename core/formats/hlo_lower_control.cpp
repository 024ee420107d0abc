// Structure: parameters, tuples, calls, loops, branches, async pairs.
#include <charconv>

#include "formats/hlo_lower.h"

namespace shardwright::formats::hlo {
namespace {

using ir::OpKind;

/// `backend_config={"known_trip_count":{"n":"32"},…}`; -1 when it does not say.
std::int64_t known_trip_count(std::string_view config) {
    std::size_t at = config.find("known_trip_count");
    if (at == std::string_view::npos) return -1;
    at = config.find_first_of("0123456789}", at);
    if (at == std::string_view::npos) return -1;
    std::int64_t count = -1;
    std::from_chars(config.data() + at, config.data() + config.size(), count);
    return count;
}

}  // namespace

Result<Leaves> Lowering::parameter(Frame& frame, const Instruction& instruction) {
    return pass(frame, instruction,
                frame.arguments[static_cast<std::size_t>(instruction.parameter)]);
}

Result<Leaves> Lowering::tuple(Frame& frame, const Instruction& instruction) {
    Leaves leaves;
    for (const std::uint32_t index : instruction.operands)
        for (const Leaf& leaf : frame.values[index]) leaves.push_back(leaf);
    return pass(frame, instruction, std::move(leaves));
}

Result<Leaves> Lowering::get_tuple_element(Frame& frame, const Instruction& instruction) {
    SW_CHECK(arity(instruction, 1, 1));
    SW_TRY(const std::int64_t index, AttributeReader(source_, instruction).integer("index", -1));
    const Shape& shape = frame.computation.instructions[instruction.operands[0]].shape;
    if (!shape.is_tuple || index < 0 || static_cast<std::size_t>(index) >= shape.elements.size())
        return source_.error(instruction.name, "bad element of a tuple",
                             "an index below " + std::to_string(shape.elements.size()));
    const auto i = static_cast<std::size_t>(index);
    const Leaves& all = operand(frame, instruction, 0);
    const std::size_t first = shape.leaf_offset(i);
    if (first + shape.elements[i].leaves > all.size())
        return not_supported(instruction, "of an async start");
    Leaves leaves(all.begin() + static_cast<std::ptrdiff_t>(first),
                  all.begin() + static_cast<std::ptrdiff_t>(first + shape.elements[i].leaves));
    // JAX names what a loop carries only here: lend the name to a value that has none of its own.
    return pass(frame, instruction, std::move(leaves));
}

/// call, fusion and async-start: the callee's instructions take the place of the call.
Result<Leaves> Lowering::call(Frame& frame, const Instruction& instruction) {
    const bool is_call = instruction.opcode == "call";
    SW_TRY(const std::size_t callee, calls_.callee(instruction, is_call ? "to_apply" : "calls"));
    const Computation& body = file_.computations[callee];
    if (instruction.operands.size() != body.parameters.size())
        return source_.error(
            instruction.name, std::to_string(instruction.operands.size()) + " operands",
            std::to_string(body.parameters.size()) + " for '" + std::string(body.name) + "'");
    std::vector<Leaves> arguments;
    for (std::size_t i = 0; i < instruction.operands.size(); ++i)
        arguments.push_back(operand(frame, instruction, i));
    // A fusion is the compiler's grouping: its instructions keep the names they were made with.
    std::string prefix = is_call ? scope(frame, instruction) : frame.prefix;
    SW_TRY(Leaves leaves, computation(callee, std::move(arguments), std::move(prefix),
                                      suffix_of(frame, instruction, callee), false));
    return pass(frame, instruction, std::move(leaves));
}

Result<Leaves> Lowering::while_loop(Frame& frame, const Instruction& instruction) {
    SW_CHECK(arity(instruction, 1, 1));
    SW_TRY(const std::size_t condition, calls_.callee(instruction, "condition"));
    SW_TRY(const std::size_t body, calls_.callee(instruction, "body"));
    SW_TRY(const ir::RegionId condition_region, region(frame, instruction, condition));
    SW_TRY(const ir::RegionId body_region, region(frame, instruction, body));
    const ir::RegionId regions[] = {condition_region, body_region};
    ir::Attributes attributes;
    const std::int64_t trips = known_trip_count(instruction.attribute("backend_config"));
    if (trips >= 0) attributes = ir::WhileAttributes{trips};
    return emit(frame, instruction, OpKind::kWhile, std::move(attributes), regions);
}

/// The branches take their operand as captured values, as StableHLO's regions do.
Result<Leaves> Lowering::conditional(Frame& frame, const Instruction& instruction) {
    SW_TRY(const std::vector<std::size_t> branches, calls_.branches(instruction));
    SW_CHECK(arity(instruction, branches.size() + 1, branches.size() + 1));
    if (branches.empty() || operand(frame, instruction, 0).size() != 1)
        return source_.error(instruction.name, "bad conditional", "an index and some branches");
    const ir::ValueId index = operand(frame, instruction, 0)[0].value;
    const bool is_if = module_.type(index).element == ir::ElementType::kBool;
    if (branches.size() > 4096) return not_supported(instruction, "of more than 4096 branches");
    std::vector<ir::RegionId> regions;
    for (std::size_t i = 0; i < branches.size(); ++i) {
        const ir::RegionId made = builder_.make_region({});
        const ir::RegionId outer = builder_.region();
        builder_.set_region(made);
        std::vector<Leaves> arguments{operand(frame, instruction, i + 1)};
        const Computation& body = file_.computations[branches[i]];
        if (body.parameters.size() != 1)
            return source_.error(
                body.name, "branch of " + std::to_string(body.parameters.size()) + " parameters",
                "one");
        SW_TRY(const Leaves root, computation(branches[i], std::move(arguments), frame.prefix,
                                              suffix_of(frame, instruction, branches[i]), false));
        std::vector<ir::ValueId> values;
        for (const Leaf& leaf : root) values.push_back(leaf.value);
        builder_.set_line(instruction.line);
        builder_.ret(values);
        builder_.set_region(outer);
        regions.push_back(made);
    }
    return emit_on(frame, instruction, is_if ? OpKind::kIf : OpKind::kCase, {&index, 1}, {},
                   regions, instruction.shape);
}

Result<Leaves> Lowering::barrier(Frame& frame, const Instruction& instruction) {
    return emit(frame, instruction, OpKind::kOptimizationBarrier);
}

/// domain, add-dependency and other instructions whose value is their first operand.
Result<Leaves> Lowering::first_operand(Frame& frame, const Instruction& instruction) {
    SW_CHECK(arity(instruction, 1, 2));
    return pass(frame, instruction, operand(frame, instruction, 0));
}

Result<Leaves> Lowering::after_all(Frame& frame, const Instruction& instruction) {
    return emit(frame, instruction, OpKind::kAfterAll);
}

/// The first half of an async pair does the work; `done` hands its value out.
Result<Leaves> Lowering::start(Frame& frame, const Instruction& instruction) {
    Instruction whole = instruction;
    Leaves value;
    if (instruction.opcode == "async-start") {
        const Shape& shape = instruction.shape;
        if (!shape.is_tuple || shape.elements.size() < 2)
            return not_supported(instruction, "so shaped");
        whole.shape = shape.elements[1];
        SW_TRY(value, call(frame, whole));
    } else {
        whole.opcode.remove_suffix(std::string_view("-start").size());
        const bool is_tuple =
            instruction.shape.is_tuple && instruction.opcode != "all-reduce-start";
        const std::size_t place = instruction.opcode == "copy-start" ? 0 : 1;
        if (is_tuple) {
            if (instruction.shape.elements.size() <= place)
                return not_supported(instruction, "so shaped");
            Shape part = instruction.shape.elements[place];
            whole.shape = std::move(part);
        }
        if (whole.opcode == "copy") {
            SW_TRY(value, elementwise(frame, whole));
        } else {
            SW_TRY(value, collective(frame, whole));
        }
    }
    frame.pending[frame.current] = std::move(value);
    return Leaves{};
}

Result<Leaves> Lowering::done(Frame& frame, const Instruction& instruction) {
    SW_CHECK(arity(instruction, 1, 1));
    const auto found = frame.pending.find(instruction.operands[0]);
    if (found == frame.pending.end())
        return source_.error(instruction.name, "no async start for this", "its start as operand");
    Leaves value = found->second;
    if (instruction.opcode == "async-update") {
        frame.pending[frame.current] = std::move(value);
        return Leaves{};
    }
    return pass(frame, instruction, std::move(value));
}

/// infeed and outfeed.
Result<Leaves> Lowering::feed(Frame& frame, const Instruction& instruction) {
    return emit(frame, instruction,
                instruction.opcode == "infeed" ? OpKind::kInfeed : OpKind::kOutfeed);
}

}  // namespace shardwright::formats::hlo
