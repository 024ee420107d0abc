#include "partition/rewrite.h"

namespace shardwright::partition {

using namespace ir;

Rewriter::Rewriter(const Module& from) : from_(from), map_(from.value_count()) {
    to_.title = from.title;
    to_.file = from.file;
    to_.num_partitions = from.num_partitions;
    to_.num_replicas = from.num_replicas;
    to_.is_partitioned = from.is_partitioned;
    to_.warnings = from.warnings;
    for (const mesh::Mesh& mesh : from.meshes()) to_.add_mesh(mesh);
}

Module Rewriter::run(const Hook& hook) {
    hook_ = &hook;
    for (const Function& f : from_.functions()) {
        const RegionId body = region(f.body, hook);
        const std::size_t made = to_.add_function(from_.text(f.name), body);
        Function& g = to_.function(made);
        g.arguments = f.arguments;
        g.results = f.results;
        for (ArgumentInfo& a : g.arguments) {
            a.name = to_.intern(from_.text(a.name));
            a.path = to_.intern(from_.text(a.path));
        }
        for (ResultInfo& r : g.results) r.name = to_.intern(from_.text(r.name));
    }
    return std::move(to_);
}

RegionId Rewriter::region(RegionId old, const Hook& hook) {
    const Region& source = from_.region(old);
    const RegionId made = to_.add_region();
    InlineVector<TypeId, 8> types;
    for (std::size_t i = 0; i < source.argument_count; ++i)
        types.push_back(to_.intern_type(from_.type(from_.argument(old, i))));
    to_.set_arguments(made, view(types));
    for (std::size_t i = 0; i < source.argument_count; ++i) {
        map(from_.argument(old, i), to_.argument(made, i));
        to_.set_name(to_.argument(made, i), from_.name(from_.argument(old, i)));
    }
    const RegionId outer = current_;
    current_ = made;
    for (const OpId id : source.ops)
        if (hook(*this, id)) copy(id, {});
    current_ = outer;
    return made;
}

void Rewriter::rename(Attributes& attributes) {
    const auto again = [&](NameId& name) { name = to_.intern(from_.text(name)); };
    if (auto* constant = std::get_if<ConstantAttributes>(&attributes))
        constant->literal = to_.add_literal(from_.literal(constant->literal));
    if (auto* call = std::get_if<CustomCallAttributes>(&attributes))
        again(call->target), again(call->backend_config), again(call->extra);
    if (auto* dot = std::get_if<DotAttributes>(&attributes)) again(dot->algorithm);
    if (auto* named = std::get_if<NameAttributes>(&attributes)) again(named->name);
}

OpId Rewriter::copy(OpId id, const Change& change) {
    const Op& op = from_.op(id);
    InlineVector<ValueId, 6> operands(change.operands.begin(), change.operands.end());
    if (operands.empty())
        for (const ValueId v : from_.operands(id)) operands.push_back(mapped(v));
    InlineVector<RegionId, 2> regions;
    for (const RegionId r : from_.regions(id)) regions.push_back(region(r, *hook_));
    InlineVector<TypeId, 2> types;
    for (std::size_t i = 0; i < op.result_count; ++i)
        types.push_back(to_.intern_type(
            i < change.results.size() ? change.results[i] : from_.type(from_.result(id, i))));
    Attributes attributes = change.attributes ? *change.attributes : from_.all_attributes(id);
    rename(attributes);
    const OpId made = emit(id, change.kind ? *change.kind : op.kind, view(operands), view(types),
                           std::move(attributes), view(regions));
    for (std::size_t i = 0; i < op.result_count; ++i) {
        map(from_.result(id, i), to_.result(made, i));
        to_.set_name(to_.result(made, i), from_.name(from_.result(id, i)));
    }
    return made;
}

OpId Rewriter::add(OpId like, OpKind kind, std::span<const ValueId> operands,
                   const TensorType& result, Attributes attributes) {
    const TypeId type = to_.intern_type(result);
    return emit(like, kind, operands, {&type, 1}, std::move(attributes), {});
}

OpId Rewriter::emit(OpId like, OpKind kind, std::span<const ValueId> operands,
                    std::span<const TypeId> types, Attributes attributes,
                    std::span<const RegionId> regions) {
    const OpId made = to_.add_op(current_, kind, operands, types, std::move(attributes), regions);
    const Op& op = from_.op(like);
    to_.set_scope(made, to_.intern(from_.text(op.scope)));
    to_.set_line(made, op.line);
    to_.set_origin(made, op.origin);
    return made;
}

}  // namespace shardwright::partition
