#pragma once
// From HLO syntax to the IR: calls and fusions inlined, tuples flattened, opcodes mapped.

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/hlo_attributes.h"
#include "formats/hlo_calls.h"
#include "formats/hlo_shardings.h"
#include "ir/builder.h"

namespace shardwright::formats::hlo {

/// One tensor of an instruction's (flattened) value.
struct Leaf {
    ir::ValueId value;
    /// A sharding that `xla.sdy.FuncResultSharding` states for it as a result of the program: index
    /// into the lowering's list, or -1.
    std::int32_t result_sharding = -1;
};
using Leaves = InlineVector<Leaf, 1>;

/// One instance of a computation while it is lowered.
struct Frame {
    const Computation& computation;
    std::vector<Leaves> values;     ///< by instruction
    std::vector<Leaves> arguments;  ///< by parameter number
    std::string prefix;             ///< scope path of the call that this is
    std::string suffix;             ///< makes the names of a second instance distinct
    bool is_entry = false;
    std::size_t current = 0;                          ///< the instruction being lowered
    std::unordered_map<std::size_t, Leaves> pending;  ///< results of async starts
};

/// Lowers a whole file into an empty module.
class Lowering {
  public:
    Lowering(const Source& source, const File& file, const CallGraph& calls, ir::Module& module,
             Shardings& shardings);
    Status run();

  private:
    using Handler = Result<Leaves> (Lowering::*)(Frame&, const Instruction&);
    static const std::unordered_map<std::string_view, Handler>& handlers();

    const Source& source_;
    const File& file_;
    const CallGraph& calls_;
    ir::Module& module_;
    ir::Builder builder_;
    Shardings& shardings_;
    std::vector<bool> instantiated_;
    std::vector<sharding::Sharding> result_shardings_;

    // --- frame and region (hlo_lower.cpp)
    // ----------------------------------------------------------
    Status header();
    Status entry();
    Status results(Frame& frame, const Leaves& root);
    Status aliases(const std::vector<std::size_t>& first_argument);
    Result<Leaves> computation(std::size_t index, std::vector<Leaves> arguments, std::string prefix,
                               std::string suffix, bool is_entry);
    Result<Leaves> instruction(Frame& frame, const Instruction& instruction);
    Result<ir::RegionId> region(Frame& frame, const Instruction& instruction,
                                std::size_t computation);
    std::string scope(const Frame& frame, const Instruction& instruction) const;
    std::string suffix_of(const Frame& frame, const Instruction& instruction,
                          std::size_t computation) const;

    // --- making operations
    // -------------------------------------------------------------------------
    std::vector<ir::ValueId> operands(const Frame& frame, const Instruction& instruction) const;
    const Leaves& operand(const Frame& frame, const Instruction& instruction, std::size_t i) const {
        return frame.values[instruction.operands[i]];
    }
    Status arity(const Instruction& instruction, std::size_t at_least, std::size_t at_most) const;
    Result<Leaves> emit(Frame& frame, const Instruction& instruction, ir::OpKind kind,
                        ir::Attributes attributes = {}, std::span<const ir::RegionId> regions = {});
    Result<Leaves> emit_on(Frame& frame, const Instruction& instruction, ir::OpKind kind,
                           std::span<const ir::ValueId> operands, ir::Attributes attributes,
                           std::span<const ir::RegionId> regions, const Shape& shape);
    /// One operation without name and annotation, a step on the way to another.
    Result<ir::ValueId> step(const Instruction& instruction, ir::OpKind kind,
                             std::span<const ir::ValueId> operands, ir::Attributes attributes,
                             const ir::TensorType& type);
    /// Values that pass an instruction unchanged: its annotation is put on them.
    Result<Leaves> pass(Frame& frame, const Instruction& instruction, Leaves leaves);
    Diagnostic not_supported(const Instruction& instruction, std::string_view more = {}) const;

    // --- handlers: elementwise and data (hlo_lower_data.cpp)
    // ---------------------------------------
    Result<Leaves> elementwise(Frame&, const Instruction&);
    Result<Leaves> compare(Frame&, const Instruction&);
    Result<Leaves> reduce_precision(Frame&, const Instruction&);
    Result<Leaves> constant(Frame&, const Instruction&);
    Result<Leaves> iota(Frame&, const Instruction&);
    Result<Leaves> broadcast(Frame&, const Instruction&);
    Result<Leaves> reshape(Frame&, const Instruction&);
    Result<Leaves> bitcast(Frame&, const Instruction&);
    Result<Leaves> bitcast_convert(Frame&, const Instruction&);
    Result<Leaves> dims(Frame&, const Instruction&);
    Result<Leaves> concatenate(Frame&, const Instruction&);
    Result<Leaves> slice(Frame&, const Instruction&);
    Result<Leaves> pad(Frame&, const Instruction&);
    Result<Leaves> dynamic_slice(Frame&, const Instruction&);
    Result<Leaves> gather(Frame&, const Instruction&);
    Result<Leaves> dimension_size(Frame&, const Instruction&);
    Result<Leaves> partition_id(Frame&, const Instruction&);
    Result<Leaves> random(Frame&, const Instruction&);

    // --- handlers: contractions, windows, solvers (hlo_lower_math.cpp)
    // ------------------------------
    Result<Leaves> dot(Frame&, const Instruction&);
    Result<Leaves> convolution(Frame&, const Instruction&);
    Result<Leaves> fft(Frame&, const Instruction&);
    Result<Leaves> cholesky(Frame&, const Instruction&);
    Result<Leaves> triangular_solve(Frame&, const Instruction&);
    Result<Leaves> batch_norm(Frame&, const Instruction&);
    Result<Leaves> reduce(Frame&, const Instruction&);
    Result<Leaves> reduce_window(Frame&, const Instruction&);
    Result<Leaves> select_and_scatter(Frame&, const Instruction&);
    Result<Leaves> scatter(Frame&, const Instruction&);
    Result<Leaves> sort(Frame&, const Instruction&);
    Result<Leaves> map(Frame&, const Instruction&);
    Result<Leaves> topk(Frame&, const Instruction&);

    // --- handlers: structure (hlo_lower_control.cpp)
    // -------------------------------------------------
    Result<Leaves> parameter(Frame&, const Instruction&);
    Result<Leaves> tuple(Frame&, const Instruction&);
    Result<Leaves> get_tuple_element(Frame&, const Instruction&);
    Result<Leaves> call(Frame&, const Instruction&);
    Result<Leaves> while_loop(Frame&, const Instruction&);
    Result<Leaves> conditional(Frame&, const Instruction&);
    Result<Leaves> barrier(Frame&, const Instruction&);
    Result<Leaves> first_operand(Frame&, const Instruction&);
    Result<Leaves> after_all(Frame&, const Instruction&);
    Result<Leaves> start(Frame&, const Instruction&);
    Result<Leaves> done(Frame&, const Instruction&);
    Result<Leaves> feed(Frame&, const Instruction&);

    // --- handlers: collectives and custom calls
    // ------------------------------------------------------
    Result<Leaves> collective(Frame&, const Instruction&);
    Result<Leaves> custom_call(Frame&, const Instruction&);
    Result<Leaves> sharding_call(Frame&, const Instruction&);
    Result<Leaves> result_sharding_call(Frame&, const Instruction&);
};

/// The string of `op_name` in `metadata={…}`, unescaped; "" when there is none.
std::string op_name(std::string_view metadata);

}  // namespace shardwright::formats::hlo
