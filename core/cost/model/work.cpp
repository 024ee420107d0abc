#include "cost/model/work.h"

#include <algorithm>

#include "ir/trip_count.h"

namespace shardwright::cost {
namespace {

using ir::Module;
using ir::OpId;
using ir::OpKind;

double elements(const Module& m, ir::ValueId v) {
    return static_cast<double>(m.type(v).element_count());
}
double bytes(const Module& m, ir::ValueId v) {
    return static_cast<double>(m.type(v).byte_size());
}

double result_bytes(const Module& m, OpId op) {
    double sum = 0;
    for (std::size_t i = 0; i < m.op(op).result_count; ++i) sum += bytes(m, m.result(op, i));
    return sum;
}

/// Every distinct operand is read once.
double operand_bytes(const Module& m, OpId op) {
    const auto list = m.operands(op);
    double sum = 0;
    for (std::size_t i = 0; i < list.size(); ++i)
        if (std::find(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(i), list[i]) ==
            list.begin() + static_cast<std::ptrdiff_t>(i))
            sum += bytes(m, list[i]);
    return sum;
}

double product(std::span<const std::int64_t> dims) {
    double p = 1;
    for (const std::int64_t d : dims) p *= static_cast<double>(d);
    return p;
}

double dot_flops(const Module& m, OpId op) {
    const auto& a = m.attributes<ir::DotAttributes>(op);
    const Dims& lhs = m.type(m.operand(op, 0)).dims;
    double k = 1;
    for (const std::int64_t d : a.lhs_contracting)
        k *= static_cast<double>(lhs[static_cast<std::size_t>(d)]);
    return 2 * elements(m, m.result(op)) * k;
}

double convolution_flops(const Module& m, OpId op) {
    const auto& a = m.attributes<ir::ConvolutionAttributes>(op);
    const Dims& kernel = m.type(m.operand(op, 1)).dims;
    double per_output = static_cast<double>(kernel[static_cast<std::size_t>(a.rhs_input_feature)]);
    for (const std::int64_t d : a.rhs_spatial)
        per_output *= static_cast<double>(kernel[static_cast<std::size_t>(d)]);
    // A dilated input is mostly holes, which no unit has to multiply.
    return 2 * elements(m, m.result(op)) * per_output / product(view(a.lhs_dilation));
}

/// Operations of a combiner or comparator, its return aside.
double body_size(const Module& m, ir::RegionId region) {
    return std::max(1.0, static_cast<double>(m.region(region).ops.size()) - 1);
}

Work moved(double bytes_touched) {
    return {0, 0, bytes_touched};
}

}  // namespace

double trips(const Module& m, OpId op) {
    return static_cast<double>(std::max<std::int64_t>(0, ir::trip_count(m, op).value_or(1)));
}

Work region_work(const Module& m, ir::RegionId region) {
    Work sum;
    for (const OpId op : m.region(region).ops) sum += work(m, op);
    return sum;
}

Work work(const Module& m, OpId id) {
    const ir::Op& op = m.op(id);
    if (ir::info(op.kind).collective) return {};
    switch (op.kind) {
        case OpKind::kReturn:
        case OpKind::kReshape:  // the same bytes under another shape
        case OpKind::kOptimizationBarrier:
        case OpKind::kAfterAll:
        case OpKind::kShardingConstraint:
        case OpKind::kReshard:
        case OpKind::kShardingGroup:
        case OpKind::kPropagationBarrier:
        case OpKind::kDataFlowEdge:
        case OpKind::kAxisIndex:
        case OpKind::kPartitionId:
        case OpKind::kReplicaId:
        case OpKind::kCheck:
        case OpKind::kConstant:  // stands in memory already
            return {};
        case OpKind::kWhile: {
            Work body = region_work(m, m.region_of(id, 0));
            body += region_work(m, m.region_of(id, 1));
            return body.times(trips(m, id));
        }
        case OpKind::kIf:
        case OpKind::kCase: {
            Work dearest;
            for (const ir::RegionId region : m.regions(id)) {
                const Work branch = region_work(m, region);
                if (branch.flops() + branch.bytes > dearest.flops() + dearest.bytes)
                    dearest = branch;
            }
            return dearest;
        }
        case OpKind::kManualComputation:
        case OpKind::kNamedComputation:
            return region_work(m, m.region_of(id, 0));
        case OpKind::kRunParallel: {
            Work all;
            for (const ir::RegionId region : m.regions(id)) all += region_work(m, region);
            return all;
        }
        case OpKind::kDotGeneral:
            return {dot_flops(m, id), 0, operand_bytes(m, id) + result_bytes(m, id)};
        case OpKind::kConvolution:
            return {convolution_flops(m, id), 0, operand_bytes(m, id) + result_bytes(m, id)};
        case OpKind::kReduce: {
            const double inputs =
                static_cast<double>(op.operand_count / 2) * elements(m, m.operand(id, 0));
            return {0,
                    inputs * body_size(m, m.region_of(id, 0)) / std::max(1u, op.operand_count / 2),
                    operand_bytes(m, id) + result_bytes(m, id)};
        }
        case OpKind::kReduceWindow:
            return {0,
                    elements(m, m.result(id)) *
                        product(view(m.attributes<ir::WindowAttributes>(id).sizes)),
                    operand_bytes(m, id) + result_bytes(m, id)};
        case OpKind::kSelectAndScatter:
            return {0,
                    elements(m, m.operand(id, 1)) *
                        product(view(m.attributes<ir::WindowAttributes>(id).sizes)),
                    operand_bytes(m, id) + result_bytes(m, id)};
        case OpKind::kSort: {
            const ir::TensorType& type = m.type(m.operand(id, 0));
            const auto dim = static_cast<std::size_t>(m.attributes<ir::SortAttributes>(id).dim);
            double levels = 1;
            for (std::int64_t n = 2; n < type.dims[dim]; n *= 2) ++levels;
            return {0, elements(m, m.operand(id, 0)) * levels,
                    operand_bytes(m, id) + result_bytes(m, id)};
        }
        case OpKind::kSlice:
        case OpKind::kDynamicSlice:
        case OpKind::kGather:
        case OpKind::kTranspose:
        case OpKind::kReverse:
        case OpKind::kConcatenate:
            return moved(2 * result_bytes(m, id));
        case OpKind::kPad:
            return moved(bytes(m, m.operand(id, 0)) + result_bytes(m, id));
        case OpKind::kDynamicUpdateSlice:  // in place: only the update moves
            return moved(2 * bytes(m, m.operand(id, 1)));
        case OpKind::kScatter: {
            const std::size_t n = (op.operand_count - 1) / 2;  // inputs, indices, updates
            double updates = bytes(m, m.operand(id, n));
            for (std::size_t i = 0; i < n; ++i) updates += 3 * bytes(m, m.operand(id, n + 1 + i));
            return {0, elements(m, m.operand(id, n + 1)), updates};
        }
        case OpKind::kBroadcastInDim:
        case OpKind::kIota:
        case OpKind::kBitcastConvert:
        case OpKind::kCopy:
            return moved(operand_bytes(m, id) + result_bytes(m, id));
        case OpKind::kCholesky:
        case OpKind::kTriangularSolve: {
            const double n = static_cast<double>(m.type(m.operand(id, 0)).dims.back());
            const double scale = op.kind == OpKind::kCholesky ? 1.0 / 3 : 1.0;
            return {0, elements(m, m.result(id)) * n * scale,
                    operand_bytes(m, id) + result_bytes(m, id)};
        }
        case OpKind::kFft: {
            const double n = product(view(m.attributes<ir::FftAttributes>(id).length));
            double levels = 1;
            for (double k = 2; k < n; k *= 2) ++levels;
            return {0, 5 * elements(m, m.operand(id, 0)) * levels,
                    operand_bytes(m, id) + result_bytes(m, id)};
        }
        default: {  // elementwise, batch norms, random numbers, custom calls: one FLOP an element
            double flops = op.result_count == 0 ? 0 : elements(m, m.result(id));
            if (op.kind == OpKind::kMap) flops *= body_size(m, m.region_of(id, 0));
            return {0, flops, operand_bytes(m, id) + result_bytes(m, id)};
        }
    }
}

double flops(const Module& m, OpId op) {
    return work(m, op).flops();
}

double flops(const Module& m) {
    return m.has_entry() ? region_work(m, m.entry().body).flops() : 0;
}

namespace {

void add_flops(const Module& m, ir::RegionId region, double times, ModelFlops& out) {
    for (const OpId id : m.region(region).ops) {
        const OpKind kind = m.op(id).kind;
        if (kind == OpKind::kWhile || kind == OpKind::kManualComputation ||
            kind == OpKind::kNamedComputation) {
            const double n = kind == OpKind::kWhile ? times * trips(m, id) : times;
            for (const ir::RegionId inner : m.regions(id)) add_flops(m, inner, n, out);
            continue;
        }
        const Work w = work(m, id);
        out.all += times * w.flops();
        out.matrix += times * w.matrix_flops;
        if (m.scope(id).find("rematted_computation") != std::string_view::npos)
            out.rematerialised += times * w.matrix_flops;
    }
}

}  // namespace

ModelFlops model_flops(const Module& m) {
    ModelFlops out;
    if (m.has_entry()) add_flops(m, m.entry().body, 1, out);
    return out;
}

}  // namespace shardwright::cost
