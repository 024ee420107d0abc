// One operation: by family, with its types checked and its results bound.
#include <fmt/format.h>

#include "formats/mlir_import.h"

namespace shardwright::formats::mlir {

bool Importer::operands(Frame& frame, const RawOp& op, Values& out) {
    for (std::uint32_t i = 0; i < op.operands.count; ++i) {
        const ir::ValueId value = frame.values[syntax_.uses[op.operands.begin + i]];
        if (!value.valid())
            return fail(syntax_.use_places[op.operands.begin + i], "use of a value without data",
                        "a tensor");
        out.push_back(value);
    }
    return true;
}

bool Importer::check_operand_types(const RawOp& op, const Values& operands) {
    if (op.operand_types.count == 0) return true;
    if (op.operand_types.count != operands.size())
        return fail(op.pos,
                    fmt::format("{} operand types for {} operands", op.operand_types.count,
                                operands.size()),
                    "one type for each operand");
    for (std::size_t i = 0; i < operands.size(); ++i) {
        const ParsedType& type = syntax_.types[op.operand_types.begin + i];
        if (type.kind != TypeKind::kTensor) continue;
        if (type.tensor == module_.value(operands[i]).type) continue;
        return fail(type.pos, fmt::format("operand {} is stated as {}", i, type.text),
                    ir::mlir_text(module_.type(operands[i])) + ", its type");
    }
    return true;
}

bool Importer::result_types(const RawOp& op, std::vector<ir::TensorType>& out) {
    out.resize(op.result_types.count);
    for (std::uint32_t i = 0; i < op.result_types.count; ++i)
        if (!tensor_type(op.result_types.begin + i, out[i])) return false;
    return true;
}

bool Importer::regions(Frame& frame, const RawOp& op, InlineVector<ir::RegionId, 2>& out) {
    for (std::uint32_t i = 0; i < op.regions.count; ++i) {
        ir::RegionId region;
        if (!import_region(frame, syntax_.region_ids[op.regions.begin + i],
                           ir::name(op.known->kind), region))
            return false;
        out.push_back(region);
    }
    return true;
}

bool Importer::bind_results(Frame& frame, const RawOp& op, std::span<const ir::ValueId> values) {
    if (values.size() != op.result_count)
        return fail(op.pos, fmt::format("{} has {} results", op.known->name, op.result_count),
                    fmt::format("{}", values.size()));
    for (std::size_t i = 0; i < values.size(); ++i)
        bind(frame, op.first_result + static_cast<std::uint32_t>(i), values[i]);
    return op.attrs.count == 0 || annotate(op, values);
}

bool Importer::annotate(const RawOp& op, std::span<const ir::ValueId> values) {
    InlineVector<ir::TensorType, 2> types;
    for (const ir::ValueId value : values) types.push_back(module_.type(value));
    auto shardings = annotations_.of(op.attrs, view(types));
    if (!shardings.ok()) return fail(shardings.error(), op.pos);
    for (std::size_t i = 0; i < shardings->size(); ++i)
        module_.annotate(values[i], std::move((*shardings)[i]));
    return true;
}

bool Importer::add(Frame& frame, const RawOp& op, ir::OpKind kind,
                   std::span<const ir::ValueId> operands, ir::Attributes attributes,
                   std::span<const ir::RegionId> regions) {
    std::vector<ir::TensorType> stated;
    if (!result_types(op, stated)) return false;
    builder_.set_scope(scope_of(frame, op));
    builder_.set_line(op.line);
    auto id = builder_.try_add(kind, operands, std::move(attributes), stated, regions);
    if (!id.ok()) return fail(id.error(), op.pos);
    Values values;
    for (std::size_t i = 0; i < module_.op(*id).result_count; ++i)
        values.push_back(module_.result(*id, i));
    return bind_results(frame, op, view(values));
}

bool Importer::make(const RawOp& op, ir::OpKind kind, std::span<const ir::ValueId> operands,
                    ir::Attributes attributes, const ir::TensorType* stated, ir::ValueId& out) {
    std::span<const ir::TensorType> types;
    if (stated != nullptr) types = {stated, 1};
    builder_.set_line(op.line);
    auto id = builder_.try_add(kind, operands, std::move(attributes), types);
    if (!id.ok()) return fail(id.error(), op.pos);
    out = module_.result(*id);
    return true;
}

bool Importer::import_plain(Frame& frame, const RawOp& op) {
    Values values;
    if (!operands(frame, op, values) || !check_operand_types(op, values)) return false;
    const ir::OpKind kind = op.known->kind;
    if (ir::info(kind).collective) return import_collective(frame, op);
    if (kind == ir::OpKind::kTopK) return import_top_k(frame, op);
    OpReader attributes_of = reader(op);
    ir::Attributes attributes;
    if (kind == ir::OpKind::kShardingConstraint || kind == ir::OpKind::kReshard) {
        const Attr* text = attributes_of.find("sharding");
        if (text == nullptr || text->kind != AttrKind::kDialect)
            return fail(op.pos, "no sharding", "<@mesh, […]>");
        const std::size_t open = std::min(text->text.find('<'), text->text.size());
        auto sharding = annotations_.of_sdy(text->text.substr(open), text->pos);
        if (!sharding.ok()) return fail(sharding.error(), op.pos);
        attributes = ir::ShardingAttributes{*std::move(sharding), {}};
    } else {
        const std::size_t rank = values.empty() ? 0 : module_.type(values[0]).rank();
        decode_attributes(attributes_of, module_, kind, rank, attributes);
        if (!check(attributes_of)) return false;
    }
    InlineVector<ir::RegionId, 2> made;
    if (op.regions.count > 0 && !regions(frame, op, made)) return false;
    if (!add(frame, op, kind, view(values), std::move(attributes), view(made))) return false;
    if (kind == ir::OpKind::kDataFlowEdge) {
        const Attr* text = attributes_of.find("sharding");
        if (text == nullptr || text->kind != AttrKind::kDialect) return true;
        const std::size_t open = std::min(text->text.find('<'), text->text.size());
        auto sharding = annotations_.of_sdy(text->text.substr(open), text->pos);
        if (!sharding.ok()) return fail(sharding.error(), op.pos);
        module_.annotate(frame.values[op.first_result], *std::move(sharding));
    }
    return true;
}

bool Importer::import_operation(Frame& frame, const RawOp& op) {
    switch (op.known->lower) {
        case Lower::kPlain:
            return import_plain(frame, op);
        case Lower::kConstant:
            return import_constant(frame, op);
        case Lower::kConstantLike:
            return import_constant_like(frame, op);
        case Lower::kDot:
            return import_dot(frame, op);
        case Lower::kEinsum:
            return import_einsum(frame, op);
        case Lower::kBroadcast:
            return import_broadcast(frame, op);
        case Lower::kCreateToken:
            return add(frame, op, ir::OpKind::kAfterAll, {}, {});
        case Lower::kCall:
            return import_call(frame, op, reader(op).symbol("callee"));
        case Lower::kComposite:
            return import_call(frame, op, reader(op).symbol("decomposition"));
        case Lower::kCustomCall:
            return import_custom_call(frame, op);
        case Lower::kRunParallel:
            return import_run_parallel(frame, op);
        case Lower::kCheckConstant:
            return import_check_constant(frame, op);
        case Lower::kGlobalAddress:
            return import_global_access(frame, op);
        case Lower::kManual:
            return import_manual(frame, op);
        case Lower::kNamed:
            return import_named(frame, op);
        case Lower::kReshardLike:
            return import_reshard_like(frame, op);
        case Lower::kChlo:
            return import_chlo(frame, op);
        case Lower::kChloBroadcast:
            return import_chlo_broadcast(frame, op);
        case Lower::kGlobalLoad:
        case Lower::kFuncEdge: {
            Values values;
            return operands(frame, op, values) && bind_results(frame, op, view(values));
        }
        case Lower::kMesh:
        case Lower::kGlobal:
            return fail(op.pos, "a declaration inside a function", "an operation");
        case Lower::kReturn:
        case Lower::kUnsupported:
            break;
    }
    return fail_unsupported(op.pos, fmt::format("operation '{}'", op.known->name));
}

}  // namespace shardwright::formats::mlir
