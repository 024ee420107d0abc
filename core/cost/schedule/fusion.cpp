#include "cost/schedule/fusion.h"

namespace shardwright::cost {
namespace {

using ir::OpKind;

/// Operations that a loop fusion can start from.
bool can_be_taken_in(const ir::Module& m, ir::OpId id) {
    const ir::Op& op = m.op(id);
    if (op.result_count != 1) return false;
    switch (op.kind) {
        case OpKind::kMap:
            return false;
        case OpKind::kBroadcastInDim:
        case OpKind::kIota:
        case OpKind::kReshape:
        case OpKind::kSlice:
        case OpKind::kPad:
        case OpKind::kConstant:
            return true;
        default:
            return ir::info(op.kind).elementwise;
    }
}

/// Cheap to make again at every use.
bool is_cheap(const ir::Module& m, ir::OpId id) {
    switch (m.op(id).kind) {
        case OpKind::kBroadcastInDim:
        case OpKind::kIota:
            return true;
        case OpKind::kConstant:
            return m.literal(m.attributes<ir::ConstantAttributes>(id).literal).kind ==
                   ir::Literal::Kind::kSplat;
        default:
            return false;
    }
}

bool can_take_in(const ir::Module& m, ir::OpId id, std::uint32_t operand) {
    switch (m.op(id).kind) {
        case OpKind::kBroadcastInDim:
        case OpKind::kReshape:
        case OpKind::kSlice:
        case OpKind::kPad:
        case OpKind::kReduce:
            return true;
        case OpKind::kDynamicUpdateSlice:
            return operand == 1;  // the update is written where it belongs
        case OpKind::kMap:
            return false;
        default:
            return ir::info(m.op(id).kind).elementwise;
    }
}

}  // namespace

std::vector<bool> fused_values(const ir::Module& m, const ir::Uses& uses) {
    std::vector<bool> fused(m.value_count(), false);
    for (std::size_t i = 0; i < m.value_count(); ++i) {
        const ir::ValueId value(i);
        const ir::Value& v = m.value(value);
        if (!v.def.valid() || !can_be_taken_in(m, v.def)) continue;
        const auto list = uses.of(value);
        if (list.empty() || (list.size() > 1 && !is_cheap(m, v.def))) continue;
        bool all = true;
        for (const ir::Use& use : list)
            all = all && m.op(use.op).parent == v.region && can_take_in(m, use.op, use.operand);
        fused[i] = all;
    }
    return fused;
}

}  // namespace shardwright::cost
