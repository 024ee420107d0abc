// What the reader makes of small texts: values, names, scopes, shardings, regions.
#include "formats/read_model.h"
#include "formats/write_model.h"
#include "ir/builder.h"
#include "ir/infer.h"
#include "registry.h"
#include "sharding/text.h"

using namespace shardwright;
using ir::OpKind;

namespace {

ir::Module read(const std::string& text) {
    auto result = formats::read_mlir(text, "m.mlir", {});
    if (!result.ok()) {
        qWarning("%s", result.error().text().c_str());
        return ir::Module();
    }
    return std::move(result->front());
}

std::vector<ir::OpId> find(const ir::Module& m, OpKind kind) {
    std::vector<ir::OpId> out;
    for (std::uint32_t i = 0; i < m.op_count(); ++i)
        if (m.op(ir::OpId(i)).kind == kind) out.push_back(ir::OpId(i));
    return out;
}

std::string sdy(const ir::Module& m, const sharding::Sharding* s) {
    return s == nullptr ? "none" : sharding::print_sdy_body(*s, m.mesh(s->mesh));
}

}  // namespace

class MlirMeaning : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void three_spellings_of_reduce_are_one_data() {
        QTest::addColumn<std::string>("line");
        QTest::newRow("applies") << std::string(
            "%0 = stablehlo.reduce(%a init: %c) applies stablehlo.add across dimensions = [1] : "
            "(tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>");
        QTest::newRow("reducer") << std::string(
            "%0 = stablehlo.reduce(%a init: %c) across dimensions = [1] : (tensor<2x3xf32>, "
            "tensor<f32>) -> tensor<2xf32>\n reducer(%x: tensor<f32>, %y: tensor<f32>) {\n"
            "%1 = stablehlo.add %x, %y : tensor<f32>\n stablehlo.return %1 : tensor<f32>\n}");
        QTest::newRow("generic") << std::string(
            "%0 = \"mhlo.reduce\"(%a, %c) ({\n^bb0(%x: tensor<f32>, %y: tensor<f32>):\n"
            "%1 = \"mhlo.add\"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>\n"
            "\"mhlo.return\"(%1) : (tensor<f32>) -> ()\n}) {dimensions = dense<1> : tensor<1xi64>} "
            ": "
            "(tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>");
    }
    void three_spellings_of_reduce_are_one() {
        QFETCH(std::string, line);
        const ir::Module m = read(
            "func.func @main(%a: tensor<2x3xf32>) -> tensor<2xf32> {\n"
            "%c = stablehlo.constant dense<0.0> : tensor<f32>\n" +
            line + "\nreturn %0 : tensor<2xf32>\n}");
        const auto reduces = find(m, OpKind::kReduce);
        QCOMPARE(reduces.size(), std::size_t(1));
        QCOMPARE(m.attributes<ir::DimsAttributes>(reduces[0]).dims, Dims({1}));
        const ir::RegionId region = m.region_of(reduces[0], 0);
        QCOMPARE(m.region(region).ops.size(), std::size_t(2));
        QVERIFY(m.op(m.region(region).ops[0]).kind == OpKind::kAdd);
    }

    void constants_hold_their_values_data() {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<QList<double>>("values");
        const auto row = [](const char* name, const char* text, QList<double> values) {
            QTest::newRow(name) << std::string(text) << values;
        };
        row("list", "dense<[[1, 2], [3, -4]]> : tensor<2x2xi32>", {1, 2, 3, -4});
        row("hex blob", "dense<\"0x0000803F000000C0\"> : tensor<2xf32>", {1, -2});
        row("hex float", "dense<[0x3F800000, 2.5]> : tensor<2xf32>", {1, 2.5});
        row("packed bools", "dense<\"0x05\"> : tensor<3xi1>", {1, 0, 1});
        row("bools", "dense<[true, false]> : tensor<2xi1>", {1, 0});
        row("four bits", "dense<[7, -1]> : tensor<2xi4>", {7, -1});
        row("exponent", "dense<[1.0e-3, -2.5E+2]> : tensor<2xf64>", {1e-3, -250});
        row("unsigned", "dense<[255, 0]> : tensor<2xui8>", {255, 0});
    }
    void constants_hold_their_values() {
        QFETCH(std::string, text);
        QFETCH(QList<double>, values);
        const std::string type = text.substr(text.rfind(':') + 2);
        const ir::Module m = read("func.func @main() -> " + type + " {\n%0 = stablehlo.constant " +
                                  text + "\nreturn %0 : " + type + "\n}");
        QCOMPARE(m.literal_count(), std::size_t(1));
        const ir::Literal& literal = m.literal(ir::LiteralId(0));
        for (int i = 0; i < values.size(); ++i)
            QCOMPARE(ir::element_as_double(literal.data(), literal.type.element, i), values[i]);
    }

    void resources_and_elided_values() {
        const ir::Module m = read(
            "module {\nfunc.func @main() -> (tensor<2xf32>, tensor<3xf32>) {\n"
            "%0 = stablehlo.constant dense_resource<w> : tensor<2xf32>\n"
            "%1 = stablehlo.constant dense_resource<__elided__> : tensor<3xf32>\n"
            "return %0, %1 : tensor<2xf32>, tensor<3xf32>\n}\n}\n"
            "{-#\n  dialect_resources: {\n    builtin: {\n      w: "
            "\"0x040000000000803F00000040\"\n    }\n  }\n#-}\n");
        QCOMPARE(m.literal_count(), std::size_t(2));
        QCOMPARE(
            ir::element_as_double(m.literal(ir::LiteralId(0)).data(), ir::ElementType::kF32, 1),
            2.0);
        QVERIFY(m.literal(ir::LiteralId(1)).kind == ir::Literal::Kind::kElided);
    }

    void calls_are_inlined_with_scopes_and_unique_names() {
        const ir::Module m = read(R"(
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @relu(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @relu(%0) : (tensor<4xf32>) -> tensor<4xf32> loc(#l)
  return %1 : tensor<4xf32>
}
func.func private @relu(%a: tensor<4xf32>) -> tensor<4xf32> {
  %cst = stablehlo.constant dense<0.0> : tensor<4xf32>
  %9 = stablehlo.maximum %a, %cst : tensor<4xf32> loc("max")
  return %9 : tensor<4xf32>
}
#l = loc("layer_1"("f.py":3:4))
)");
        QCOMPARE(m.functions().size(), std::size_t(1));
        const auto maxima = find(m, OpKind::kMaximum);
        const auto constants = find(m, OpKind::kConstant);
        QCOMPARE(maxima.size(), std::size_t(2));
        QCOMPARE(m.scope(maxima[0]), std::string_view("relu/max"));
        QCOMPARE(m.scope(maxima[1]), std::string_view("layer_1/max"));
        QCOMPARE(m.name(m.result(maxima[0])), std::string_view("0"));
        QCOMPARE(m.name(m.result(maxima[1])), std::string_view("1"));
        QCOMPARE(m.name(m.result(constants[0])), std::string_view("cst"));
        QCOMPARE(m.name(m.result(constants[1])), std::string_view("cst.relu.1"));
        QCOMPARE(m.literal_count(), std::size_t(1));
    }

    void locations_give_paths_data() {
        QTest::addColumn<std::string>("location");
        QTest::addColumn<std::string>("path");
        const auto row = [](const char* text, const char* path) {
            QTest::newRow(text) << std::string(text) << std::string(path);
        };
        row("\"a/b\"", "a/b");
        row("\"a/b\"(\"f.py\":1:2)", "a/b");
        row("\"f.py\":1:2", "");
        row("fused[\"f.py\":1:2, \"x/y\"]", "x/y");
        row("fused<{k = 1}>[#n]", "n/m");
        row("callsite(\"c\" at \"d\"(\"f.py\":1:2))", "c");
        row("callsite(\"f.py\":1:2 at \"d\")", "d");
        row("unknown", "");
    }
    void locations_give_paths() {
        QFETCH(std::string, location);
        QFETCH(std::string, path);
        const ir::Module m = read(
            "func.func @main(%a: tensor<f32>) -> tensor<f32> {\n%0 = stablehlo.abs %a : "
            "tensor<f32> loc(" +
            location + ")\nreturn %0 : tensor<f32>\n}\n#n = loc(\"n/m\")");
        QCOMPARE(std::string(m.scope(find(m, OpKind::kAbs).at(0))), path);
    }

    void arguments_keep_paths_donation_and_shardings() {
        const ir::Module m = read(R"(
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%p: tensor<8x8xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y", ?}p1]>} loc("params['w']"),
                %q: tensor<8xf32> {tf.aliasing_output = 0 : i32}) -> (tensor<8xf32> {jax.result_info = "out", sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) {
  return %q : tensor<8xf32>
}
)");
        const ir::Function& f = m.entry();
        QCOMPARE(m.text(f.arguments[0].name), std::string_view("p"));
        QCOMPARE(m.text(f.arguments[0].path), std::string_view("params['w']"));
        QVERIFY(f.arguments[0].donated && f.arguments[0].alias_output == -1);
        QCOMPARE(f.arguments[1].alias_output, 0);
        QCOMPARE(sdy(m, m.annotation(m.argument(f.body, 0))),
                 std::string("[{\"x\"}, {\"y\", ?}p1]"));
        QCOMPARE(m.text(f.results[0].name), std::string_view("out"));
        QVERIFY(f.results[0].annotation.has_value());
    }

    void hlo_shardings_share_one_derived_mesh() {
        const ir::Module m = read(R"(
module attributes {mhlo.num_partitions = 8 : i32} {
func.func @main(%a: tensor<8x8xf32> {mhlo.sharding = "{devices=[2,4]<=[8]}"},
                %b: tensor<8xf32> {mhlo.sharding = "{devices=[4,2]<=[2,4]T(1,0) last_tile_dim_replicate}"}) -> tensor<8x8xf32> {
  %0 = stablehlo.custom_call @Sharding(%a) {backend_config = "unspecified_dims=[1]", mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
})");
        QCOMPARE(m.meshes().size(), std::size_t(1));
        QCOMPARE(m.mesh(ir::MeshId(0)).text(), std::string("a=2,b=4"));
        const ir::Function& f = m.entry();
        QCOMPARE(sdy(m, m.annotation(m.argument(f.body, 0))), std::string("[{\"a\"}, {\"b\"}]"));
        QCOMPARE(sdy(m, m.annotation(m.argument(f.body, 1))), std::string("[{\"b\"}]"));
        const auto constraints = find(m, OpKind::kShardingConstraint);
        QCOMPARE(constraints.size(), std::size_t(1));
        const auto& a = m.attributes<ir::ShardingAttributes>(constraints[0]);
        QCOMPARE(a.unspecified_dims, Dims({1}));
        QCOMPARE(sdy(m, &a.sharding), std::string("[{\"a\"}, {}]"));
    }

    void manual_marks_become_a_region() {
        const ir::Module m = read(R"(
module attributes {mhlo.num_partitions = 4 : i32} {
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %c = stablehlo.constant dense<1.0> : tensor<2xf32>
  %0 = stablehlo.custom_call @Sharding(%a) {mhlo.sharding = "{devices=[4]<=[4]}"} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} : (tensor<8xf32>) -> tensor<2xf32>
  %2 = stablehlo.add %1, %c : tensor<2xf32>
  %3 = "stablehlo.all_reduce"(%2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %9 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %9 : tensor<f32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  %4 = stablehlo.custom_call @Sharding(%3) {mhlo.sharding = "{manual}"} : (tensor<2xf32>) -> tensor<2xf32>
  %5 = stablehlo.custom_call @SPMDShardToFullShape(%4) {mhlo.sharding = "{devices=[4]<=[4]}"} : (tensor<2xf32>) -> tensor<8xf32>
  return %5 : tensor<8xf32>
}
})");
        const auto manual = find(m, OpKind::kManualComputation);
        QCOMPARE(manual.size(), std::size_t(1));
        const auto& a = m.attributes<ir::ManualAttributes>(manual[0]);
        QCOMPARE(a.in.size(), std::size_t(1));
        QCOMPARE(mesh::product(a.axes), std::int64_t(4));
        QCOMPARE(sdy(m, &a.out[0]), std::string("[{\"a\"}]"));
        const auto reduce = find(m, OpKind::kAllReduce);
        QCOMPARE(reduce.size(), std::size_t(1));
        const auto& c = m.attributes<ir::CollectiveAttributes>(reduce[0]);
        QVERIFY(c.mode == ir::GroupMode::kMeshAxes && mesh::product(c.axes) == 4);
        QVERIFY(c.reduction == ir::Reduction::kSum);
        QVERIFY(m.op(reduce[0]).parent == m.region_of(manual[0], 0));
    }

    void neighbour_permutes_become_shifts() {
        const ir::Module m = read(R"(
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"y"}]>] out_shardings=[<@mesh, [{"y"}]>] manual_axes={"x", "y"} (%l: tensor<2xf32>) {
    %1 = "stablehlo.collective_permute"(%l) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [4, 5], [5, 6], [6, 7]]> : tensor<6x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
    sdy.return %1 : tensor<2xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
)");
        const auto permutes = find(m, OpKind::kCollectivePermute);
        QCOMPARE(permutes.size(), std::size_t(1));
        const auto& a = m.attributes<ir::CollectiveAttributes>(permutes[0]);
        QCOMPARE(mesh::to_text(m.mesh(a.mesh), a.axes.at(0)), std::string("\"y\""));
        QCOMPARE(a.shift, std::int64_t(1));
        QVERIFY(!a.wrap);
    }

    void axis_index_is_written_as_arithmetic() {
        ir::Module m;
        m.num_partitions = 8;
        m.is_partitioned = true;
        const ir::MeshId mesh = m.add_mesh(mesh::Mesh("mesh", {{"x", 2}, {"y", 4}}));
        ir::Builder b(m);
        b.begin_function("main", {});
        ir::CollectiveAttributes a;
        a.mesh = mesh;
        a.axes = {m.mesh(mesh).full(1), m.mesh(mesh).full(0)};
        const ir::ValueId index = m.result(b.add_op(OpKind::kAxisIndex, {}, a));
        b.ret({&index, 1});
        const std::string text = formats::write_mlir(m, {});
        const ir::Module again = read(text);
        QCOMPARE(again.num_partitions, std::int64_t(8));
        QVERIFY(again.is_partitioned);
        QCOMPARE(find(again, OpKind::kPartitionId).size(), std::size_t(1));
        QCOMPARE(find(again, OpKind::kRemainder).size(), std::size_t(2));
        QCOMPARE(formats::write_mlir(again, {}), text);
    }
};
SHARDWRIGHT_TEST(MlirMeaning, "mlir_meaning")
#include "mlir_meaning.moc"
