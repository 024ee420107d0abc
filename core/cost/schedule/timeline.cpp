#include "cost/schedule/timeline.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "cost/model/collective_time.h"
#include "cost/model/work.h"
#include "cost/schedule/fusion.h"
#include "sharding/hlo_sharding.h"

namespace shardwright::cost {
namespace {

using ir::Module;
using ir::OpId;
using ir::OpKind;
using ir::ValueId;

/// How much larger a dot becomes when its sizes are rounded up to the matrix unit's tile.
double tile_waste(const Module& m, OpId id, std::int64_t tile) {
    const auto& a = m.attributes<ir::DotAttributes>(id);
    const Dims& lhs = m.type(m.operand(id, 0)).dims;
    const Dims& rhs = m.type(m.operand(id, 1)).dims;
    double k = 1, batch = 1;
    for (const std::int64_t d : a.lhs_contracting)
        k *= static_cast<double>(lhs[static_cast<std::size_t>(d)]);
    for (const std::int64_t d : a.lhs_batch)
        batch *= static_cast<double>(lhs[static_cast<std::size_t>(d)]);
    double rows = 1, columns = 1;
    for (const std::int64_t d : lhs) rows *= static_cast<double>(d);
    for (const std::int64_t d : rhs) columns *= static_cast<double>(d);
    if (k <= 0 || batch <= 0 || rows <= 0 || columns <= 0) return 1;
    rows /= k * batch;
    columns /= k * batch;
    const auto waste = [&](double n) {
        const auto t = static_cast<double>(tile);
        return n < 1 ? 1.0 : std::ceil(n / t) * t / n;
    };
    // A vector times a matrix does not use the matrix unit's rows: it is bound by memory anyway.
    return waste(k) * waste(columns) * (rows < 8 ? 8 / rows : 1.0);
}

struct Queues {
    double compute = 0;
    std::vector<double> network;  // by mesh axis; the last is for unplaced groups
};

class Simulator {
  public:
    Simulator(const Module& m, const mesh::Mesh& mesh, const Chip& chip, const TimeOptions& options)
        : m_(m),
          mesh_(mesh),
          chip_(chip),
          options_(options),
          placement_(place_axes(mesh, chip)),
          ready_(m.value_count(), 0.0) {
        fused_ = options.fused ? fused_values(m, ir::Uses(m))
                               : std::vector<bool>(m.value_count(), false);
    }

    Timeline run() {
        if (m_.has_entry()) {
            const Span_ total = region(m_.entry().body, 1, true);
            out_.step_s = total.step;
            out_.compute_s = total.compute;
            out_.exposed_s = std::max(0.0, total.step - total.compute);
        }
        return std::move(out_);
    }

  private:
    struct Span_ {
        double step = 0, compute = 0;
    };
    const Module& m_;
    const mesh::Mesh& mesh_;
    const Chip& chip_;
    const TimeOptions& options_;
    Placement placement_;
    std::vector<bool> fused_;
    std::vector<double> ready_;  // by value, in the clock of its own region
    Timeline out_;

    /// Simulates a region from time 0, with idle queues.
    Span_ region(ir::RegionId id, double times, bool is_entry) {
        Queues queues;
        queues.network.assign(mesh_.rank() + 1, 0.0);
        Span_ total;
        for (const OpId op : m_.region(id).ops) {
            double start = 0;
            for (const ValueId v : m_.operands(op))
                if (m_.value(v).region == id) start = std::max(start, ready_[v.index]);
            const bool network = ir::info(m_.op(op).kind).collective;
            double end = start;
            if (network) {
                end = collective(op, times, queues, start);
            } else {
                const Span_ work = execute(op, times);
                if (options_.overlap == Overlap::kNone) start = std::max(start, total.step);
                start = std::max(start, queues.compute);
                if (work.step > 0) {
                    end = start + work.step;
                    queues.compute = end;
                }
                total.compute += work.compute;
            }
            for (std::size_t i = 0; i < m_.op(op).result_count; ++i)
                ready_[m_.result(op, i).index] = end;
            total.step = std::max(total.step, end);
            if (is_entry && end > start) out_.bars.push_back({op, start, end, network});
        }
        return total;
    }

    /// Bytes that an operation moves when fused neighbours hand it values in registers.
    double moved_bytes(OpId op, const Work& work) const {
        double bytes = work.bytes;
        if (!options_.fused) return bytes;
        const auto list = m_.operands(op);
        for (std::size_t i = 0; i < list.size(); ++i) {
            const bool first =
                std::find(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(i), list[i]) ==
                list.begin() + static_cast<std::ptrdiff_t>(i);
            if (first && fused_[list[i].index])
                bytes -= static_cast<double>(m_.type(list[i]).byte_size());
        }
        for (std::size_t i = 0; i < m_.op(op).result_count; ++i) {
            const ValueId v = m_.result(op, i);
            if (fused_[v.index]) bytes -= static_cast<double>(m_.type(v).byte_size());
        }
        return std::max(0.0, bytes);
    }

