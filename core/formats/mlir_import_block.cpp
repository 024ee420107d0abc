// Blocks, names, scopes, and functions read in place of their calls.
#include <fmt/format.h>

#include <algorithm>

#include "formats/mlir_import.h"

namespace shardwright::formats::mlir {
namespace {

// Regions and inlined calls together: each level costs a few stack frames.
constexpr int kMaxDepth = 1000;

/// A name that MLIR's own lexer takes behind '%'.
std::string identifier(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '.';
        out += good ? c : '_';
    }
    if (out.empty() || (out[0] >= '0' && out[0] <= '9')) out.insert(0, "f");
    return out;
}

bool is_number(std::string_view text) {
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

bool Importer::too_deep(Pos pos) {
    if (depth_ < kMaxDepth) return false;
    fail_unsupported(pos, fmt::format("calls and regions nested deeper than {}", kMaxDepth));
    return true;
}

std::string Importer::value_name(const Frame& frame, std::uint32_t local, bool& numeric) const {
    const ValueName& name = syntax_.values[frame.function->values.begin + local];
    numeric = is_number(name.base);
    std::string out(name.base);
    if (!out.empty() && name.number != UINT32_MAX) out += '#' + std::to_string(name.number);
    return out;
}

NameId Importer::unique_name(std::string wanted) {
    const std::size_t hash = wanted.find('#');
    const std::string base = wanted.substr(0, hash);
    const std::string number = hash == std::string::npos ? std::string() : wanted.substr(hash);
    for (;;) {
        const NameId id = module_.intern(wanted);
        if (id.index >= name_state_.size()) name_state_.resize(id.index + 1);
        if (name_state_[id.index] == 0) {
            name_state_[id.index] = 2;
            return id;
        }
        wanted = fmt::format("{}.{}{}", base, ++name_counters_[base + number], number);
    }
}

void Importer::name_value(Frame& frame, std::uint32_t local, ir::ValueId value) {
    bool numeric = false;
    std::string name = value_name(frame, local, numeric);
    if (name.empty()) return;
    const NameId id = module_.intern(name);
    if (id.index >= name_state_.size()) name_state_.resize(id.index + 1);
    std::uint8_t& state = name_state_[id.index];
    const bool outermost = frame.suffix.empty();
    if (outermost ? state != 2 : (state == 0 && !numeric)) {
        state = 2;
        module_.set_name(value, name);
        return;
    }
    // Taken: by another instance of the function, or in a region beside this one.
    const std::string suffix =
        outermost ? identifier(frame.region.empty() ? "v" : frame.region) : frame.suffix;
    if (numeric) {
        name = suffix + "." + name;
    } else {
        const std::size_t hash = std::min(name.find('#'), name.size());
        name.insert(hash, "." + suffix);
    }
    module_.set_name(value, module_.text(unique_name(std::move(name))));
}

bool Importer::bind(Frame& frame, std::uint32_t local, ir::ValueId value) {
    frame.values[local] = value;
    if (module_.value(value).name.index == 0) name_value(frame, local, value);
    return true;
}

NameId Importer::scope_of(const Frame& frame, const RawOp& op) {
    const std::string_view own = locations_.path(op.location);
    if (own.empty()) return frame.scope;
    const std::string_view outer = module_.text(frame.scope);
    // Some writers give the whole path in the callee, some only the part behind the call.
    if (outer.empty() ||
        (own.starts_with(outer) && (own.size() == outer.size() || own[outer.size()] == '/')))
        return module_.intern(own);
    return module_.intern(std::string(outer) + "/" + std::string(own));
}

bool Importer::tensor_type(std::uint32_t type, ir::TensorType& out) {
    const ParsedType& parsed = syntax_.types[type];
    if (parsed.kind == TypeKind::kTensor) {
        out = module_.type(parsed.tensor);
        return true;
    }
    if (parsed.kind == TypeKind::kScalar) {
        out = ir::TensorType{parsed.element, {}};
        return true;
    }
    return fail_unsupported(parsed.pos, fmt::format("type '{}'", parsed.text.substr(0, 80)));
}

bool Importer::import_block(Frame& frame, const RawRegion& region, Values* returned) {
    if (too_deep(region.pos)) return false;
    ++depth_;
    if (has_manual_marks(region)) {
        const bool good = import_block_with_manual_regions(frame, region, returned);
        --depth_;
        return good;
    }
    bool closed = false;
    for (std::uint32_t i = 0; i < region.ops.count; ++i) {
        const RawOp& op = raw(syntax_.op_ids[region.ops.begin + i]);
        if (closed) return fail(op.pos, "operation behind the return", "'}'");
        if (op.known->lower == Lower::kReturn) {
            closed = true;
            Values values;
            if (!operands(frame, op, values)) return false;
            if (op.operand_types.count > 0 && !check_operand_types(op, values)) return false;
            if (returned != nullptr) {
                *returned = values;
            } else {
                const ir::OpId id =
                    module_.add_op(builder_.region(), ir::OpKind::kReturn, view(values), {});
                module_.set_line(id, op.line);
            }
        } else if (!import_operation(frame, op)) {
            return false;
        }
    }
    --depth_;
    return closed || fail(region.pos, "block without a return", "a return at its end");
}

bool Importer::import_region(Frame& frame, RawRegionId id, std::string_view holder,
                             ir::RegionId& made) {
    const RawRegion& region = syntax_.regions[id.index];
    std::vector<ir::TensorType> types(region.argument_count);
    for (std::uint32_t i = 0; i < region.argument_count; ++i)
        if (!tensor_type(region.argument_types.begin + i, types[i])) return false;
    made = builder_.make_region(types);
    const ir::RegionId outer = builder_.region();
    const std::string_view outer_holder = frame.region;
    builder_.set_region(made);
    frame.region = holder;
    for (std::uint32_t i = 0; i < region.argument_count; ++i)
        bind(frame, region.first_argument + i, module_.argument(made, i));
    const bool good = import_block(frame, region, nullptr);
    frame.region = outer_holder;
    builder_.set_region(outer);
    return good;
}

bool Importer::inline_function(Frame& caller, const RawOp& op, const RawFunction& callee,
                               std::span<const ir::ValueId> arguments, Values& results) {
    if (!callee.has_body)
        return fail_unsupported(op.pos,
                                fmt::format("call of '@{}', which has no body", callee.name));
    const RawRegion& body = syntax_.regions[callee.body.index];
    if (arguments.size() != body.argument_count)
        return fail(op.pos,
                    fmt::format("call of '@{}' with {} operands", callee.name, arguments.size()),
                    fmt::format("{}", body.argument_count));
    Frame frame;
    frame.function = &callee;
    frame.values.resize(callee.values.count);
    const int instance = instances_[callee.name]++;
    frame.suffix = identifier(callee.name);
    if (instance > 0) frame.suffix += "." + std::to_string(instance);
    const std::string_view outer = module_.text(caller.scope);
    // Without a location of its own the call's place is the callee's name.
    frame.scope =
        locations_.path(op.location).empty()
            ? module_.intern(outer.empty() ? frame.suffix : std::string(outer) + "/" + frame.suffix)
            : scope_of(caller, op);
    for (std::uint32_t i = 0; i < body.argument_count; ++i) {
        ir::TensorType type;
        if (!tensor_type(body.argument_types.begin + i, type)) return false;
        if (!(type == module_.type(arguments[i])))
            return fail(op.pos,
                        fmt::format("operand {} of the call of '@{}' is {}", i, callee.name,
                                    ir::mlir_text(module_.type(arguments[i]))),
                        ir::mlir_text(type));
        frame.values[body.first_argument + i] = arguments[i];
    }
    return import_block(frame, body, &results);
}

}  // namespace shardwright::formats::mlir
