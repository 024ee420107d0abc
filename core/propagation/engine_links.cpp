// What ties tensors: operations by their rules, everything else by identities.
#include "propagation/engine.h"

namespace shardwright::propagation {

void Engine::add_op_link(ir::OpId op) {
    const rules::Rule& rule = rules_.of(op);
    if (rule.opaque || rule.factors.empty() || rule.tensor_count() < 2) return;
    Link link;
    link.rule = &rule;
    link.tensors = static_cast<std::uint32_t>(link_slots_.size());
    link.operand_count = static_cast<std::uint32_t>(rule.operands.size());
    link.result_count = static_cast<std::uint32_t>(rule.results.size());
    link.op = op;
    for (std::size_t i = 0; i < rule.operands.size(); ++i)
        link_slots_.push_back(slot(module_.operand(op, i)));
    for (std::size_t i = 0; i < rule.results.size(); ++i)
        link_slots_.push_back(slot(module_.result(op, i)));
    if (module_.attributes_if<ir::ShardingAttributes>(op)) link.source = Source::kConstraint;
    links_.push_back(link);
}

const rules::Rule* Engine::identity(std::span<const std::int64_t> shape, std::size_t operands) {
    std::vector<std::int64_t> key(shape.begin(), shape.end());
    key.push_back(static_cast<std::int64_t>(operands));
    const rules::Rule*& found = identity_index_[std::move(key)];
    if (found) return found;
    rules::Rule rule;
    rules::TensorMapping mapping;
    for (const std::int64_t size : shape) {
        rules::Factor factor;
        factor.size = size;
        const auto number = static_cast<std::uint16_t>(rule.factors.size());
        rule.factors.push_back(factor);
        mapping.push_back({rules::DimFactor{number, size}});
    }
    rule.operands.assign(operands, mapping);
    rule.results.assign(1, mapping);
    return found = &identities_.emplace_back(std::move(rule));
}

void Engine::add_identity(std::span<const SlotId> sources, SlotId target, ir::OpId op,
                          Source source) {
    const std::size_t begin = link_slots_.size();
    for (const SlotId s : sources)
        if (s != target && rank(s) == rank(target)) link_slots_.push_back(s);
    const std::size_t count = link_slots_.size() - begin;
    if (count == 0 || rank(target) == 0) {
        link_slots_.resize(begin);
        return;
    }
    link_slots_.push_back(target);
    Link link;
    link.rule = identity(shape(target), count);
    link.tensors = static_cast<std::uint32_t>(begin);
    link.operand_count = static_cast<std::uint32_t>(count);
    link.result_count = 1;
    link.op = op;
    link.source = source;
    links_.push_back(link);
}

void Engine::add_edge_link(const rules::DataFlowEdge& edge) {
    if (edge.targets.empty()) return;
    std::vector<SlotId> sources;
    for (const ir::ValueId source : edge.sources) sources.push_back(slot(source));
    add_identity(sources, slot(edge.targets[0]), edge.op, Source::kDataFlow);
}

void Engine::add_manual_links(ir::OpId op, const ir::ManualAttributes& attributes) {
    if (module_.op(op).region_count != 1) return;
    const ir::RegionId body = module_.region_of(op, 0);
    const AxesId manual = manual_axes_of(op);
    const auto operands = module_.operands(op);
    for (std::size_t i = 0; i < operands.size() && i < attributes.in.size(); ++i) {
        if (i >= module_.region(body).argument_count) break;
        const SlotId outside = add_slot(operands[i], view(module_.type(operands[i]).dims));
        give(outside, attributes.in[i]);
        pair_manual(outside, slot(module_.argument(body, i)), op, manual);
        const SlotId source = slot(operands[i]);
        add_identity({&source, 1}, outside, op, Source::kManual);
    }
    if (module_.region(body).ops.empty()) return;
    const auto returned = module_.returned(body);
    for (std::size_t i = 0; i < returned.size() && i < attributes.out.size(); ++i) {
        if (i >= module_.op(op).result_count) break;
        const SlotId outside = slot(module_.result(op, i));
        const SlotId inside = add_slot(returned[i], view(module_.type(returned[i]).dims));
        give(outside, attributes.out[i]);
        pair_manual(outside, inside, op, manual);
        const SlotId source = slot(returned[i]);
        add_identity({&source, 1}, inside, op, Source::kManual);
    }
}

void Engine::add_function_results(const ir::Function& function) {
    std::vector<SlotId>& slots = result_slots_.emplace_back();
    if (module_.region(function.body).ops.empty()) return;
    const auto returned = module_.returned(function.body);
    for (std::size_t i = 0; i < returned.size(); ++i) {
        const SlotId result = add_slot(returned[i], view(module_.type(returned[i]).dims));
        slots.push_back(result);
        if (i < function.results.size() && function.results[i].annotation)
            give(result, *function.results[i].annotation);
        const SlotId source = slot(returned[i]);
        const std::size_t before = links_.size();
        add_identity({&source, 1}, result, ir::OpId(), Source::kDataFlow);
        if (links_.size() > before) links_.back().is_function_result = true;
    }
}

void Engine::build_links(std::span<const rules::DataFlowEdge> edges) {
    std::size_t next = 0;  // edges come in the order of their operations
    links_.reserve(module_.op_count());
    link_slots_.reserve(4 * module_.op_count());
    for (std::size_t i = 0; i < module_.op_count(); ++i) {
        const ir::OpId op(i);
        for (; next < edges.size() && edges[next].op == op; ++next) add_edge_link(edges[next]);
        if (const auto* manual = module_.attributes_if<ir::ManualAttributes>(op))
            add_manual_links(op, *manual);
        else
            add_op_link(op);
    }
    for (const ir::Function& function : module_.functions()) add_function_results(function);
    index_links();
}

void Engine::index_links() {
    slot_links_begin_.assign(slot_count() + 1, 0);
    const auto each = [&](auto&& visit) {
        for (std::size_t l = 0; l < links_.size(); ++l) {
            const auto slots = tensors(links_[l]);
            for (std::size_t t = 0; t < slots.size(); ++t) {
                bool again = false;  // x + x names its operand once
                for (std::size_t u = 0; u < t && !again; ++u) again = slots[u] == slots[t];
                if (!again) visit(slots[t], LinkId(l));
            }
        }
    };
    each([&](SlotId s, LinkId) { ++slot_links_begin_[s.index + 1]; });
    for (std::size_t s = 0; s < slot_count(); ++s) slot_links_begin_[s + 1] += slot_links_begin_[s];
    slot_links_.resize(slot_links_begin_.back());
    std::vector<std::uint32_t> at(slot_links_begin_.begin(), slot_links_begin_.end() - 1);
    each([&](SlotId s, LinkId l) { slot_links_[at[s.index]++] = l; });
}

}  // namespace shardwright::propagation