    Span_ execute(OpId op, double times) {
        switch (m_.op(op).kind) {
            case OpKind::kWhile: {
                const double n = trips(m_, op);
                const Span_ condition = region(m_.region_of(op, 0), times * n, false);
                const Span_ body = region(m_.region_of(op, 1), times * n, false);
                return {n * (condition.step + body.step), n * (condition.compute + body.compute)};
            }
            case OpKind::kIf:
            case OpKind::kCase:
            case OpKind::kManualComputation:
            case OpKind::kNamedComputation: {
                Span_ longest;
                for (const ir::RegionId inner : m_.regions(op)) {
                    const Span_ one = region(inner, times, false);
                    if (one.step > longest.step) longest = one;
                }
                return longest;
            }
            default:
                break;
        }
        const Work w = work(m_, op);
        if (w.flops() == 0 && w.bytes == 0) return {};
        out_.flops += times * w.flops();
        const double bytes = moved_bytes(op, w);
        const bool inside_fusion =
            m_.op(op).result_count == 1 && fused_[m_.op(op).first_result.index];
        double seconds = operation_time(m_, op, bytes, chip_, options_.profile);
        if (inside_fusion) seconds -= options_.profile.launch;
        return {seconds, seconds};
    }

    double collective(OpId op, double times, Queues& queues, double start) {
        const auto& a = m_.attributes<ir::CollectiveAttributes>(op);
        CollectiveCost cost;
        cost.op = op;
        cost.trips = times;
        mesh::AxisList axes = a.axes;
        if (a.mode != ir::GroupMode::kMeshAxes) {
            cost.placed = false;
            if (const auto found = sharding::groups_to_axes(a.groups, mesh_);
                found && m_.op(op).kind != OpKind::kCollectivePermute) {
                axes = *found;
                cost.placed = true;
            }
            cost.devices = a.groups.empty() ? mesh_.device_count()
                                            : static_cast<std::int64_t>(a.groups[0].size());
        }
        std::vector<Span> spans;
        std::vector<std::size_t> used;
        if (cost.placed) {
            cost.devices = mesh::product(axes);
            for (const mesh::AxisRef& ref : axes) {
                for (const Span& span : spans_of(mesh_, placement_, ref)) spans.push_back(span);
                used.push_back(ref.axis);
            }
        } else {
            const bool torus = chip_.network.topology == Topology::kTorus;
            spans.push_back(
                {torus ? Span::Kind::kTorus : Span::Kind::kSwitch, 0, cost.devices, 1, false});
            used.push_back(mesh_.rank());
        }
        const Transfer transfer = transfer_of(op, a, cost.devices);
        cost.bytes = static_cast<std::int64_t>(transfer.bytes);
        cost.seconds = collective_time(transfer, spans, chip_, options_.profile);
        double begin = start;
        if (options_.overlap == Overlap::kNone) begin = std::max(begin, queues.compute);
        for (const std::size_t axis : used) begin = std::max(begin, queues.network[axis]);
        const double end = begin + cost.seconds;
        for (const std::size_t axis : used) queues.network[axis] = end;
        if (options_.overlap == Overlap::kNone) {
            queues.compute = end;
            std::fill(queues.network.begin(), queues.network.end(), end);
        }
        out_.collective_s += cost.seconds * times;
        out_.collectives.push_back(cost);
        return end;
    }

    Transfer transfer_of(OpId op, const ir::CollectiveAttributes& a, std::int64_t devices) const {
        const auto in = static_cast<double>(m_.type(m_.operand(op, 0)).byte_size());
        Transfer t;
        t.kind = m_.op(op).kind;
        switch (t.kind) {
            case OpKind::kAllGather:
                t.bytes = static_cast<double>(m_.type(m_.result(op)).byte_size());
                break;
            case OpKind::kAllToAll:
                t.bytes = in * static_cast<double>(devices);
                break;
            case OpKind::kCollectivePermute:
                t.bytes = in;
                t.hops = std::max<std::int64_t>(1, std::abs(a.shift));
                break;
            default:
                t.bytes = in;
        }
        return t;
    }
};

}  // namespace

double operation_time(const Module& m, OpId op, double bytes, const Chip& chip,
                      const Profile& profile) {
    const Work w = work(m, op);
    double matrix = 0;
    if (w.matrix_flops > 0) {
        const bool dot = m.op(op).kind == OpKind::kDotGeneral;
        const ir::Precision precision =
            dot ? m.attributes<ir::DotAttributes>(op).lhs_precision
                : m.attributes<ir::ConvolutionAttributes>(op).lhs_precision;
        const double peak = chip.matrix_flops(m.type(m.operand(op, 0)).element, precision);
        const double waste = dot ? tile_waste(m, op, chip.matrix_tile) : 1.0;
        matrix = w.matrix_flops * waste / (peak * profile.matrix);
    }
    const double compute = matrix + w.vector_flops / chip.vector_flops;
    return std::max(compute, bytes / (chip.memory_bandwidth * profile.memory)) + profile.launch;
}

Timeline simulate(const Module& program, const mesh::Mesh& mesh, const Chip& chip,
                  const TimeOptions& options) {
    return Simulator(program, mesh, chip, options).run();
}

}  // namespace shardwright::cost
