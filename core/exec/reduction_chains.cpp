// How long the sums are that an output rests on: the K of verify's tolerance.
#include <algorithm>
#include <limits>
#include <vector>

#include "exec/compare.h"
#include "exec/narrow.h"
#include "ir/trip_count.h"

namespace shardwright::exec {
namespace {

using ir::OpKind;

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 4;

std::int64_t times(std::int64_t a, std::int64_t b) {
    if (a == 0 || b == 0) return 0;
    return a > kMost / b ? kMost : a * b;
}

/// Terms that the operation adds up for one element of its result; 1 when it adds none.
std::int64_t own_length(const ir::Module& m, ir::OpId id) {
    const ir::Op& op = m.op(id);
    switch (op.kind) {
        case OpKind::kDotGeneral: {
            std::int64_t k = 1;
            for (const std::int64_t d : m.attributes<ir::DotAttributes>(id).lhs_contracting)
                k = times(k, m.type(m.operand(id, 0)).dims[static_cast<std::size_t>(d)]);
            return k;
        }
        case OpKind::kReduce: {
            std::int64_t k = 1;
            for (const std::int64_t d : m.attributes<ir::DimsAttributes>(id).dims)
                k = times(k, m.type(m.operand(id, 0)).dims[static_cast<std::size_t>(d)]);
            return k;
        }
        case OpKind::kConvolution: {
            const auto& kernel = m.type(m.operand(id, 1));
            const auto& a = m.attributes<ir::ConvolutionAttributes>(id);
            std::int64_t k = kernel.dims[static_cast<std::size_t>(a.rhs_input_feature)];
            for (const std::int64_t d : a.rhs_spatial)
                k = times(k, kernel.dims[static_cast<std::size_t>(d)]);
            return times(k, std::max<std::int64_t>(1, a.batch_groups));
        }
        case OpKind::kReduceWindow:
        case OpKind::kSelectAndScatter: {
            std::int64_t k = 1;
            for (const std::int64_t d : m.attributes<ir::WindowAttributes>(id).sizes)
                k = times(k, d);
            return k;
        }
        case OpKind::kScatter: {
            const auto& indices = m.type(m.operand(id, op.operand_count / 2));
            return std::max<std::int64_t>(1, indices.element_count());
        }
        case OpKind::kBatchNormGrad:
        case OpKind::kBatchNormTraining:
        case OpKind::kCholesky:
        case OpKind::kTriangularSolve:
        case OpKind::kFft:
            return std::max<std::int64_t>(1, m.type(m.operand(id, 0)).element_count());
        default:
            return 1;
    }
}

/// A rounding to `type`, in units of one rounding to f32 (squares: errors add up as variances).
double rounding(ir::ElementType type) {
    const double ratio = epsilon(type) / epsilon(ir::ElementType::kF32);
    return ratio * ratio;
}

class Chains {
  public:
    explicit Chains(const ir::Module& module) : m_(module), chain_(module.value_count(), 0) {}

    void region(ir::RegionId id) {
        for (const ir::OpId op : m_.region(id).ops)
            if (!ir::info(m_.op(op).kind).terminator) visit(op);
    }
    double& at(ir::ValueId v) { return chain_[v.index]; }
    /// The chain in units of the value's own roundings, at least 1.
    std::int64_t length(ir::ValueId v) {
        const ir::ElementType type = m_.type(v).element;
        const bool rounds = ir::is_float(type) || ir::is_complex(type);
        const double own = rounds ? at(v) / rounding(type) : at(v);
        return static_cast<std::int64_t>(std::clamp(own, 1.0, static_cast<double>(kMost)));
    }

  private:
    void visit(ir::OpId id) {
        const ir::Op& op = m_.op(id);
        // Chains along a path add up rather than multiply: errors of successive sums accumulate.
        double longest = 0;
        for (const ir::ValueId v : m_.operands(id)) longest = std::max(longest, at(v));
        if (op.kind == OpKind::kWhile) return loop(id);
        if (op.kind == OpKind::kIf || op.kind == OpKind::kCase ||
            op.kind == OpKind::kManualComputation || op.kind == OpKind::kNamedComputation) {
            for (std::size_t r = 0; r < op.region_count; ++r) {
                const ir::RegionId body = m_.region_of(id, r);
                for (std::size_t a = 0; a < m_.region(body).argument_count; ++a)
                    at(m_.argument(body, a)) = longest;
                region(body);
                for (std::size_t i = 0; i < op.result_count; ++i)
                    at(m_.result(id, i)) =
                        std::max({at(m_.result(id, i)), longest, at(m_.returned(body)[i])});
            }
            return;
        }
        const std::int64_t terms = own_length(m_, id);
        for (std::size_t i = 0; i < op.result_count; ++i) {
            const ir::ElementType type = m_.type(m_.result(id, i)).element;
            const bool narrow = is_narrow_float(type);
            double own = 0;
            if (terms > 1)  // narrow floats are summed in f32
                own = static_cast<double>(terms) *
                      (type == ir::ElementType::kF64 || type == ir::ElementType::kC128
                           ? rounding(type)
                           : 1.0);
            if (narrow && longest + own > 0) own += rounding(type);
            at(m_.result(id, i)) = longest + own;
        }
    }
    void loop(ir::OpId id) {
        const ir::RegionId body = m_.region_of(id, 1);
        double start = 0;
        for (const ir::ValueId v : m_.operands(id)) start = std::max(start, at(v));
        for (std::size_t a = 0; a < m_.region(body).argument_count; ++a)
            at(m_.argument(body, a)) = start;
        region(body);
        const auto trips =
            static_cast<double>(std::max<std::int64_t>(1, ir::trip_count(m_, id).value_or(1)));
        for (std::size_t i = 0; i < m_.op(id).result_count; ++i)
            at(m_.result(id, i)) = start + trips * std::max(0.0, at(m_.returned(body)[i]) - start);
    }

    const ir::Module& m_;
    std::vector<double> chain_;
};

}  // namespace

std::vector<std::int64_t> reduction_chains(const ir::Module& module, std::size_t function) {
    Chains chains(module);
    const ir::RegionId body = module.functions()[function].body;
    chains.region(body);
    std::vector<std::int64_t> result;
    for (const ir::ValueId v : module.returned(body)) result.push_back(chains.length(v));
    return result;
}

}  // namespace shardwright::exec
