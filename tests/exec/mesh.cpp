// The mesh executor: shards in and out, collectives, control flow that parts ways.
#include "program.h"
#include "registry.h"

using namespace shardwright;
using namespace shardwright::test;
using ir::ElementType;
using ir::OpKind;
using sharding::Sharding;

namespace {

struct MeshProgram {
    ir::Module module;
    sharding::MeshId mesh;
    ir::Builder b{module};
    ir::RegionId body;

    MeshProgram(const char* axes, const std::vector<ir::TensorType>& locals) {
        module.is_partitioned = true;
        mesh = module.add_mesh(*mesh::Mesh::parse(axes));
        body = b.begin_function("main", locals);
    }
    mesh::AxisList axes(std::initializer_list<int> which) const {
        mesh::AxisList list;
        for (const int a : which)
            list.push_back(module.mesh(mesh).full(static_cast<std::size_t>(a)));
        return list;
    }
    /// A sharding with one list of axis numbers a dimension.
    Sharding on(std::vector<std::vector<int>> dims) const {
        Sharding s = Sharding::replicated_of(dims.size(), false, mesh);
        for (std::size_t d = 0; d < dims.size(); ++d)
            for (const int a : dims[d])
                s.dims[d].axes.push_back(module.mesh(mesh).full(static_cast<std::size_t>(a)));
        return s;
    }
    ir::ValueId collective(OpKind kind, ir::ValueId v, ir::CollectiveAttributes a,
                           const ir::TensorType& result) {
        a.mesh = mesh;
        return b.add(kind, {v}, std::move(a), result);
    }
    Result<exec::Outputs> run(std::vector<Sharding> in, std::vector<Sharding> out,
                              std::vector<exec::Tensor> inputs,
                              std::vector<ir::TensorType> whole = {}) {
        return exec::execute(module, 0, mesh, in, out, inputs, {}, whole);
    }
};

Numbers first(const Result<exec::Outputs>& r) {
    if (!r.ok()) qWarning("%s", r.error().text().c_str());
    return r.ok() ? numbers(r->values[0]) : Numbers();
}

const ir::TensorType kF2{ElementType::kF32, {2}}, kF4{ElementType::kF32, {4}};
const Numbers kEight{0, 1, 2, 3, 4, 5, 6, 7};

}  // namespace

class MeshTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void shards_go_in_and_come_out_uneven() {
        MeshProgram p("x=4", {kF2});  // 5 over 4: 2, 2, 1 and 0 elements
        const ir::ValueId x = p.module.argument(p.body, 0);
        p.b.ret({{p.b.add(OpKind::kAdd, {x, x})}});
        const Sharding s = p.on({{0}});
        QCOMPARE(first(p.run({s}, {s}, {tensor(ElementType::kF32, {5}, {1, 2, 3, 4, 5})},
                             {{ElementType::kF32, {5}}})),
                 (Numbers{2, 4, 6, 8, 10}));
    }
    void gather_reduce_scatter_and_all_to_all() {
        MeshProgram p("x=2,y=2", {kF2});
        const ir::ValueId v = p.module.argument(p.body, 0);
        ir::CollectiveAttributes a;
        a.axes = p.axes({0, 1});
        a.dim = 0;
        const ir::TensorType whole{ElementType::kF32, {8}};
        const ir::ValueId gathered = p.collective(OpKind::kAllGather, v, a, whole);
        const ir::ValueId scattered = p.collective(OpKind::kReduceScatter, gathered, a, kF2);
        ir::CollectiveAttributes over_y;
        over_y.axes = p.axes({1});
        const ir::ValueId summed = p.collective(OpKind::kAllReduce, v, over_y, kF2);
        p.b.ret({{gathered, scattered, summed}});
        const Sharding s = p.on({{0, 1}});
        const auto r =
            p.run({s}, {p.on({{}}), s, p.on({{0}})}, {tensor(ElementType::kF32, {8}, kEight)});
        QVERIFY2(r.ok(), r.ok() ? "" : r.error().text().c_str());
        QCOMPARE(numbers(r->values[0]), kEight);
        QCOMPARE(numbers(r->values[1]), (Numbers{0, 4, 8, 12, 16, 20, 24, 28}));
        QCOMPARE(numbers(r->values[2]), (Numbers{2, 4, 10, 12}));
    }
    void all_to_all_moves_an_axis_between_dims() {
        MeshProgram p("x=2", {{ElementType::kS32, {1, 4}}});
        ir::CollectiveAttributes a;
        a.axes = p.axes({0});
        a.dim = 1;
        a.concat_dim = 0;
        const ir::ValueId moved = p.collective(OpKind::kAllToAll, p.module.argument(p.body, 0), a,
                                               {ElementType::kS32, {2, 2}});
        p.b.ret({{moved}});
        QCOMPARE(first(p.run({p.on({{0}, {}})}, {p.on({{}, {0}})},
                             {tensor(ElementType::kS32, {2, 4}, kEight)})),
                 kEight);
    }
    void permutes_shift_wrap_and_reorder() {
        MeshProgram p("x=2,y=2", {kF2});
        const ir::ValueId v = p.module.argument(p.body, 0);
        ir::CollectiveAttributes shift;
        shift.axes = p.axes({0, 1});
        shift.shift = 1;
        ir::CollectiveAttributes wrap = shift;
        wrap.wrap = true;
        wrap.shift = -1;
        ir::CollectiveAttributes order;
        order.axes = p.axes({0, 1});
        order.permute_to = p.axes({1, 0});
        p.b.ret({{p.collective(OpKind::kCollectivePermute, v, shift, kF2),
                  p.collective(OpKind::kCollectivePermute, v, wrap, kF2),
                  p.collective(OpKind::kCollectivePermute, v, order, kF2)}});
        const Sharding s = p.on({{0, 1}});
        const auto r = p.run({s}, {s, s, s}, {tensor(ElementType::kF32, {8}, kEight)});
        QVERIFY2(r.ok(), r.ok() ? "" : r.error().text().c_str());
        QCOMPARE(numbers(r->values[0]), (Numbers{0, 0, 0, 1, 2, 3, 4, 5}));
        QCOMPARE(numbers(r->values[1]), (Numbers{2, 3, 4, 5, 6, 7, 0, 1}));
        QCOMPARE(numbers(r->values[2]), (Numbers{0, 1, 4, 5, 2, 3, 6, 7}));
    }
    void bf16_partials_are_summed_in_f32() {
        // 256 + 1 + 1 is 258 when rounded once, 256 when every addition rounds.
        MeshProgram p("x=3", {{ElementType::kBF16, {1}}});
        ir::CollectiveAttributes a;
        a.axes = p.axes({0});
        const ir::TensorType local{ElementType::kBF16, {1}};
        p.b.ret({{p.collective(OpKind::kAllReduce, p.module.argument(p.body, 0), a, local)}});
        QCOMPARE(first(p.run({p.on({{0}})}, {p.on({{}})},
                             {tensor(ElementType::kBF16, {3}, {256, 1, 1})})),
                 (Numbers{258}));
    }
    void replicas_that_differ_are_named() {
        MeshProgram p("x=2", {kF2});
        p.b.ret({{p.module.argument(p.body, 0)}});
        const auto r =
            p.run({p.on({{0}})}, {p.on({{}})}, {tensor(ElementType::kF32, {4}, {1, 2, 3, 4})});
        QVERIFY(!r.ok());
        QVERIFY2(
            r.error().what.find("result 0 differs between devices 0 and 1") != std::string::npos,
            r.error().what.c_str());
    }
    void axis_index_counts_along_its_axes() {
        MeshProgram p("x=2,y=3", {});
        ir::CollectiveAttributes a;
        a.axes = p.axes({1});
        a.mesh = p.mesh;
        const ir::ValueId i = p.b.add(OpKind::kAxisIndex, {}, a);
        const std::int64_t one[] = {1};
        p.b.ret({{p.b.reshape(i, one)}});
        QCOMPARE(first(p.run({}, {p.on({{1}})}, {})), (Numbers{0, 1, 2}));
    }
    void manual_regions_run_once_a_device_of_their_axes() {
        // The mesh has a free axis y as well, which one device's evaluation does not split.
        MeshProgram p("y=3,x=2", {kF4});
        p.module.is_partitioned = false;
        const ir::TensorType locals[] = {kF2};
        const ir::RegionId region = p.b.make_region(locals);
        p.b.set_region(region);
        const ir::ValueId local = p.module.argument(region, 0);
        ir::CollectiveAttributes a;
        a.axes = p.axes({1});
        const ir::ValueId summed = p.collective(OpKind::kAllReduce, local, a, kF2);
        p.b.ret({{summed, p.b.add(OpKind::kMultiply, {local, summed})}});
        p.b.set_region(p.body);
        ir::ManualAttributes manual;
        manual.mesh = p.mesh;
        manual.axes = p.axes({1});
        manual.in = {p.on({{1}})};
        manual.out = {p.on({{}}), p.on({{1}})};
        const ir::ValueId operands[] = {p.module.argument(p.body, 0)};
        const ir::TensorType stated[] = {kF2, kF4};
        const ir::OpId op =
            p.b.add_op(OpKind::kManualComputation, operands, manual, stated, {&region, 1});
        p.b.ret({{p.module.result(op, 0), p.module.result(op, 1)}});
        const exec::Tensor input = tensor(ElementType::kF32, {4}, {1, 2, 3, 4});
        const auto r = exec::evaluate(p.module, 0, {&input, 1}, {});
        QVERIFY2(r.ok(), r.ok() ? "" : r.error().text().c_str());
        QCOMPARE(numbers(r->values[0]), (Numbers{4, 6}));
        QCOMPARE(numbers(r->values[1]), (Numbers{4, 12, 12, 24}));
    }
    /// A loop that device i leaves after i + 1 trips, doubling its value each time.
    void loops_may_end_at_different_trips() {
        QCOMPARE(first(diverging_loop(false)), (Numbers{2, 4, 8, 16}));
    }
    void collective_reached_by_a_part_is_an_error() {
        const auto r = diverging_loop(true);
        QVERIFY(!r.ok());
        QVERIFY2(r.error().what.find("device 0 is not there") != std::string::npos,
                 r.error().what.c_str());
    }

  private:
    static Result<exec::Outputs> diverging_loop(bool with_collective) {
        const ir::TensorType value{ElementType::kF32, {1}}, count{ElementType::kS32, {}};
        MeshProgram p("x=4", {value});
        ir::CollectiveAttributes a;
        a.axes = p.axes({0});
        a.mesh = p.mesh;
        const ir::ValueId last = p.b.add(OpKind::kAxisIndex, {}, a);
        const ir::ValueId zero = p.b.scalar(ElementType::kS32, 0);
        const ir::TensorType carried[] = {count, value};
        const ir::RegionId condition = p.b.make_region(carried), loop = p.b.make_region(carried);
        p.b.set_region(condition);
        p.b.ret({{p.b.compare(p.module.argument(condition, 0), last, ir::Direction::kLe)}});
        p.b.set_region(loop);
        const ir::ValueId next =
            p.b.add(OpKind::kAdd, {p.module.argument(loop, 0), p.b.scalar(ElementType::kS32, 1)});
        ir::ValueId doubled =
            p.b.add(OpKind::kAdd, {p.module.argument(loop, 1), p.module.argument(loop, 1)});
        if (with_collective) doubled = p.collective(OpKind::kAllReduce, doubled, a, value);
        p.b.ret({{next, doubled}});
        p.b.set_region(p.body);
        const ir::ValueId start[] = {zero, p.module.argument(p.body, 0)};
        const ir::RegionId regions[] = {condition, loop};
        const ir::OpId op = p.b.add_op(OpKind::kWhile, start, {}, {}, regions);
        p.b.ret({{p.module.result(op, 1)}});
        const Sharding s = p.on({{0}});
        return p.run({s}, {s}, {tensor(ElementType::kF32, {4}, {1, 1, 1, 1})});
    }
};
SHARDWRIGHT_TEST(MeshTest, "mesh")
#include "mesh.moc"
