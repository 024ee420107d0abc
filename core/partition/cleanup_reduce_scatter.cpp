// An all-reduce of which every device uses only its own part is a reduce-scatter.
#include <fmt/format.h>

#include "ir/uses.h"
#include "partition/cleanup.h"
#include "partition/rewrite.h"

namespace shardwright::partition {
namespace {

using namespace ir;

struct OwnPart {
    std::size_t dim = 0;
    mesh::AxisList axes;
    friend bool operator==(const OwnPart&, const OwnPart&) = default;
};

/// Is `start` = axis_index(axes)·size for some axes?
const CollectiveAttributes* scaled_index(const Module& m, ValueId start, std::int64_t size) {
    OpId def = m.value(start).def;
    if (!def.valid()) return nullptr;
    if (m.op(def).kind == OpKind::kMultiply) {
        const OpId factor = m.value(m.operand(def, 1)).def;
        const auto* c = factor.valid() ? m.attributes_if<ConstantAttributes>(factor) : nullptr;
        if (c == nullptr || m.type(start).element != ElementType::kS32) return nullptr;
        const Literal& literal = m.literal(c->literal);
        if (literal.kind == Literal::Kind::kElided ||
            element_as_int(literal.data(), ElementType::kS32, 0) != size)
            return nullptr;
        def = m.value(m.operand(def, 0)).def;
        size = 1;
    }
    if (!def.valid() || m.op(def).kind != OpKind::kAxisIndex || size != 1) return nullptr;
    return m.attributes_if<CollectiveAttributes>(def);
}

bool is_zero(const Module& m, ValueId v) {
    const OpId def = m.value(v).def;
    const auto* c = def.valid() ? m.attributes_if<ConstantAttributes>(def) : nullptr;
    if (c == nullptr || m.literal(c->literal).kind == Literal::Kind::kElided) return false;
    return element_as_int(m.literal(c->literal).data(), m.type(v).element, 0) == 0;
}

/// The dynamic_slice `id` as "this device's part of its operand along some axes".
std::optional<OwnPart> own_part(const Module& m, OpId id) {
    if (m.op(id).kind != OpKind::kDynamicSlice) return std::nullopt;
    const Dims& from = m.type(m.operand(id, 0)).dims;
    const Dims& to = m.type(m.result(id)).dims;
    std::optional<OwnPart> part;
    for (std::size_t d = 0; d < from.size(); ++d) {
        if (from[d] == to[d] && is_zero(m, m.operand(id, d + 1))) continue;
        const CollectiveAttributes* a = scaled_index(m, m.operand(id, d + 1), to[d]);
        if (part || a == nullptr || mesh::product(a->axes) * to[d] != from[d]) return std::nullopt;
        part = OwnPart{d, a->axes};
    }
    return part;
}

/// `axes` without `taken`, when every one of `taken` is wholly in it.
std::optional<mesh::AxisList> without(const mesh::AxisList& axes, const mesh::AxisList& taken) {
    for (const mesh::AxisRef& t : taken)
        if (std::find(axes.begin(), axes.end(), t) == axes.end()) return std::nullopt;
    mesh::AxisList rest;
    for (const mesh::AxisRef& a : axes)
        if (std::find(taken.begin(), taken.end(), a) == taken.end()) rest.push_back(a);
    return rest;
}

}  // namespace

void reduce_scatters(Partitioned& program) {
    const Module& m = program.module;
    const Uses uses(m);
    std::size_t made = 0;
    std::int64_t saved = 0;
    /// The common part that all uses of all-reduce `id` take.
    const auto common_part = [&](OpId id) -> std::optional<OwnPart> {
        const auto* a = m.attributes_if<CollectiveAttributes>(id);
        if (m.op(id).kind != OpKind::kAllReduce || a == nullptr || m.op(id).operand_count != 1 ||
            m.op(id).region_count != 0 || a->mode != GroupMode::kMeshAxes)
            return std::nullopt;
        std::optional<OwnPart> common;
        for (const Use& use : uses.of(m.result(id))) {
            const std::optional<OwnPart> part =
                use.operand == 0 ? own_part(m, use.op) : std::nullopt;
            if (!part || (common && !(*common == *part))) return std::nullopt;
            common = part;
        }
        if (!common || !without(a->axes, common->axes)) return std::nullopt;
        return common;
    };
    const auto hook = [&](Rewriter& r, OpId id) {
        if (const auto part = common_part(id)) {
            const auto& a = m.attributes<CollectiveAttributes>(id);
            TensorType type = m.type(m.result(id));
            saved += type.byte_size();
            type.dims[part->dim] /= mesh::product(part->axes);
            saved -= type.byte_size();
            CollectiveAttributes scatter = a;
            scatter.axes = part->axes;
            scatter.dim = static_cast<std::int64_t>(part->dim);
            ValueId v = r.mapped(m.operand(id, 0));
            v = r.to().result(r.add(id, OpKind::kReduceScatter, {&v, 1}, type, scatter));
            const mesh::AxisList rest = *without(a.axes, part->axes);
            if (!rest.empty()) {
                CollectiveAttributes reduce = a;
                reduce.axes = rest;
                v = r.to().result(r.add(id, OpKind::kAllReduce, {&v, 1}, type, reduce));
            }
            r.map(m.result(id), v);
            ++made;
            return false;
        }
        if (m.op(id).kind == OpKind::kDynamicSlice) {
            const OpId def = m.value(m.operand(id, 0)).def;
            if (def.valid() && m.op(def).kind == OpKind::kAllReduce && common_part(def)) {
                r.map(m.result(id), r.mapped(m.operand(id, 0)));
                return false;
            }
        }
        return true;
    };
    Module next = Rewriter(m).run(hook);
    if (made == 0) return;
    program.module = std::move(next);
    program.notes.push_back(fmt::format(
        "{} all-reduces became reduce-scatters: {} bytes less in their results", made, saved));
}

}  // namespace shardwright::partition
