// Kernels of numerical mathematics, random bits and files, against values known from elsewhere.
#include <QTemporaryDir>
#include <cmath>
#include <cstring>

#include "exec/compare.h"
#include "exec/npz.h"
#include "program.h"
#include "registry.h"

using namespace shardwright;
using namespace shardwright::test;
using ir::ElementType;
using ir::OpKind;
using Arguments = std::vector<ir::ValueId>;

namespace {

exec::Tensor words(const std::vector<std::uint64_t>& values) {
    exec::Tensor t =
        exec::Tensor::zeros({ElementType::kU64, {static_cast<std::int64_t>(values.size())}});
    std::memcpy(t.data.data(), values.data(), 8 * values.size());
    return t;
}

/// Random bits of `type` from a state.
exec::Outputs bits(ir::RngAlgorithm algorithm, const std::vector<std::uint64_t>& state,
                   const ir::TensorType& type) {
    return test::evaluate({words(state)}, [&](ir::Builder& b, const Arguments& x) {
        const ir::TensorType stated[] = {b.type(x[0]), type};
        const ir::OpId op =
            b.add_op(OpKind::kRngBitGenerator, x, ir::RngBitGeneratorAttributes{algorithm}, stated);
        return std::vector{b.module().result(op, 0), b.module().result(op, 1)};
    });
}

void compare_numbers(const Numbers& got, const Numbers& want, double tolerance) {
    QCOMPARE(got.size(), want.size());
    for (std::size_t i = 0; i < want.size(); ++i)
        QVERIFY2(std::fabs(got[i] - want[i]) <= tolerance,
                 qPrintable(QString("element %1 is %2, want %3").arg(i).arg(got[i]).arg(want[i])));
}

}  // namespace

class NumericsTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    /// The known answers of the Random123 library: key and counter zero.
    void threefry_and_philox_give_their_known_answers() {
        const exec::Outputs t = bits(ir::RngAlgorithm::kThreeFry, {0, 0}, {ElementType::kU32, {2}});
        QCOMPARE(numbers(t.values[1]), (Numbers{double(0x6B200159u), double(0x99BA4EFEu)}));
        QCOMPARE(numbers(t.values[0]), (Numbers{0, 1}));
        const exec::Outputs p =
            bits(ir::RngAlgorithm::kPhilox, {0, 0, 0}, {ElementType::kU32, {4}});
        QCOMPARE(numbers(p.values[1]), (Numbers{double(0x6627E8D5u), double(0xE169C58Du),
                                                double(0xBC57AC4Cu), double(0x9B00DBD8u)}));
        QCOMPARE(numbers(p.values[0]), (Numbers{0, 1, 0}));
    }
    void random_bits_continue_where_they_stopped() {
        const exec::Outputs all =
            bits(ir::RngAlgorithm::kPhilox, {7, 3, 1}, {ElementType::kU32, {16}});
        const exec::Outputs tail =
            bits(ir::RngAlgorithm::kPhilox, {7, 5, 1}, {ElementType::kU32, {8}});
        const Numbers whole = numbers(all.values[1]);
        QCOMPARE(numbers(tail.values[1]), Numbers(whole.begin() + 8, whole.end()));
    }
    void cholesky_and_triangular_solve() {
        // [[4,2],[2,5]] = L·Lᵀ with L = [[2,0],[1,2]].
        const exec::Tensor a = tensor(ElementType::kF32, {2, 2}, {4, 2, 2, 5});
        QCOMPARE(value_of({a},
                          [](ir::Builder& b, const Arguments& x) {
                              return one(b, OpKind::kCholesky, {x[0]},
                                         ir::CholeskyAttributes{true});
                          }),
                 (Numbers{2, 0, 1, 2}));
        // L·x = [2, 5] has the solution [1, 2]; Lᵀ·x = [4, 4] has [1, 2].
        const exec::Tensor l = tensor(ElementType::kF32, {2, 2}, {2, 0, 1, 2});
        const auto solve = [&](const Numbers& right, ir::Transpose transpose) {
            return value_of({l, tensor(ElementType::kF32, {2, 1}, right)}, [&](ir::Builder& b,
                                                                               const Arguments& x) {
                return one(b, OpKind::kTriangularSolve, {x[0], x[1]},
                           ir::TriangularSolveAttributes{true, true, false, transpose});
            });
        };
        QCOMPARE(solve({2, 5}, ir::Transpose::kNone), (Numbers{1, 2}));
        QCOMPARE(solve({4, 4}, ir::Transpose::kTranspose), (Numbers{1, 2}));
    }
    void transforms_of_any_length_invert_data() {
        QTest::addColumn<int>("length");
        for (const int n : {1, 2, 3, 7, 8, 12, 97, 100})
            QTest::newRow(qPrintable(QString::number(n))) << n;
    }
    void transforms_of_any_length_invert() {
        QFETCH(int, length);
        Numbers in;
        for (int i = 0; i < 2 * length; ++i) in.push_back(std::sin(i * 1.7) + (i % 3));
        const exec::Outputs out = test::evaluate(
            {tensor(ElementType::kF64, {2, length}, in)}, [&](ir::Builder& b, const Arguments& x) {
                const ir::ValueId spectrum =
                    one(b, OpKind::kFft, {x[0]}, ir::FftAttributes{ir::FftType::kRfft, {length}});
                const ir::ValueId back = one(b, OpKind::kFft, {spectrum},
                                             ir::FftAttributes{ir::FftType::kIrfft, {length}});
                return std::vector{back, b.add(OpKind::kReal, {spectrum})};
            });
        compare_numbers(numbers(out.values[0]), in, 1e-9);
        double sum = 0;  // the first coefficient is the sum
        for (int i = 0; i < length; ++i) sum += in[static_cast<std::size_t>(i)];
        QVERIFY(std::fabs(out.values[1].at(0) - sum) < 1e-9);
    }
    void convolutions_group_dilate_and_pad() {
        // F19's shape: depthwise over [batch, width, channel], taps [1, 10, 100, 1000].
        Numbers in, taps;
        for (int w = 0; w < 6; ++w)
            for (int c = 0; c < 2; ++c) in.push_back(w + 1 + 10 * c);
        for (int t = 0; t < 3; ++t)
            for (int c = 0; c < 2; ++c) taps.push_back(std::pow(100, t));
        ir::ConvolutionAttributes a;
        a.lhs_batch = 0, a.lhs_feature = 2, a.lhs_spatial = {1};
        a.rhs_spatial = {0}, a.rhs_input_feature = 1, a.rhs_output_feature = 2;
        a.result_batch = 0, a.result_feature = 2, a.result_spatial = {1};
        a.strides = {1}, a.pad_low = {1}, a.pad_high = {1}, a.lhs_dilation = {1},
        a.rhs_dilation = {1};
        a.window_reversal = {false};
        a.feature_groups = 2;
        const Numbers got = value_of(
            {tensor(ElementType::kF32, {1, 6, 2}, in), tensor(ElementType::kF32, {3, 1, 2}, taps)},
            [&](ir::Builder& b, const Arguments& x) {
                return one(b, OpKind::kConvolution, {x[0], x[1]}, a);
            });
        for (int w = 0; w < 6; ++w)
            for (int c = 0; c < 2; ++c) {
                double want = 0;
                for (int t = 0; t < 3; ++t)
                    if (w + t - 1 >= 0 && w + t - 1 < 6)
                        want +=
                            std::pow(100, t) * in[static_cast<std::size_t>((w + t - 1) * 2 + c)];
                QCOMPARE(got[static_cast<std::size_t>(w * 2 + c)], want);
            }
    }
    void numpy_files_read_back_equal() {
        QTemporaryDir dir;
        const std::string path = dir.filePath("a.npz").toStdString();
        const exec::NamedTensors written{
            {"x", tensor(ElementType::kF32, {2, 3}, {1, 2, 3, 4, 5, 6})},
            {"layer/w", tensor(ElementType::kBF16, {2}, {1.5, -2})},
            {"empty", tensor(ElementType::kS64, {0, 4}, {})},
            {"scalar", tensor(ElementType::kBool, {}, {1})}};
        QVERIFY(exec::write_npz(path, written).ok());
        const auto read = exec::read_npz(path);
        QVERIFY2(read.ok(), read.ok() ? "" : read.error().text().c_str());
        QCOMPARE(read->size(), written.size());
        for (std::size_t i = 0; i < written.size(); ++i) {
            QCOMPARE((*read)[i].first, written[i].first);
            QVERIFY((*read)[i].second.type == written[i].second.type);
            QVERIFY((*read)[i].second.data == written[i].second.data);
        }
    }
    void damaged_numpy_files_are_refused() {
        QTemporaryDir dir;
        const std::string path = dir.filePath("a.npz").toStdString();
        QVERIFY(
            exec::write_npz(path, {{"x", tensor(ElementType::kF32, {50}, Numbers(50, 1))}}).ok());
        const std::string whole = read_text(path);
        for (std::size_t cut = 0; cut < whole.size(); cut += 7) {
            QFile file(QString::fromStdString(path));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(whole.data(), static_cast<qint64>(cut));
            file.close();
            QVERIFY(!exec::read_npz(path).ok());
        }
        for (std::size_t at = 0; at < whole.size(); ++at) {  // any byte changed: no crash
            std::string bad = whole;
            bad[at] = static_cast<char>(bad[at] ^ 0x5A);
            QFile file(QString::fromStdString(path));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(bad.data(), static_cast<qint64>(bad.size()));
            file.close();
            static_cast<void>(exec::read_npz(path).ok());
        }
    }
    void tolerance_grows_with_the_chain() {
        const exec::Tensor a = tensor(ElementType::kF32, {2}, {1, 100});
        exec::Tensor b = tensor(ElementType::kF32, {2}, {1, 100.001});
        QVERIFY(!exec::compare(b, a, {}, 1).equal);
        QVERIFY(exec::compare(b, a, {}, 10000).equal);
        const exec::Tensor nan = tensor(ElementType::kF32, {2}, {std::nan(""), 1});
        QVERIFY(exec::compare(nan, nan, {}, 1).equal);
        QVERIFY(!exec::compare(a, nan, {}, 1).equal);
        QVERIFY(!exec::compare(nan, a, {}, 1).equal);
    }
};
SHARDWRIGHT_TEST(NumericsTest, "numerics")
#include "numerics.moc"
