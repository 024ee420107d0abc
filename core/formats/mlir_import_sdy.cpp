// Shardy's operations with regions, and its explicit collectives.
#include <fmt/format.h>

#include <algorithm>

#include "formats/mlir_import.h"
#include "formats/mlir_lexer.h"

namespace shardwright::formats::mlir {

using sharding::Sharding;

bool Importer::import_manual(Frame& frame, const RawOp& op) {
    Values values;
    if (!operands(frame, op, values) || !check_operand_types(op, values)) return false;
    if (op.regions.count != 1)
        return fail(op.pos, "manual_computation without its region", "one region");
    OpReader attributes_of = reader(op);
    ir::ManualAttributes a;
    for (const auto& [name, out] : {std::pair{"in_shardings", &a.in}, {"out_shardings", &a.out}}) {
        const Attr* list = attributes_of.find(name);
        if (list == nullptr) continue;
        if (list->kind != AttrKind::kDialect)
            return fail(list->pos, "malformed shardings", "[<@mesh, […]>]");
        const std::size_t open = list->text.starts_with('#') ? list->text.find('[') : 0;
        if (open == std::string_view::npos)
            return fail(list->pos, "malformed shardings", "[<@mesh, […]>]");
        auto shardings =
            annotations_.of_sdy_list(list->text.substr(open), list->pos + static_cast<Pos>(open));
        if (!shardings.ok()) return fail(shardings.error(), op.pos);
        *out = *std::move(shardings);
    }
    if (!a.in.empty()) {
        a.mesh = a.in.front().mesh;
    } else if (!a.out.empty()) {
        a.mesh = a.out.front().mesh;
    } else if (const auto mesh = annotations_.device_mesh()) {
        a.mesh = *mesh;
    }
    const Attr* axes = attributes_of.find("manual_axes");
    if (axes != nullptr && axes->kind == AttrKind::kDialect &&
        a.mesh.index < module_.meshes().size()) {
        auto list = annotations_.axes(axes->text, axes->pos, a.mesh);
        if (!list.ok()) return fail(list.error(), op.pos);
        a.axes = *std::move(list);
    }
    const auto outer_mesh = manual_mesh_;
    manual_mesh_ = a.mesh;
    ++manual_depth_;
    InlineVector<ir::RegionId, 2> made;
    const bool good = regions(frame, op, made);
    --manual_depth_;
    manual_mesh_ = outer_mesh;
    return good &&
           add(frame, op, ir::OpKind::kManualComputation, view(values), std::move(a), view(made));
}

// Inlined: its body is a part of the program like any other, under its name.
bool Importer::import_named(Frame& frame, const RawOp& op) {
    Values values, results;
    if (!operands(frame, op, values) || !check_operand_types(op, values)) return false;
    if (op.regions.count != 1)
        return fail(op.pos, "named_computation without its region", "one region");
    const RawRegion& body = syntax_.regions[syntax_.region_ids[op.regions.begin].index];
    if (body.argument_count != values.size())
        return fail(op.pos,
                    fmt::format("{} operands for {} arguments", values.size(), body.argument_count),
                    "one operand for each argument");
    for (std::uint32_t i = 0; i < body.argument_count; ++i)
        frame.values[body.first_argument + i] = values[i];
    const NameId outer = frame.scope;
    const std::string name = reader(op).string("name");
    if (!name.empty()) {
        const std::string_view path = module_.text(outer);
        frame.scope = module_.intern(path.empty() ? name : std::string(path) + "/" + name);
    }
    const std::size_t before = module_.value_count();
    const bool good = import_block(frame, body, &results);
    frame.scope = outer;
    if (!good) return false;
    for (const ir::ValueId value : results)
        if (value.index >= before) module_.set_name(value, "");
    return bind_results(frame, op, view(results));
}

// Shardy's collectives keep the whole tensor's type: each says where the value is to be, which is
// what a reshard says. How it gets there is the partitioner's business.
bool Importer::import_reshard_like(Frame& frame, const RawOp& op) {
    Values values;
    if (!operands(frame, op, values)) return false;
    const Attr* text = reader(op).find("out_sharding");
    if (text == nullptr || text->kind != AttrKind::kDialect)
        return fail(op.pos, "no target sharding", "out_sharding=<@mesh, […]>");
    const std::size_t open = std::min(text->text.find('<'), text->text.size());
    auto sharding = annotations_.of_sdy(text->text.substr(open), text->pos);
    if (!sharding.ok()) return fail(sharding.error(), op.pos);
    return add(frame, op, ir::OpKind::kReshard, view(values),
               ir::ShardingAttributes{*std::move(sharding), {}});
}

}  // namespace shardwright::formats::mlir
