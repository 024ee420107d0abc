// The step time of hand-built per-device programs.
#include <cmath>

#include "cost/schedule/estimate.h"
#include "ir/builder.h"
#include "registry.h"

using namespace shardwright;
using namespace shardwright::ir;

namespace {

const cost::Chip& chip(const char* name) {
    static const cost::ChipTable table =
        *cost::load_chips(std::string(SHARDWRIGHT_SOURCE_DIR) + "/resources/chips.json");
    return **table.find(name);
}

/// A gather of weights over `x` beside a dot that does not need it, then a dot that does.
partition::Partitioned gather_beside_dot() {
    partition::Partitioned p;
    Module& m = p.module;
    m.is_partitioned = true;
    m.add_mesh(*mesh::Mesh::parse("x=16"));
    Builder b(m);
    const TensorType types[] = {{ElementType::kBF16, {8192, 8192}},
                                {ElementType::kBF16, {512, 8192}}};
    const RegionId body = b.begin_function("main", types);
    CollectiveAttributes gather;
    gather.axes = m.meshes()[0].all_axes();
    gather.dim = 0;
    const ValueId whole = b.add(OpKind::kAllGather, {m.argument(body, 1)}, gather,
                                {ElementType::kBF16, {8192, 8192}});
    const DotAttributes dims{{}, {}, {1}, {0}};
    const ValueId x = b.dot(m.argument(body, 0), m.argument(body, 0), dims, ElementType::kBF16);
    const ValueId y = b.dot(x, whole, dims, ElementType::kBF16);
    b.ret({&y, 1});
    partition::Partitioned::Signature s;
    s.arguments.assign(2, sharding::Sharding::replicated_of(2));
    s.results.assign(1, sharding::Sharding::replicated_of(2));
    p.signatures.push_back(s);
    return p;
}

bool near(double a, double b) {
    return std::abs(a - b) <= 0.01 * std::abs(b);
}

}  // namespace

class StepTime : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void collectives_hide_behind_compute() {
        const partition::Partitioned p = gather_beside_dot();
        cost::EstimateOptions options;
        options.time.overlap = cost::Overlap::kAsync;
        const cost::Estimate e = cost::estimate(p, p.module, chip("v5e"), options);
        const double dot = 2 * std::pow(8192.0, 3) / 197e12;
        const double gather = 8192.0 * 8192 * 2 / 90e9;  // V / W on a wrapped ring of 16
        QVERIFY(near(e.compute_time_s, 2 * dot));
        QVERIFY(near(e.collective_time_s, gather));
        QVERIFY(gather < dot);
        QVERIFY(near(e.step_time_s, 2 * dot));  // wholly hidden
        QVERIFY(e.exposed_collective_time_s < 1e-9);
        QCOMPARE(e.devices, std::int64_t(16));
        QVERIFY(near(e.mfu, 1.0 / 16));  // the same source program counted whole on 16 devices
        QVERIFY(near(e.hfu, 1.0));
    }
    void without_overlap_they_stand_in_the_way() {
        const partition::Partitioned p = gather_beside_dot();
        cost::EstimateOptions options;
        options.time.overlap = cost::Overlap::kNone;
        const cost::Estimate e = cost::estimate(p, p.module, chip("v5e"), options);
        QVERIFY(near(e.step_time_s, e.compute_time_s + e.collective_time_s));
        QVERIFY(near(e.exposed_collective_time_s, e.collective_time_s));
    }
    void memory_bound_work_takes_the_bandwidth() {
        partition::Partitioned p;
        Module& m = p.module;
        m.add_mesh(*mesh::Mesh::parse("x=4"));
        Builder b(m);
        const TensorType type{ElementType::kF32, {1 << 24}};
        const RegionId body = b.begin_function("main", {&type, 1});
        ValueId v = b.add(OpKind::kTanh, {m.argument(body, 0)});
        v = b.add(OpKind::kAdd, {v, v});
        v = b.add(OpKind::kNegate, {v});
        b.ret({&v, 1});
        cost::EstimateOptions options;
        const double once = 4.0 * (1 << 24) / 819e9;
        // Fused: the tanh is used twice by one operation, so it and the result are written.
        const cost::Estimate fused = cost::estimate(p, m, chip("v5e"), options);
        options.time.fused = false;
        const cost::Estimate unfused = cost::estimate(p, m, chip("v5e"), options);
        QVERIFY(near(unfused.step_time_s, 6 * once));
        QVERIFY(near(fused.step_time_s, 4 * once));
    }
    void a_chip_too_small_is_told() {
        const partition::Partitioned p = gather_beside_dot();
        cost::Chip tiny = chip("v5e");
        tiny.memory_bytes = 256 << 20, tiny.reserve_bytes = 0;
        QVERIFY(!cost::estimate(p, p.module, tiny).fits);
        QVERIFY(cost::estimate(p, p.module, chip("v5e")).fits);
    }
};
SHARDWRIGHT_TEST(StepTime, "step_time")
#include "step_time.moc"
