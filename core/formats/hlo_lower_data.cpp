// Elementwise operations, constants and data movement.
#include "formats/hlo_literal.h"
#include "formats/hlo_lower.h"

namespace shardwright::formats::hlo {

using ir::OpKind;

Result<Leaves> Lowering::elementwise(Frame& frame, const Instruction& instruction) {
    std::string name(instruction.opcode);
    for (char& c : name)
        if (c == '-') c = '_';
    const auto kind = ir::find_op_kind(name);
    assert(kind);
    return emit(frame, instruction, *kind);
}

Result<Leaves> Lowering::compare(Frame& frame, const Instruction& instruction) {
    SW_TRY(const ir::CompareAttributes attributes, AttributeReader(source_, instruction).compare());
    return emit(frame, instruction, OpKind::kCompare, attributes);
}

Result<Leaves> Lowering::reduce_precision(Frame& frame, const Instruction& instruction) {
    const AttributeReader read(source_, instruction);
    SW_TRY(const std::int64_t exponent, read.integer("exponent_bits", 8));
    SW_TRY(const std::int64_t mantissa, read.integer("mantissa_bits", 23));
    if (exponent < 1 || exponent > 64 || mantissa < 0 || mantissa > 64)
        return source_.error(instruction.name, "bad precision", "1 to 64 exponent bits");
    return emit(frame, instruction, OpKind::kReducePrecision,
                ir::ReducePrecisionAttributes{static_cast<std::int32_t>(exponent),
                                              static_cast<std::int32_t>(mantissa)});
}

Result<Leaves> Lowering::constant(Frame& frame, const Instruction& instruction) {
    std::vector<const Shape*> leaves;
    instruction.shape.append_leaves(leaves);
    Cursor cursor(source_, instruction.argument);
    if (!instruction.shape.is_tuple) {
        SW_TRY(ir::Literal literal, parse_literal(cursor, instruction.shape.tensor));
        if (!cursor.at_end()) return cursor.error("unexpected text behind the constant", "')'");
        const ir::ConstantAttributes attributes{module_.add_literal(std::move(literal))};
        return emit(frame, instruction, OpKind::kConstant, attributes);
    }
    Leaves out;
    for (const Shape* leaf : leaves) {
        // Parentheses and commas of the tuple separate its tensors; complex values are rare there.
        if (ir::is_complex(leaf->tensor.element))
            return not_supported(instruction, "of this tuple");
        while (cursor.eat('(') || cursor.eat(')') || cursor.eat(',')) {
        }
        SW_TRY(ir::Literal literal, parse_literal(cursor, leaf->tensor));
        const ir::ConstantAttributes attributes{module_.add_literal(std::move(literal))};
        SW_TRY(const ir::ValueId value,
               step(instruction, OpKind::kConstant, {}, attributes, leaf->tensor));
        out.push_back({value});
    }
    return pass(frame, instruction, std::move(out));
}

Result<Leaves> Lowering::iota(Frame& frame, const Instruction& instruction) {
    SW_TRY(const std::int64_t dim,
           AttributeReader(source_, instruction).integer("iota_dimension", 0));
    return emit(frame, instruction, OpKind::kIota, ir::DimAttributes{dim});
}

Result<Leaves> Lowering::broadcast(Frame& frame, const Instruction& instruction) {
    SW_TRY(Dims dims, AttributeReader(source_, instruction).dims("dimensions"));
    return emit(frame, instruction, OpKind::kBroadcastInDim, ir::DimsAttributes{std::move(dims)});
}

Result<Leaves> Lowering::reshape(Frame& frame, const Instruction& instruction) {
    return emit(frame, instruction, OpKind::kReshape);
}

Result<Leaves> Lowering::bitcast_convert(Frame& frame, const Instruction& instruction) {
    return emit(frame, instruction, OpKind::kBitcastConvert);
}

/// A bitcast keeps the bytes in memory and re-reads them under the result's type and layout:
/// to the physical order of the operand, reshaped, and back from the physical order of the result.
Result<Leaves> Lowering::bitcast(Frame& frame, const Instruction& instruction) {
    SW_CHECK(arity(instruction, 1, 1));
    if (operand(frame, instruction, 0).size() != 1 || instruction.shape.is_tuple)
        return not_supported(instruction, "of a tuple");
    const Shape& from = frame.computation.instructions[instruction.operands[0]].shape;
    const Shape& to = instruction.shape;
    ir::ValueId value = operand(frame, instruction, 0)[0].value;
    if (from.tensor.element != to.tensor.element) {
        if (ir::bit_width(from.tensor.element) != ir::bit_width(to.tensor.element))
            return not_supported(instruction, "between element types of different width");
        const ir::TensorType type{to.tensor.element, from.tensor.dims};
        SW_TRY(value, step(instruction, OpKind::kBitcastConvert, {&value, 1}, {}, type));
    }
    const auto major_to_minor = [](const Shape& shape) {
        Dims order;
        const std::size_t rank = shape.tensor.rank();
        for (std::size_t i = 0; i < rank; ++i)
            order.push_back(shape.minor_to_major.empty()
                                ? static_cast<std::int64_t>(i)
                                : std::int64_t{shape.minor_to_major[rank - 1 - i]});
        return order;
    };
    if (!from.minor_to_major.empty()) {
        const Dims order = major_to_minor(from);
        ir::TensorType type{to.tensor.element, {}};
        for (const std::int64_t d : order)
            type.dims.push_back(from.tensor.dims[static_cast<std::size_t>(d)]);
        SW_TRY(value,
               step(instruction, OpKind::kTranspose, {&value, 1}, ir::DimsAttributes{order}, type));
    }
    if (to.minor_to_major.empty()) {
        return emit_on(frame, instruction, OpKind::kReshape, {&value, 1}, {}, {}, to);
    }
    const Dims order = major_to_minor(to);
    ir::TensorType physical{to.tensor.element, {}};
    Dims inverse(order.size(), 0);
    for (std::size_t i = 0; i < order.size(); ++i) {
        physical.dims.push_back(to.tensor.dims[static_cast<std::size_t>(order[i])]);
        inverse[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
    }
    SW_TRY(value, step(instruction, OpKind::kReshape, {&value, 1}, {}, physical));
    return emit_on(frame, instruction, OpKind::kTranspose, {&value, 1}, ir::DimsAttributes{inverse},
                   {}, to);
}

/// transpose and reverse.
Result<Leaves> Lowering::dims(Frame& frame, const Instruction& instruction) {
    SW_TRY(Dims dims, AttributeReader(source_, instruction).required_dims("dimensions"));
    const OpKind kind = instruction.opcode == "transpose" ? OpKind::kTranspose : OpKind::kReverse;
    return emit(frame, instruction, kind, ir::DimsAttributes{std::move(dims)});
}

Result<Leaves> Lowering::concatenate(Frame& frame, const Instruction& instruction) {
    SW_TRY(const Dims dims, AttributeReader(source_, instruction).required_dims("dimensions"));
    if (dims.size() != 1) return source_.error(instruction.name, "bad dimensions", "one dimension");
    return emit(frame, instruction, OpKind::kConcatenate, ir::DimAttributes{dims[0]});
}

Result<Leaves> Lowering::slice(Frame& frame, const Instruction& instruction) {
    SW_TRY(ir::SliceAttributes attributes, AttributeReader(source_, instruction).slice());
    return emit(frame, instruction, OpKind::kSlice, std::move(attributes));
}

Result<Leaves> Lowering::pad(Frame& frame, const Instruction& instruction) {
    SW_TRY(ir::PadAttributes attributes,
           AttributeReader(source_, instruction).padding(instruction.shape.tensor.rank()));
    return emit(frame, instruction, OpKind::kPad, std::move(attributes));
}

/// dynamic-slice and dynamic-update-slice. The old form has all indices in one vector.
Result<Leaves> Lowering::dynamic_slice(Frame& frame, const Instruction& instruction) {
    const bool update = instruction.opcode == "dynamic-update-slice";
    ir::Attributes attributes;
    if (!update) {
        SW_TRY(Dims sizes, AttributeReader(source_, instruction).dims("dynamic_slice_sizes"));
        attributes = ir::DynamicSliceAttributes{std::move(sizes)};
    }
    const OpKind kind = update ? OpKind::kDynamicUpdateSlice : OpKind::kDynamicSlice;
    std::vector<ir::ValueId> values = operands(frame, instruction);
    const std::size_t first = update ? 2 : 1;
    if (values.size() == first + 1 && module_.type(values[first]).rank() == 1) {
        const ir::ValueId vector = values[first];
        const ir::TensorType type = module_.type(vector);
        values.resize(first);
        for (std::int64_t i = 0; i < type.dims[0]; ++i) {
            ir::TensorType part{type.element, {1}};
            SW_TRY(ir::ValueId index, step(instruction, OpKind::kSlice, {&vector, 1},
                                           ir::SliceAttributes{{i}, {i + 1}, {1}}, part));
            part.dims.clear();
            SW_TRY(index, step(instruction, OpKind::kReshape, {&index, 1}, {}, part));
            values.push_back(index);
            if (values.size() > 64) return not_supported(instruction, "with more than 64 indices");
        }
    }
    return emit_on(frame, instruction, kind, values, std::move(attributes), {}, instruction.shape);
}

Result<Leaves> Lowering::gather(Frame& frame, const Instruction& instruction) {
    SW_TRY(ir::GatherAttributes attributes, AttributeReader(source_, instruction).gather());
    return emit(frame, instruction, OpKind::kGather, std::move(attributes));
}

Result<Leaves> Lowering::dimension_size(Frame& frame, const Instruction& instruction) {
    SW_TRY(const Dims dims, AttributeReader(source_, instruction).required_dims("dimensions"));
    if (dims.size() != 1) return source_.error(instruction.name, "bad dimensions", "one dimension");
    return emit(frame, instruction,
                instruction.opcode == "get-dimension-size" ? OpKind::kGetDimensionSize
                                                           : OpKind::kSetDimensionSize,
                ir::DimAttributes{dims[0]});
}

Result<Leaves> Lowering::partition_id(Frame& frame, const Instruction& instruction) {
    return emit(frame, instruction,
                instruction.opcode == "partition-id" ? OpKind::kPartitionId : OpKind::kReplicaId);
}

/// rng and rng-bit-generator.
Result<Leaves> Lowering::random(Frame& frame, const Instruction& instruction) {
    const AttributeReader read(source_, instruction);
    if (instruction.opcode == "rng") {
        const std::string_view text = read.word("distribution");
        if (text != "rng_uniform" && text != "rng_normal")
            return read.error(text, "unknown distribution", "rng_uniform or rng_normal");
        SW_CHECK(arity(instruction, 2, 2));
        std::vector<ir::ValueId> values = operands(frame, instruction);
        // StableHLO's third operand, the shape.
        const Dims& dims = instruction.shape.tensor.dims;
        const ir::TensorType type{ir::ElementType::kS64, {static_cast<std::int64_t>(dims.size())}};
        std::vector<std::byte> data;
        for (const std::int64_t d : dims) ir::append_element_int(data, type.element, d);
        const ir::ConstantAttributes shape{
            module_.add_literal(ir::Literal::dense(type, std::move(data)))};
        SW_TRY(const ir::ValueId value, step(instruction, OpKind::kConstant, {}, shape, type));
        values.push_back(value);
        const ir::RngAttributes attributes{text == "rng_normal" ? ir::RngDistribution::kNormal
                                                                : ir::RngDistribution::kUniform};
        return emit_on(frame, instruction, OpKind::kRng, values, attributes, {}, instruction.shape);
    }
    ir::RngBitGeneratorAttributes attributes;
    const std::string_view text = read.word("algorithm");
    if (text == "rng_three_fry") attributes.algorithm = ir::RngAlgorithm::kThreeFry;
    if (text == "rng_philox") attributes.algorithm = ir::RngAlgorithm::kPhilox;
    if (!instruction.shape.is_tuple) return not_supported(instruction, "without its new state");
    return emit(frame, instruction, OpKind::kRngBitGenerator, attributes);
}

}  // namespace shardwright::formats::hlo
