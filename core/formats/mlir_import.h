#pragma once
// `Syntax` to `ir::Module`: names become values, calls are inlined, attributes are typed.

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/mlir_annotations.h"
#include "formats/mlir_attributes.h"
#include "formats/mlir_location.h"
#include "formats/mlir_syntax.h"
#include "formats/read_model.h"
#include "ir/builder.h"

namespace shardwright::formats::mlir {

/// Builds one module. `bool` functions return false after recording the first error.
class Importer {
  public:
    Importer(const Source& source, const Syntax& syntax, ir::Module& module,
             const ReadOptions& options);
    Status run();

  private:
    /// One instance of a function: the function read as such, or one call of it inlined.
    struct Frame {
        const RawFunction* function = nullptr;
        std::vector<ir::ValueId> values;  ///< by the function's own numbers
        NameId scope{0};                  ///< of the call site
        std::string suffix;               ///< "" for the outermost function
        std::string_view region;          ///< name of the operation whose region is being read
    };
    using Values = InlineVector<ir::ValueId, 6>;

    // --- module (mlir_import.cpp) ---
    bool import_module_attributes();
    bool import_top_level();
    bool find_functions();
    bool function_size(const RawFunction& function, std::int64_t& size);
    bool import_function(const RawFunction& function);
    void import_argument(const RawFunction& function, std::size_t i, ir::ArgumentInfo& info);
    bool annotate_signature(const RawFunction& function, const ir::Function& made);
    const RawFunction* find_function(std::string_view name) const;

    // --- blocks and names (mlir_import_block.cpp) ---
    /// Imports the operations of `region` into the builder's current region. With `returned`, the
    /// values of its return go there; else a kReturn is made.
    bool import_block(Frame& frame, const RawRegion& region, Values* returned);
    bool import_region(Frame& frame, RawRegionId id, std::string_view holder, ir::RegionId& made);
    bool bind(Frame& frame, std::uint32_t local, ir::ValueId value);
    void name_value(Frame& frame, std::uint32_t local, ir::ValueId value);
    NameId unique_name(std::string wanted);
    std::string value_name(const Frame& frame, std::uint32_t local, bool& numeric) const;
    NameId scope_of(const Frame& frame, const RawOp& op);
    bool tensor_type(std::uint32_t type, ir::TensorType& out);
    bool inline_function(Frame& caller, const RawOp& op, const RawFunction& callee,
                         std::span<const ir::ValueId> arguments, Values& results);
    bool too_deep(Pos pos);

    // --- operations (mlir_import_operation.cpp) ---
    bool import_operation(Frame& frame, const RawOp& op);
    bool import_plain(Frame& frame, const RawOp& op);
    bool operands(Frame& frame, const RawOp& op, Values& out);
    bool check_operand_types(const RawOp& op, const Values& operands);
    bool result_types(const RawOp& op, std::vector<ir::TensorType>& out);
    bool regions(Frame& frame, const RawOp& op, InlineVector<ir::RegionId, 2>& out);
    /// Adds the operation with the types that `op` states, binds its results and annotations.
    bool add(Frame& frame, const RawOp& op, ir::OpKind kind, std::span<const ir::ValueId> operands,
             ir::Attributes attributes, std::span<const ir::RegionId> regions = {});
    bool bind_results(Frame& frame, const RawOp& op, std::span<const ir::ValueId> values);
    /// An operation of our own making in an expansion.
    bool make(const RawOp& op, ir::OpKind kind, std::span<const ir::ValueId> operands,
              ir::Attributes attributes, const ir::TensorType* stated, ir::ValueId& out);
    bool annotate(const RawOp& op, std::span<const ir::ValueId> values);

    // --- operations with a way of their own (mlir_import_special.cpp) ---
    bool import_constant(Frame& frame, const RawOp& op);
    bool literal(const Attr& attr, const ir::TensorType& type, ir::LiteralId& out);
    bool import_constant_like(Frame& frame, const RawOp& op);
    bool import_dot(Frame& frame, const RawOp& op);
    bool import_einsum(Frame& frame, const RawOp& op);
    bool import_broadcast(Frame& frame, const RawOp& op);
    bool import_check_constant(Frame& frame, const RawOp& op);
    bool import_global_access(Frame& frame, const RawOp& op);
    bool import_call(Frame& frame, const RawOp& op, std::string_view callee);
    bool import_run_parallel(Frame& frame, const RawOp& op);
    bool import_top_k(Frame& frame, const RawOp& op);

