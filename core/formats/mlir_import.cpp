// The module: attributes, meshes, globals, which functions stay and how large they become.
#include "formats/mlir_import.h"

#include <fmt/format.h>

#include <limits>

#include "formats/mlir_lexer.h"

namespace shardwright::formats::mlir {

Importer::Importer(const Source& source, const Syntax& syntax, ir::Module& module,
                   const ReadOptions& options)
    : source_(source),
      syntax_(syntax),
      module_(module),
      options_(options),
      builder_(module),
      locations_(syntax),
      annotations_(source, syntax, module) {}

bool Importer::fail(Pos pos, std::string what, std::string expected) {
    if (!error_) error_ = source_.at(pos, std::move(what), std::move(expected));
    return false;
}

bool Importer::fail(Diagnostic diagnostic, Pos pos) {
    if (error_) return false;
    error_ =
        diagnostic.line > 0 ? std::move(diagnostic) : source_.placed(std::move(diagnostic), pos);
    return false;
}

bool Importer::fail_unsupported(Pos pos, std::string what) {
    if (!error_) error_ = source_.unsupported_at(pos, std::move(what));
    return false;
}

Status Importer::run() {
    if (!import_module_attributes() || !import_top_level() || !find_functions())
        return *std::move(error_);
    for (std::size_t i = 0; i < syntax_.functions.size(); ++i)
        if (!referenced_[i] && syntax_.functions[i].has_body &&
            !import_function(syntax_.functions[i]))
            return *std::move(error_);
    const Range attrs = syntax_.module_attrs;
    module_.is_partitioned = syntax_.find(attrs, "shardwright.is_partitioned") != nullptr ||
                             (top_level_collectives_ && module_.num_partitions > 1);
    return {};
}

bool Importer::import_module_attributes() {
    module_.file = source_.file;
    if (!syntax_.module_name.empty()) module_.title = std::string(syntax_.module_name);
    RawOp op;
    op.attrs = syntax_.module_attrs;
    op.pos = syntax_.pos;
    OpReader reader(source_, syntax_, module_, op);
    reader.integer("mhlo.num_partitions", module_.num_partitions);
    reader.integer("mhlo.num_replicas", module_.num_replicas);
    if (reader.error()) return fail(*reader.error(), op.pos);
    for (const std::int64_t n : {module_.num_partitions, module_.num_replicas})
        if (n < 1 || n > (std::int64_t{1} << 40))
            return fail(op.pos, fmt::format("{} partitions or replicas", n), "1 to 2^40");
    return true;
}

bool Importer::import_top_level() {
    for (const RawOpId id : syntax_.top_level) {
        const RawOp& op = raw(id);
        if (op.known->lower == Lower::kGlobal) globals_[reader(op).symbol("sym_name")] = &op;
    }
    if (auto status = annotations_.find_meshes(); !status.ok()) return fail(status.error(), 0);
    return true;
}

const RawFunction* Importer::find_function(std::string_view name) const {
    const auto found = functions_.find(name);
    return found == functions_.end() ? nullptr : found->second;
}

bool Importer::find_functions() {
    for (std::size_t i = 0; i < syntax_.functions.size(); ++i) {
        const RawFunction& function = syntax_.functions[i];
        if (!functions_.emplace(function.name, &function).second)
            return fail(function.pos, fmt::format("function '@{}' is defined twice", function.name),
                        "a new name");
        function_numbers_[function.name] = static_cast<std::uint32_t>(i);
    }
    referenced_.assign(syntax_.functions.size(), false);
    sizes_.assign(syntax_.functions.size(), -1);
    const auto refer = [&](std::string_view name) {
        const auto found = function_numbers_.find(name);
        if (found != function_numbers_.end()) referenced_[found->second] = true;
    };
    for (const RawOp& op : syntax_.ops) {
        if (op.known->lower == Lower::kCall) refer(reader(op).symbol("callee"));
        if (op.known->lower == Lower::kComposite) refer(reader(op).symbol("decomposition"));
        const Attr* programs =
            op.known->lower == Lower::kRunParallel ? reader(op).find("programs") : nullptr;
        if (programs == nullptr || programs->kind != AttrKind::kArray) continue;
        for (std::uint32_t i = 0; i < programs->range.count; ++i) {
            const Attr& row = syntax_.resolve(syntax_.attr_ids[programs->range.begin + i]);
            if (row.kind != AttrKind::kArray) continue;
            for (std::uint32_t k = 0; k < row.range.count; ++k)
                refer(syntax_.resolve(syntax_.attr_ids[row.range.begin + k]).text);
        }
    }
    for (const RawFunction& function : syntax_.functions) {
        std::int64_t size = 0;
        if (!function_size(function, size)) return false;
        if (size <= options_.max_operations) continue;
        return fail_unsupported(
            function.pos, fmt::format("inlining the calls of '@{}' makes {} operations, more than "
                                      "the limit of {}",
                                      function.name, size, options_.max_operations));
    }
    return true;
}

// Operations of a function with its calls inlined, by memoised sums: nothing is inlined to know it.
bool Importer::function_size(const RawFunction& function, std::int64_t& size) {
    const std::uint32_t number = function_numbers_[function.name];
    if (sizes_[number] == -2)
        return fail(function.pos, fmt::format("function '@{}' calls itself", function.name),
                    "calls without recursion");
    if (sizes_[number] >= 0) {
        size = sizes_[number];
        return true;
    }
    if (too_deep(function.pos)) return false;
    ++depth_;
    sizes_[number] = -2;
    size = 0;
    std::vector<RawRegionId> open;
    if (function.has_body) open.push_back(function.body);
    while (!open.empty()) {
        const RawRegion& region = syntax_.regions[open.back().index];
        open.pop_back();
        for (std::uint32_t i = 0; i < region.ops.count; ++i) {
            const RawOp& op = raw(syntax_.op_ids[region.ops.begin + i]);
            for (std::uint32_t k = 0; k < op.regions.count; ++k)
                open.push_back(syntax_.region_ids[op.regions.begin + k]);
            std::int64_t added = 1;
            const bool is_call = op.known->lower == Lower::kCall;
            if (is_call || op.known->lower == Lower::kComposite) {
                const RawFunction* callee =
                    find_function(reader(op).symbol(is_call ? "callee" : "decomposition"));
                if (callee != nullptr && !function_size(*callee, added)) return false;
            }
            size = size > std::numeric_limits<std::int64_t>::max() - added
                       ? std::numeric_limits<std::int64_t>::max()
                       : size + added;
        }
    }
    sizes_[number] = size;
    --depth_;
    return true;
}

void Importer::import_argument(const RawFunction& function, std::size_t i, ir::ArgumentInfo& info) {
    const Range attrs = function.argument_attrs[i];
    std::string_view path = locations_.path(function.argument_locations[i]);
    if (path.empty()) {
        const Attr* named = syntax_.find(attrs, "jax.arg_info");
        if (named != nullptr && named->kind == AttrKind::kString) path = named->text;
    }
    info.path = module_.intern(unescape(path));
    const Attr* alias = syntax_.find(attrs, "tf.aliasing_output");
    if (alias != nullptr && alias->kind == AttrKind::kInt && alias->integer >= 0 &&
        alias->integer < function.result_types.count) {
        info.alias_output = static_cast<std::int32_t>(alias->integer);
        info.donated = true;
    }
    const Attr* donor = syntax_.find(attrs, "jax.buffer_donor");
    if (donor != nullptr && (donor->kind == AttrKind::kUnit || donor->integer != 0))
        info.donated = true;
}

bool Importer::import_function(const RawFunction& function) {
    const RawRegion& body = syntax_.regions[function.body.index];
    std::vector<ir::TensorType> types(body.argument_count);
    for (std::uint32_t i = 0; i < body.argument_count; ++i)
        if (!tensor_type(body.argument_types.begin + i, types[i])) return false;
    builder_.set_scope(NameId(0));
    builder_.set_line(0);
    const ir::RegionId region = builder_.begin_function(function.name, types);
    const std::size_t number = module_.functions().size() - 1;
    Frame frame;
    frame.function = &function;
    frame.values.resize(function.values.count);
    name_state_.clear();
    name_counters_.clear();
    instances_.clear();
    for (std::uint32_t i = 0; i < function.values.count; ++i) {
        bool numeric = false;
        const std::string name = value_name(frame, i, numeric);
        if (name.empty()) continue;
        const NameId id = module_.intern(name);
        if (id.index >= name_state_.size()) name_state_.resize(id.index + 1);
        name_state_[id.index] = 1;
    }
    for (std::uint32_t i = 0; i < body.argument_count; ++i) {
        const ir::ValueId value = module_.argument(region, i);
        bind(frame, body.first_argument + i, value);
        ir::ArgumentInfo& info = module_.function(number).arguments[i];
        import_argument(function, i, info);
        info.name = module_.value(value).name;
    }
    if (!import_block(frame, body, nullptr)) return false;
    ir::Function& made = module_.function(number);
    const auto returned = module_.returned(made.body);
    if (returned.size() != function.result_types.count)
        return fail(function.pos,
                    fmt::format("'@{}' returns {} values", function.name, returned.size()),
                    fmt::format("{} as its type says", function.result_types.count));
    made.results.resize(returned.size());
    for (std::size_t i = 0; i < returned.size(); ++i) {
        ir::TensorType type;
        if (!tensor_type(function.result_types.begin + static_cast<std::uint32_t>(i), type))
            return false;
        if (!(type == module_.type(returned[i])))
            return fail(function.pos,
                        fmt::format("result {} of '@{}' is {}", i, function.name,
                                    ir::mlir_text(module_.type(returned[i]))),
                        ir::mlir_text(type) + " as its type says");
    }
    return annotate_signature(function, made);
}

bool Importer::annotate_signature(const RawFunction& function, const ir::Function& made) {
    const RawRegion& body = syntax_.regions[function.body.index];
    const ir::RegionId region = made.body;
    for (std::uint32_t i = 0; i < body.argument_count; ++i) {
        const ir::ValueId value = module_.argument(region, i);
        auto one = annotations_.one(function.argument_attrs[i], module_.type(value));
        if (!one.ok()) return fail(one.error(), function.pos);
        if (*one) module_.annotate(value, **one);
    }
    ir::Function& target =
        module_.function(static_cast<std::size_t>(&made - module_.functions().data()));
    for (std::size_t i = 0; i < target.results.size(); ++i) {
        const ir::ValueId value = module_.returned(region)[i];
        const Range attrs = i < function.result_attrs.size() ? function.result_attrs[i] : Range{};
        auto one = annotations_.one(attrs, module_.type(value));
        if (!one.ok()) return fail(one.error(), function.pos);
        target.results[i].annotation = *one;
        const Attr* info = syntax_.find(attrs, "jax.result_info");
        target.results[i].name = info != nullptr && info->kind == AttrKind::kString
                                     ? module_.intern(unescape(info->text))
                                     : module_.value(value).name;
    }
    return true;
}

}  // namespace shardwright::formats::mlir
