#pragma once
// Scalar regions (reducers, comparators, scatter updates, maps) as tiny register programs: compiled
// once, run over blocks of elements or over one, without allocation.

#include <optional>
#include <span>
#include <vector>

#include "exec/elementwise.h"
#include "ir/module.h"

namespace shardwright::exec {

/// The program of a region whose operations are all elementwise on scalars (or constants, or
/// reshapes and broadcasts between scalars).
/// Registers: the region's arguments, captured outer values, constants, then one an operation.
class ElementProgram {
  public:
    /// Nothing when the region holds anything else.
    static std::optional<ElementProgram> compile(const ir::Module& module, ir::RegionId region);

    std::size_t argument_count() const { return arguments_; }
    std::size_t result_count() const { return results_.size(); }
    ir::ElementType result_type(std::size_t i) const { return types_[results_[i]]; }
    /// Outer values that the region uses.
    std::span<const ir::ValueId> captures() const { return captures_; }

    /// The registers of one thread, for up to `capacity` elements at a time.
    class Runner {
      public:
        /// `captures`: one element each, in the order of `ElementProgram::captures()`.
        Runner(const ElementProgram& program, std::size_t capacity,
               const std::byte* const* captures);
        /// `in`: `count` elements an argument; `out` likewise, and may alias `in` element by
        /// element: results are written when all operations have run.
        void run(const std::byte* const* in, std::byte* const* out, std::size_t count);

      private:
        const ElementProgram& program_;
        std::vector<std::byte> memory_;
        std::vector<const std::byte*> registers_;
        std::vector<std::byte*> targets_;
    };

  private:
    struct Step {
        Elementwise kernel;
        std::uint32_t in[3] = {};
        std::uint32_t out = 0;
    };
    bool add_operation(const ir::Module& module, ir::OpId id,
                       std::vector<std::pair<ir::ValueId, std::uint32_t>>& where);

    std::size_t arguments_ = 0;
    std::vector<ir::ElementType> types_;  // by register
    std::vector<ir::ValueId> captures_;   // registers arguments_ …
    std::vector<std::pair<std::uint32_t, std::vector<std::byte>>> constants_;
    std::vector<Step> steps_;
    std::vector<std::uint32_t> results_;
};

}  // namespace shardwright::exec
