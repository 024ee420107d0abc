#pragma once
// `verify`: the whole program on one device against the partitioned program on the virtual mesh.

#include <string>
#include <vector>

#include "base/result.h"
#include "exec/compare.h"
#include "exec/execute.h"
#include "plan/derive.h"

namespace shardwright::plan {

/// Where a run's inputs come from.
struct InputSpec {
    enum class Kind : std::uint8_t { kRandom, kZeros, kFile };
    Kind kind = Kind::kRandom;
    std::uint64_t seed = 0;
    std::string file;  ///< .npz by argument name, display path or position; .npy for one argument
};
/// `random`, `random:7`, `zeros` or a file's path.
Result<InputSpec> parse_inputs(std::string_view text);
/// The inputs of `function`, checked against its argument types (names, missing, shape, type).
Result<std::vector<exec::Tensor>> make_inputs(const Model& model, std::size_t function,
                                              const InputSpec& spec);

struct OutputReport {
    std::string name;
    exec::Comparison comparison;
    bool rerun_in_f64 = false;  ///< an integer result differed and was settled in f64
};
struct VerifyReport {
    std::vector<OutputReport> outputs;
    bool equal = true;
    std::vector<std::string> failures;  ///< checks of the module that did not hold
    std::size_t checks = 0;
    std::size_t f64_reruns = 0;
    double single_device_s = 0, mesh_s = 0;
};
/// Runs `function` both ways on the same inputs and compares every result.
Result<VerifyReport> verify(const Model& model, const Derived& derived, std::size_t function,
                            const std::vector<exec::Tensor>& inputs, const exec::Options& options,
                            const exec::Tolerance& tolerance);

/// How messages call result `i` of a function.
std::string result_name(const ir::Module& module, const ir::Function& function, std::size_t i);

}  // namespace shardwright::plan
