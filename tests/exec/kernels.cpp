// Shape, contraction and reduction kernels with values worked out by hand.
#include <cmath>

#include "program.h"
#include "registry.h"

using namespace shardwright;
using namespace shardwright::test;
using ir::ElementType;
using ir::OpKind;
using Arguments = std::vector<ir::ValueId>;

namespace {

Numbers count(int n) {
    Numbers all;
    for (int i = 0; i < n; ++i) all.push_back(i);
    return all;
}

}  // namespace

class KernelsTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void transposes_of_every_order_agree_with_indices() {
        const Dims dims{3, 40, 5};
        const Numbers got = value_of({tensor(ElementType::kF32, dims, count(600))},
                                     [](ir::Builder& b, const Arguments& x) {
                                         const std::int64_t order[] = {2, 0, 1};
                                         return b.transpose(x[0], order);
                                     });
        std::size_t at = 0;
        for (int k = 0; k < 5; ++k)
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 40; ++j) QCOMPARE(got[at++], double(i * 200 + j * 5 + k));
    }
    void padding_may_be_negative_and_interior() {
        const auto pad = [](Dims low, Dims high, Dims interior) {
            return value_of(
                {tensor(ElementType::kF32, {4}, {0, 1, 2, 3}), tensor(ElementType::kF32, {}, {9})},
                [&](ir::Builder& b, const Arguments& x) {
                    return one(b, OpKind::kPad, {x[0], x[1]},
                               ir::PadAttributes{low, high, interior});
                });
        };
        QCOMPARE(pad({-3}, {0}, {0}), (Numbers{3}));
        QCOMPARE(pad({1}, {-2}, {0}), (Numbers{9, 0, 1}));
        QCOMPARE(pad({0}, {0}, {1}), (Numbers{0, 9, 1, 9, 2, 9, 3}));
        QCOMPARE(pad({-1}, {1}, {1}), (Numbers{9, 1, 9, 2, 9, 3, 9}));
    }
    /// F3: two concatenations of shifted copies.
    void concatenations_of_negative_pads() {
        const Numbers got = value_of(
            {tensor(ElementType::kF32, {4}, {0, 1, 2, 3})}, [](ir::Builder& b, const Arguments& x) {
                const ir::ValueId zero = b.scalar(ElementType::kF32, 0);
                const ir::ValueId last =
                    one(b, OpKind::kPad, {x[0], zero}, ir::PadAttributes{{-3}, {0}, {0}});
                const ir::ValueId front =
                    one(b, OpKind::kPad, {x[0], zero}, ir::PadAttributes{{0}, {-1}, {0}});
                const ir::ValueId both[] = {last, front};
                return b.concatenate(both, 0);
            });
        QCOMPARE(got, (Numbers{3, 0, 1, 2}));
    }
    void reverse_and_strided_slice() {
        QCOMPARE(value_of({tensor(ElementType::kS32, {2, 3}, count(6))},
                          [](ir::Builder& b, const Arguments& x) {
                              return one(b, OpKind::kReverse, {x[0]}, ir::DimsAttributes{{1}});
                          }),
                 (Numbers{2, 1, 0, 5, 4, 3}));
        QCOMPARE(value_of({tensor(ElementType::kS32, {8}, count(8))},
                          [](ir::Builder& b, const Arguments& x) {
                              return b.slice(x[0], ir::SliceAttributes{{1}, {7}, {3}});
                          }),
                 (Numbers{1, 4}));
    }
    /// F1: the update's start clamps.
    void dynamic_update_clamps_its_start_data() {
        QTest::addColumn<double>("start");
        QTest::addColumn<Numbers>("want");
        QTest::newRow("beyond") << 2.0 << Numbers{0, 99, 2, 99};
        QTest::newRow("before") << -1.0 << Numbers{99, 1, 99, 3};
        QTest::newRow("far") << 5.0 << Numbers{0, 99, 2, 99};
    }
    void dynamic_update_clamps_its_start() {
        QFETCH(double, start);
        QFETCH(Numbers, want);
        QCOMPARE(
            value_of({tensor(ElementType::kS32, {2, 2}, count(4)),
                      tensor(ElementType::kS32, {2, 1}, {99, 99}),
                      tensor(ElementType::kS32, {}, {0}), tensor(ElementType::kS32, {}, {start})},
                     [](ir::Builder& b, const Arguments& x) {
                         return one(b, OpKind::kDynamicUpdateSlice, {x[0], x[1], x[2], x[3]}, {});
                     }),
            want);
    }
    void reductions_over_any_dims_data() {
        QTest::addColumn<int>("which");
        for (int d = 0; d < 8; ++d) QTest::newRow(qPrintable(QString("dims %1").arg(d))) << d;
    }
    void reductions_over_any_dims() {
        QFETCH(int, which);  // a set of the dims 0, 1, 2
        const int n[] = {7, 300, 5};
        Dims dims;
        for (int d = 0; d < 3; ++d)
            if ((which >> d) & 1) dims.push_back(d);
        Numbers in;
        for (int i = 0; i < 7 * 300 * 5; ++i) in.push_back(i % 13 - 6);
        const Numbers got = value_of({tensor(ElementType::kF32, {7, 300, 5}, in)},
                                     [&](ir::Builder& b, const Arguments& x) {
                                         return b.reduce(x[0], b.scalar(ElementType::kF32, 2),
                                                         {dims.data(), dims.size()}, OpKind::kAdd);
                                     });
        std::map<int, double> want;
        for (int i = 0; i < n[0]; ++i)
            for (int j = 0; j < n[1]; ++j)
                for (int k = 0; k < n[2]; ++k) {
                    int key = 0;
                    const int index[] = {i, j, k};
                    for (int d = 0; d < 3; ++d)
                        if (!((which >> d) & 1)) key = key * n[d] + index[d];
                    want.try_emplace(key, 2.0).first->second +=
                        in[static_cast<std::size_t>((i * 300 + j) * 5 + k)];
                }
        QCOMPARE(got.size(), want.size());
        for (std::size_t i = 0; i < got.size(); ++i) QCOMPARE(got[i], want[static_cast<int>(i)]);
    }
    /// F7: the first of equal values wins; the indices are global.
    void argmax_takes_the_first_of_equals() {
        const exec::Outputs out = test::evaluate(
            {tensor(ElementType::kBF16, {2, 4}, {1, 5, 5, 2, 3, 3, 3, 3})},
            [](ir::Builder& b, const Arguments& x) {
                const ir::ValueId index = b.iota({ElementType::kS32, {2, 4}}, 1);
                const ir::TensorType v{ElementType::kBF16, {}}, i{ElementType::kS32, {}};
                const ir::TensorType types[] = {v, i, v, i};
                const ir::RegionId region = b.make_region(types), outer = b.region();
                b.set_region(region);
                const auto a = [&](std::size_t k) { return b.module().argument(region, k); };
                const ir::ValueId greater = b.compare(a(0), a(2), ir::Direction::kGt);
                const ir::ValueId equal = b.compare(a(0), a(2), ir::Direction::kEq);
                const ir::ValueId lower = b.compare(a(1), a(3), ir::Direction::kLt);
                const ir::ValueId keep =
                    b.add(OpKind::kOr, {greater, b.add(OpKind::kAnd, {equal, lower})});
                const ir::ValueId results[] = {b.select(keep, a(0), a(2)),
                                               b.select(keep, a(1), a(3))};
                b.ret(results);
                b.set_region(outer);
                const ir::ValueId operands[] = {x[0], index, b.scalar(ElementType::kBF16, -1e30),
                                                b.scalar(ElementType::kS32, 0)};
                const ir::OpId op =
                    b.add_op(OpKind::kReduce, operands, ir::DimsAttributes{{1}}, {}, {&region, 1});
                return std::vector{b.module().result(op, 0), b.module().result(op, 1)};
            });
        QCOMPARE(numbers(out.values[0]), (Numbers{5, 3}));
        QCOMPARE(numbers(out.values[1]), (Numbers{1, 0}));
    }
    /// F5: prefix sums and centred windows.
    void windows_as_scans_and_as_windows() {
        const auto sum = [](std::int64_t size, std::int64_t low, std::int64_t high) {
            return value_of(
                {tensor(ElementType::kS32, {6}, {1, 1, 1, 1, 1, 1})},
                [&](ir::Builder& b, const Arguments& x) {
                    const ir::RegionId region = b.combiner_region(OpKind::kAdd, ElementType::kS32);
                    return one(b, OpKind::kReduceWindow, {x[0], b.scalar(ElementType::kS32, 0)},
                               ir::WindowAttributes{{size}, {1}, {1}, {1}, {low}, {high}},
                               {region});
                });
        };
        QCOMPARE(sum(6, 5, 0), (Numbers{1, 2, 3, 4, 5, 6}));
        QCOMPARE(sum(6, 0, 5), (Numbers{6, 5, 4, 3, 2, 1}));
        QCOMPARE(sum(5, 2, 2), (Numbers{3, 4, 5, 5, 4, 3}));
    }
    /// F9: rows added where the ids say.
    void scatter_adds_rows() {
        const Numbers got = value_of(
            {tensor(ElementType::kF32, {8, 3}, Numbers(24, 0)),
             tensor(ElementType::kS32, {2, 4, 1}, {0, 1, 4, 5, 2, 2, 6, 7}),
             tensor(ElementType::kF32, {2, 4, 3}, Numbers(24, 1))},
            [](ir::Builder& b, const Arguments& x) {
                ir::ScatterAttributes a;
                a.update_window_dims = {2};
                a.inserted_window_dims = {0};
                a.scatter_dims_to_operand_dims = {0};
                a.index_vector_dim = 2;
                const ir::RegionId region = b.combiner_region(OpKind::kAdd, ElementType::kF32);
                return one(b, OpKind::kScatter, {x[0], x[1], x[2]}, a, {region});
            });
        const int rows[] = {1, 1, 2, 0, 1, 1, 1, 1};
        for (std::size_t i = 0; i < 24; ++i) QCOMPARE(got[i], double(rows[i / 3]));
    }
    void dots_with_batch_and_permuted_operands_data() {
        QTest::addColumn<int>("type");
        QTest::addColumn<int>("size");
        for (const ElementType t : {ElementType::kF32, ElementType::kBF16, ElementType::kF16,
                                    ElementType::kF64, ElementType::kS32, ElementType::kC64})
            for (const int size : {3, 40})
                QTest::newRow(qPrintable(QString("%1 %2").arg(int(t)).arg(size))) << int(t) << size;
    }
    /// lhs [k, b, m], rhs [n, k, b]: nothing lies as a matrix library wants it.
    void dots_with_batch_and_permuted_operands() {
        QFETCH(int, type);
        QFETCH(int, size);
        const auto t = static_cast<ElementType>(type);
        const int k = size, m = size + 1, n = size + 2, batch = 2;
        Numbers l, r;
        for (int i = 0; i < k * batch * m; ++i) l.push_back(i % 5 - 2);
        for (int i = 0; i < n * k * batch; ++i) r.push_back(i % 3 - 1);
        const Numbers got = value_of({tensor(t, {k, batch, m}, l), tensor(t, {n, k, batch}, r)},
                                     [&](ir::Builder& b, const Arguments& x) {
                                         ir::DotAttributes d;
                                         d.lhs_batch = {1};
                                         d.rhs_batch = {2};
                                         d.lhs_contracting = {0};
                                         d.rhs_contracting = {1};
                                         return b.dot(x[0], x[1], d, t);
                                     });
        for (int b = 0; b < batch; ++b)
            for (int i = 0; i < m; ++i)
                for (int j = 0; j < n; ++j) {
                    double want = 0;
                    for (int q = 0; q < k; ++q)
                        want += l[static_cast<std::size_t>((q * batch + b) * m + i)] *
                                r[static_cast<std::size_t>((j * k + q) * batch + b)];
                    QCOMPARE(got[static_cast<std::size_t>((b * m + i) * n + j)], want);
                }
    }
    void sorts_are_stable_and_put_values_with_keys() {
        const exec::Outputs out = test::evaluate(
            {tensor(ElementType::kF32, {6}, {3, 1, 2, 1, -0.0, 0.0}),
             tensor(ElementType::kS32, {6}, count(6))},
            [](ir::Builder& b, const Arguments& x) {
                const ir::TensorType v{ElementType::kF32, {}}, i{ElementType::kS32, {}};
                const ir::TensorType types[] = {v, v, i, i};
                const ir::RegionId region = b.make_region(types), outer = b.region();
                b.set_region(region);
                b.ret({{b.compare(b.module().argument(region, 0), b.module().argument(region, 1),
                                  ir::Direction::kLt)}});
                b.set_region(outer);
                const ir::OpId op =
                    b.add_op(OpKind::kSort, x, ir::SortAttributes{0, true}, {}, {&region, 1});
                return std::vector{b.module().result(op, 0), b.module().result(op, 1)};
            });
        QCOMPARE(numbers(out.values[1]), (Numbers{4, 5, 1, 3, 2, 0}));
    }
    void elided_constants_ask_for_a_filling() {
        ir::Module module;
        ir::Builder b(module);
        b.begin_function("main", {});
        b.ret({{b.constant(ir::Literal::elided({ElementType::kF32, {3}}))}});
        const auto refused = exec::evaluate(module, 0, {}, {});
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().expected, std::string("--fill-elided random[:SEED]"));
        exec::Options options;
        options.fill_elided_seed = 3;
        const auto first = exec::evaluate(module, 0, {}, options);
        const auto second = exec::evaluate(module, 0, {}, options);
        QVERIFY(first.ok() && second.ok());
        QCOMPARE(numbers(first->values[0]), numbers(second->values[0]));
        QVERIFY(std::fabs(first->values[0].at(0)) <= 0.05);
    }
    void too_little_memory_is_refused_with_the_sum() {
        ir::Module module;
        ir::Builder b(module);
        b.begin_function("main", {});
        const ir::ValueId x = b.splat({ElementType::kF32, {1000000}}, 1);
        b.ret({{b.add(OpKind::kAdd, {x, x})}});
        exec::Options options;
        for (const bool fuse : {true, false}) {
            // The sum takes the constant's own memory, or reads the constant as one element.
            options.fuse = fuse;
            options.max_memory = 4000000 - 1;
            const auto refused = exec::evaluate(module, 0, {}, options);
            QVERIFY(!refused.ok());
            QVERIFY2(refused.error().what.find("4000000 bytes") != std::string::npos,
                     refused.error().what.c_str());
            options.max_memory = 4000000;
            QVERIFY(exec::evaluate(module, 0, {}, options).ok());
        }
    }
};
SHARDWRIGHT_TEST(KernelsTest, "kernels")
#include "kernels.moc"
