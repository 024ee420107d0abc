#include "ir/module.h"

#include <cassert>

namespace shardwright::ir {
namespace {

std::size_t hash_type(const TensorType& type) {
    std::size_t h = static_cast<std::size_t>(type.element) + 0x9E3779B97F4A7C15ull;
    for (const std::int64_t d : type.dims)
        h = (h ^ static_cast<std::size_t>(d)) * 0x9E3779B97F4A7C15ull + (h >> 29);
    return h;
}

}  // namespace

Module::Module() {
    attributes_.emplace_back();
}

const Function& Module::entry() const {
    assert(!functions_.empty());
    for (const Function& f : functions_)
        if (text(f.name) == "main") return f;
    return functions_.front();
}

std::optional<MeshId> Module::find_mesh(std::string_view wanted) const {
    for (std::size_t i = 0; i < meshes_.size(); ++i)
        if (meshes_[i].name() == wanted) return MeshId(i);
    return std::nullopt;
}

const sharding::Sharding* Module::annotation(ValueId id) const {
    const auto found = annotations_.find(id);
    return found == annotations_.end() ? nullptr : &found->second;
}

void Module::clear_annotations() {
    annotations_.clear();
    for (Function& f : functions_)
        for (ResultInfo& result : f.results) result.annotation.reset();
}

TypeId Module::intern_type(const TensorType& type) {
    const std::size_t h = hash_type(type);
    const auto [first, last] = type_index_.equal_range(h);
    for (auto it = first; it != last; ++it)
        if (types_[it->second] == type) return TypeId(it->second);
    types_.push_back(type);
    const auto id = static_cast<std::uint32_t>(types_.size() - 1);
    type_index_.emplace(h, id);
    return TypeId(id);
}

LiteralId Module::add_literal(Literal literal) {
    literals_.push_back(std::move(literal));
    return LiteralId(literals_.size() - 1);
}

MeshId Module::add_mesh(mesh::Mesh mesh) {
    for (std::size_t i = 0; i < meshes_.size(); ++i)
        if (meshes_[i] == mesh) return MeshId(i);
    meshes_.push_back(std::move(mesh));
    return MeshId(meshes_.size() - 1);
}

void Module::set_attributes(OpId id, Attributes attributes) {
    Op& op = ops_[id.index];
    if (op.attributes == 0) {
        op.attributes = static_cast<std::uint32_t>(attributes_.size());
        attributes_.emplace_back();
    }
    attributes_[op.attributes] = std::move(attributes);
}

RegionId Module::add_region() {
    regions_.emplace_back();
    return RegionId(regions_.size() - 1);
}

void Module::set_arguments(RegionId id, std::span<const TypeId> types) {
    Region& region = regions_[id.index];
    assert(region.argument_count == 0);
    region.first_argument = ValueId(values_.size());
    region.argument_count = static_cast<std::uint32_t>(types.size());
    for (std::size_t i = 0; i < types.size(); ++i) {
        Value value;
        value.type = types[i];
        value.region = id;
        value.index = static_cast<std::uint32_t>(i);
        values_.push_back(value);
    }
}

OpId Module::add_op(RegionId parent, OpKind kind, std::span<const ValueId> operands,
                    std::span<const TypeId> result_types, Attributes attributes,
                    std::span<const RegionId> regions) {
    const OpId id(ops_.size());
    Op op;
    op.kind = kind;
    op.parent = parent;
    op.operand_begin = static_cast<std::uint32_t>(operands_.size());
    op.operand_count = static_cast<std::uint32_t>(operands.size());
    operands_.insert(operands_.end(), operands.begin(), operands.end());
    op.region_begin = static_cast<std::uint32_t>(region_ids_.size());
    op.region_count = static_cast<std::uint16_t>(regions.size());
    for (const RegionId region : regions) {
        region_ids_.push_back(region);
        regions_[region.index].parent = id;
    }
    op.first_result = ValueId(values_.size());
    op.result_count = static_cast<std::uint32_t>(result_types.size());
    for (std::size_t i = 0; i < result_types.size(); ++i) {
        Value value;
        value.type = result_types[i];
        value.def = id;
        value.region = parent;
        value.index = static_cast<std::uint32_t>(i);
        values_.push_back(value);
    }
    if (attributes.index() != 0) {
        op.attributes = static_cast<std::uint32_t>(attributes_.size());
        attributes_.push_back(std::move(attributes));
    }
    ops_.push_back(op);
    regions_[parent.index].ops.push_back(id);
    return id;
}

std::size_t Module::add_function(std::string_view function_name, RegionId body) {
    Function function;
    function.name = names_.intern(function_name);
    function.body = body;
    function.arguments.resize(regions_[body.index].argument_count);
    functions_.push_back(std::move(function));
    return functions_.size() - 1;
}

}  // namespace shardwright::ir
