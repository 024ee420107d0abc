#include "exec/element_program.h"

#include <cstring>

#include "exec/strided_copy.h"

namespace shardwright::exec {
namespace {

using ir::OpKind;

/// All elements are one number: scalars, and shapes like [1,1] that some writers use.
bool is_scalar(const ir::TensorType& type) {
    return type.element_count() == 1;
}

bool is_alias(OpKind kind) {
    return kind == OpKind::kReshape || kind == OpKind::kBroadcastInDim || kind == OpKind::kCopy ||
           kind == OpKind::kTranspose || kind == OpKind::kOptimizationBarrier;
}

}  // namespace

bool ElementProgram::add_operation(const ir::Module& module, ir::OpId id,
                                   std::vector<std::pair<ir::ValueId, std::uint32_t>>& where) {
    const ir::Op& op = module.op(id);
    const auto find = [&](ir::ValueId v) {
        for (const auto& [value, reg] : where)
            if (value == v) return reg;
        return std::uint32_t{0xFFFFFFFFu};
    };
    for (std::size_t r = 0; r < op.result_count; ++r)
        if (!is_scalar(module.type(module.result(id, r)))) return false;
    if (op.kind == OpKind::kConstant) {
        const ir::Literal& literal =
            module.literal(module.attributes<ir::ConstantAttributes>(id).literal);
        if (literal.kind == ir::Literal::Kind::kElided) return false;
        const auto reg = static_cast<std::uint32_t>(types_.size());
        types_.push_back(literal.type.element);
        constants_.emplace_back(
            reg, std::vector<std::byte>(literal.data().begin(), literal.data().end()));
        where.emplace_back(module.result(id), reg);
        return true;
    }
    if (is_alias(op.kind)) {
        for (std::size_t r = 0; r < op.result_count; ++r)
            where.emplace_back(module.result(id, r), find(module.operand(id, r)));
        return true;
    }
    const std::optional<Elementwise> kernel = find_elementwise(module, id);
    if (!kernel) return false;
    Step step;
    step.kernel = *kernel;
    for (std::size_t i = 0; i < op.operand_count; ++i) {
        step.kernel.scalar_operand[i] = false;
        step.in[i] = find(module.operand(id, i));
    }
    step.out = static_cast<std::uint32_t>(types_.size());
    types_.push_back(kernel->out);
    where.emplace_back(module.result(id), step.out);
    steps_.push_back(step);
    return true;
}

std::optional<ElementProgram> ElementProgram::compile(const ir::Module& module,
                                                      ir::RegionId region_id) {
    const ir::Region& region = module.region(region_id);
    ElementProgram program;
    std::vector<std::pair<ir::ValueId, std::uint32_t>> where;
    program.arguments_ = region.argument_count;
    for (std::size_t a = 0; a < region.argument_count; ++a) {
        const ir::ValueId value = module.argument(region_id, a);
        if (!is_scalar(module.type(value))) return std::nullopt;
        where.emplace_back(value, static_cast<std::uint32_t>(a));
        program.types_.push_back(module.type(value).element);
    }
    // Captured values take the registers behind the arguments.
    for (const ir::OpId id : region.ops)
        for (const ir::ValueId v : module.operands(id)) {
            if (module.value(v).region == region_id) continue;
            if (!is_scalar(module.type(v))) return std::nullopt;
            bool known = false;
            for (const ir::ValueId c : program.captures_) known = known || c == v;
            if (known) continue;
            where.emplace_back(v, static_cast<std::uint32_t>(program.types_.size()));
            program.types_.push_back(module.type(v).element);
            program.captures_.push_back(v);
        }
    for (const ir::OpId id : region.ops) {
        if (module.op(id).kind == OpKind::kReturn) break;
        if (module.op(id).region_count != 0 || !program.add_operation(module, id, where))
            return std::nullopt;
    }
    for (const ir::ValueId v : module.returned(region_id))
        for (const auto& [value, reg] : where)
            if (value == v) program.results_.push_back(reg);
    return program;
}

ElementProgram::Runner::Runner(const ElementProgram& program, std::size_t capacity,
                               const std::byte* const* captures)
    : program_(program), registers_(program.types_.size()), targets_(program.types_.size()) {
    std::vector<std::size_t> offsets;
    std::size_t total = 0;
    for (const ir::ElementType type : program.types_) {
        offsets.push_back(total);
        const std::size_t bytes = capacity * static_cast<std::size_t>(ir::storage_bytes(type));
        total += (bytes + 31) / 32 * 32;
    }
    memory_.resize(total);
    for (std::size_t r = 0; r < offsets.size(); ++r)
        registers_[r] = targets_[r] = memory_.data() + offsets[r];
    const auto spread = [&](std::size_t reg, const std::byte* value) {
        fill(ir::storage_bytes(program.types_[reg]), value, targets_[reg],
             static_cast<std::int64_t>(capacity));
    };
    for (std::size_t c = 0; c < program.captures_.size(); ++c)
        spread(program.arguments_ + c, captures[c]);
    for (const auto& [reg, bytes] : program.constants_) spread(reg, bytes.data());
}

void ElementProgram::Runner::run(const std::byte* const* in, std::byte* const* out,
                                 std::size_t count) {
    for (std::size_t a = 0; a < program_.arguments_; ++a) registers_[a] = in[a];
    const bool direct = program_.steps_.size() == 1 && program_.results_.size() == 1 &&
                        program_.results_[0] == program_.steps_[0].out;
    for (const Step& step : program_.steps_) {
        const std::byte* operands[3];
        for (int i = 0; i < step.kernel.arity; ++i) operands[i] = registers_[step.in[i]];
        step.kernel.run(operands, direct ? out[0] : targets_[step.out], count);
    }
    if (direct) return;
    // A result that is another result's input argument must be read before it is overwritten.
    for (std::size_t r = 0; r < program_.results_.size(); ++r) {
        const std::uint32_t reg = program_.results_[r];
        const std::size_t bytes =
            count * static_cast<std::size_t>(ir::storage_bytes(program_.types_[reg]));
        if (reg < program_.arguments_ && registers_[reg] != out[r]) {
            std::memcpy(targets_[reg], registers_[reg], bytes);
            registers_[reg] = targets_[reg];
        }
    }
    for (std::size_t r = 0; r < program_.results_.size(); ++r) {
        const std::uint32_t reg = program_.results_[r];
        if (registers_[reg] == out[r]) continue;
        std::memcpy(out[r], registers_[reg],
                    count * static_cast<std::size_t>(ir::storage_bytes(program_.types_[reg])));
    }
}

}  // namespace shardwright::exec
