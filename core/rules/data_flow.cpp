// Control flow as groups of values that carry the same data.
#include <algorithm>

#include "rules/rule.h"

namespace shardwright::rules {
namespace {

using ir::OpId;
using ir::OpKind;
using ir::RegionId;

class Collector {
  public:
    Collector(const ir::Module& module, std::vector<DataFlowEdge>& edges)
        : m_(module), edges_(edges) {}

    void visit(OpId id) {
        const ir::Op& op = m_.op(id);
        switch (op.kind) {
            case OpKind::kWhile:
                return visit_while(id, op);
            case OpKind::kCase:
            case OpKind::kIf:
                return visit_branches(id, op);
            case OpKind::kOptimizationBarrier:
                return visit_barrier(id, op);
            case OpKind::kNamedComputation:
                return visit_named(id, op);
            default:
                return;
        }
    }

  private:
    /// What region `r` returns as number `i`, if it is finished and returns as many.
    void add_returned(std::vector<ir::ValueId>& to, RegionId r, std::size_t i) const {
        if (m_.region(r).ops.empty()) return;
        const auto values = m_.returned(r);
        if (i < values.size()) to.push_back(values[i]);
    }
    void add_argument(std::vector<ir::ValueId>& to, RegionId r, std::size_t i) const {
        if (i < m_.region(r).argument_count) to.push_back(m_.argument(r, i));
    }
    void visit_while(OpId id, const ir::Op& op) {
        // Regions: condition, body.
        for (std::size_t i = 0; i < op.result_count; ++i) {
            DataFlowEdge edge;
            edge.op = id;
            edge.sources.push_back(m_.operand(id, i));
            edge.targets.push_back(m_.result(id, i));
            for (const RegionId r : m_.regions(id)) add_argument(edge.targets, r, i);
            if (op.region_count > 1) add_returned(edge.sources, m_.region_of(id, 1), i);
            edges_.push_back(std::move(edge));
        }
    }
    void visit_branches(OpId id, const ir::Op& op) {
        for (std::size_t i = 0; i < op.result_count; ++i) {
            DataFlowEdge edge;
            edge.op = id;
            edge.targets.push_back(m_.result(id, i));
            for (const RegionId r : m_.regions(id)) add_returned(edge.sources, r, i);
            edges_.push_back(std::move(edge));
        }
    }
    void visit_barrier(OpId id, const ir::Op& op) {
        for (std::size_t i = 0; i < op.result_count; ++i)
            edges_.push_back({{m_.operand(id, i)}, {m_.result(id, i)}, id});
    }
    void visit_named(OpId id, const ir::Op& op) {
        if (op.region_count == 0) return;
        const RegionId body = m_.region_of(id, 0);
        const std::size_t inputs =
            std::min<std::size_t>(op.operand_count, m_.region(body).argument_count);
        for (std::size_t i = 0; i < inputs; ++i)
            edges_.push_back({{m_.operand(id, i)}, {m_.argument(body, i)}, id});
        for (std::size_t i = 0; i < op.result_count; ++i) {
            DataFlowEdge edge;
            edge.op = id;
            edge.targets.push_back(m_.result(id, i));
            add_returned(edge.sources, body, i);
            edges_.push_back(std::move(edge));
        }
    }

    const ir::Module& m_;
    std::vector<DataFlowEdge>& edges_;
};

}  // namespace

std::vector<DataFlowEdge> data_flow_edges(const ir::Module& module) {
    std::vector<DataFlowEdge> edges;
    Collector collector(module, edges);
    for (std::size_t i = 0; i < module.op_count(); ++i) collector.visit(OpId(i));
    return edges;
}

}  // namespace shardwright::rules
