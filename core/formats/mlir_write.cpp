// The module: its attributes, meshes and functions.
#include "formats/mlir_write.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace shardwright::formats {
namespace mlir {
namespace {

std::string quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (static_cast<unsigned char>(c) < ' ') {
            out += fmt::format("\\{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
        } else {
            out += c;
        }
    }
    return out + '"';
}

std::string symbol(std::string_view name) {
    const bool plain = !name.empty() && !(name[0] >= '0' && name[0] <= '9') && name[0] != '.' &&
                       std::all_of(name.begin(), name.end(), [](char c) {
                           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                                  (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '.';
                       });
    return "@" + (plain ? std::string(name) : quoted(name));
}

std::string braces(const std::vector<std::string>& entries) {
    return entries.empty() ? std::string() : fmt::format(" {{{}}}", fmt::join(entries, ", "));
}

}  // namespace

void Writer::line(std::string_view text) {
    out_.append(static_cast<std::size_t>(2 * indent_), ' ');
    out_ += text;
    out_ += '\n';
}

std::string Writer::module_attributes() const {
    std::int64_t partitions = m_.num_partitions;
    if (options_.annotate == Annotate::kMhlo)
        for (const mesh::Mesh& mesh : m_.meshes())
            partitions = std::max(partitions, mesh.device_count());
    std::string out = fmt::format("mhlo.num_partitions = {} : i32, mhlo.num_replicas = {} : i32",
                                  partitions, m_.num_replicas);
    if (m_.is_partitioned) out += ", shardwright.is_partitioned";
    return out;
}

void Writer::write_meshes() {
    const auto write_mesh = [&](const std::string& name, const mesh::Mesh& mesh) {
        std::string body;
        for (const mesh::Axis& axis : mesh.axes()) {
            if (!body.empty()) body += ", ";
            body += fmt::format("{}={}", quoted(axis.name), axis.size);
        }
        body = "<[" + body + "]";
        if (!mesh.device_ids().empty())
            body += fmt::format(", device_ids=[{}]", fmt::join(mesh.device_ids(), ", "));
        body += ">";
        if (options_.generic) {
            line(fmt::format("\"sdy.mesh\"() <{{mesh = #sdy.mesh{}, sym_name = {}}}> : () -> ()",
                             body, quoted(name)));
        } else {
            line(fmt::format("sdy.mesh {} = {}", symbol(name), body));
        }
    };
    for (const mesh::Mesh& mesh : m_.meshes()) write_mesh(mesh.name(), mesh);
    // Shardy says "on device 3" by a mesh of that device alone.
    std::set<std::int64_t> maximal;
    const auto look = [&](const sharding::Sharding* s) {
        if (s != nullptr && s->form == sharding::Form::kMaximal &&
            !(s->mesh.index < m_.meshes().size() && m_.mesh(s->mesh).is_maximal()))
            maximal.insert(s->maximal_device);
    };
    for (std::uint32_t i = 0; i < m_.value_count(); ++i) look(sharding_of(ir::ValueId(i)));
    for (const ir::Function& function : m_.functions())
        for (const ir::ResultInfo& result : function.results)
            if (result.annotation) look(&*result.annotation);
    for (const std::int64_t device : maximal)
        write_mesh(fmt::format("maximal_mesh_{}", device), mesh::Mesh::maximal("", device));
}

std::string Writer::argument_attributes(const ir::Function& function, std::size_t i) const {
    std::vector<std::string> entries;
    const ir::ArgumentInfo& info = function.arguments[i];
    if (info.path.index != 0 && !options_.locations)
        entries.push_back("jax.arg_info = " + quoted(m_.text(info.path)));
    if (info.donated && info.alias_output < 0) entries.push_back("jax.buffer_donor = true");
    if (std::string s = value_attribute(sharding_of(m_.argument(function.body, i))); !s.empty())
        entries.push_back(std::move(s));
    if (info.alias_output >= 0)
        entries.push_back(fmt::format("tf.aliasing_output = {} : i32", info.alias_output));
    return braces(entries);
}

std::string Writer::result_attributes(const ir::Function& function, std::size_t i) const {
    std::vector<std::string> entries;
    if (i >= function.results.size()) return {};
    const ir::ResultInfo& info = function.results[i];
    const ir::ValueId value = m_.returned(function.body)[i];
    if (info.name.index != 0 && m_.text(info.name) != m_.name(value))
        entries.push_back("jax.result_info = " + quoted(m_.text(info.name)));
    const sharding::Sharding* s = info.annotation ? &*info.annotation : nullptr;
    if (options_.shardings != nullptr) s = sharding_of(value);
    if (std::string text = value_attribute(s); !text.empty()) entries.push_back(std::move(text));
    return braces(entries);
}

void Writer::write_function(const ir::Function& function, bool is_private) {
    name_function(function.body);
    const std::size_t arguments = m_.region(function.body).argument_count;
    const auto returned = m_.returned(function.body);
    if (options_.generic) {
        std::vector<ir::ValueId> inputs;
        std::vector<std::string> arg_attrs, res_attrs;
        for (std::size_t i = 0; i < arguments; ++i) {
            inputs.push_back(m_.argument(function.body, i));
            const std::string text = argument_attributes(function, i);
            arg_attrs.push_back(text.empty() ? "{}" : text.substr(1));
        }
        for (std::size_t i = 0; i < returned.size(); ++i) {
            const std::string text = result_attributes(function, i);
            res_attrs.push_back(text.empty() ? "{}" : text.substr(1));
        }
        line(fmt::format(
            "\"func.func\"() <{{arg_attrs = [{}], function_type = ({}) -> ({}), "
            "res_attrs = [{}], sym_name = {}, sym_visibility = \"{}\"}}> ({{",
            fmt::join(arg_attrs, ", "), types(inputs), types(returned), fmt::join(res_attrs, ", "),
            quoted(m_.text(function.name)), is_private ? "private" : "public"));
        line("^bb0" + block_arguments(function.body) + ":");
        ++indent_;
        write_block(function.body, "func.return");
        --indent_;
        line("}) : () -> ()");
        return;
    }
    std::vector<std::string> inputs, outputs;
    for (std::size_t i = 0; i < arguments; ++i) {
        const ir::ValueId value = m_.argument(function.body, i);
        std::string text = use(value) + ": " + type(value) + argument_attributes(function, i);
        if (const NameId path = function.arguments[i].path; options_.locations && path.index != 0)
            text += " loc(" + quoted(m_.text(path)) + ")";
        inputs.push_back(std::move(text));
    }
    for (std::size_t i = 0; i < returned.size(); ++i)
        outputs.push_back(type(returned[i]) + result_attributes(function, i));
    line(fmt::format("func.func {} {}({}) -> ({}) {{", is_private ? "private" : "public",
                     symbol(m_.text(function.name)), fmt::join(inputs, ", "),
                     fmt::join(outputs, ", ")));
    ++indent_;
    write_block(function.body, "return");
    --indent_;
    line("}");
}

// The programs of run_parallel are functions of their own in MLIR; they may hold further ones.
void Writer::write_programs() {
    for (std::size_t i = 0; i < programs_.size(); ++i) {
        ir::Function function;
        function.body = programs_[i].second;
        function.arguments.resize(m_.region(function.body).argument_count);
        name_function(function.body);
        const auto returned = m_.returned(function.body);
        std::vector<std::string> inputs, outputs;
        for (std::size_t k = 0; k < function.arguments.size(); ++k) {
            const ir::ValueId value = m_.argument(function.body, k);
            inputs.push_back(use(value) + ": " + type(value));
        }
        for (const ir::ValueId value : returned) outputs.push_back(type(value));
        if (options_.generic) {
            line(fmt::format(
                "\"func.func\"() <{{function_type = ({}) -> ({}), sym_name = {}, "
                "sym_visibility = \"private\"}}> ({{",
                [&] {
                    std::vector<ir::ValueId> all;
                    for (std::size_t k = 0; k < function.arguments.size(); ++k)
                        all.push_back(m_.argument(function.body, k));
                    return types(all);
                }(),
                fmt::join(outputs, ", "), quoted(programs_[i].first)));
            line("^bb0" + block_arguments(function.body) + ":");
        } else {
            line(fmt::format("func.func private {}({}) -> ({}) {{", symbol(programs_[i].first),
                             fmt::join(inputs, ", "), fmt::join(outputs, ", ")));
        }
        ++indent_;
        write_block(function.body, options_.generic ? "func.return" : "return");
        --indent_;
        line(options_.generic ? "}) : () -> ()" : "}");
    }
}

std::string Writer::write() {
    names_.resize(m_.value_count());
    for (std::uint32_t i = 0; i < m_.op_count(); ++i)
        if (const auto* a = m_.attributes_if<ir::CollectiveAttributes>(ir::OpId(i)))
            next_channel_ = std::max(next_channel_, a->channel + 1);
    if (options_.generic) {
        line("\"builtin.module\"() ({");
    } else {
        const std::string name =
            m_.title.empty() || m_.title == "module" ? "" : " " + symbol(m_.title);
        line(fmt::format("module{} attributes {{{}}} {{", name, module_attributes()));
    }
    ++indent_;
    bool needs_meshes = options_.annotate == Annotate::kSdy;
    if (options_.annotate == Annotate::kNone)
        for (std::uint32_t i = 0; i < m_.op_count() && !needs_meshes; ++i)
            needs_meshes = m_.op(ir::OpId(i)).kind == ir::OpKind::kManualComputation;
    if (needs_meshes) write_meshes();
    for (const ir::Function& function : m_.functions()) write_function(function, false);
    write_programs();
    --indent_;
    if (options_.generic) {
        const std::string name =
            m_.title.empty() || m_.title == "module" ? "" : ", sym_name = " + quoted(m_.title);
        line(fmt::format("}}) {{{}{}}} : () -> ()", module_attributes(), name));
    } else {
        line("}");
    }
    return std::move(out_);
}

}  // namespace mlir

std::string write_mlir(const ir::Module& module, const WriteOptions& options) {
    return mlir::Writer(module, options).write();
}

}  // namespace shardwright::formats
