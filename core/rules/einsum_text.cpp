// Rules as people read them.
#include <fmt/format.h>

#include "rules/rule.h"

namespace shardwright::rules {

std::string factor_letter(std::size_t factor) {
    const auto c = static_cast<char>('a' + (factor + 8) % 26);
    return factor < 26 ? std::string(1, c) : fmt::format("{}{}", c, factor / 26);
}

namespace {

std::string tensor_text(const TensorMapping& dims) {
    std::string text = "[";
    for (const DimMapping& dim : dims) {
        if (text.size() > 1) text += ',';
        if (dim.empty()) text += '.';  // size 1, or tied to nothing
        if (dim.size() > 1) text += '(';
        for (const DimFactor& f : dim) text += factor_letter(f.factor);
        if (dim.size() > 1) text += ')';
    }
    return text + "]";
}

std::string_view reduction_text(ir::Reduction reduction) {
    switch (reduction) {
        case ir::Reduction::kSum:
            return "";
        case ir::Reduction::kProduct:
            return "(product)";
        case ir::Reduction::kMaximum:
            return "(max)";
        case ir::Reduction::kMinimum:
            return "(min)";
        case ir::Reduction::kAnd:
            return "(and)";
        case ir::Reduction::kOr:
            return "(or)";
        case ir::Reduction::kXor:
            return "(xor)";
        case ir::Reduction::kOther:
            return "(other)";
    }
    return "";
}

std::string_view verb(FactorKind kind) {
    switch (kind) {
        case FactorKind::kPassThrough:
            return "pass";
        case FactorKind::kReduction:
            return "reduce";
        case FactorKind::kPermutation:
            return "shift";
        case FactorKind::kNeedReplication:
            return "replicate";
        case FactorKind::kIndexed:
            return "look up";
        case FactorKind::kScattered:
            return "scatter";
        case FactorKind::kBroadcast:
            return "make";
    }
    return "";
}

}  // namespace

std::string_view text(FactorKind kind) {
    switch (kind) {
        case FactorKind::kPassThrough:
            return "pass-through";
        case FactorKind::kReduction:
            return "reduction";
        case FactorKind::kPermutation:
            return "permutation";
        case FactorKind::kNeedReplication:
            return "need-replication";
        case FactorKind::kIndexed:
            return "indexed";
        case FactorKind::kScattered:
            return "scattered";
        case FactorKind::kBroadcast:
            return "broadcast";
    }
    return "";
}

std::string einsum_text(const Rule& rule) {
    if (rule.opaque) return "opaque";
    std::string out = "(";
    for (std::size_t i = 0; i < rule.operands.size(); ++i)
        out += (i ? "," : "") + tensor_text(rule.operands[i]);
    out += ") -> ";
    if (rule.results.size() != 1) out += '(';
    for (std::size_t i = 0; i < rule.results.size(); ++i)
        out += (i ? "," : "") + tensor_text(rule.results[i]);
    if (rule.results.size() != 1) out += ')';
    // One word a kind, with its factors behind it.
    for (int k = 1; k <= static_cast<int>(FactorKind::kBroadcast); ++k) {
        const auto kind = static_cast<FactorKind>(k);
        std::string_view last = "none";
        for (std::size_t f = 0; f < rule.factors.size(); ++f) {
            const Factor& factor = rule.factors[f];
            if (factor.kind != kind) continue;
            const bool combines = kind == FactorKind::kReduction || kind == FactorKind::kScattered;
            const std::string_view how = combines ? reduction_text(factor.reduction) : "";
            out += how == last ? std::string(",") : fmt::format("  {}{} ", verb(kind), how);
            out += factor_letter(f);
            last = how;
        }
    }
    return out;
}

}  // namespace shardwright::rules