    // --- custom calls (mlir_import_custom_call.cpp) ---
    bool import_custom_call(Frame& frame, const RawOp& op);
    bool import_sharding_call(Frame& frame, const RawOp& op);
    bool import_unknown_call(Frame& frame, const RawOp& op, const std::string& target);

    // --- Shardy (mlir_import_sdy.cpp) ---
    bool import_manual(Frame& frame, const RawOp& op);
    bool import_named(Frame& frame, const RawOp& op);
    bool import_reshard_like(Frame& frame, const RawOp& op);

    // --- chlo (mlir_import_chlo.cpp) ---
    bool import_chlo(Frame& frame, const RawOp& op);
    bool import_chlo_broadcast(Frame& frame, const RawOp& op);

    // --- collectives (mlir_import_collective.cpp) ---
    bool import_collective(Frame& frame, const RawOp& op);
    bool collective_groups(OpReader& reader, const RawOp& op, ir::CollectiveAttributes& a);
    void groups_to_axes(ir::OpKind kind, ir::CollectiveAttributes& a);
    bool shift_of_pairs(ir::CollectiveAttributes& a, const mesh::Mesh& mesh);
    /// The combiner of a region that is one known operation on its two arguments.
    std::optional<ir::Reduction> raw_combiner(const RawRegion& region) const;

    // --- GSPMD's manual regions (mlir_manual_regions.cpp) ---
    struct ManualItem;
    bool import_block_with_manual_regions(Frame& frame, const RawRegion& region, Values* returned);
    bool import_manual_item(Frame& frame, const RawRegion& region, const ManualItem& item);
    bool has_manual_marks(const RawRegion& region) const;

    bool fail(Pos pos, std::string what, std::string expected = {});
    bool fail(Diagnostic diagnostic, Pos pos);
    bool fail_unsupported(Pos pos, std::string what);
    const RawOp& raw(RawOpId id) const { return syntax_.ops[id.index]; }
    OpReader reader(const RawOp& op) const { return OpReader(source_, syntax_, module_, op); }
    bool check(OpReader& reader) {
        if (reader.error()) return fail(*reader.error(), reader.op().pos);
        return true;
    }

    const Source& source_;
    const Syntax& syntax_;
    ir::Module& module_;
    const ReadOptions& options_;
    ir::Builder builder_;
    Locations locations_;
    Annotations annotations_;
    std::unordered_map<std::string_view, const RawFunction*> functions_;
    std::unordered_map<std::string_view, std::uint32_t> function_numbers_;
    std::vector<bool> referenced_;     ///< by function: called, or a program of run_parallel
    std::vector<std::int64_t> sizes_;  ///< by function; -1 not yet, -2 on the way
    std::unordered_map<std::string_view, const RawOp*> globals_;
    std::unordered_map<const Attr*, std::vector<std::pair<ir::TensorType, ir::LiteralId>>>
        literals_;
    std::vector<std::uint8_t> name_state_;  ///< by NameId: 0 free, 1 kept for the function, 2 taken
    std::unordered_map<std::string, int> name_counters_;
    std::unordered_map<std::string_view, int> instances_;
    std::vector<const mesh::AxisList*> manual_axes_;
    std::optional<ir::MeshId> manual_mesh_;  ///< of the manual region that is being read
    int depth_ = 0;
    int manual_depth_ = 0;
    bool top_level_collectives_ = false;
    std::optional<Diagnostic> error_;
};

/// Decodes the attributes of a kind that needs no more than them (mlir_import_attributes.cpp).
bool decode_attributes(OpReader& reader, ir::Module& module, ir::OpKind kind, std::size_t rank,
                       ir::Attributes& out);

}  // namespace shardwright::formats::mlir
