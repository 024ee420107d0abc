// The HLO writer: the module, its header, names and lines. Operations are in hlo_write_*.cpp.
#include <fmt/format.h>

#include <algorithm>

#include "formats/hlo_writer.h"
#include "sharding/hlo_sharding.h"
#include "sharding/text.h"

namespace shardwright::formats {
namespace hlo {
namespace {

/// HLO's names hold letters, digits and `_ . -`, and start with a letter or '_'.
std::string clean(std::string_view name) {
    std::string out;
    for (const char c : name) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        const bool other = (c >= '0' && c <= '9') || c == '.' || c == '-';
        if (out.empty() && !letter) out += 'v';
        out += letter || other ? c : '_';
    }
    return out;
}

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '"' || c == '\\' || c == '\'') out += '\\';
        if (c == '\n') {
            out += "\\n";
        } else {
            out += c;
        }
    }
    return out;
}

std::string unique(std::set<std::string, std::less<>>& taken, std::string_view wanted) {
    std::string name = clean(wanted);
    for (int i = 1; !taken.insert(name).second; ++i) name = fmt::format("{}.{}", clean(wanted), i);
    return name;
}

std::string mesh_text(const mesh::Mesh& mesh) {
    std::string axes;
    for (const mesh::Axis& axis : mesh.axes())
        axes += fmt::format("{}\"{}\"={}", axes.empty() ? "" : ", ", axis.name, axis.size);
    std::string ids;
    if (!mesh.device_ids().empty())
        ids = fmt::format(", device_ids=[{}]", fmt::join(mesh.device_ids(), ", "));
    return fmt::format("{} = #sdy.mesh<[{}]{}>", clean(mesh.name()), axes, ids);
}

std::string flags_text(std::string_view key, const std::vector<bool>& flags) {
    if (flags.empty()) return {};
    std::string list;
    for (const bool flag : flags) list += fmt::format("{}{}", list.empty() ? "" : ",", flag);
    return fmt::format(", {}={{{}}}", key, list);
}

}  // namespace

std::string Writer::fresh(Body& body, std::string_view wanted) const {
    return unique(body.taken, wanted);
}

std::string Writer::name_for(Body& body, ir::ValueId value) const {
    const std::string_view own = m_.name(value);
    return fresh(body, own.empty() ? fmt::format("v{}", value.index) : std::string(own));
}

const std::string& Writer::of(Body& body, ir::ValueId value) {
    const auto found = body.names.find(value);
    assert(found != body.names.end());  // a verified module uses only values in sight
    return found->second;
}

std::string Writer::operands(Body& body, ir::OpId op) {
    std::string out;
    for (const ir::ValueId v : m_.operands(op)) out += (out.empty() ? "%" : ", %") + of(body, v);
    return out;
}

std::string Writer::line(Body& body, std::string name, const std::string& type,
                         const std::string& text) {
    body.lines.push_back(fmt::format("%{} = {} {}", name, type, text));
    return name;
}

std::string Writer::tuple_type(std::span<const ir::ValueId> values) const {
    std::string out = "(";
    for (std::size_t i = 0; i < values.size(); ++i)
        out += (i == 0 ? "" : ", ") + ir::hlo_text(m_.type(values[i]));
    return out + ")";
}

std::string Writer::tuple(Body& body, std::span<const ir::ValueId> values) {
    std::string list;
    for (const ir::ValueId v : values) list += (list.empty() ? "%" : ", %") + of(body, v);
    return line(body, fresh(body, "tuple"), tuple_type(values), "tuple(" + list + ")");
}

const sharding::Sharding* Writer::sharding_of(ir::ValueId value) const {
    if (options_.annotate == Annotate::kNone) return nullptr;
    if (options_.shardings != nullptr && options_.pool != nullptr) {
        if (value.index >= options_.shardings->size()) return nullptr;
        const sharding::ShardingId id = (*options_.shardings)[value.index];
        return id.valid() ? &(*options_.pool)[id] : nullptr;
    }
    return m_.annotation(value);
}

std::string Writer::sharding_text(const sharding::Sharding& s, bool per_value) const {
    if (s.mesh.index >= m_.meshes().size()) return {};
    const mesh::Mesh& mesh = m_.mesh(s.mesh);
    std::string out = ", sharding=" + sharding::print_hlo(sharding::to_hlo(s, mesh));
    if (options_.annotate != Annotate::kSdy || s.form != sharding::Form::kTiled) return out;
    const std::string body = sharding::print_sdy_body(s, mesh);
    const std::string named = fmt::format("<@{}, {}>", clean(mesh.name()), body);
    return out + fmt::format(", frontend_attributes={{xla.sdy.sharding=\"{}\"}}",
                             escaped(per_value ? "#sdy.sharding_per_value<[" + named + "]>"
                                               : "#sdy.sharding" + named));
}

std::string Writer::annotation(ir::ValueId value) const {
    const sharding::Sharding* s = sharding_of(value);
    return s == nullptr ? std::string() : sharding_text(*s, m_.value(value).def.valid());
}

std::string Writer::metadata(std::string_view path) const {
    return path.empty() ? std::string()
                        : fmt::format(", metadata={{op_name=\"{}\"}}", escaped(path));
}

std::string Writer::computation_name(std::string_view wanted) {
    return unique(computation_names_, wanted);
}

