#pragma once
// The module: dense ids, contiguous tables, append-only. Passes build new modules; they do not
// edit.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/ids.h"
#include "base/interner.h"
#include "ir/attributes.h"
#include "ir/element_type.h"
#include "ir/literal.h"
#include "ir/op_kind.h"
#include "mesh/mesh.h"
#include "sharding/sharding.h"

namespace shardwright::ir {

struct ValueTag;
struct OpTag;
struct RegionTag;
struct TypeTag;
using ValueId = Id<ValueTag>;
using OpId = Id<OpTag>;
using RegionId = Id<RegionTag>;
using TypeId = Id<TypeTag>;
using sharding::MeshId;

/// One operation. Operands and regions lie in the module's pools, results are consecutive values.
struct Op {
    OpKind kind = OpKind::kConstant;
    std::uint16_t region_count = 0;
    std::uint32_t region_begin = 0;  ///< into the module's pool of region ids
    std::uint32_t operand_begin = 0, operand_count = 0;
    ValueId first_result;
    std::uint32_t result_count = 0;
    RegionId parent;               ///< the region that holds it
    std::uint32_t attributes = 0;  ///< index into the attribute pool; 0 = none
    NameId scope{0};               ///< scope path, "jit(step)/layer_3/attention/dot_general"
    std::uint32_t line = 0;        ///< line in the source file, 0 = made by us
    OpId origin;                   ///< partitioned programs: the operation of the source program
};

/// One value: an operation's result or a region's argument.
struct Value {
    TypeId type;
    OpId def;                 ///< invalid for region arguments
    RegionId region;          ///< region arguments: whose; results: the op's parent region
    std::uint32_t index = 0;  ///< result number or argument number
    NameId name{0};           ///< as in the file, without '%'; "" = none
};

/// A list of operations, the last being kReturn (once finished), with arguments.
struct Region {
    ValueId first_argument;
    std::uint32_t argument_count = 0;
    OpId parent;  ///< invalid for a function's body
    std::vector<OpId> ops;
};

struct ArgumentInfo {
    NameId name{0};                  ///< as in the file
    NameId path{0};                  ///< op_name, loc, result_info, …
    std::int32_t alias_output = -1;  ///< donated: shares storage with this result
    bool donated = false;
};
struct ResultInfo {
    NameId name{0};  ///< jax.result_info or the returned value's name
    std::optional<sharding::Sharding> annotation;
};
struct Function {
    NameId name{0};
    RegionId body;
    std::vector<ArgumentInfo> arguments;
    std::vector<ResultInfo> results;
};

/// A whole program. Everything in it is addressed by dense ids.
class Module {
  public:
    Module();

    // --- read ------------------------------------------------------------------------------------
    std::size_t op_count() const { return ops_.size(); }
    std::size_t value_count() const { return values_.size(); }
    std::size_t region_count() const { return regions_.size(); }
    const Op& op(OpId id) const { return ops_[id.index]; }
    const Value& value(ValueId id) const { return values_[id.index]; }
    const Region& region(RegionId id) const { return regions_[id.index]; }
    const TensorType& type(TypeId id) const { return types_[id.index]; }
    const TensorType& type(ValueId id) const { return types_[values_[id.index].type.index]; }
    std::span<const ValueId> operands(const Op& op) const {
        return {operands_.data() + op.operand_begin, op.operand_count};
    }
    std::span<const ValueId> operands(OpId id) const { return operands(op(id)); }
    ValueId operand(OpId id, std::size_t i) const { return operands(id)[i]; }
    ValueId result(OpId id, std::size_t i = 0) const {
        return ValueId(op(id).first_result.index + static_cast<std::uint32_t>(i));
    }
    RegionId region_of(OpId id, std::size_t i) const {
        return region_ids_[op(id).region_begin + i];
    }
    std::span<const RegionId> regions(OpId id) const {
        return {region_ids_.data() + op(id).region_begin, op(id).region_count};
    }
    ValueId argument(RegionId id, std::size_t i) const {
        return ValueId(region(id).first_argument.index + static_cast<std::uint32_t>(i));
    }
    /// The attributes of an operation; asserts that they are of type A.
    template <class A>
    const A& attributes(OpId id) const {
        return std::get<A>(attributes_[op(id).attributes]);
    }
    template <class A>
    const A* attributes_if(OpId id) const {
        return std::get_if<A>(&attributes_[op(id).attributes]);
    }
    const Attributes& all_attributes(OpId id) const { return attributes_[op(id).attributes]; }
    const Literal& literal(LiteralId id) const { return literals_[id.index]; }
    std::size_t literal_count() const { return literals_.size(); }
    std::string_view text(NameId id) const { return names_.text(id); }
    std::string_view name(ValueId id) const { return names_.text(value(id).name); }
    std::string_view scope(OpId id) const { return names_.text(op(id).scope); }
    /// The kReturn operation of a finished region, and what it returns.
    OpId terminator(RegionId id) const { return regions_[id.index].ops.back(); }
    std::span<const ValueId> returned(RegionId id) const { return operands(terminator(id)); }

