// Operations: the pretty form where StableHLO has one, else the quoted generic form.
#include <fmt/format.h>

#include <algorithm>

#include "formats/mlir_write.h"
#include "formats/mlir_write_literal.h"

namespace shardwright::formats::mlir {
namespace {

using namespace ir;

std::string list(const Dims& dims) {
    return fmt::format("[{}]", fmt::join(dims, ", "));
}

}  // namespace

std::vector<ValueId> Writer::results(OpId id) const {
    std::vector<ValueId> out;
    for (std::size_t i = 0; i < m_.op(id).result_count; ++i) out.push_back(m_.result(id, i));
    return out;
}

std::string Writer::types(std::span<const ValueId> values) const {
    std::string out;
    for (const ValueId value : values) {
        if (!out.empty()) out += ", ";
        out += type(value);
    }
    return out;
}

std::string Writer::signature(OpId id) const {
    const std::string outputs = types(results(id));
    const bool one = m_.op(id).result_count == 1 && !options_.generic;
    return fmt::format("({}) -> {}", types(m_.operands(id)), one ? outputs : "(" + outputs + ")");
}

std::string Writer::operation_name(OpId id) const {
    using enum OpKind;
    switch (const OpKind kind = m_.op(id).kind) {
        case kErf:
        case kErfInv:
        case kTopK:
            return "chlo." + std::string(ir::name(kind));
        case kCopy:
            return "mhlo.copy";
        case kManualComputation:
        case kShardingConstraint:
        case kReshard:
        case kShardingGroup:
        case kPropagationBarrier:
        case kDataFlowEdge:
        case kNamedComputation:
            return "sdy." + std::string(ir::name(kind));
        case kRunParallel:
            return "interpreter.run_parallel";
        case kCheck: {
            const CheckKind check = m_.attributes<CheckAttributes>(id).kind;
            return check == CheckKind::kEq      ? "check.expect_eq"
                   : check == CheckKind::kClose ? "check.expect_close"
                                                : "check.expect_almost_eq";
        }
        default:
            return "stablehlo." + std::string(ir::name(kind));
    }
}

std::string Writer::location(OpId id) const {
    if (!options_.locations || m_.op(id).scope.index == 0) return {};
    std::string text;
    for (const char c : m_.scope(id)) {
        if (c == '"' || c == '\\') text += '\\';
        text += c;
    }
    return " loc(\"" + text + "\")";
}

std::string Writer::annotation(OpId id) const {
    const std::string text = result_annotation(id);
    return text.empty() ? std::string() : " {" + text + "}";
}

void Writer::line_of(OpId id, std::string_view text) {
    line(fmt::format("{}{}{}", definition(id), text, location(id)));
}

std::string Writer::block_arguments(RegionId region) const {
    std::string out;
    for (std::size_t i = 0; i < m_.region(region).argument_count; ++i) {
        const ValueId value = m_.argument(region, i);
        out += fmt::format("{}{}: {}", i == 0 ? "" : ", ", use(value), type(value));
    }
    return out.empty() ? std::string() : "(" + out + ")";
}

void Writer::write_block(RegionId region, std::string_view return_name) {
    for (const OpId id : m_.region(region).ops) {
        if (m_.op(id).kind != OpKind::kReturn) {
            write_operation(id);
            continue;
        }
        const auto values = m_.operands(id);
        const std::string where = location(id);
        if (options_.generic) {
            const std::string name =
                return_name == "return" ? "func.return" : std::string(return_name);
            line(
                fmt::format("\"{}\"({}) : ({}) -> (){}", name, uses(values), types(values), where));
        } else if (values.empty()) {
            line(fmt::format("{}{}", return_name, where));
        } else {
            line(fmt::format("{} {} : {}{}", return_name, uses(values), types(values), where));
        }
    }
}

void Writer::write_region(RegionId region, std::string_view return_name) {
    const std::string arguments = block_arguments(region);
    if (!arguments.empty() || options_.generic) line("^bb0" + arguments + ":");
    ++indent_;
    write_block(region, return_name);
    --indent_;
}

void Writer::write_generic(OpId id, std::string_view name, const Properties& properties) {
    std::string text = fmt::format("{}\"{}\"({})", definition(id), name, uses(m_.operands(id)));
    std::string body;
    for (const auto& [key, value] : properties)
        body += fmt::format("{}{}{}{}", body.empty() ? "" : ", ", key, value.empty() ? "" : " = ",
                            value);
    if (!body.empty()) text += " <{" + body + "}>";
    const Op& op = m_.op(id);
    const std::string tail = fmt::format("{} : {}{}", annotation(id), signature(id), location(id));
    if (op.region_count == 0) {
        line(text + tail);
        return;
    }
    line(text + " ({");
    const std::string_view return_name =
        op.kind == OpKind::kManualComputation || op.kind == OpKind::kNamedComputation
            ? "sdy.return"
            : "stablehlo.return";
    for (std::size_t i = 0; i < op.region_count; ++i) {
        if (i > 0) line("}, {");
        write_region(m_.region_of(id, i), return_name);
    }
    line("})" + tail);
}

void Writer::write_plain(OpId id, const std::string& operands, const std::string& keys) {
    // `op %a, %b, key = value {annotation} : signature`, short when one type says it all.
    const auto values = m_.operands(id);
    const bool same = m_.op(id).result_count == 1 &&
                      std::all_of(values.begin(), values.end(),
                                  [&](ValueId v) { return m_.type(v) == m_.type(m_.result(id)); });
    const bool alike = info(m_.op(id).kind).elementwise && keys.empty();
    std::string text = operation_name(id);
    if (!operands.empty()) text += " " + operands;
    if (!keys.empty()) text += (operands.empty() ? " " : ", ") + keys;
    if (m_.op(id).kind == OpKind::kSelect && m_.operands(id).size() == 3 &&
        m_.type(values[1]) == m_.type(values[2])) {
        text += fmt::format("{} : {}, {}", annotation(id), type(values[0]), type(values[1]));
    } else if (same && (alike || values.empty())) {
        text += fmt::format("{} : {}", annotation(id), type(m_.result(id)));
    } else {
        text += fmt::format("{} : {}", annotation(id), signature(id));
    }
    line_of(id, text);
}

bool Writer::write_pretty(OpId id) {
    using enum OpKind;
    const std::string operands = uses(m_.operands(id));
    const OpKind kind = m_.op(id).kind;
    switch (kind) {
        case kConstant:
            line_of(id, fmt::format(
                            "stablehlo.constant{} {}", annotation(id),
                            dense_text(m_.literal(m_.attributes<ConstantAttributes>(id).literal))));
            return true;
        case kIota:
            write_plain(id, "", fmt::format("dim = {}", m_.attributes<DimAttributes>(id).dim));
            return true;
        case kBroadcastInDim:
        case kTranspose:
        case kReverse:
            write_plain(id, operands, "dims = " + list(m_.attributes<DimsAttributes>(id).dims));
            return true;
        case kConcatenate:
        case kGetDimensionSize:
        case kSetDimensionSize:
            write_plain(id, operands,
                        fmt::format("dim = {}", m_.attributes<DimAttributes>(id).dim));
            return true;
        case kSlice: {
            const auto& a = m_.attributes<SliceAttributes>(id);
            std::string ranges;
            for (std::size_t i = 0; i < a.start.size(); ++i) {
                ranges += fmt::format("{}{}:{}", i == 0 ? "" : ", ", a.start[i], a.limit[i]);
                if (a.strides[i] != 1) ranges += fmt::format(":{}", a.strides[i]);
            }
            line_of(id, fmt::format("stablehlo.slice {} [{}]{} : {}", operands, ranges,
                                    annotation(id), signature(id)));
            return true;
        }
        case kDynamicSlice:
            write_plain(id, operands,
                        "sizes = " + list(m_.attributes<DynamicSliceAttributes>(id).sizes));
            return true;
        case kPad: {
            const auto& a = m_.attributes<PadAttributes>(id);
            write_plain(id, operands,
                        fmt::format("low = {}, high = {}, interior = {}", list(a.low), list(a.high),
                                    list(a.interior)));
            return true;
        }
        case kCompare:
            line_of(id,
                    fmt::format("stablehlo.compare {}{} : {}",
                                compare_keywords(m_.attributes<CompareAttributes>(id), operands),
                                annotation(id), signature(id)));
            return true;
        case kDotGeneral: {
            const auto& a = m_.attributes<DotAttributes>(id);
            std::string keys;
            if (!a.lhs_batch.empty())
                keys =
                    fmt::format("batching_dims = {} x {}, ", list(a.lhs_batch), list(a.rhs_batch));
            keys += fmt::format("contracting_dims = {} x {}", list(a.lhs_contracting),
                                list(a.rhs_contracting));
            const bool precise =
                a.lhs_precision != Precision::kDefault || a.rhs_precision != Precision::kDefault;
            if (precise)
                keys += ", precision = " + precision_keywords(a.lhs_precision, a.rhs_precision);
            if (a.algorithm.index != 0)
                keys += fmt::format(", algorithm = <{}>", m_.text(a.algorithm));
            write_plain(id, operands, keys);
            return true;
        }
        case kConvolution:
            write_convolution(id);
            return true;
        case kFft: {
            const auto& a = m_.attributes<FftAttributes>(id);
            write_plain(id, operands,
                        fmt::format("type = {}, length = {}", fft_keyword(a.type), list(a.length)));
            return true;
        }
        case kRngBitGenerator: {
            const auto* a = m_.attributes_if<RngBitGeneratorAttributes>(id);
            write_plain(
                id, operands,
                "algorithm = " + rng_keyword(a == nullptr ? RngAlgorithm::kDefault : a->algorithm));
            return true;
        }
        case kReducePrecision: {
            const auto& a = m_.attributes<ReducePrecisionAttributes>(id);
            write_plain(id, operands,
                        fmt::format("format = e{}m{}", a.exponent_bits, a.mantissa_bits));
            return true;
        }
        case kTopK:
            line_of(id, fmt::format("chlo.top_k({}, k = {}){} : {} -> ({})", operands,
                                    m_.attributes<TopKAttributes>(id).k, annotation(id),
                                    type(m_.operand(id, 0)), types(results(id))));
            return true;
        case kErf:
        case kErfInv:
            line_of(id, fmt::format("{} {}{} : {} -> {}", operation_name(id), operands,
                                    annotation(id), type(m_.operand(id, 0)), type(m_.result(id))));
            return true;
        case kOptimizationBarrier:
            if (operands.empty()) return false;
            line_of(id, fmt::format("stablehlo.optimization_barrier {}{} : {}", operands,
                                    annotation(id), types(results(id))));
            return true;
        case kReduce:
            write_reduce(id);
            return true;
        case kWhile:
            write_while(id);
            return true;
        case kMap:
        case kUniformQuantize:
        case kUniformDequantize:
            return false;
        case kReshape:
        case kBitcastConvert:
        case kDynamicUpdateSlice:
        case kAfterAll:
        case kPartitionId:
        case kReplicaId:
            write_plain(id, operands, "");
            return true;
        default:
            if (!info(kind).elementwise) return false;
            write_plain(id, operands, "");
            return true;
    }
}

void Writer::write_convolution(OpId id) {
    const auto& a = m_.attributes<ConvolutionAttributes>(id);
    std::string pads, reversed;
    for (std::size_t i = 0; i < a.pad_low.size(); ++i)
        pads += fmt::format("{}[{}, {}]", i == 0 ? "" : ", ", a.pad_low[i], a.pad_high[i]);
    for (const bool r : a.window_reversal)
        reversed += fmt::format("{}{}", reversed.empty() ? "" : ", ", r);
    std::string attrs = fmt::format("batch_group_count = {} : i64, feature_group_count = {} : i64",
                                    a.batch_groups, a.feature_groups);
    if (a.lhs_precision != Precision::kDefault || a.rhs_precision != Precision::kDefault)
        for (const auto& [key, value] : properties(id))
            if (key == "precision_config") attrs += ", precision_config = " + value;
    if (const std::string s = result_annotation(id); !s.empty()) attrs += ", " + s;
    line_of(id,
            fmt::format(
                "stablehlo.convolution({}) dim_numbers = {}, window = {{stride = {}, pad = [{}], "
                "lhs_dilate = {}, rhs_dilate = {}, reverse = [{}]}} {{{}}} : {}",
                uses(m_.operands(id)), convolution_dims(a), list(a.strides), pads,
                list(a.lhs_dilation), list(a.rhs_dilation), reversed, attrs, signature(id)));
}

void Writer::write_reduce(OpId id) {
    const auto operands = m_.operands(id);
    const std::size_t n = operands.size() / 2;
    std::string inputs;
    for (std::size_t i = 0; i < n; ++i)
        inputs += fmt::format("{}({} init: {})", i == 0 ? "" : ", ", use(operands[i]),
                              use(operands[n + i]));
    const RegionId region = m_.region_of(id, 0);
    line(fmt::format("{}stablehlo.reduce{} across dimensions = {}{} : {}", definition(id), inputs,
                     list(m_.attributes<DimsAttributes>(id).dims), annotation(id), signature(id)));
    std::string groups;
    for (std::size_t i = 0; i < n; ++i) {
        const ValueId a = m_.argument(region, i), b = m_.argument(region, n + i);
        groups += fmt::format(" ({}: {}, {}: {})", use(a), type(a), use(b), type(b));
    }
    line(" reducer" + groups.substr(1) + " {");
    ++indent_;
    write_block(region, "stablehlo.return");
    --indent_;
    line("}" + location(id));
}

void Writer::write_while(OpId id) {
    // The pretty form has one set of argument names for both regions; ours have each their own.
    write_generic(id, "stablehlo.while", properties(id));
}

void Writer::write_custom_call(OpId id) {
    const auto& a = m_.attributes<CustomCallAttributes>(id);
    std::string target(m_.text(a.target));
    std::string attrs;
    const auto put = [&](const std::string& text) { attrs += (attrs.empty() ? "" : ", ") + text; };
    if (a.api_version != 0) put(fmt::format("api_version = {} : i32", a.api_version));
    const std::string_view config = m_.text(a.backend_config);
    if (!config.empty() && config[0] == '{' && a.api_version == 4) {
        put(fmt::format("backend_config = {}", config));
    } else if (!config.empty()) {
        std::string escaped;  // kept as the file wrote it; other formats have bare quotes
        for (std::size_t i = 0; i < config.size(); ++i) {
            if (config[i] == '"' && (i == 0 || config[i - 1] != '\\')) escaped += '\\';
            if (config[i] == '\n') {
                escaped += "\\0A";
            } else {
                escaped += config[i];
            }
        }
        put("backend_config = \"" + escaped + "\"");
    }
    put(fmt::format("call_target_name = \"{}\"", target));
    put(fmt::format("has_side_effect = {}", a.has_side_effect));
    if (a.extra.index != 0) put(std::string(m_.text(a.extra)));
    const std::string s = result_annotation(id);
    if (!s.empty()) put(s);
    line_of(id, fmt::format("\"stablehlo.custom_call\"({}) {{{}}} : {}", uses(m_.operands(id)),
                            attrs, signature(id)));
}

void Writer::write_program_call(OpId id) {
    // Each program's region becomes a function of the module.
    const auto& a = m_.attributes<RunParallelAttributes>(id);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < m_.op(id).region_count; ++i) {
        names.push_back(fmt::format("program_{}", programs_.size()));
        programs_.emplace_back(names.back(), m_.region_of(id, i));
    }
    std::string rows;
    for (const auto& row : a.programs) {
        std::string cells;
        for (const std::int32_t cell : row)
            cells += fmt::format("{}@{}", cells.empty() ? "" : ", ",
                                 names[static_cast<std::size_t>(cell)]);
        rows += fmt::format("{}[{}]", rows.empty() ? "" : ", ", cells);
    }
    line_of(id, fmt::format("\"interpreter.run_parallel\"({}) <{{programs = [{}]}}> : {}",
                            uses(m_.operands(id)), rows, signature(id)));
}

void Writer::write_operation(OpId id) {
    const OpKind kind = m_.op(id).kind;
    if (write_structural(id)) return;
    if (info(kind).collective) return write_collective(id);
    if (kind == OpKind::kAxisIndex) return write_axis_index(id);
    if (kind == OpKind::kCustomCall) return write_custom_call(id);
    if (kind == OpKind::kRunParallel) return write_program_call(id);
    if (kind == OpKind::kTopK && !m_.attributes<TopKAttributes>(id).largest) {
        line_of(id, fmt::format(
                        "\"stablehlo.custom_call\"({}) <{{call_target_name = \"mhlo.topk\"}}> "
                        "{{mhlo.attributes = {{k = {} : i64, largest = false}}}} : {}",
                        uses(m_.operands(id)), m_.attributes<TopKAttributes>(id).k, signature(id)));
        return;
    }
    if (!options_.generic && write_pretty(id)) return;
    write_generic(id, operation_name(id), properties(id));
}

}  // namespace shardwright::formats::mlir
