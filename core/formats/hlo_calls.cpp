#include "formats/hlo_calls.h"

#include <fmt/format.h>

#include <algorithm>

namespace shardwright::formats::hlo {

Result<CallGraph> CallGraph::make(const Source& source, const File& file) {
    CallGraph graph;
    graph.source_ = &source;
    graph.file_ = &file;
    for (std::size_t i = 0; i < file.computations.size(); ++i) {
        const std::string_view name = file.computations[i].name;
        if (!graph.by_name_.emplace(name, i).second)
            return source.error(name, fmt::format("computation '{}' defined twice", name),
                                "distinct names");
    }
    return graph;
}

Result<std::size_t> CallGraph::find(std::string_view name) const {
    const auto found = by_name_.find(name);
    if (found != by_name_.end()) return found->second;
    return source_->error(name, fmt::format("unknown computation '{}'", name),
                          "a computation of this module");
}

Result<std::size_t> CallGraph::callee(const Instruction& instruction, std::string_view key) const {
    const std::string_view value = instruction.attribute(key);
    if (value.data() == nullptr)
        return source_->error(instruction.name,
                              fmt::format("{} without '{}'", instruction.opcode, key),
                              fmt::format("{}=a computation", key));
    Cursor cursor(*source_, value);
    return find(cursor.word());
}

Result<std::vector<std::size_t>> CallGraph::branches(const Instruction& instruction) const {
    std::vector<std::size_t> out;
    const std::string_view value = instruction.attribute("branch_computations");
    if (value.data() == nullptr) {
        SW_TRY(const std::size_t on_true, callee(instruction, "true_computation"));
        SW_TRY(const std::size_t on_false, callee(instruction, "false_computation"));
        out = {on_true, on_false};
        return out;
    }
    Cursor cursor(*source_, value);
    SW_CHECK(cursor.expect('{'));
    while (!cursor.eat('}')) {
        SW_TRY(const std::size_t branch, find(cursor.word()));
        out.push_back(branch);
        if (!cursor.eat(',') && cursor.peek() != '}') return cursor.error("unexpected text", "'}'");
    }
    return out;
}

Result<std::vector<std::size_t>> CallGraph::callees(const Instruction& instruction) const {
    std::vector<std::size_t> out;
    for (const Attribute& a : instruction.attributes) {
        const bool calls = a.key == "to_apply" || a.key == "calls" || a.key == "condition" ||
                           a.key == "body" || a.key == "select" || a.key == "scatter";
        if (calls) {
            SW_TRY(const std::size_t callee, this->callee(instruction, a.key));
            out.push_back(callee);
        } else if (a.key == "branch_computations" || a.key == "true_computation") {
            SW_TRY(const std::vector<std::size_t> list, branches(instruction));
            out.insert(out.end(), list.begin(), list.end());
        }
    }
    return out;
}

struct CallGraph::Visit {
    enum class State : std::uint8_t { kNew, kOpen, kDone };
    std::int64_t limit;
    std::vector<State> states;
    std::vector<std::int64_t> sizes;  // tensors made by one instance, its callees included
    std::vector<int> heights;
};

Status CallGraph::count(Visit& visit, std::size_t index, int depth) const {
    const Computation& computation = file_->computations[index];
    const auto too_deep = [&] {
        return source_->unsupported(computation.name,
                                    fmt::format("calls nested more than {} deep", kMaxDepth));
    };
    if (depth > kMaxDepth) return too_deep();
    visit.states[index] = Visit::State::kOpen;
    std::int64_t size = 0;
    int height = 1;
    for (const Instruction& instruction : computation.instructions) {
        size += std::max<std::int64_t>(1, instruction.shape.leaves);
        SW_TRY(const std::vector<std::size_t> list, callees(instruction));
        for (const std::size_t callee : list) {
            if (visit.states[callee] == Visit::State::kOpen)
                return source_->error(
                    instruction.name,
                    fmt::format("'{}' calls itself", file_->computations[callee].name),
                    "calls without recursion");
            if (visit.states[callee] == Visit::State::kNew)
                SW_CHECK(count(visit, callee, depth + 1));
            size += visit.sizes[callee];
            height = std::max(height, 1 + visit.heights[callee]);
        }
        if (size > visit.limit)
            return source_->unsupported(
                computation.name,
                fmt::format("more than {} operations once calls are inlined: '{}' alone has {}",
                            visit.limit, computation.name, size));
    }
    if (height > kMaxDepth) return too_deep();
    visit.states[index] = Visit::State::kDone;
    visit.sizes[index] = size;
    visit.heights[index] = height;
    return {};
}

Status CallGraph::check(std::int64_t max_operations) const {
    const std::size_t n = file_->computations.size();
    Visit visit{max_operations, std::vector(n, Visit::State::kNew), std::vector<std::int64_t>(n, 0),
                std::vector<int>(n, 0)};
    return count(visit, file_->entry, 1);
}

}  // namespace shardwright::formats::hlo
