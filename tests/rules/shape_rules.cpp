// Rules of elementwise operations, broadcasts, reshapes, slices, pads and concatenations.
#include "one_op.h"
#include "registry.h"

using namespace shardwright;
using ir::OpKind;
using test::OneOp;

class ShapeRules : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void reshape_data() {
        QTest::addColumn<QList<int>>("from");
        QTest::addColumn<QList<int>>("to");
        QTest::addColumn<QString>("text");
        const auto row = [](const char* name, QList<int> from, QList<int> to, const char* text) {
            QTest::newRow(name) << from << to << QString(text);
        };
        row("same", {4, 6}, {4, 6}, "([i,j]) -> [i,j]");
        row("merge", {4, 6}, {24}, "([i,j]) -> [(ij)]");
        row("split", {24}, {4, 6}, "([(ij)]) -> [i,j]");
        row("mixed: (ij)k -> i(jk)", {6, 4}, {2, 12}, "([(ij),k]) -> [i,(jk)]");
        row("size-1 dims come and go", {1, 8, 1, 5}, {8, 5, 1}, "([.,i,.,j]) -> [i,j,.]");
        row("scalar to ones", {}, {1, 1}, "([]) -> [.,.]");
        row("three into two", {2, 3, 4}, {6, 4}, "([i,j,k]) -> [(ij),k]");
        row("common major part, minor parts misaligned", {4, 3}, {6, 2},
            "([(ij),l]) -> [(ik),m]  replicate j,k,l,m");
        row("misaligned, then aligned again", {3, 4, 5}, {4, 3, 5},
            "([i,k,m]) -> [j,l,m]  replicate i,j,k,l");
        row("no data", {0, 4}, {4, 0}, "([.,.]) -> [.,.]");
    }
    void reshape() {
        QFETCH(QList<int>, from);
        QFETCH(QList<int>, to);
        QFETCH(QString, text);
        OneOp one({Dims(from.begin(), from.end())});
        QCOMPARE(QString::fromStdString(one.text(OpKind::kReshape, {Dims(to.begin(), to.end())})),
                 text);
    }
    void reshape_factors_multiply_to_the_dims() {
        OneOp one({{12, 10, 7}});
        const rules::Rule r =
            rules::make_rule(one.module(), one.add(OpKind::kReshape, {{8, 15, 7}}));
        for (std::size_t t = 0; t < r.tensor_count(); ++t) {
            const Dims dims = t == 0 ? Dims{12, 10, 7} : Dims{8, 15, 7};
            for (std::size_t d = 0; d < dims.size(); ++d) {
                std::int64_t product = 1;
                for (const rules::DimFactor& f : r.tensor(t)[d]) product *= f.size;
                QCOMPARE(product, dims[d]);
            }
        }
    }
    void elementwise_with_scalars() {
        OneOp add({{2, 1, 3}, {2, 1, 3}});
        QCOMPARE(add.text(OpKind::kAdd, {{2, 1, 3}}), "([i,.,j],[i,.,j]) -> [i,.,j]");
        OneOp select({{}, {4}, {4}});
        QCOMPARE(select.text(OpKind::kSelect, {{4}}), "([],[i],[i]) -> [i]");
        OneOp clamp({{}, {4, 5}, {}});
        QCOMPARE(clamp.text(OpKind::kClamp, {{4, 5}}), "([],[i,j],[]) -> [i,j]");
        OneOp scalars({{}, {}});
        QCOMPARE(scalars.text(OpKind::kMultiply, {{}}), "([],[]) -> []");
    }
    void broadcast_unties_expanded_and_new_dims() {
        OneOp one({{4, 1}});
        const rules::Rule r = rules::make_rule(
            one.module(),
            one.add(OpKind::kBroadcastInDim, {{3, 4, 5}}, ir::DimsAttributes{{1, 2}}));
        QCOMPARE(rules::einsum_text(r), "([i,.]) -> [j,i,k]  make j,k");
        QCOMPARE(int(r.factors[0].forward_level), 3);
        QCOMPARE(int(r.factors[0].backward_level), 2);
    }
    void transpose_permutes() {
        OneOp one({{2, 3, 4}});
        QCOMPARE(one.text(OpKind::kTranspose, {{4, 2, 3}}, ir::DimsAttributes{{2, 0, 1}}),
                 "([j,k,i]) -> [i,j,k]");
    }
    void bitcast_keeps_the_parts_of_an_element_whole() {
        OneOp narrow({{6}});
        QCOMPARE(narrow.text(OpKind::kBitcastConvert, {{6, 4}}), "([i]) -> [i,j]  replicate j");
        OneOp widen({{6, 4}});
        QCOMPARE(widen.text(OpKind::kBitcastConvert, {{6}}), "([i,j]) -> [i]  replicate j");
    }
    void slice_shifts_only_the_dims_it_cuts() {
        OneOp one({{8, 6}});
        const rules::Rule r = rules::make_rule(
            one.module(),
            one.add(OpKind::kSlice, {{3, 6}}, ir::SliceAttributes{{2, 0}, {8, 6}, {2, 1}}));
        QCOMPARE(rules::einsum_text(r), "([i,j]) -> [i,j]  shift i");
        QCOMPARE(r.operands[0][0][0].size, 8);
        QCOMPARE(r.results[0][0][0].size, 3);
        QCOMPARE(r.factors[0].size, 8);
    }
    void pad_with_interior_and_negative_edges() {
        OneOp one({{8, 6, 2}, {}});
        QCOMPARE(one.text(OpKind::kPad, {{15, 5, 2}},
                          ir::PadAttributes{{0, -1, 0}, {0, 0, 0}, {1, 0, 0}}),
                 "([i,j,k],[]) -> [i,j,k]  shift i,j");
    }
    void concatenate_shifts_along_its_dim() {
        OneOp one({{2, 4}, {2, 1}, {2, 3}});
        const rules::Rule r = rules::make_rule(
            one.module(), one.add(OpKind::kConcatenate, {{2, 8}}, ir::DimAttributes{1}));
        QCOMPARE(rules::einsum_text(r), "([i,j],[i,.],[i,j]) -> [i,j]  shift j");
        QCOMPARE(int(r.factors[0].forward_level), 0);
        QCOMPARE(int(r.factors[1].forward_level), 1);
    }
    void values_from_nothing_are_made_on_each_device() {
        OneOp none({});
        QCOMPARE(none.text(OpKind::kIota, {{3, 4}}, ir::DimAttributes{0}), "() -> [i,j]  make i,j");
        QCOMPARE(none.text(OpKind::kConstant, {{3, 1}}), "() -> [i,.]  make i");
    }
};
SHARDWRIGHT_TEST(ShapeRules, "shape_rules")
#include "shape_rules.moc"
