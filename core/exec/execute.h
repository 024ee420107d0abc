#pragma once
// The evaluator and the mesh executor: one engine over any number of devices that advance together,
// operation by operation. `eval` is the case of one device (design/50).

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "exec/tensor.h"
#include "ir/module.h"

namespace shardwright::exec {

struct Options {
    std::int64_t max_memory = 0;  ///< bytes; 0 = 80 % of the machine's
    /// How elided constants are filled; empty = an error that asks for --fill-elided.
    std::optional<std::uint64_t> fill_elided_seed;
    const std::atomic<bool>* cancel = nullptr;
    std::function<void(double)> progress;  ///< 0 … 1, at most a few times a second
    /// Accumulate dots and float reductions in f64 (the re-run of design/40 for argmax-like
    /// results).
    bool accumulate_f64 = false;
    /// Elementwise operations that feed each other run as one pass. The bits are the same without.
    bool fuse = true;
};

/// A check of the module that did not hold (`check.expect_*`).
struct CheckFailure {
    ir::OpId op;
    std::string message;  ///< the worst element, expected and actual
};

struct Outputs {
    std::vector<Tensor> values;  ///< whole results of the entry function
    std::vector<CheckFailure> failures;
    std::size_t checks = 0;       ///< checks made
    std::int64_t peak_bytes = 0;  ///< of buffers, all devices together, by the allocator's counter
    /// What the buffer plan said before anything was allocated: the same number, unless the data
    /// decide: a branch that was not taken counts here, and devices that part ways need copies.
    std::int64_t planned_bytes = 0;
};

/// Runs the function `function` of a source module on one device. Manual regions run once for each
/// device of their manual axes; inputs are sliced, outputs assembled, replicas compared.
Result<Outputs> evaluate(const ir::Module& module, std::size_t function,
                         std::span<const Tensor> inputs, const Options& options);

/// Runs a partitioned program on all devices of `mesh_id`: slices the whole inputs by
/// `argument_shardings`, advances all devices together, assembles the outputs by
/// `result_shardings` (replicas are compared: a difference is an error naming device and result).
/// Padding of uneven shards is filled with NaN / a recognisable integer, so that a read of it
/// shows. `whole_results`: types of the whole results; without them every result dim is taken to be
/// its local size times the number of its shards (wrong for uneven ones).
Result<Outputs> execute(const ir::Module& program, std::size_t function, sharding::MeshId mesh_id,
                        std::span<const sharding::Sharding> argument_shardings,
                        std::span<const sharding::Sharding> result_shardings,
                        std::span<const Tensor> inputs, const Options& options,
                        std::span<const ir::TensorType> whole_results = {});

/// Types of the function's results: what `execute` wants to know of the source program.
std::vector<ir::TensorType> result_types(const ir::Module& module, std::size_t function);

/// Inputs by element type: floats uniform in a sane range, integers small and non-negative, bools
/// even; the same for the same (seed, argument number, type).
std::vector<Tensor> random_inputs(const ir::Module& module, std::size_t function,
                                  std::uint64_t seed);
std::vector<Tensor> zero_inputs(const ir::Module& module, std::size_t function);

}  // namespace shardwright::exec
