// Shardings and Shardy's operations, in Shardy's words or in GSPMD's.
#include <fmt/format.h>

#include <algorithm>

#include "formats/mlir_write.h"
#include "sharding/hlo_sharding.h"
#include "sharding/text.h"

namespace shardwright::formats::mlir {

using namespace ir;
using sharding::Form;
using sharding::Sharding;

const Sharding* Writer::sharding_of(ValueId value) const {
    if (options_.annotate == Annotate::kNone) return nullptr;
    if (options_.shardings != nullptr && options_.pool != nullptr) {
        if (value.index >= options_.shardings->size()) return nullptr;
        const sharding::ShardingId id = (*options_.shardings)[value.index];
        return id.valid() ? &(*options_.pool)[id] : nullptr;
    }
    return m_.annotation(value);
}

bool Writer::can_say(const Sharding& s) const {
    if (options_.annotate == Annotate::kNone) return false;
    if (s.mesh.index >= m_.meshes().size()) return s.form == Form::kMaximal;
    return options_.annotate == Annotate::kMhlo || s.form == Form::kTiled ||
           s.form == Form::kMaximal;
}

std::string Writer::sdy_text(const Sharding& s) const {
    if (s.form == Form::kMaximal) {
        if (s.mesh.index < m_.meshes().size() && m_.mesh(s.mesh).is_maximal())
            return fmt::format("<@{}, []>", m_.mesh(s.mesh).name());
        return fmt::format("<@maximal_mesh_{}, []>", s.maximal_device);
    }
    std::string text = sharding::print_sdy(s, m_.mesh(s.mesh));
    return text.substr(std::min(text.find('<'), text.size()));
}

std::string Writer::hlo_text(const Sharding& s) const {
    const mesh::Mesh none;
    const mesh::Mesh& mesh = s.mesh.index < m_.meshes().size() ? m_.mesh(s.mesh) : none;
    return sharding::print_hlo(sharding::to_hlo(s, mesh));
}

std::string Writer::sdy_list(const std::vector<Sharding>& list) const {
    std::string out;
    for (const Sharding& s : list) out += (out.empty() ? "" : ", ") + sdy_text(s);
    return "[" + out + "]";
}

std::string Writer::axes_text(const mesh::AxisList& axes, sharding::MeshId mesh) const {
    std::string out;
    for (const mesh::AxisRef& axis : axes) {
        if (!out.empty()) out += ", ";
        out += mesh::to_text(m_.mesh(mesh), axis);
    }
    return "{" + out + "}";
}

std::string Writer::value_attribute(const Sharding* s) const {
    if (s == nullptr || !can_say(*s)) return {};
    if (options_.annotate == Annotate::kMhlo) return "mhlo.sharding = \"" + hlo_text(*s) + "\"";
    return "sdy.sharding = #sdy.sharding" + sdy_text(*s);
}

std::string Writer::result_annotation(OpId id) const {
    if (m_.op(id).kind == OpKind::kDataFlowEdge) return {};  // stands in its own form
    std::vector<const Sharding*> found;
    const Sharding* any = nullptr;
    for (const ValueId value : results(id)) {
        const Sharding* s = sharding_of(value);
        if (s != nullptr && !can_say(*s)) s = nullptr;
        if (s != nullptr) any = s;
        found.push_back(s);
    }
    if (any == nullptr) return {};
    std::string out;
    for (std::size_t i = 0; i < found.size(); ++i) {
        Sharding open;  // a result without an annotation beside others that have one
        if (found[i] == nullptr) {
            open = Sharding::replicated_of(m_.type(m_.result(id, i)).rank(), true, any->mesh);
            found[i] = &open;
        }
        if (!out.empty()) out += ", ";
        out += options_.annotate == Annotate::kMhlo ? hlo_text(*found[i]) : sdy_text(*found[i]);
    }
    if (options_.annotate == Annotate::kMhlo)
        return fmt::format("mhlo.sharding = \"{}\"", found.size() == 1 ? out : "{" + out + "}");
    return "sdy.sharding = #sdy.sharding_per_value<[" + out + "]>";
}

void Writer::write_sharding_call(const std::string& result, ValueId operand,
                                 const std::string& text) {
    line(fmt::format(
        "{} = {}stablehlo.custom_call{} : ({}) -> {}", result, options_.generic ? "\"" : "",
        options_.generic
            ? fmt::format("\"({}) <{{call_target_name = \"Sharding\"}}> "
                          "{{mhlo.sharding = \"{}\"}}",
                          use(operand), text)
            : fmt::format(" @Sharding({}) {{mhlo.sharding = \"{}\"}}", use(operand), text),
        type(operand), type(operand)));
}

// In GSPMD's words: whole to shard for each operand, the body in place, shard to whole.
void Writer::write_manual_as_marks(OpId id) {
    const auto& a = m_.attributes<ManualAttributes>(id);
    const RegionId region = m_.region_of(id, 0);
    const std::size_t devices = static_cast<std::size_t>(m_.mesh(a.mesh).device_count());
    const bool all = mesh::product(a.axes) == static_cast<std::int64_t>(devices);
    const auto local_text = [&](std::size_t rank) {
        if (all) return std::string("{manual}");
        Sharding s = Sharding::replicated_of(rank, false, a.mesh);
        s.manual = a.axes;
        return hlo_text(s);
    };
    const auto mark = [&](const std::string& result, const std::string& target,
                          const std::string& operand, const std::string& text,
                          const std::string& from, const std::string& to) {
        line(fmt::format(
            "{} = \"stablehlo.custom_call\"({}) <{{call_target_name = \"{}\"}}> "
            "{{mhlo.sharding = \"{}\"}} : ({}) -> {}",
            result, operand, target, text, from, options_.generic ? "(" + to + ")" : to));
    };
    for (std::size_t i = 0; i < a.in.size(); ++i) {
        const ValueId whole = m_.operand(id, i), local = m_.argument(region, i);
        std::string placed = use(whole);
        const OpId source = m_.value(whole).def;
        const auto* constraint = source.valid() && m_.op(source).kind == OpKind::kShardingConstraint
                                     ? m_.attributes_if<ShardingAttributes>(source)
                                     : nullptr;
        if (constraint == nullptr || hlo_text(constraint->sharding) != hlo_text(a.in[i])) {
            placed = "%" + fresh("to_shard");
            write_sharding_call(placed, whole, hlo_text(a.in[i]));
        }
        mark(use(local), "SPMDFullToShardShape", placed, local_text(m_.type(local).rank()),
             type(whole), type(local));
    }
    for (const OpId inner : m_.region(region).ops)
        if (m_.op(inner).kind != OpKind::kReturn) write_operation(inner);
    const auto returned = m_.returned(region);
    for (std::size_t i = 0; i < a.out.size(); ++i) {
        const ValueId whole = m_.result(id, i);
        const std::string& name = names_[whole.index];
        // `%x#1` is no name that one operation could define.
        if (name.find('#') != std::string::npos)
            names_[whole.index] = fresh(name.substr(0, name.find('#')));
        mark(use(whole), "SPMDShardToFullShape", use(returned[i]), hlo_text(a.out[i]),
             type(returned[i]), type(whole));
    }
}

void Writer::write_manual(OpId id) {
    if (options_.annotate == Annotate::kMhlo) return write_manual_as_marks(id);
    const auto& a = m_.attributes<ManualAttributes>(id);
    const RegionId region = m_.region_of(id, 0);
    if (options_.generic) {
        write_generic(id, "sdy.manual_computation",
                      {{"in_shardings", "#sdy.sharding_per_value<" + sdy_list(a.in) + ">"},
                       {"manual_axes", "#sdy<manual_axes" + axes_text(a.axes, a.mesh) + ">"},
                       {"out_shardings", "#sdy.sharding_per_value<" + sdy_list(a.out) + ">"}});
        return;
    }
    const std::string arguments = block_arguments(region);
    line(fmt::format(
        "{}sdy.manual_computation({}) in_shardings={} out_shardings={} manual_axes={} {} {{",
        definition(id), uses(m_.operands(id)), sdy_list(a.in), sdy_list(a.out),
        axes_text(a.axes, a.mesh), arguments.empty() ? "()" : arguments));
    ++indent_;
    write_block(region, "sdy.return");
    --indent_;
    line(fmt::format("}}{} : {}{}", annotation(id), signature(id), location(id)));
}

bool Writer::write_structural(OpId id) {
    using enum OpKind;
    const OpKind kind = m_.op(id).kind;
    const bool generic = options_.generic;
    switch (kind) {
        case kManualComputation:
            write_manual(id);
            return true;
        case kShardingConstraint:
        case kReshard: {
            const auto& a = m_.attributes<ShardingAttributes>(id);
            const ValueId operand = m_.operand(id, 0);
            if (options_.annotate == Annotate::kMhlo) {
                write_sharding_call("%" + names_[m_.result(id).index], operand,
                                    hlo_text(a.sharding));
            } else if (!can_say(a.sharding)) {  // nothing of it can be said: the value as it is
                names_[m_.result(id).index] = names_[operand.index];
            } else if (generic) {
                write_generic(id, operation_name(id),
                              {{"sharding", "#sdy.sharding" + sdy_text(a.sharding)}});
            } else {
                line_of(id, fmt::format("{} {} {}{} : {}", operation_name(id), use(operand),
                                        sdy_text(a.sharding), annotation(id), type(operand)));
            }
            return true;
        }
        case kShardingGroup:
            if (options_.annotate != Annotate::kSdy) return true;  // no other form can say it
            if (generic) return false;
            line_of(id,
                    fmt::format("sdy.sharding_group {} group_id = {} : {}", use(m_.operand(id, 0)),
                                m_.attributes<GroupAttributes>(id).group, type(m_.operand(id, 0))));
            return true;
        case kPropagationBarrier:
            if (generic) return false;
            line_of(id, fmt::format("sdy.propagation_barrier {} allowed_direction={}{} : {}",
                                    use(m_.operand(id, 0)),
                                    barrier_keyword(m_.attributes<BarrierAttributes>(id).allowed),
                                    annotation(id), type(m_.operand(id, 0))));
            return true;
        case kDataFlowEdge: {
            const Sharding* s = sharding_of(m_.result(id));
            const bool said = s != nullptr && options_.annotate == Annotate::kSdy && can_say(*s);
            if (generic) {
                Properties properties;
                if (said) properties.emplace_back("sharding", "#sdy.sharding" + sdy_text(*s));
                write_generic(id, operation_name(id), properties);
            } else {
                line_of(id, fmt::format("sdy.data_flow_edge {}{} : {}", use(m_.operand(id, 0)),
                                        said ? " sharding=" + sdy_text(*s) : "",
                                        type(m_.operand(id, 0))));
            }
            return true;
        }
        case kNamedComputation: {
            const auto* name = m_.attributes_if<NameAttributes>(id);
            const std::string text(name == nullptr ? "" : m_.text(name->name));
            if (generic) {
                write_generic(id, operation_name(id), {{"name", "\"" + text + "\""}});
                return true;
            }
            const RegionId region = m_.region_of(id, 0);
            const std::string arguments = block_arguments(region);
            line(fmt::format("{}sdy.named_computation<\"{}\">({}) {} {{", definition(id), text,
                             uses(m_.operands(id)), arguments.empty() ? "()" : arguments));
            ++indent_;
            write_block(region, "sdy.return");
            --indent_;
            line(fmt::format("}}{} : {}{}", annotation(id), signature(id), location(id)));
            return true;
        }
        default:
            return false;
    }
}

}  // namespace shardwright::formats::mlir
