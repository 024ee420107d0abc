// Constants that are not worth a card of their own.
#include <algorithm>

#include "draw/groups.h"

namespace shardwright::draw {
namespace {

constexpr std::int64_t kSmallConstant = 64;  ///< elements

bool is_small_constant(const ir::Module& module, ir::OpId id) {
    const auto* constant = module.attributes_if<ir::ConstantAttributes>(id);
    if (constant == nullptr) return false;
    const ir::Literal& literal = module.literal(constant->literal);
    return literal.kind == ir::Literal::Kind::kSplat ||
           literal.type.element_count() <= kSmallConstant;
}

}  // namespace

std::vector<bool> find_inlined(const ir::Module& module) {
    std::vector<bool> inlined(module.op_count(), false);
    const auto is_inlined = [&](ir::ValueId v) {
        const ir::OpId def = module.value(v).def;
        return def.valid() && inlined[def.index];
    };
    // Ids follow program order within a region, so operands come before their users.
    for (std::size_t i = 0; i < module.op_count(); ++i) {
        const ir::OpId id(i);
        const ir::Op& op = module.op(id);
        using enum ir::OpKind;
        if (op.kind == kConstant) {
            inlined[i] = is_small_constant(module, id);
        } else if (op.kind == kIota) {
            inlined[i] = true;
        } else if (op.kind == kBroadcastInDim || op.kind == kConvert || op.kind == kReshape) {
            inlined[i] = is_inlined(module.operand(id, 0));
        }
    }
    // What a program returns is always shown.
    for (const ir::Function& function : module.functions())
        for (const ir::ValueId v : module.returned(function.body))
            if (module.value(v).def.valid()) inlined[module.value(v).def.index] = false;
    return inlined;
}

}  // namespace shardwright::draw
