// The chain from a placement back to the user's annotation, in words.
#include <fmt/format.h>

#include <unordered_map>

#include "propagation/propagate.h"

namespace shardwright::propagation {
namespace {

std::string name_of(const ir::Module& module, ir::ValueId value) {
    if (!value.valid()) return "an unnamed value";
    if (const std::string_view name = module.name(value); !name.empty())
        return fmt::format("`{}`", name);
    const ir::Value& v = module.value(value);
    if (v.def.valid())
        return fmt::format("`{}` (value {})", ir::name(module.op(v.def).kind), value.index);
    for (const ir::Function& function : module.functions())
        if (function.body == v.region && v.index < function.arguments.size())
            if (const auto name = module.text(function.arguments[v.index].name); !name.empty())
                return fmt::format("`{}`", name);
    return fmt::format("argument {} of a region", v.index);
}

std::string axis_text(const mesh::Mesh& mesh, const mesh::AxisRef& axis) {
    const std::string& name = mesh.axes()[axis.axis].name;
    if (mesh.is_full(axis)) return fmt::format("`{}`", name);
    return fmt::format("`{}:({}){}`", name, std::uint32_t{axis.pre}, axis.size);
}

/// Placements by (value, dim), newest last; built for one question.
class Trail {
  public:
    Trail(const ir::Module& module, const Result& result) : module_(module), result_(result) {
        for (std::size_t i = 0; i < result.placements.size(); ++i)
            steps_[key(result.placements[i].value, result.placements[i].dim)].push_back(i);
    }

    /// One sentence a link, from (value, dim, axis) back to where it began.
    void follow(ir::ValueId value, std::size_t dim, const mesh::AxisRef& axis,
                std::vector<std::string>& sentences) const {
        const mesh::Mesh& mesh = module_.mesh(result_.of(value).mesh);
        std::size_t before = result_.placements.size();
        while (true) {
            const std::string start = fmt::format("{} dim {} is on {}", name_of(module_, value),
                                                  dim, axis_text(mesh, axis));
            const auto step = find(value, dim, axis, before);
            if (!step) {
                sentences.push_back(start + " ← as annotated");
                return;
            }
            const Placement& p = result_.placements[*step];
            sentences.push_back(fmt::format("{} ← {}", start, cause(*step, p)));
            if (p.source == Source::kUser || !p.from.valid() || p.from == value) return;
            before = *step;
            value = p.from;
            dim = p.from_dim;
        }
    }

  private:
    static std::uint64_t key(ir::ValueId value, std::size_t dim) {
        return std::uint64_t{value.index} << 16 | (dim & 0xFFFFu);
    }
    std::optional<std::size_t> find(ir::ValueId value, std::size_t dim, const mesh::AxisRef& axis,
                                    std::size_t before) const {
        const auto found = steps_.find(key(value, dim));
        if (found == steps_.end()) return std::nullopt;
        for (std::size_t i = found->second.size(); i-- > 0;) {
            const std::size_t step = found->second[i];
            if (step < before && mesh::overlaps(result_.placements[step].axis, axis)) return step;
        }
        return std::nullopt;
    }
    std::string cause(std::size_t step, const Placement& p) const {
        if (p.source == Source::kUser) return "you set it";
        const std::string from = name_of(module_, p.from);
        if (!p.op.valid()) return fmt::format("step {}, the function's result, as annotated", step);
        const std::string_view op = ir::name(module_.op(p.op).kind);
        switch (p.source) {
            case Source::kDataFlow:
                return fmt::format("step {}, data flow of `{}`, from {}", step, op, from);
            case Source::kManual:
                return fmt::format("step {}, the edge of `{}`, from {}", step, op, from);
            case Source::kGroup:
                return fmt::format("step {}, sharding group, from {}", step, from);
            default:
                break;
        }
        return fmt::format("step {}, `{}`, factor {}, from {}", step, op,
                           rules::factor_letter(p.factor), from);
    }

    const ir::Module& module_;
    const Result& result_;
    std::unordered_map<std::uint64_t, std::vector<std::size_t>> steps_;
};

}  // namespace

std::vector<std::string> why(const ir::Module& module, const rules::RuleTable&,
                             const Result& result, ir::ValueId value, int dim) {
    std::vector<std::string> sentences;
    const sharding::Sharding& s = result.of(value);
    const Trail trail(module, result);
    for (std::size_t d = 0; d < s.dims.size(); ++d) {
        if (dim >= 0 && d != static_cast<std::size_t>(dim)) continue;
        for (const mesh::AxisRef& axis : s.dims[d].axes) trail.follow(value, d, axis, sentences);
        if (s.dims[d].axes.empty() && dim >= 0)
            sentences.push_back(
                fmt::format("{} dim {} is whole: nothing that it is tied to is cut "
                            "along it, or something else won",
                            name_of(module, value), d));
    }
    if (sentences.empty() && dim < 0)
        sentences.push_back(
            fmt::format("{} is replicated: no axis came to it", name_of(module, value)));
    for (const Conflict& conflict : result.conflicts)
        if (conflict.loser == value && sentences.size() < 64)
            sentences.push_back(fmt::format("a conflict with {}: {}",
                                            name_of(module, conflict.winner), conflict.preference));
    return sentences;
}

}  // namespace shardwright::propagation
