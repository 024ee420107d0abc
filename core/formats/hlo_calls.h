#pragma once
// Who calls whom in HLO text, and how large the program becomes when calls are inlined.

#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/hlo_cursor.h"
#include "formats/hlo_syntax.h"

namespace shardwright::formats::hlo {

/// Computations by name.
class CallGraph {
  public:
    /// Fails on two computations of one name.
    static Result<CallGraph> make(const Source& source, const File& file);

    /// The computation that `instruction` names under `key` (`to_apply`, `calls`, `body`, …).
    Result<std::size_t> callee(const Instruction& instruction, std::string_view key) const;
    /// All of `branch_computations={%a, %b}`, or of true_computation and false_computation.
    Result<std::vector<std::size_t>> branches(const Instruction& instruction) const;

    /// Checks what inlining would do, before doing it: recursion is bad input; more than
    /// `max_operations` operations, or calls nested deeper than kMaxDepth, are unsupported.
    Status check(std::int64_t max_operations) const;

  private:
    const Source* source_ = nullptr;
    const File* file_ = nullptr;
    std::unordered_map<std::string_view, std::size_t> by_name_;

    Result<std::size_t> find(std::string_view name) const;
    Result<std::vector<std::size_t>> callees(const Instruction& instruction) const;
    struct Visit;
    Status count(Visit& visit, std::size_t computation, int depth) const;
};

}  // namespace shardwright::formats::hlo
