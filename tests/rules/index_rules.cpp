// Rules of gather, scatter, dynamic slices, and of operations along whole dims.
#include "one_op.h"
#include "registry.h"

using namespace shardwright;
using ir::OpKind;
using test::OneOp;

class IndexRules : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void embedding_lookup() {
        OneOp one({{100, 16}, {4, 7, 1}});
        ir::GatherAttributes a;
        a.offset_dims = {2}, a.collapsed_slice_dims = {0}, a.start_index_map = {0};
        a.index_vector_dim = 2, a.slice_sizes = {1, 16};
        const rules::Rule r =
            rules::make_rule(one.module(), one.add(OpKind::kGather, {{4, 7, 16}}, a));
        QCOMPARE(rules::einsum_text(r), "([k,l],[i,j,.]) -> [i,j,l]  look up k");
        QCOMPARE(int(r.factors[2].gspmd), int(rules::kBlocked));
    }
    void gather_with_batching_dims() {
        OneOp one({{5, 8, 6, 3}, {6, 9, 5, 2}});
        ir::GatherAttributes a;
        a.operand_batching_dims = {0, 2}, a.start_indices_batching_dims = {2, 0};
        a.start_index_map = {1, 3}, a.index_vector_dim = 3, a.slice_sizes = {1, 4, 1, 3};
        a.offset_dims = {1, 3};  // dims 1 (a window of 4) and 3 (whole)
        QCOMPARE(one.text(OpKind::kGather, {{6, 4, 9, 3, 5}}, a),
                 "([k,m,i,n],[i,j,k,l]) -> [i,.,j,n,k]  replicate l  look up m");
    }
    void gather_with_an_index_that_counts() {
        // indices = concat(iota along dim 0, table): row i is looked up in operand row i.
        OneOp one({{4, 10}, {4, 3, 1}});
        ir::Module& m = one.module();
        const ir::ValueId operand = one.argument(0), table = one.argument(1);
        const ir::ValueId rows =
            m.result(one.use({}).add(OpKind::kIota, {{4, 3, 1}}, ir::DimAttributes{0}));
        const ir::ValueId indices = m.result(
            one.use({rows, table}).add(OpKind::kConcatenate, {{4, 3, 2}}, ir::DimAttributes{2}));
        ir::GatherAttributes a;
        a.collapsed_slice_dims = {0, 1}, a.start_index_map = {0, 1};
        a.index_vector_dim = 2, a.slice_sizes = {1, 1};
        one.use({operand, indices});
        const ir::OpId counted = one.add(OpKind::kGather, {{4, 3}}, a);
        QCOMPARE(rules::einsum_text(rules::make_rule(m, counted)),
                 "([i,l],[i,j,k]) -> [i,j]  replicate k  look up i,l");
        // The same shapes with indices that do not count: another rule, in the table too.
        const ir::ValueId twice = m.result(
            one.use({table, table}).add(OpKind::kConcatenate, {{4, 3, 2}}, ir::DimAttributes{2}));
        const ir::OpId plain = one.use({operand, twice}).add(OpKind::kGather, {{4, 3}}, a);
        const rules::RuleTable table_of_rules(m);
        QVERIFY(table_of_rules.id(counted) != table_of_rules.id(plain));
        QCOMPARE(rules::einsum_text(table_of_rules.of(plain)),
                 "([l,m],[i,j,k]) -> [i,j]  replicate k  look up l,m");
    }
    void scatter_add_into_rows() {
        OneOp one({{100, 16}, {7, 1}, {7, 16}});
        ir::ScatterAttributes a;
        a.update_window_dims = {1}, a.inserted_window_dims = {0};
        a.scatter_dims_to_operand_dims = {0}, a.index_vector_dim = 1;
        const ir::RegionId sum = one.combiner(OpKind::kAdd);
        QCOMPARE(one.text(OpKind::kScatter, {{100, 16}}, a, {sum}),
                 "([j,k],[i,.],[i,k]) -> [j,k]  look up j  scatter i");
    }
    void scatter_with_batching_dims() {
        OneOp one({{5, 10, 16}, {5, 7, 1}, {5, 7, 16}});
        ir::ScatterAttributes a;
        a.update_window_dims = {2}, a.inserted_window_dims = {1};
        a.input_batching_dims = {0}, a.scatter_indices_batching_dims = {0};
        a.scatter_dims_to_operand_dims = {1}, a.index_vector_dim = 2;
        const ir::RegionId sum = one.combiner(OpKind::kAdd);
        QCOMPARE(one.text(OpKind::kScatter, {{5, 10, 16}}, a, {sum}),
                 "([i,k,l],[i,j,.],[i,j,l]) -> [i,k,l]  look up k  scatter j");
    }
    void dynamic_slices() {
        OneOp slice({{8, 6}, {}, {}});
        QCOMPARE(slice.text(OpKind::kDynamicSlice, {{1, 6}}, ir::DynamicSliceAttributes{{1, 6}}),
                 "([i,j],[],[]) -> [.,j]  look up i");
        OneOp update({{8, 6}, {2, 6}, {}, {}});
        QCOMPARE(update.text(OpKind::kDynamicUpdateSlice, {{8, 6}}),
                 "([i,j],[.,j],[],[]) -> [i,j]  look up i");
    }
    void whole_dims() {
        OneOp sort({{4, 9}, {4, 9}});
        QCOMPARE(sort.text(OpKind::kSort, {{4, 9}, {4, 9}}, ir::SortAttributes{1, true}),
                 "([i,j],[i,j]) -> ([i,j],[i,j])  replicate j");
        OneOp top({{4, 9}});
        QCOMPARE(top.text(OpKind::kTopK, {{4, 3}, {4, 3}}, ir::TopKAttributes{3, true}),
                 "([i,j]) -> ([i,j],[i,j])  replicate j");
        OneOp fft({{4, 9, 16}});
        QCOMPARE(fft.text(OpKind::kFft, {{4, 9, 9}}, ir::FftAttributes{ir::FftType::kRfft, {16}}),
                 "([i,j,k]) -> [i,j,k]  replicate k");
        OneOp cholesky({{4, 5, 5}});
        QCOMPARE(cholesky.text(OpKind::kCholesky, {{4, 5, 5}}, ir::CholeskyAttributes{}),
                 "([i,j,k]) -> [i,j,k]  replicate j,k");
        OneOp solve({{4, 5, 5}, {4, 5, 3}});
        QCOMPARE(solve.text(OpKind::kTriangularSolve, {{4, 5, 3}}, ir::TriangularSolveAttributes{}),
                 "([i,j,l],[i,k,m]) -> [i,k,m]  replicate j,k,l");
    }
    void windows() {
        OneOp scan({{4, 9}, {}});
        ir::WindowAttributes w;
        w.sizes = {1, 9}, w.strides = {1, 1}, w.base_dilation = {1, 1}, w.window_dilation = {1, 1};
        w.pad_low = {0, 8}, w.pad_high = {0, 0};
        const ir::RegionId sum = scan.combiner(OpKind::kAdd);
        QCOMPARE(scan.text(OpKind::kReduceWindow, {{4, 9}}, w, {sum}),
                 "([i,j],[]) -> [i,j]  shift j");
        OneOp reverse({{4, 9}});
        QCOMPARE(reverse.text(OpKind::kReverse, {{4, 9}}, ir::DimsAttributes{{1}}),
                 "([i,j]) -> [i,j]  shift j");
        OneOp pool({{4, 8}, {4, 4}, {}});
        ir::WindowAttributes p;
        p.sizes = {1, 2}, p.strides = {1, 2}, p.pad_low = {0, 0}, p.pad_high = {0, 0};
        QCOMPARE(pool.text(OpKind::kSelectAndScatter, {{4, 8}}, p),
                 "([i,j],[i,j],[]) -> [i,j]  shift j");
    }
    void collectives_of_the_input_hold_their_dim_whole() {
        OneOp one({{4, 6}});
        ir::CollectiveAttributes a;
        a.dim = 1;
        QCOMPARE(one.text(OpKind::kAllGather, {{4, 24}}, a), "([i,j]) -> [i,j]  replicate j");
        ir::CollectiveAttributes sum;
        QCOMPARE(one.text(OpKind::kAllReduce, {{4, 6}}, sum), "([i,j]) -> [i,j]");
    }
    void unknown_custom_calls_are_opaque() {
        OneOp one({{4, 6}});
        ir::CustomCallAttributes a;
        a.target = one.module().intern("my_kernel");
        QCOMPARE(one.text(OpKind::kCustomCall, {{4, 6}}, a), "opaque");
        a.target = one.module().intern("Sharding");
        QCOMPARE(one.text(OpKind::kCustomCall, {{4, 6}}, a), "([i,j]) -> [i,j]");
    }
};
SHARDWRIGHT_TEST(IndexRules, "index_rules")
#include "index_rules.moc"
