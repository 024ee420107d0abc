#pragma once
// A prepared operation: everything that can be computed from the module is, once; running it only
// moves and computes numbers.

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "exec/element_program.h"
#include "exec/elementwise.h"
#include "exec/execute.h"
#include "ir/module.h"

namespace shardwright::exec {

/// One device's operands (then the captured values of the operation's regions) and results.
struct Call {
    const std::byte* const* in = nullptr;
    std::byte* const* out = nullptr;
};

struct Kernel {
    std::function<Status(const Call&)> run;
    std::optional<Elementwise> elementwise;  ///< set instead of `run`: works on flat arrays
    bool own_threads = false;                ///< uses OpenMP inside: must not run inside a TBB loop
    int in_place_operand = -1;               ///< result 0 may share this operand's memory
    std::vector<ir::ValueId> captures;
};

struct Preparation {
    const ir::Module& module;
    const Options& options;
    ir::OpId op;

    const ir::TensorType& operand(std::size_t i) const {
        return module.type(module.operand(op, i));
    }
    const ir::TensorType& result(std::size_t i = 0) const {
        return module.type(module.result(op, i));
    }
    std::size_t operand_count() const { return module.op(op).operand_count; }
    template <class A>
    const A& attributes() const {
        return module.attributes<A>(op);
    }
    /// "dot_general on complex<f32>" not supported, with the place in the file.
    Diagnostic unsupported_here(const std::string& what) const;
    /// Compiles region `i`, or says that it is not supported.
    Result<ElementProgram> scalar_program(std::size_t region) const;
};

/// The kernel of any operation that acts on one device alone.
Result<Kernel> prepare_kernel(const Preparation& p);

// --- by family
// ------------------------------------------------------------------------------------
Result<Kernel> prepare_movement(const Preparation& p);  // broadcast, transpose, slice, pad, …
Result<Kernel> prepare_dynamic(const Preparation& p);   // dynamic_slice, dynamic_update_slice
Result<Kernel> prepare_gather(const Preparation& p);
Result<Kernel> prepare_scatter(const Preparation& p);
Result<Kernel> prepare_reduce(const Preparation& p);
Result<Kernel> prepare_reduce_window(const Preparation& p);
Result<Kernel> prepare_select_and_scatter(const Preparation& p);
Result<Kernel> prepare_sort(const Preparation& p);
Result<Kernel> prepare_top_k(const Preparation& p);
Result<Kernel> prepare_dot(const Preparation& p);
Result<Kernel> prepare_convolution(const Preparation& p);
Result<Kernel> prepare_linear_algebra(const Preparation& p);  // cholesky, triangular_solve
Result<Kernel> prepare_fft(const Preparation& p);
Result<Kernel> prepare_random(const Preparation& p);  // rng, rng_bit_generator
Result<Kernel> prepare_batch_norm(const Preparation& p);
Result<Kernel> prepare_map(const Preparation& p);
Result<Kernel> prepare_custom_call(const Preparation& p);

}  // namespace shardwright::exec