    std::span<const Function> functions() const { return functions_; }
    Function& function(std::size_t i) { return functions_[i]; }
    /// The function to run: `main`, or the only one, or the first.
    const Function& entry() const;
    bool has_entry() const { return !functions_.empty(); }

    std::span<const mesh::Mesh> meshes() const { return meshes_; }
    const mesh::Mesh& mesh(MeshId id) const { return meshes_[id.index]; }
    mesh::Mesh& mesh(MeshId id) { return meshes_[id.index]; }
    std::optional<MeshId> find_mesh(std::string_view name) const;

    /// The sharding that the file or the user put on a value, if any.
    const sharding::Sharding* annotation(ValueId id) const;
    const std::unordered_map<ValueId, sharding::Sharding>& annotations() const {
        return annotations_;
    }

    // --- module-wide facts -----------------------------------------------------------------------
    std::string title = "module";  ///< the module's own name
    std::string file;              ///< where it was read from, for messages
    std::int64_t num_partitions = 1;
    std::int64_t num_replicas = 1;
    bool is_partitioned = false;  ///< a per-device program (ours, or read as such)
    /// HLO's allow_spmd_sharding_propagation_to_{parameters,output}: empty = not stated; one entry
    /// = for all.
    std::vector<bool> allow_propagation_to_parameters, allow_propagation_to_outputs;
    std::vector<Diagnostic> warnings;  ///< met while reading

    // --- build (use Builder for operations) ------------------------------------------------------
    TypeId intern_type(const TensorType& type);
    NameId intern(std::string_view text) { return names_.intern(text); }
    LiteralId add_literal(Literal literal);
    /// Adds a mesh; an equal mesh of the same name is reused.
    MeshId add_mesh(mesh::Mesh mesh);
    void annotate(ValueId id, sharding::Sharding s) { annotations_[id] = std::move(s); }
    void remove_annotation(ValueId id) { annotations_.erase(id); }
    void clear_annotations();
    void set_name(ValueId id, std::string_view text) {
        values_[id.index].name = names_.intern(text);
    }
    void set_scope(OpId id, NameId scope) { ops_[id.index].scope = scope; }
    void set_line(OpId id, std::uint32_t line) { ops_[id.index].line = line; }
    void set_origin(OpId id, OpId origin) { ops_[id.index].origin = origin; }
    void set_operand(OpId id, std::size_t i, ValueId v) { operands_[op(id).operand_begin + i] = v; }
    void set_attributes(OpId id, Attributes attributes);

    /// A new, empty region; fill it before creating its operation.
    RegionId add_region();
    /// Gives a region its arguments (once, before anything else refers to them).
    void set_arguments(RegionId id, std::span<const TypeId> types);
    /// Appends an operation to `parent`.
    OpId add_op(RegionId parent, OpKind kind, std::span<const ValueId> operands,
                std::span<const TypeId> result_types, Attributes attributes = {},
                std::span<const RegionId> regions = {});
    std::size_t add_function(std::string_view name, RegionId body);

  private:
    std::vector<Op> ops_;
    std::vector<Value> values_;
    std::vector<Region> regions_;
    std::vector<ValueId> operands_;
    std::vector<RegionId> region_ids_;
    std::vector<Attributes> attributes_;
    std::vector<TensorType> types_;
    std::unordered_multimap<std::size_t, std::uint32_t> type_index_;
    std::vector<Literal> literals_;
    std::vector<Function> functions_;
    std::vector<mesh::Mesh> meshes_;
    std::unordered_map<ValueId, sharding::Sharding> annotations_;
    Interner names_;
};

/// All operations of a region and of the regions nested in it, in program order; a nested region's
/// operations come before the operation that holds it. Calls `visit(OpId)`.
template <class Visit>
void walk(const Module& module, RegionId region, Visit&& visit) {
    for (OpId id : module.region(region).ops) {
        const Op& op = module.op(id);
        for (std::size_t r = 0; r < op.region_count; ++r)
            walk(module, module.region_of(id, r), visit);
        visit(id);
    }
}

}  // namespace shardwright::ir
