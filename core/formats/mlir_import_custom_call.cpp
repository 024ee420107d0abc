// Custom calls: GSPMD's marks, known operations in disguise, checks, and the unknown rest.
#include <fmt/format.h>

#include <charconv>

#include "formats/mlir_import.h"
#include "formats/mlir_lexer.h"

namespace shardwright::formats::mlir {

bool Importer::import_custom_call(Frame& frame, const RawOp& op) {
    const std::string target = reader(op).string("call_target_name");
    if (target == "Sharding" || target == "xla.sdy.FuncResultSharding")
        return import_sharding_call(frame, op);
    Values values;
    if (!operands(frame, op, values) || !check_operand_types(op, values)) return false;
    const bool placement =
        target == "annotate_device_placement" || target == "Pin" || target == "Unpin";
    if (placement && values.size() == 1) return bind_results(frame, op, view(values));
    if (target == "SPMDFullToShardShape" || target == "SPMDShardToFullShape")
        return fail_unsupported(
            op.pos, fmt::format("custom_call @{} without a mesh of several devices", target));
    if (target == "xla.sdy.GlobalToLocalShape" || target == "xla.sdy.LocalToGlobalShape")
        return fail_unsupported(op.pos, fmt::format("custom_call @{}", target));
    RawOp stand_in = op;
    if (target.starts_with("check.")) {
        stand_in.known = find_operation(target);
    } else if (target.starts_with("mhlo.") || target.starts_with("chlo.")) {
        const std::string rest = target.substr(5);
        stand_in.known = find_operation(rest == "topk" ? "chlo.top_k" : "chlo." + rest);
        const Attr* attributes = reader(op).find("mhlo.attributes");
        if (attributes != nullptr && attributes->kind == AttrKind::kDict &&
            stand_in.known != nullptr)
            stand_in.attrs = attributes->range;
    } else {
        return import_unknown_call(frame, op, target);
    }
    if (stand_in.known == nullptr) return import_unknown_call(frame, op, target);
    stand_in.result_count = op.result_count;
    return import_operation(frame, stand_in);
}

bool Importer::import_sharding_call(Frame& frame, const RawOp& op) {
    Values values;
    if (!operands(frame, op, values) || !check_operand_types(op, values)) return false;
    if (values.size() != 1) return fail(op.pos, "@Sharding of other than one operand", "one");
    auto found = annotations_.one(op.attrs, module_.type(values[0]));
    if (!found.ok()) return fail(found.error(), op.pos);
    // Says nothing: one device, or a value that is local already.
    if (!*found || (*found)->form == sharding::Form::kManual)
        return values.size() == op.result_count ? (bind(frame, op.first_result, values[0]), true)
                                                : fail(op.pos, "@Sharding without a result", "one");
    ir::ShardingAttributes a;
    a.sharding = **found;
    if (manual_depth_ > 0) a.sharding.manual.clear();
    const std::string config = reader(op).string("backend_config");
    if (const std::size_t at = config.find("unspecified_dims=["); at != std::string::npos) {
        const char* p = config.data() + at + 18;
        const char* const end = config.data() + config.size();
        while (p < end && *p != ']') {
            std::int64_t dim = 0;
            const auto [next, status] = std::from_chars(p, end, dim);
            if (status == std::errc()) a.unspecified_dims.push_back(dim);
            p = next + 1;
        }
    }
    RawOp bare = op;  // the annotation is the operation's meaning, not one beside it
    bare.attrs = {};
    return add(frame, bare, ir::OpKind::kShardingConstraint, view(values), std::move(a));
}

bool Importer::import_unknown_call(Frame& frame, const RawOp& op, const std::string& target) {
    Values values;
    if (!operands(frame, op, values)) return false;
    OpReader attributes_of = reader(op);
    ir::CustomCallAttributes a;
    a.target = module_.intern(target);
    attributes_of.flag("has_side_effect", a.has_side_effect);
    std::int64_t api = 0;
    attributes_of.integer("api_version", api);
    if (!check(attributes_of)) return false;
    a.api_version = static_cast<std::int32_t>(api);
    std::string extra;
    for (const NamedAttr& attr : syntax_.attributes(op.attrs)) {
        const Attr& value = syntax_.resolve(attr.value);
        if (attr.name == "backend_config") {
            std::string_view text = value.text;
            if (const std::size_t equals = attr.text.find('=');
                value.kind == AttrKind::kDict && equals != std::string_view::npos) {
                text = attr.text.substr(equals + 1);
                text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
            }
            a.backend_config = module_.intern(text);
            continue;
        }
        const bool known = attr.name == "call_target_name" || attr.name == "has_side_effect" ||
                           attr.name == "api_version" || attr.name == "sdy.sharding" ||
                           attr.name == "mhlo.sharding" || attr.text.empty();
        // An alias would name nothing in the text that we write.
        if (known || syntax_.attr(attr.value).kind == AttrKind::kAlias) continue;
        if (!extra.empty()) extra += ", ";
        extra += attr.text;
    }
    a.extra = module_.intern(extra);
    InlineVector<ir::RegionId, 2> made;
    if (op.regions.count > 0) return fail_unsupported(op.pos, "custom_call with regions");
    return add(frame, op, ir::OpKind::kCustomCall, view(values), std::move(a));
}

}  // namespace shardwright::formats::mlir
