// One operation as HLO instructions.
#include <fmt/format.h>

#include "formats/hlo_writer.h"

namespace shardwright::formats::hlo {
namespace {

using ir::OpKind;

/// Splats larger than this are written as a scalar and its broadcast.
constexpr std::int64_t kMaxSplatElements = 1024;

}  // namespace

void Writer::results(Body& body, ir::OpId id, const std::string& text) {
    const ir::Op& op = m_.op(id);
    const std::string tail = metadata(m_.scope(id));
    if (op.result_count == 1) {
        const ir::ValueId v = m_.result(id);
        body.names[v] =
            line(body, name_for(body, v), ir::hlo_text(m_.type(v)), text + annotation(v) + tail);
        return;
    }
    std::vector<ir::ValueId> values;
    for (std::uint32_t i = 0; i < op.result_count; ++i) values.push_back(m_.result(id, i));
    // The reader names the results of `x` x.0, x.1, …
    std::string_view base = values.empty() ? std::string_view() : m_.name(values[0]);
    if (base.ends_with(".0")) base.remove_suffix(2);
    const std::string whole =
        line(body, fresh(body, base.empty() ? fmt::format("op{}", id.index) : std::string(base)),
             tuple_type(values), text + tail);
    for (std::size_t i = 0; i < values.size(); ++i)
        body.names[values[i]] = line(
            body, name_for(body, values[i]), ir::hlo_text(m_.type(values[i])),
            fmt::format("get-tuple-element(%{}), index={}{}", whole, i, annotation(values[i])));
}

void Writer::constant(Body& body, ir::OpId op) {
    const ir::Literal& literal = m_.literal(m_.attributes<ir::ConstantAttributes>(op).literal);
    if (literal.kind != ir::Literal::Kind::kSplat ||
        literal.type.element_count() <= kMaxSplatElements) {
        results(body, op, fmt::format("constant({})", literal_text(literal)));
        return;
    }
    ir::Literal scalar = literal;
    scalar.type.dims.clear();
    const std::string name =
        step(body, scalar.type, fmt::format("constant({})", literal_text(scalar)));
    results(body, op, fmt::format("broadcast(%{}), dimensions={{}}", name));
}

/// What HLO has no opcode for becomes a custom call of the same name.
void Writer::fallback(Body& body, ir::OpId op) {
    results(body, op,
            fmt::format("custom-call({}), custom_call_target=\"shardwright.{}\"",
                        operands(body, op), ir::name(m_.op(op).kind)));
}

void Writer::operation(Body& body, ir::OpId id) {
    const ir::Op& op = m_.op(id);
    if (control(body, id) || collective(body, id)) return;
    const auto custom = [&](std::string_view target, const std::string& more) {
        results(body, id,
                fmt::format("custom-call({}), custom_call_target=\"{}\"{}", operands(body, id),
                            target, more));
    };
    switch (op.kind) {
        case OpKind::kConstant:
            return constant(body, id);
        case OpKind::kShardingConstraint:
        case OpKind::kReshard: {
            const auto& a = m_.attributes<ir::ShardingAttributes>(id);
            const ir::ValueId v = m_.result(id);
            std::string more = "custom-call(%" + of(body, m_.operand(id, 0)) +
                               "), custom_call_target=\"Sharding\"";
            if (options_.annotate != Annotate::kNone) more += sharding_text(a.sharding, true);
            if (!a.unspecified_dims.empty())
                more += fmt::format(", backend_config=\"unspecified_dims=[{}]\"",
                                    fmt::join(a.unspecified_dims, ","));
            body.names[v] = line(body, name_for(body, v), ir::hlo_text(m_.type(v)),
                                 more + metadata(m_.scope(id)));
            return;
        }
        case OpKind::kPropagationBarrier: {
            const bool forward =
                m_.attributes<ir::BarrierAttributes>(id).allowed == ir::BarrierDirection::kForward;
            return custom(forward ? "ShardBarrierTo" : "ShardBarrierFrom", "");
        }
        case OpKind::kDataFlowEdge:
            body.names[m_.result(id)] = of(body, m_.operand(id, 0));
            return;
        case OpKind::kShardingGroup:
        case OpKind::kCheck:
            return;  // says something about values, makes none
        case OpKind::kCustomCall: {
            const auto& a = m_.attributes<ir::CustomCallAttributes>(id);
            std::string more;
            if (a.has_side_effect) more += ", custom_call_has_side_effect=true";
            if (const auto config = m_.text(a.backend_config); !config.empty()) {
                std::string quoted;
                for (const char c : config)
                    quoted += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
                more += fmt::format(", backend_config=\"{}\"", quoted);
            }
            const std::string_view extra = m_.text(a.extra);  // computations are not kept
            const bool clash = extra.find("frontend_attributes") != std::string_view::npos &&
                               op.result_count > 0 && !annotation(m_.result(id)).empty();
            if (!extra.empty() && extra.find("computations") == std::string_view::npos && !clash)
                more += fmt::format(", {}", extra);
            return custom(m_.text(a.target), more);
        }
        case OpKind::kReduce:
        case OpKind::kReduceWindow:
        case OpKind::kScatter:
        case OpKind::kSort:
        case OpKind::kMap:
            return results(
                body, id,
                fmt::format("{}({}){}, to_apply=%{}", opcode_of(op.kind), operands(body, id),
                            attributes_text(m_, id), combiner(id, 0)));
        case OpKind::kSelectAndScatter: {
            const std::string select = combiner(id, 0), scatter = combiner(id, 1);
            return results(
                body, id,
                fmt::format("select-and-scatter({}){}, select=%{}, scatter=%{}", operands(body, id),
                            attributes_text(m_, id), select, scatter));
        }
        case OpKind::kRng:  // StableHLO's shape operand is in the type
            return results(body, id,
                           fmt::format("rng(%{}, %{}){}", of(body, m_.operand(id, 0)),
                                       of(body, m_.operand(id, 1)), attributes_text(m_, id)));
        case OpKind::kErfInv:
        case OpKind::kUniformQuantize:
        case OpKind::kUniformDequantize:
            return fallback(body, id);
        default:
            break;
    }
    std::string opcode(opcode_of(op.kind));
    if (opcode.empty() && ir::info(op.kind).elementwise) {
        opcode = ir::name(op.kind);
        for (char& c : opcode)
            if (c == '_') c = '-';
    }
    if (opcode.empty()) return fallback(body, id);
    results(body, id, fmt::format("{}({}){}", opcode, operands(body, id), attributes_text(m_, id)));
}

}  // namespace shardwright::formats::hlo
