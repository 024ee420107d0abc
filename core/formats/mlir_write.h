#pragma once
// `ir::Module` to MLIR text. See write_model.h for the contract; this is the writer's inside.

#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "formats/write_model.h"
#include "ir/module.h"

namespace shardwright::formats::mlir {

/// Name and value of MLIR properties, in MLIR's spelling.
using Properties = std::vector<std::pair<std::string, std::string>>;

// Keywords of the pretty forms (mlir_write_attributes.cpp).
std::string barrier_keyword(ir::BarrierDirection direction);
std::string compare_keywords(const ir::CompareAttributes& a, std::string_view operands);
std::string precision_keywords(ir::Precision lhs, ir::Precision rhs);
std::string fft_keyword(ir::FftType type);
std::string rng_keyword(ir::RngAlgorithm algorithm);
/// `[b, 0, f]x[0, i, o]->[b, 0, f]`.
std::string convolution_dims(const ir::ConvolutionAttributes& a);

class Writer {
  public:
    Writer(const ir::Module& module, const WriteOptions& options) : m_(module), options_(options) {}
    std::string write();

  private:
    // --- module and functions (mlir_write.cpp) ---
    void write_meshes();
    void write_function(const ir::Function& function, bool is_private);
    std::string argument_attributes(const ir::Function& function, std::size_t i) const;
    std::string result_attributes(const ir::Function& function, std::size_t i) const;
    std::string module_attributes() const;
    void write_programs();

    // --- names (mlir_write_names.cpp) ---
    void name_function(ir::RegionId body);
    void name_values(const std::vector<ir::ValueId>& values, std::vector<ir::ValueId>& unnamed);
    void claim(std::span<const ir::ValueId> values, bool& unnamed);
    std::string fresh(std::string_view wanted);
    std::string use(ir::ValueId value) const { return "%" + names_[value.index]; }
    std::string uses(std::span<const ir::ValueId> values) const;
    std::string definition(ir::OpId id) const;

    // --- blocks and operations (mlir_write_operation.cpp) ---
    void write_block(ir::RegionId region, std::string_view return_name);
    void write_operation(ir::OpId id);
    void write_generic(ir::OpId id, std::string_view name, const Properties& properties);
    bool write_pretty(ir::OpId id);
    void write_plain(ir::OpId id, const std::string& operands, const std::string& keys);
    void write_while(ir::OpId id);
    void write_reduce(ir::OpId id);
    void write_custom_call(ir::OpId id);
    void write_convolution(ir::OpId id);
    void write_region(ir::RegionId region, std::string_view return_name);
    void write_program_call(ir::OpId id);
    std::string block_arguments(ir::RegionId region) const;
    std::string type(ir::ValueId value) const { return ir::mlir_text(m_.type(value)); }
    std::string types(std::span<const ir::ValueId> values) const;
    std::string signature(ir::OpId id) const;
    std::string operation_name(ir::OpId id) const;
    std::string location(ir::OpId id) const;
    /// ` {sdy.sharding = …}` or nothing.
    std::string annotation(ir::OpId id) const;
    void line(std::string_view text);
    void line_of(ir::OpId id, std::string_view text);
    std::vector<ir::ValueId> results(ir::OpId id) const;

    // --- attributes (mlir_write_attributes.cpp) ---
    Properties properties(ir::OpId id) const;

    // --- shardings (mlir_write_sdy.cpp) ---
    const sharding::Sharding* sharding_of(ir::ValueId value) const;
    bool can_say(const sharding::Sharding& s) const;
    std::string sdy_text(const sharding::Sharding& s) const;  ///< `<@mesh, […]>`
    std::string sdy_list(const std::vector<sharding::Sharding>& list) const;
    std::string hlo_text(const sharding::Sharding& s) const;
    std::string value_attribute(const sharding::Sharding* s) const;
    std::string axes_text(const mesh::AxisList& axes, sharding::MeshId mesh) const;
    std::string result_annotation(ir::OpId id) const;
    bool write_structural(ir::OpId id);
    void write_manual(ir::OpId id);
    void write_manual_as_marks(ir::OpId id);
    void write_sharding_call(const std::string& result, ir::ValueId operand,
                             const std::string& text);

    // --- collectives (mlir_write_collective.cpp) ---
    void write_collective(ir::OpId id);
    void write_axis_index(ir::OpId id);
    std::vector<std::vector<std::int64_t>> groups_of(const ir::CollectiveAttributes& a,
                                                     ir::OpKind kind) const;
    void write_reduction_region(ir::Reduction reduction, const ir::TensorType& scalar);

    const ir::Module& m_;
    const WriteOptions& options_;
    std::string out_;
    int indent_ = 0;
    std::vector<std::string> names_;  ///< by ValueId, as used: `0`, `arg0`, `1#0`
    std::unordered_set<std::string> taken_;
    std::vector<std::pair<std::string, ir::RegionId>> programs_;  ///< of run_parallel
    std::int64_t next_channel_ = 1;
    std::int64_t next_number_ = 0;
    int next_temporary_ = 0;
};

}  // namespace shardwright::formats::mlir
