// Collectives that the file already has, and custom calls.
#include <fmt/format.h>

#include "formats/hlo_lower.h"

namespace shardwright::formats::hlo {
namespace {

using ir::OpKind;

/// The reduction of a computation `(a, b) -> op(a, b)`.
std::optional<ir::Reduction> simple_reduction(const Computation& body) {
    if (body.parameters.size() != 2 || body.instructions.size() != 3) return std::nullopt;
    const Instruction& root = body.instructions[body.root];
    if (root.operands.size() != 2 || root.operands[0] == root.operands[1]) return std::nullopt;
    constexpr std::pair<std::string_view, ir::Reduction> kNames[] = {
        {"add", ir::Reduction::kSum},         {"multiply", ir::Reduction::kProduct},
        {"maximum", ir::Reduction::kMaximum}, {"minimum", ir::Reduction::kMinimum},
        {"and", ir::Reduction::kAnd},         {"or", ir::Reduction::kOr},
        {"xor", ir::Reduction::kXor}};
    for (const auto& [name, reduction] : kNames)
        if (name == root.opcode) return reduction;
    return std::nullopt;
}

OpKind collective_kind(std::string_view opcode) {
    if (opcode == "all-gather") return OpKind::kAllGather;
    if (opcode == "all-reduce") return OpKind::kAllReduce;
    if (opcode == "reduce-scatter") return OpKind::kReduceScatter;
    if (opcode == "all-to-all") return OpKind::kAllToAll;
    if (opcode == "collective-permute") return OpKind::kCollectivePermute;
    return OpKind::kCollectiveBroadcast;
}

}  // namespace

Result<Leaves> Lowering::collective(Frame& frame, const Instruction& instruction) {
    const AttributeReader read(source_, instruction);
    const OpKind kind = collective_kind(instruction.opcode);
    ir::CollectiveAttributes attributes;
    const bool pairs = kind == OpKind::kCollectivePermute;
    SW_TRY(attributes.groups, read.groups(pairs ? "source_target_pairs" : "replica_groups"));
    SW_TRY(attributes.channel, read.integer("channel_id", 0));
    SW_TRY(const bool global, read.boolean("use_global_device_ids", false));
    attributes.mode = attributes.channel <= 0 ? ir::GroupMode::kCrossReplica
                      : global                ? ir::GroupMode::kFlattenedIds
                      : pairs || kind == OpKind::kAllToAll || kind == OpKind::kCollectiveBroadcast
                          ? ir::GroupMode::kCrossPartition
                          : ir::GroupMode::kCrossReplicaAndPartition;
    if (kind == OpKind::kAllGather || kind == OpKind::kReduceScatter || kind == OpKind::kAllToAll) {
        SW_TRY(const Dims dims, read.dims("dimensions"));
        if (dims.size() != 1) return not_supported(instruction, "over several buffers");
        attributes.dim = dims[0];
        if (kind == OpKind::kAllToAll) attributes.concat_dim = dims[0];
    }
    std::vector<ir::RegionId> regions;
    if (kind == OpKind::kAllReduce || kind == OpKind::kReduceScatter) {
        SW_TRY(const std::size_t callee, calls_.callee(instruction, "to_apply"));
        if (const auto reduction = simple_reduction(file_.computations[callee])) {
            attributes.reduction = *reduction;
        } else {
            attributes.reduction = ir::Reduction::kOther;
            SW_TRY(const ir::RegionId body, region(frame, instruction, callee));
            regions.push_back(body);
        }
    }
    // A collective of several tensors is as many collectives.
    const std::vector<ir::ValueId> values = operands(frame, instruction);
    std::vector<const Shape*> shapes;
    instruction.shape.append_leaves(shapes);
    if (values.size() != shapes.size() || (values.size() > 1 && !regions.empty()))
        return not_supported(instruction, "so shaped");
    Leaves out;
    for (std::size_t i = 0; i < values.size(); ++i) {
        SW_TRY(const Leaves one,
               emit_on(frame, instruction, kind, {&values[i], 1}, attributes, regions, *shapes[i]));
        out.push_back(one[0]);
    }
    return out;
}

/// `Sharding`: a constraint in the middle of the program.
Result<Leaves> Lowering::sharding_call(Frame& frame, const Instruction& instruction) {
    SW_CHECK(arity(instruction, 1, 1));
    if (module_.is_partitioned) return first_operand(frame, instruction);
    SW_TRY(const std::vector<sharding::Sharding> stated,
           shardings_.of(instruction, instruction.shape));
    if (stated.size() != 1 || instruction.shape.is_tuple) return first_operand(frame, instruction);
    ir::ShardingAttributes attributes{stated[0], {}};
    const std::string config = AttributeReader(source_, instruction).string("backend_config");
    constexpr std::string_view kOpen = "unspecified_dims=[";
    if (const std::size_t at = config.find(kOpen); at != std::string::npos) {
        const std::string list = config.substr(at + kOpen.size());
        Cursor cursor(source_, std::string_view(list).substr(0, list.find(']')));
        Result<Dims> dims = cursor.integers();
        if (!dims.ok()) return source_.place(instruction.name, dims.error());
        for (const std::int64_t d : *dims) {
            if (d < 0 || static_cast<std::size_t>(d) >= attributes.sharding.dims.size())
                return source_.error(instruction.name, "bad unspecified_dims",
                                     "dimensions of the value");
            attributes.sharding.dims[static_cast<std::size_t>(d)].open = true;
        }
        attributes.unspecified_dims = *std::move(dims);
    }
    SW_TRY(const Leaves leaves,
           emit(frame, instruction, OpKind::kShardingConstraint, std::move(attributes)));
    module_.remove_annotation(leaves[0].value);  // the operation says it
    return leaves;
}

/// `xla.sdy.FuncResultSharding`: what the program's result is to be; nothing happens to the value.
Result<Leaves> Lowering::result_sharding_call(Frame& frame, const Instruction& instruction) {
    SW_CHECK(arity(instruction, 1, 1));
    Leaves leaves = operand(frame, instruction, 0);
    if (module_.is_partitioned) return leaves;
    SW_TRY(const std::vector<sharding::Sharding> stated,
           shardings_.of(instruction, instruction.shape));
    for (std::size_t i = 0; i < leaves.size() && i < stated.size(); ++i) {
        leaves[i].result_sharding = static_cast<std::int32_t>(result_shardings_.size());
        result_shardings_.push_back(stated[i]);
    }
    return leaves;
}

Result<Leaves> Lowering::custom_call(Frame& frame, const Instruction& instruction) {
    const AttributeReader read(source_, instruction);
    SW_TRY(const std::string_view raw, read.required("custom_call_target"));
    const std::string target = unquoted(raw);
    if (target == "Sharding") return sharding_call(frame, instruction);
    if (target == "xla.sdy.FuncResultSharding") return result_sharding_call(frame, instruction);
    if (target == "annotate_device_placement" || target == "LayoutConstraint")
        return first_operand(frame, instruction);
    if (target == "mhlo.erf") return emit(frame, instruction, OpKind::kErf);
    if (target == "ShardBarrierFrom" || target == "ShardBarrierTo") {
        const auto direction = target == "ShardBarrierFrom" ? ir::BarrierDirection::kBackward
                                                            : ir::BarrierDirection::kForward;
        return emit(frame, instruction, OpKind::kPropagationBarrier,
                    ir::BarrierAttributes{direction});
    }
    if ((target == "TopK" || target == "mhlo.topk") && instruction.shape.is_tuple &&
        instruction.shape.elements.size() == 2 && instruction.shape.elements[0].tensor.rank() > 0) {
        const bool smallest = instruction.attribute("backend_config").find("largest = false") !=
                              std::string_view::npos;
        const ir::TopKAttributes attributes{instruction.shape.elements[0].tensor.dims.back(),
                                            !smallest};
        return emit(frame, instruction, OpKind::kTopK, attributes);
    }
    ir::CustomCallAttributes attributes;
    attributes.target = module_.intern(target);
    attributes.backend_config = module_.intern(unquoted(read.word("backend_config")));
    SW_TRY(attributes.has_side_effect, read.boolean("custom_call_has_side_effect", false));
    std::string extra;
    for (const Attribute& a : instruction.attributes) {
        if (a.key == "custom_call_target" || a.key == "backend_config" || a.key == "metadata" ||
            a.key == "sharding" || a.key == "custom_call_has_side_effect")
            continue;
        extra += fmt::format("{}{}={}", extra.empty() ? "" : ", ", a.key, a.value);
    }
    attributes.extra = module_.intern(extra);
    return emit(frame, instruction, OpKind::kCustomCall, std::move(attributes));
}

}  // namespace shardwright::formats::hlo
