// Values and layouts: bringing a source value into the layout that somebody wants.
#include <fmt/format.h>

#include "ir/print.h"
#include "partition/partitioner.h"

namespace shardwright::partition {
namespace {

/// A reshard starts from the first few layouts at hand; each costs a search.
constexpr std::size_t kMaxOrigins = 4;

}  // namespace

Layout Partitioner::layout_of(ValueId source) const {
    return to_layout(shardings_.of(source), source_.type(source).rank());
}

Layout Partitioner::replicated(ValueId source) const {
    return Layout::replicated(source_.type(source).rank());
}

std::string Partitioner::name_of(ValueId source) const {
    return ir::display_name(source_, source);
}

bool Partitioner::is_made(ValueId source) const {
    const OpId def = source_.value(source).def;
    if (!def.valid()) return false;
    switch (source_.op(def).kind) {
        case OpKind::kIota:
            return true;
        case OpKind::kConstant: {
            const auto& a = source_.attributes<ir::ConstantAttributes>(def);
            return source_.literal(a.literal).kind == ir::Literal::Kind::kSplat;
        }
        case OpKind::kBroadcastInDim:
            return source_.type(source_.operand(def, 0)).rank() == 0;
        default:
            return false;
    }
}

ValueId Partitioner::make_iota(const TensorType& type, std::int64_t dim, const Layout& layout) {
    const TensorType local = local_type(type, layout);
    const auto d = static_cast<std::size_t>(dim);
    if (layout.dims[d].empty()) return emit_.one(OpKind::kIota, {}, local, ir::DimAttributes{dim});
    // Counted in s32, so that narrow types wrap as the whole iota does.
    const bool narrow = type.element != ir::ElementType::kS32;
    TensorType line = local;
    if (narrow) line.element = ir::ElementType::kS32;
    const ValueId inner = emit_.one(OpKind::kIota, {}, line, ir::DimAttributes{dim});
    const ValueId offset = emit_.position(layout.dims[d], local.dims[d]);
    const ValueId sum = emit_.one(OpKind::kAdd, {inner, emit_.broadcast(offset, line, {})}, line);
    return emit_.convert(sum, type.element);
}

ValueId Partitioner::make(ValueId source, const Layout& layout, OpId user) {
    const OpId def = source_.value(source).def;
    const TensorType& type = source_.type(source);
    const Stamp outer = emit_.stamp;
    stamp(def);
    ValueId made;
    switch (source_.op(def).kind) {
        case OpKind::kIota:
            made = make_iota(type, source_.attributes<ir::DimAttributes>(def).dim, layout);
            break;
        case OpKind::kConstant: {
            const auto& a = source_.attributes<ir::ConstantAttributes>(def);
            ir::Literal literal = source_.literal(a.literal);
            literal.type = local_type(type, layout);
            made = emit_.constant(std::move(literal));
            break;
        }
        default:
            made = emit_.broadcast(get(source_.operand(def, 0), Layout::replicated(0), user),
                                   local_type(type, layout), {});
    }
    emit_.stamp = outer;
    return made;
}

const Layout& Partitioner::present_layout(ValueId source) {
    if (!table_.of(source).empty()) return table_.of(source).front().layout;
    made_layout_ = layout_of(source);
    made_layout_.unreduced.clear();
    return made_layout_;
}

double Partitioner::get_seconds(ValueId source, const Layout& layout) {
    if (is_made(source)) return 0;
    if (table_.find(source, layout) != nullptr) return 0;
    double best = -1;
    const auto& variants = table_.of(source);
    for (std::size_t i = 0; i < variants.size() && i < kMaxOrigins; ++i) {
        const Variant& v = variants[i];
        const double seconds = planner_.plan(v.layout, layout, source_.type(source)).seconds;
        if (best < 0 || seconds < best) best = seconds;
    }
    return best;
}

ValueId Partitioner::get(ValueId source, const Layout& layout, OpId user) {
    if (const Variant* found = table_.find(source, layout)) return found->value;
    const TensorType& type = source_.type(source);
    if (is_made(source) && layout.unreduced.empty()) {
        const ValueId made = make(source, layout, user);
        table_.add(source, layout, made);
        if (layout == layout_of(source)) out_.module.set_name(made, source_.name(source));
        return made;
    }
    if (is_made(source) && table_.of(source).empty()) get(source, replicated(source), user);
    const auto& variants = table_.of(source);
    const Variant* best = &variants.front();
    double least = planner_.plan(best->layout, layout, type).seconds;
    for (std::size_t i = 1; i < variants.size() && i < kMaxOrigins; ++i) {
        const double seconds = planner_.plan(variants[i].layout, layout, type).seconds;
        if (seconds < least) least = seconds, best = &variants[i];
    }
    const Layout from = best->layout;
    const std::string_view kind = ir::name(source_.op(user).kind);
    const ValueId value = reshard(best->value, from, layout, type, user, source,
                                  fmt::format("reshard of {} for {}", name_of(source), kind), true);
    if (options_.share_reshards) table_.add(source, layout, value);
    return value;
}

void Partitioner::define(ValueId source, const Layout& layout, ValueId value) {
    table_.add(source, layout, value);
    if (out_.module.name(value).empty()) out_.module.set_name(value, source_.name(source));
}

void Partitioner::define_result(OpId op, std::size_t i, const Layout& layout, ValueId value) {
    const ValueId source = source_.result(op, i);
    const Layout wanted = layout_of(source);
    if (!(layout == wanted)) {
        const std::string_view kind = ir::name(source_.op(op).kind);
        const bool reduces = layout.unreduced != wanted.unreduced;
        std::string why =
            reduces ? fmt::format("reduction of {} ({})", name_of(source), kind)
                    : fmt::format("reshard of {}, the result of {}", name_of(source), kind);
        value = reshard(value, layout, wanted, source_.type(source), op, source, why, !reduces);
    }
    define(source, wanted, value);
}

ir::CauseId Partitioner::cause(OpId op, ValueId value, std::string text, bool is_reshard) {
    out_.causes.push_back(Cause{op, value, std::move(text), is_reshard});
    return ir::CauseId(out_.causes.size() - 1);
}

ValueId Partitioner::reshard(ValueId value, const Layout& from, const Layout& to,
                             const TensorType& type, OpId user, ValueId source,
                             const std::string& why, bool is_reshard) {
    if (from == to) return value;
    const ReshardPlan& plan = planner_.plan(from, to, type);
    if (!plan.kept_limit) ++lost_limits_;
    emit_.stamp.cause = cause(user, source, why, is_reshard);
    value = emit_plan(emit_, value, plan, type);
    emit_.stamp.cause = {};
    return value;
}

}  // namespace shardwright::partition