void Writer::finish(Body& body, bool is_entry) {
    computations_ += fmt::format("{}%{} {{\n", is_entry ? "ENTRY " : "", body.name);
    std::size_t root = body.lines.size() - 1;
    for (std::size_t i = 0; i < body.lines.size() && !body.root.empty(); ++i)
        if (body.lines[i].starts_with("%" + body.root + " =")) root = i;
    for (std::size_t i = 0; i < body.lines.size(); ++i)
        computations_ += fmt::format("  {}{}\n", i == root ? "ROOT " : "", body.lines[i]);
    computations_ += "}\n\n";
}

void Writer::region(Body& body, ir::RegionId region) {
    for (const ir::OpId op : m_.region(region).ops)
        if (m_.op(op).kind != ir::OpKind::kReturn) operation(body, op);
}

std::string Writer::aliases(const ir::Function& entry) const {
    std::string aliased, donors;
    for (std::size_t i = 0; i < entry.arguments.size(); ++i) {
        const ir::ArgumentInfo& a = entry.arguments[i];
        if (a.alias_output >= 0) {
            aliased += fmt::format("{}{{{}}}: ({}, {{}}, may-alias)", aliased.empty() ? " " : ", ",
                                   a.alias_output, i);
        } else if (a.donated) {
            donors += fmt::format("{}({}, {{}})", donors.empty() ? " " : ", ", i);
        }
    }
    std::string out;
    if (!aliased.empty()) out += fmt::format(", input_output_alias={{{} }}", aliased);
    if (!donors.empty()) out += fmt::format(", buffer_donor={{{} }}", donors);
    return out;
}

std::string Writer::header(const ir::Function& entry) const {
    std::string out = "HloModule " + clean(m_.title.empty() ? "module" : m_.title);
    out += aliases(entry);
    std::vector<ir::ValueId> arguments;
    for (std::uint32_t i = 0; i < m_.region(entry.body).argument_count; ++i)
        arguments.push_back(m_.argument(entry.body, i));
    out += fmt::format(", entry_computation_layout={{{}->{}}}", tuple_type(arguments),
                       tuple_type(m_.returned(entry.body)));
    out += flags_text("allow_spmd_sharding_propagation_to_parameters",
                      m_.allow_propagation_to_parameters);
    out += flags_text("allow_spmd_sharding_propagation_to_output", m_.allow_propagation_to_outputs);
    std::int64_t partitions = m_.num_partitions;
    if (options_.annotate != Annotate::kNone)
        for (const mesh::Mesh& mesh : m_.meshes())
            partitions = std::max(partitions, mesh.device_count());
    if (partitions != 1) out += fmt::format(", num_partitions={}", partitions);
    if (m_.num_replicas != 1) out += fmt::format(", replica_count={}", m_.num_replicas);
    if (options_.annotate == Annotate::kSdy && !m_.meshes().empty()) {
        std::string meshes;
        for (const mesh::Mesh& mesh : m_.meshes())
            meshes += (meshes.empty() ? "" : ", ") + mesh_text(mesh);
        out += fmt::format(", frontend_attributes={{xla.sdy.meshes={{{}}}}}", meshes);
    }
    return out + "\n\n";
}

std::string Writer::run() {
    if (!m_.has_entry()) return "HloModule " + clean(m_.title) + "\n";
    const ir::Function& entry = m_.entry();
    Body body;
    body.name = computation_name(m_.text(entry.name));
    for (std::uint32_t i = 0; i < m_.region(entry.body).argument_count; ++i) {
        const ir::ValueId v = m_.argument(entry.body, i);
        body.names[v] = line(body, name_for(body, v), ir::hlo_text(m_.type(v)),
                             fmt::format("parameter({}){}{}", i, annotation(v),
                                         metadata(m_.text(entry.arguments[i].path))));
    }
    region(body, entry.body);
    std::string list, shardings;
    bool any = false;
    const auto returned = m_.returned(entry.body);
    for (std::size_t i = 0; i < returned.size(); ++i) {
        std::string name = of(body, returned[i]);
        const bool stated = options_.annotate != Annotate::kNone && i < entry.results.size() &&
                            entry.results[i].annotation.has_value();
        if (stated && options_.annotate == Annotate::kSdy) {
            name = line(
                body, fresh(body, name), ir::hlo_text(m_.type(returned[i])),
                fmt::format("custom-call(%{}), custom_call_target=\"xla.sdy.FuncResultSharding\", "
                            "custom_call_has_side_effect=true{}",
                            name, sharding_text(*entry.results[i].annotation, true)));
        }
        any |= stated;
        list += (list.empty() ? "%" : ", %") + name;
        shardings += i == 0 ? "" : ", ";
        if (!stated) {
            shardings += "{unknown}";
        } else {
            const sharding::Sharding& s = *entry.results[i].annotation;
            shardings += sharding::print_hlo(sharding::to_hlo(s, m_.mesh(s.mesh)));
        }
    }
    const bool on_root = any && options_.annotate == Annotate::kMhlo;
    line(body, fresh(body, "result"), tuple_type(returned),
         fmt::format("tuple({}){}", list, on_root ? ", sharding={" + shardings + "}" : ""));
    finish(body, true);
    return header(entry) + computations_;
}

}  // namespace hlo

std::string write_hlo(const ir::Module& module, const WriteOptions& options) {
    return hlo::Writer(module, options).run();
}

}  // namespace shardwright::formats
