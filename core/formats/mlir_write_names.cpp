// Names of values: the file's own where MLIR can say them, numbers for the rest.
#include <fmt/format.h>

#include <algorithm>

#include "formats/mlir_write.h"

namespace shardwright::formats::mlir {
namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_identifier(std::string_view text) {
    if (text.empty()) return false;
    if (std::all_of(text.begin(), text.end(), is_digit)) return true;
    const auto letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '.';
    };
    return letter(text[0]) &&
           std::all_of(text.begin(), text.end(), [&](char c) { return letter(c) || is_digit(c); });
}

std::string to_identifier(std::string_view text) {
    std::string out;
    for (const char c : text) out += is_digit(c) || is_identifier({&c, 1}) ? c : '_';
    if (!is_identifier(out)) out.insert(0, "_");
    return out;
}

std::string_view base_of(std::string_view name) {
    return name.substr(0, name.find('#'));
}

}  // namespace

std::string Writer::fresh(std::string_view wanted) {
    std::string name = to_identifier(wanted);
    if (taken_.insert(name).second) return name;
    // A number cannot take a suffix in MLIR.
    if (is_digit(name[0])) name.insert(0, "_");
    for (int i = 1;; ++i) {
        std::string next = fmt::format("{}_{}", name, i);
        if (taken_.insert(next).second) return next;
    }
}

// Results of one operation share a name `%x:2`, or have one each.
void Writer::claim(std::span<const ir::ValueId> values, bool& unnamed) {
    unnamed = false;
    if (values.empty()) return;
    bool shared = values.size() > 1;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::string_view name = m_.name(values[i]);
        unnamed = unnamed || name.empty();
        shared = shared && name == fmt::format("{}#{}", base_of(m_.name(values[0])), i);
    }
    if (unnamed) return;
    if (shared) {
        const std::string base = fresh(base_of(m_.name(values[0])));
        for (std::size_t i = 0; i < values.size(); ++i)
            names_[values[i].index] = fmt::format("{}#{}", base, i);
        return;
    }
    for (const ir::ValueId value : values) names_[value.index] = fresh(m_.name(value));
}

void Writer::name_function(ir::RegionId body) {
    taken_.clear();
    next_number_ = 0;
    std::vector<std::vector<ir::ValueId>> unnamed;
    // Program order, the outer value before those of the regions behind it.
    std::vector<std::pair<ir::RegionId, std::size_t>> open{{body, 0}};
    const auto visit = [&](std::vector<ir::ValueId> values) {
        bool without = false;
        claim(values, without);
        if (without) unnamed.push_back(std::move(values));
    };
    const auto arguments = [&](ir::RegionId region) {
        for (std::size_t i = 0; i < m_.region(region).argument_count; ++i)
            visit({m_.argument(region, i)});
    };
    arguments(body);
    while (!open.empty()) {
        auto& [region, next] = open.back();
        if (next == m_.region(region).ops.size()) {
            open.pop_back();
            continue;
        }
        const ir::OpId id = m_.region(region).ops[next++];
        visit(results(id));
        if (m_.op(id).kind == ir::OpKind::kRunParallel) continue;  // its programs are functions
        for (std::size_t i = m_.op(id).region_count; i-- > 0;) {
            arguments(m_.region_of(id, i));
            open.emplace_back(m_.region_of(id, i), 0);
        }
    }
    for (const std::vector<ir::ValueId>& values : unnamed) {
        std::string name;
        do {
            name = std::to_string(next_number_++);
        } while (!taken_.insert(name).second);
        for (std::size_t i = 0; i < values.size(); ++i)
            names_[values[i].index] = values.size() == 1 ? name : fmt::format("{}#{}", name, i);
    }
}

std::string Writer::uses(std::span<const ir::ValueId> values) const {
    std::string out;
    for (const ir::ValueId value : values) {
        if (!out.empty()) out += ", ";
        out += use(value);
    }
    return out;
}

std::string Writer::definition(ir::OpId id) const {
    const ir::Op& op = m_.op(id);
    if (op.result_count == 0) return {};
    const std::string& first = names_[op.first_result.index];
    const std::size_t hash = first.find('#');
    if (hash != std::string::npos)
        return fmt::format("%{}:{} = ", first.substr(0, hash), op.result_count);
    return uses(results(id)) + " = ";
}

}  // namespace shardwright::formats::mlir
