// Sums of all-reduces.
#include <fmt/format.h>

#include "ir/uses.h"
#include "partition/cleanup.h"
#include "partition/rewrite.h"

namespace shardwright::partition {
namespace {

using namespace ir;

/// The all-reduce (sum, over mesh axes) that makes `v` and has no other use.
const CollectiveAttributes* lone_sum(const Module& m, const Uses& uses, ValueId v) {
    const OpId def = m.value(v).def;
    if (!def.valid() || m.op(def).kind != OpKind::kAllReduce || m.op(def).operand_count != 1)
        return nullptr;
    const auto* a = m.attributes_if<CollectiveAttributes>(def);
    const bool fits = a != nullptr && a->mode == GroupMode::kMeshAxes &&
                      m.op(def).region_count == 0 && a->reduction == Reduction::kSum &&
                      uses.of(v).size() == 1;
    return fits ? a : nullptr;
}

}  // namespace

void merge_all_reduces(Partitioned& program) {
    const Module& m = program.module;
    const Uses uses(m);
    std::size_t merged = 0;
    const auto hook = [&](Rewriter& r, OpId id) {
        if (m.op(id).kind != OpKind::kAdd) return true;
        const ValueId a = m.operand(id, 0), b = m.operand(id, 1);
        const CollectiveAttributes *left = lone_sum(m, uses, a), *right = lone_sum(m, uses, b);
        if (left == nullptr || right == nullptr || a == b || left->axes != right->axes) return true;
        if (m.value(a).region != m.value(b).region || m.value(a).region != m.op(id).parent)
            return true;
        const ValueId parts[] = {r.mapped(m.operand(m.value(a).def, 0)),
                                 r.mapped(m.operand(m.value(b).def, 0))};
        const ValueId sum = r.to().result(r.add(id, OpKind::kAdd, parts, m.type(a)));
        const OpId whole = r.add(m.value(b).def, OpKind::kAllReduce, {&sum, 1}, m.type(a), *right);
        r.map(m.result(id), r.to().result(whole));
        r.to().set_name(r.to().result(whole), m.name(m.result(id)));
        ++merged;
        return false;
    };
    Module next = Rewriter(m).run(hook);
    if (merged == 0) return;
    program.module = std::move(next);
    program.notes.push_back(fmt::format("{} pairs of all-reduces merged into one", merged));
}

}  // namespace shardwright::partition
