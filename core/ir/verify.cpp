// The verifier of a whole module.
#include <fmt/format.h>

#include <unordered_set>

#include "ir/check_type.h"
#include "ir/infer.h"
#include "ir/print.h"

namespace shardwright::ir {
namespace {

class Verifier {
  public:
    explicit Verifier(const Module& module)
        : m_(module), visible_(module.value_count(), false), seen_(module.region_count(), false) {}

    Status run() {
        std::unordered_set<std::uint32_t> names;
        for (const Function& f : m_.functions()) {
            if (!names.insert(f.name.index).second)
                return bad_input(fmt::format("function '{}' occurs twice", m_.text(f.name)));
            SW_CHECK(function(f));
        }
        for (const auto& [value, sharding] : m_.annotations()) {
            if (value.index >= m_.value_count())
                return bad_input("an annotation names a value that does not exist");
            SW_CHECK(annotation(sharding, m_.type(value), display_name(m_, value)));
        }
        return {};
    }

  private:
    Status function(const Function& f) {
        if (f.body.index >= m_.region_count())
            return bad_input(fmt::format("function '{}' has no body", m_.text(f.name)));
        const Region& body = m_.region(f.body);
        if (f.arguments.size() != body.argument_count)
            return bad_input(fmt::format("function '{}' describes {} arguments", m_.text(f.name),
                                         f.arguments.size()),
                             fmt::format("{}", body.argument_count));
        SW_CHECK(region(f.body, m_.text(f.name), 0));
        const auto returned = m_.returned(f.body);
        if (f.results.size() != returned.size())
            return bad_input(fmt::format("function '{}' describes {} results", m_.text(f.name),
                                         f.results.size()),
                             fmt::format("{}", returned.size()));
        for (const ArgumentInfo& a : f.arguments)
            if (a.alias_output >= static_cast<std::int32_t>(f.results.size()))
                return bad_input(fmt::format("an argument of '{}' aliases result {}",
                                             m_.text(f.name), a.alias_output),
                                 fmt::format("0 to {}", f.results.size()));
        for (std::size_t i = 0; i < f.results.size(); ++i)
            if (f.results[i].annotation)
                SW_CHECK(annotation(*f.results[i].annotation, m_.type(returned[i]),
                                    fmt::format("result {} of '{}'", i, m_.text(f.name))));
        return {};
    }

    /// Values of the region become visible in it and in what it nests, and vanish after it.
    Status region(RegionId id, std::string_view holder, int depth) {
        if (depth > kMaxDepth)
            return bad_input("regions nested too deep", fmt::format("at most {}", kMaxDepth));
        if (seen_[id.index])
            return bad_input(fmt::format("a region of '{}' belongs to two operations", holder));
        seen_[id.index] = true;
        const Region& r = m_.region(id);
        std::vector<ValueId> shown;
        const auto show = [&](ValueId v) {
            visible_[v.index] = true;
            shown.push_back(v);
        };
        for (std::size_t i = 0; i < r.argument_count; ++i) {
            SW_CHECK(check_type(m_.type(m_.argument(id, i))));
            show(m_.argument(id, i));
        }
        if (r.ops.empty() || m_.op(r.ops.back()).kind != OpKind::kReturn)
            return bad_input(fmt::format("a region of '{}' does not end in return", holder));
        for (const OpId op : r.ops) {
            if (m_.op(op).kind == OpKind::kReturn && op != r.ops.back())
                return bad_input(fmt::format("return in the middle of a region of '{}'", holder));
            Status status = operation(id, op, depth);
            if (!status.ok()) return placed(status.error(), op);
            for (std::size_t i = 0; i < m_.op(op).result_count; ++i) show(m_.result(op, i));
        }
        for (const ValueId v : shown) visible_[v.index] = false;
        return {};
    }

    Status operation(RegionId parent, OpId id, int depth) {
        const Op& op = m_.op(id);
        if (op.parent != parent)
            return bad_input(fmt::format("{} lies in another region than it says", name(op.kind)));
        for (const ValueId v : m_.operands(op)) {
            if (v.index >= m_.value_count())
                return bad_input(fmt::format("{} uses a value that does not exist", name(op.kind)));
            if (!visible_[v.index])
                return bad_input(fmt::format("{} uses {}, which is not defined before it",
                                             name(op.kind), display_name(m_, v)),
                                 "a value of the same or an enclosing region");
        }
        for (const RegionId nested : m_.regions(id)) {
            if (nested.index >= m_.region_count())
                return bad_input("an operation holds a region that does not exist");
            if (m_.region(nested).parent != id)
                return bad_input(fmt::format("a region of {} names another owner", name(op.kind)));
            SW_CHECK(region(nested, name(op.kind), depth + 1));
        }
        std::vector<TensorType> stated;
        for (std::size_t i = 0; i < op.result_count; ++i)
            stated.push_back(m_.type(m_.result(id, i)));
        SW_TRY(const std::vector<TensorType> types,
               infer_types(m_, {op.kind, m_.operands(op), m_.all_attributes(id), m_.regions(id)},
                           stated));
        if (types.size() != op.result_count)
            return bad_input(fmt::format("{} has {} results", name(op.kind), op.result_count),
                             fmt::format("{}", types.size()));
        if (const auto* a = m_.attributes_if<ShardingAttributes>(id))
            SW_CHECK(annotation(a->sharding, m_.type(m_.operand(id, 0)), name(op.kind)));
        return {};
    }

    Status annotation(const sharding::Sharding& s, const TensorType& type, std::string_view where) {
        if (s.form == sharding::Form::kTiled && s.dims.size() != type.rank())
            return bad_input(
                fmt::format("the sharding of {} has {} dimensions", where, s.dims.size()),
                fmt::format("{} for {}", type.rank(), mlir_text(type)));
        if (s.mesh.index >= m_.meshes().size()) {
            if (s.used_axes().empty()) return {};  // says nothing that needs a mesh
            return bad_input(
                fmt::format("the sharding of {} names a mesh that does not exist", where));
        }
        if (s.form != sharding::Form::kTiled) return {};
        Status status = sharding::validate(s, m_.mesh(s.mesh), type.rank());
        if (status.ok()) return {};
        Diagnostic error = status.error();
        error.what = fmt::format("the sharding of {}: {}", where, error.what);
        return error;
    }

    Diagnostic placed(Diagnostic error, OpId id) const {
        if (error.line == 0 && m_.op(id).line != 0) {
            error.file = m_.file;
            error.line = m_.op(id).line;
        }
        return error;
    }

    static constexpr int kMaxDepth = 200;
    const Module& m_;
    std::vector<bool> visible_;
    std::vector<bool> seen_;
};

}  // namespace

Status verify_module(const Module& module) {
    return Verifier(module).run();
}

}  // namespace shardwright::ir
