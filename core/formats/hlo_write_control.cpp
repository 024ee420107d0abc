// Loops, branches, combiners: regions as computations, with what they capture passed in.
#include <fmt/format.h>

#include <algorithm>

#include "formats/hlo_writer.h"
#include "ir/trip_count.h"

namespace shardwright::formats::hlo {
namespace {

using ir::OpKind;

bool is_inside(const ir::Module& m, ir::RegionId region, std::span<const ir::RegionId> outer) {
    for (;;) {
        if (std::find(outer.begin(), outer.end(), region) != outer.end()) return true;
        const ir::OpId parent = m.region(region).parent;
        if (!parent.valid()) return false;
        region = m.op(parent).parent;
    }
}

}  // namespace

/// Values from outside that the regions use, in order of first use.
std::vector<ir::ValueId> Writer::captures(std::span<const ir::RegionId> regions) const {
    std::vector<ir::ValueId> out;
    std::set<ir::ValueId> seen;
    for (const ir::RegionId region : regions)
        ir::walk(m_, region, [&](ir::OpId op) {
            for (const ir::ValueId v : m_.operands(op))
                if (!is_inside(m_, m_.value(v).region, regions) && seen.insert(v).second)
                    out.push_back(v);
        });
    return out;
}

/// The elements of the computation's one parameter, a tuple of all `values`.
void Writer::bind_tuple(Body& body, std::string_view parameter,
                        std::span<const ir::ValueId> values) {
    // The reader names the elements of a parameter `x` x.0, x.1, …
    std::string_view base = values.empty() ? std::string_view() : m_.name(values[0]);
    base = base.ends_with(".0") ? base.substr(0, base.size() - 2) : parameter;
    const std::string name = line(body, fresh(body, base), tuple_type(values), "parameter(0)");
    for (std::size_t i = 0; i < values.size(); ++i)
        body.names[values[i]] = line(
            body, name_for(body, values[i]), ir::hlo_text(m_.type(values[i])),
            fmt::format("get-tuple-element(%{}), index={}{}", name, i,
                        m_.value(values[i]).def.valid() ? std::string() : annotation(values[i])));
}

void Writer::while_loop(Body& body, ir::OpId id) {
    const std::vector<ir::ValueId> outer = captures(m_.regions(id));
    std::string names[2];
    for (std::size_t r = 0; r < 2; ++r) {
        const ir::RegionId inner = m_.region_of(id, r);
        Body part;
        part.name = computation_name(r == 0 ? "condition" : "body");
        std::vector<ir::ValueId> carried;
        for (std::uint32_t i = 0; i < m_.region(inner).argument_count; ++i)
            carried.push_back(m_.argument(inner, i));
        carried.insert(carried.end(), outer.begin(), outer.end());
        bind_tuple(part, "state", carried);
        region(part, inner);
        std::vector<ir::ValueId> returned(m_.returned(inner).begin(), m_.returned(inner).end());
        if (r == 0) {
            part.root = of(part, returned[0]);
        } else {
            returned.insert(returned.end(), outer.begin(), outer.end());
            tuple(part, returned);
        }
        finish(part, false);
        names[r] = part.name;
    }
    std::vector<ir::ValueId> init(m_.operands(id).begin(), m_.operands(id).end());
    init.insert(init.end(), outer.begin(), outer.end());
    const std::string start = tuple(body, init);
    std::string text =
        fmt::format("while(%{}), condition=%{}, body=%{}", start, names[0], names[1]);
    if (const auto trips = ir::trip_count(m_, id))
        text += fmt::format(", backend_config={{\"known_trip_count\":{{\"n\":\"{}\"}}}}", *trips);
    std::vector<ir::ValueId> values;
    for (std::uint32_t i = 0; i < m_.op(id).result_count; ++i) values.push_back(m_.result(id, i));
    std::string_view base = values.empty() ? std::string_view() : m_.name(values[0]);
    if (base.ends_with(".0")) base.remove_suffix(2);
    const std::string loop = line(body, fresh(body, base.empty() ? "while" : base),
                                  tuple_type(init), text + metadata(m_.scope(id)));
    for (std::size_t i = 0; i < values.size(); ++i)
        body.names[values[i]] =
            line(body, name_for(body, values[i]), ir::hlo_text(m_.type(values[i])),
                 fmt::format("get-tuple-element(%{}), index={}{}", loop, i, annotation(values[i])));
}

/// Each branch has its captures as a tuple; all are called with their own.
void Writer::conditional(Body& body, ir::OpId id) {
    std::string branches, arguments;
    for (std::size_t r = 0; r < m_.op(id).region_count; ++r) {
        const ir::RegionId inner = m_.region_of(id, r);
        const std::vector<ir::ValueId> outer = captures({&inner, 1});
        Body part;
        part.name = computation_name("branch");
        bind_tuple(part, "captured", outer);
        region(part, inner);
        tuple(part, m_.returned(inner));
        finish(part, false);
        branches += (r == 0 ? "%" : ", %") + part.name;
        arguments += ", %" + tuple(body, outer);
    }
    const std::string text = fmt::format("conditional(%{}{}), branch_computations={{{}}}",
                                         of(body, m_.operand(id, 0)), arguments, branches);
    std::vector<ir::ValueId> values;
    for (std::uint32_t i = 0; i < m_.op(id).result_count; ++i) values.push_back(m_.result(id, i));
    const std::string whole =
        line(body, fresh(body, "conditional"), tuple_type(values), text + metadata(m_.scope(id)));
    for (std::size_t i = 0; i < values.size(); ++i)
        body.names[values[i]] = line(
            body, name_for(body, values[i]), ir::hlo_text(m_.type(values[i])),
            fmt::format("get-tuple-element(%{}), index={}{}", whole, i, annotation(values[i])));
}

/// A manual region between the two calls that HLO marks its edges with.
void Writer::manual(Body& body, ir::OpId id) {
    const auto& a = m_.attributes<ir::ManualAttributes>(id);
    const ir::RegionId inner = m_.region_of(id, 0);
    for (std::uint32_t i = 0; i < m_.op(id).operand_count; ++i) {
        const ir::ValueId v = m_.argument(inner, i), from = m_.operand(id, i);
        const std::string whole =
            step(body, m_.type(from),
                 fmt::format("custom-call(%{}), custom_call_target=\"Sharding\"{}", of(body, from),
                             sharding_text(a.in[i], true)));
        body.names[v] =
            line(body, name_for(body, v), ir::hlo_text(m_.type(v)),
                 fmt::format("custom-call(%{}), custom_call_target=\"SPMDFullToShardShape\", "
                             "sharding={{manual}}",
                             whole));
    }
    region(body, inner);
    const auto returned = m_.returned(inner);
    for (std::uint32_t i = 0; i < m_.op(id).result_count; ++i) {
        const ir::ValueId v = m_.result(id, i);
        const std::string local = step(
            body, m_.type(returned[i]),
            fmt::format("custom-call(%{}), custom_call_target=\"Sharding\", sharding={{manual}}",
                        of(body, returned[i])));
        body.names[v] =
            line(body, name_for(body, v), ir::hlo_text(m_.type(v)),
                 fmt::format("custom-call(%{}), custom_call_target=\"SPMDShardToFullShape\"{}",
                             local, sharding_text(a.out[i], true)));
    }
}

bool Writer::control(Body& body, ir::OpId id) {
    switch (m_.op(id).kind) {
        case OpKind::kWhile:
            while_loop(body, id);
            return true;
        case OpKind::kIf:
        case OpKind::kCase:
            conditional(body, id);
            return true;
        case OpKind::kManualComputation:
            manual(body, id);
            return true;
        case OpKind::kNamedComputation: {
            const ir::RegionId inner = m_.region_of(id, 0);
            for (std::uint32_t i = 0; i < m_.op(id).operand_count; ++i)
                body.names[m_.argument(inner, i)] = of(body, m_.operand(id, i));
            region(body, inner);
            for (std::uint32_t i = 0; i < m_.op(id).result_count; ++i)
                body.names[m_.result(id, i)] = of(body, m_.returned(inner)[i]);
            return true;
        }
        case OpKind::kOptimizationBarrier: {
            if (m_.op(id).result_count == 1) {
                results(body, id, fmt::format("opt-barrier({})", operands(body, id)));
            } else {
                results(body, id, fmt::format("opt-barrier(%{})", tuple(body, m_.operands(id))));
            }
            return true;
        }
        default:
            return false;
    }
}

/// The computation of a reduction, comparison or map. It can capture nothing in HLO: constants from
/// outside are written again inside.
std::string Writer::combiner(ir::OpId id, std::size_t index) {
    const ir::RegionId inner = m_.region_of(id, index);
    Body part;
    part.name = computation_name("region");
    for (std::uint32_t i = 0; i < m_.region(inner).argument_count; ++i) {
        const ir::ValueId v = m_.argument(inner, i);
        part.names[v] = line(part, name_for(part, v), ir::hlo_text(m_.type(v)),
                             fmt::format("parameter({})", i));
    }
    for (const ir::ValueId v : captures({&inner, 1})) {
        const ir::OpId def = m_.value(v).def;
        if (def.valid() && m_.op(def).kind == OpKind::kConstant) {
            constant(part, def);
        } else {  // not HLO's to say; the text stays well formed and tells what is missing
            part.names[v] = line(part, name_for(part, v), ir::hlo_text(m_.type(v)),
                                 "custom-call(), custom_call_target=\"shardwright.captured\"");
        }
    }
    region(part, inner);
    const auto returned = m_.returned(inner);
    if (returned.size() != 1) {
        tuple(part, returned);
    } else {
        part.root = of(part, returned[0]);
    }
    finish(part, false);
    return part.name;
}

}  // namespace shardwright::formats::hlo
