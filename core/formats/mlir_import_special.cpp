// Operations that are not simply one operation of the ir: constants, legacy contractions, calls.
#include <fmt/format.h>

#include <algorithm>

#include "formats/mlir_import.h"
#include "formats/mlir_literal.h"

namespace shardwright::formats::mlir {

using ir::OpKind;

bool Importer::literal(const Attr& attr, const ir::TensorType& type, ir::LiteralId& out) {
    // Shared: a function inlined twice does not hold its weights twice.
    auto& known = literals_[&attr];
    for (const auto& [known_type, id] : known)
        if (known_type == type) return out = id, true;
    std::optional<ir::Literal> made;
    const auto keep = [&](Result<ir::Literal> result) {
        if (!result.ok()) return fail(std::move(result).error(), attr.pos);
        made = *std::move(result);
        return true;
    };
    switch (attr.kind) {
        case AttrKind::kDense:
            if (!keep(decode_dense(source_, attr.text, attr.pos, type))) return false;
            break;
        case AttrKind::kResource: {
            const auto blob = syntax_.resources.find(attr.text);
            if (blob == syntax_.resources.end()) {
                made = ir::Literal::elided(type);
            } else {
                const auto pos = static_cast<Pos>(blob->second.data() - source_.text.data());
                if (!keep(decode_resource(source_, blob->second, pos, type))) return false;
            }
            break;
        }
        case AttrKind::kInt:
        case AttrKind::kBool:
            made = splat_of_attribute(type, static_cast<double>(attr.integer), attr.integer, true);
            break;
        case AttrKind::kFloat:
            made = splat_of_attribute(type, attr.real, 0, false);
            break;
        default:
            return fail(attr.pos, "malformed constant", "dense<…> : tensor<…>");
    }
    out = module_.add_literal(*std::move(made));
    known.emplace_back(type, out);
    return true;
}

bool Importer::import_constant(Frame& frame, const RawOp& op) {
    const Attr* value = reader(op).find("value");
    if (value == nullptr) return fail(op.pos, "constant without a value", "dense<…> : tensor<…>");
    if (op.result_types.count != 1) return fail(op.pos, "constant without a type", "one type");
    ir::TensorType type;
    if (!tensor_type(op.result_types.begin, type)) return false;
    if (value->type != UINT32_MAX && syntax_.types[value->type].kind == TypeKind::kTensor &&
        !(module_.type(syntax_.types[value->type].tensor) == type))
        return fail(op.pos, fmt::format("constant of type {}", syntax_.types[value->type].text),
                    ir::mlir_text(type) + " as its result");
    ir::LiteralId id;
    return literal(*value, type, id) &&
           add(frame, op, OpKind::kConstant, {}, ir::ConstantAttributes{id});
}

bool Importer::import_constant_like(Frame& frame, const RawOp& op) {
    const Attr* value = reader(op).find("value");
    ir::TensorType type;
    ir::LiteralId id;
    if (value == nullptr || op.result_types.count != 1)
        return fail(op.pos, "constant_like without a value", "value = …");
    return tensor_type(op.result_types.begin, type) && literal(*value, type, id) &&
           add(frame, op, OpKind::kConstant, {}, ir::ConstantAttributes{id});
}

bool Importer::import_check_constant(Frame& frame, const RawOp& op) {
    Values values;
    if (!operands(frame, op, values)) return false;
    const Attr* value = reader(op).find("value");
    if (values.size() != 1 || value == nullptr)
        return fail(op.pos, "check without a value to compare with",
                    "%value, dense<…> : tensor<…>");
    ir::LiteralId id;
    ir::ValueId expected;
    const ir::TensorType type = module_.type(values[0]);
    if (!literal(*value, type, id)) return false;
    builder_.set_scope(scope_of(frame, op));
    if (!make(op, OpKind::kConstant, {}, ir::ConstantAttributes{id}, &type, expected)) return false;
    values.push_back(expected);
    OpReader attributes_of = reader(op);
    ir::Attributes attributes;
    decode_attributes(attributes_of, module_, OpKind::kCheck, 0, attributes);
    return check(attributes_of) &&
           add(frame, op, OpKind::kCheck, view(values), std::move(attributes));
}

bool Importer::import_dot(Frame& frame, const RawOp& op) {
    Values values;
    if (!operands(frame, op, values) || !check_operand_types(op, values)) return false;
    if (values.size() != 2) return fail(op.pos, "dot of other than two operands", "two");
    const std::size_t rank = module_.type(values[0]).rank();
    if (rank == 0 || module_.type(values[1]).rank() == 0)
        return fail(op.pos, "dot of a scalar", "operands of rank 1 or 2");
    ir::DotAttributes a;
    a.lhs_contracting = {static_cast<std::int64_t>(rank) - 1};
    a.rhs_contracting = {0};
    OpReader attributes_of = reader(op);
    attributes_of.precisions(a.lhs_precision, a.rhs_precision);
    return add(frame, op, OpKind::kDotGeneral, view(values), std::move(a));
}

bool Importer::import_einsum(Frame& frame, const RawOp& op) {
    Values values;
    if (!operands(frame, op, values) || !check_operand_types(op, values)) return false;
    const std::string text = reader(op).string("einsum_config");
    const std::size_t comma = text.find(','), arrow = text.find("->");
    if (values.size() != 2 || comma == std::string::npos || arrow == std::string::npos ||
        comma > arrow)
        return fail(op.pos, "malformed einsum", "einsum_config = \"ab,bc->ac\" and two operands");
    const std::string lhs = text.substr(0, comma), rhs = text.substr(comma + 1, arrow - comma - 1),
                      out = text.substr(arrow + 2);
    for (const std::string& side : {lhs, rhs, out})
        for (std::size_t i = 0; i < side.size(); ++i)
            if (side.find(side[i]) != i || side[i] == '.')
                return fail_unsupported(op.pos, "einsum with repeated or omitted dimensions");
    ir::DotAttributes a;
    std::string order;
    const auto at = [](std::size_t i) { return static_cast<std::int64_t>(i); };
    for (std::size_t i = 0; i < lhs.size(); ++i) {
        const std::size_t k = rhs.find(lhs[i]);
        const bool kept = out.find(lhs[i]) != std::string::npos;
        if (k == std::string::npos && !kept)
            return fail_unsupported(op.pos, "einsum that sums a dimension of one operand");
        if (k == std::string::npos) continue;
        (kept ? a.lhs_batch : a.lhs_contracting).push_back(at(i));
        (kept ? a.rhs_batch : a.rhs_contracting).push_back(at(k));
        if (kept) order += lhs[i];
    }
    for (const char c : lhs)
        if (rhs.find(c) == std::string::npos) order += c;
    for (const char c : rhs) {
        if (lhs.find(c) != std::string::npos) continue;
        if (out.find(c) == std::string::npos)
            return fail_unsupported(op.pos, "einsum that sums a dimension of one operand");
        order += c;
    }
    if (order == out) return add(frame, op, OpKind::kDotGeneral, view(values), std::move(a));
    ir::DimsAttributes permutation;
    for (const char c : out) {
        const std::size_t i = order.find(c);
        if (i == std::string::npos)
            return fail(op.pos, "einsum result of an unknown dimension", "one of " + order);
        permutation.dims.push_back(at(i));
    }
    ir::ValueId product;
    builder_.set_scope(scope_of(frame, op));
    if (!make(op, OpKind::kDotGeneral, view(values), std::move(a), nullptr, product)) return false;
    return add(frame, op, OpKind::kTranspose, {&product, 1}, std::move(permutation));
}

// The legacy broadcast puts new dims in front.
bool Importer::import_broadcast(Frame& frame, const RawOp& op) {
    Values values;
    if (!operands(frame, op, values) || !check_operand_types(op, values)) return false;
    if (values.size() != 1) return fail(op.pos, "broadcast of other than one operand", "one");
    OpReader attributes_of = reader(op);
    Dims sizes;
    attributes_of.need_dims("broadcast_sizes", sizes);
    if (!check(attributes_of)) return false;
    ir::DimsAttributes a;
    for (std::size_t i = 0; i < module_.type(values[0]).rank(); ++i)
        a.dims.push_back(static_cast<std::int64_t>(sizes.size() + i));
    return add(frame, op, OpKind::kBroadcastInDim, view(values), std::move(a));
}

bool Importer::import_top_k(Frame& frame, const RawOp& op) {
    Values values;
    if (!operands(frame, op, values)) return false;
    OpReader attributes_of = reader(op);
    ir::TopKAttributes a;
    attributes_of.need_integer("k", a.k);
    attributes_of.flag("largest", a.largest);
    return check(attributes_of) && add(frame, op, OpKind::kTopK, view(values), a);
}

// A global is read where it is used: its constant, or an address that a load takes as it is.
bool Importer::import_global_access(Frame& frame, const RawOp& op) {
    const std::string_view name = reader(op).symbol("global");
    const auto found = globals_.find(name);
    if (found == globals_.end())
        return fail(op.pos, fmt::format("unknown global '@{}'", name.substr(0, 80)),
                    "a global of this module");
    const Attr* value = reader(*found->second).find("value");
    if (value == nullptr || value->type == UINT32_MAX)
        return fail_unsupported(op.pos,
                                fmt::format("global '@{}' without a value", name.substr(0, 80)));
    ir::TensorType type;
    ir::LiteralId id;
    if (!tensor_type(value->type, type) || !literal(*value, type, id)) return false;
    builder_.set_scope(scope_of(frame, op));
    ir::ValueId made;
    return make(op, OpKind::kConstant, {}, ir::ConstantAttributes{id}, &type, made) &&
           bind_results(frame, op, {&made, 1});
}

bool Importer::import_call(Frame& frame, const RawOp& op, std::string_view name) {
    const RawFunction* callee = find_function(name);
    if (callee == nullptr)
        return fail(op.pos, fmt::format("call of unknown function '@{}'", name.substr(0, 80)),
                    "a function of this module");
    Values arguments, results;
    const std::size_t before = module_.value_count();
    if (!operands(frame, op, arguments) || !check_operand_types(op, arguments) ||
        !inline_function(frame, op, *callee, view(arguments), results))
        return false;
    if (results.size() != op.result_count)
        return fail(op.pos, fmt::format("call of '@{}' with {} results", name, op.result_count),
                    fmt::format("{}", results.size()));
    for (std::uint32_t i = 0; i < op.result_count; ++i) {
        ir::TensorType type;
        if (!tensor_type(op.result_types.begin + i, type)) return false;
        if (!(type == module_.type(results[i])))
            return fail(op.pos,
                        fmt::format("result {} of the call of '@{}' is stated as {}", i, name,
                                    ir::mlir_text(type)),
                        ir::mlir_text(module_.type(results[i])));
        // What the call returns is known by the caller's name for it.
        if (results[i].index >= before) module_.set_name(results[i], "");
    }
    return bind_results(frame, op, view(results));
}

bool Importer::import_run_parallel(Frame& frame, const RawOp& op) {
    Values values;
    if (!operands(frame, op, values)) return false;
    const Attr* programs = reader(op).find("programs");
    if (programs == nullptr || programs->kind != AttrKind::kArray)
        return fail(op.pos, "run_parallel without programs", "programs = [[@f, @g]]");
    ir::RunParallelAttributes a;
    std::vector<std::string_view> names;
    for (std::uint32_t i = 0; i < programs->range.count; ++i) {
        const Attr& row = syntax_.resolve(syntax_.attr_ids[programs->range.begin + i]);
        if (row.kind != AttrKind::kArray)
            return fail(row.pos, "malformed programs", "lists of functions");
        auto& out = a.programs.emplace_back();
        for (std::uint32_t k = 0; k < row.range.count; ++k) {
            const std::string_view name =
                syntax_.resolve(syntax_.attr_ids[row.range.begin + k]).text;
            auto found = std::find(names.begin(), names.end(), name);
            if (found == names.end()) found = names.insert(names.end(), name);
            out.push_back(static_cast<std::int32_t>(found - names.begin()));
        }
    }
    InlineVector<ir::RegionId, 2> made;
    for (const std::string_view name : names) {
        const RawFunction* program = find_function(name);
        if (program == nullptr || !program->has_body)
            return fail(op.pos, fmt::format("unknown program '@{}'", name),
                        "a function of this module");
        const RawRegion& body = syntax_.regions[program->body.index];
        std::vector<ir::TensorType> types(body.argument_count);
        for (std::uint32_t i = 0; i < body.argument_count; ++i)
            if (!tensor_type(body.argument_types.begin + i, types[i])) return false;
        const ir::RegionId region = builder_.make_region(types);
        const ir::RegionId outer = builder_.region();
        builder_.set_region(region);
        Values arguments, results;
        for (std::uint32_t i = 0; i < body.argument_count; ++i)
            arguments.push_back(module_.argument(region, i));
        if (!inline_function(frame, op, *program, view(arguments), results)) return false;
        module_.add_op(region, OpKind::kReturn, view(results), {});
        builder_.set_region(outer);
        made.push_back(region);
    }
    return add(frame, op, OpKind::kRunParallel, view(values), std::move(a), view(made));
}

}  // namespace shardwright::formats::mlir
