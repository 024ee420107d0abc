// Elementwise semantics at the corners: integer division, shifts, conversions, NaN, narrow types.
#include <cmath>
#include <limits>

#include "program.h"
#include "registry.h"

using namespace shardwright;
using namespace shardwright::test;
using ir::ElementType;
using ir::OpKind;

Q_DECLARE_METATYPE(shardwright::test::Numbers)

namespace {
constexpr double kInf = std::numeric_limits<double>::infinity();
const double kNaN = std::nan("");

bool same(double a, double b) {
    return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}
}  // namespace

class ElementwiseTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void binary_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("type");
        QTest::addColumn<Numbers>("a");
        QTest::addColumn<Numbers>("b");
        QTest::addColumn<Numbers>("want");
        const auto row = [](const char* name, OpKind kind, ElementType type, Numbers a, Numbers b,
                            Numbers want) {
            QTest::newRow(name) << static_cast<int>(kind) << static_cast<int>(type) << a << b
                                << want;
        };
        const double low = -2147483648.0;
        row("division by zero is all ones", OpKind::kDivide, ElementType::kS32, {7, -7, low},
            {0, 2, -1}, {-1, -3, low});
        row("unsigned division by zero", OpKind::kDivide, ElementType::kU8, {7, 200}, {0, 3},
            {255, 66});
        row("remainder", OpKind::kRemainder, ElementType::kS32, {7, -7, low, 7}, {0, 2, -1, -2},
            {7, -1, 0, 1});
        row("addition wraps", OpKind::kAdd, ElementType::kS8, {127, -128}, {1, -1}, {-128, 127});
        row("s4 wraps to four bits", OpKind::kAdd, ElementType::kS4, {7, -8}, {1, -1}, {-8, 7});
        row("u2 product", OpKind::kMultiply, ElementType::kU2, {3, 2}, {3, 2}, {1, 0});
        row("shift left by too much", OpKind::kShiftLeft, ElementType::kS32, {1, 1, -1},
            {31, 32, -1}, {low, 0, 0});
        row("arithmetic shift keeps the sign", OpKind::kShiftRightArithmetic, ElementType::kS8,
            {-128, -128, 64}, {3, 9, 9}, {-16, -1, 0});
        row("logical shift of a negative", OpKind::kShiftRightLogical, ElementType::kS8, {-1, -1},
            {4, 8}, {15, 0});
        row("s4 logical shift sees four bits", OpKind::kShiftRightLogical, ElementType::kS4, {-1},
            {1}, {7});
        row("integer power", OpKind::kPower, ElementType::kS32, {2, -1, 3, 1}, {10, -3, -1, -5},
            {1024, -1, 0, 1});
        row("maximum of NaN", OpKind::kMaximum, ElementType::kF32, {kNaN, 1, -0.0, 0.0},
            {1, kNaN, 0.0, -0.0}, {kNaN, kNaN, 0.0, 0.0});
        row("minimum of zeros", OpKind::kMinimum, ElementType::kF32, {-0.0, 0.0}, {0.0, -0.0},
            {-0.0, -0.0});
        row("bf16 rounds once to even", OpKind::kAdd, ElementType::kBF16, {256, 256, 258},
            {1, 3, 1}, {256, 260, 260});
        row("f16 overflow", OpKind::kMultiply, ElementType::kF16, {65504, 2}, {2, 0.25},
            {kInf, 0.5});
        row("f8E4M3FN product", OpKind::kMultiply, ElementType::kF8E4M3FN, {1.5, 448}, {1.5, 2},
            {2.25, kNaN});
        row("bool add is or", OpKind::kAdd, ElementType::kBool, {0, 0, 1, 1}, {0, 1, 0, 1},
            {0, 1, 1, 1});
        row("bool minimum is and", OpKind::kMinimum, ElementType::kBool, {0, 0, 1, 1}, {0, 1, 0, 1},
            {0, 0, 0, 1});
    }
    void binary() {
        QFETCH(int, kind);
        QFETCH(int, type);
        QFETCH(Numbers, a);
        QFETCH(Numbers, b);
        QFETCH(Numbers, want);
        const Dims dims{static_cast<std::int64_t>(a.size())};
        const auto element = static_cast<ElementType>(type);
        const Numbers got =
            value_of({tensor(element, dims, a), tensor(element, dims, b)},
                     [&](ir::Builder& builder, const std::vector<ir::ValueId>& x) {
                         return builder.add(static_cast<OpKind>(kind), {x[0], x[1]});
                     });
        QCOMPARE(got.size(), want.size());
        for (std::size_t i = 0; i < want.size(); ++i)
            QVERIFY2(
                same(got[i], want[i]),
                qPrintable(QString("element %1 is %2, want %3").arg(i).arg(got[i]).arg(want[i])));
    }

    void convert_data() {
        QTest::addColumn<int>("from");
        QTest::addColumn<int>("to");
        QTest::addColumn<Numbers>("in");
        QTest::addColumn<Numbers>("want");
        const auto row = [](const char* name, ElementType from, ElementType to, Numbers in,
                            Numbers want) {
            QTest::newRow(name) << static_cast<int>(from) << static_cast<int>(to) << in << want;
        };
        row("floats saturate", ElementType::kF32, ElementType::kS8, {300, -300, 1.9, -1.9, kNaN},
            {127, -128, 1, -1, 0});
        row("f32 to s64 at the edge", ElementType::kF32, ElementType::kS64, {1e30, -1e30},
            {9223372036854775807.0, -9223372036854775808.0});
        row("integers wrap", ElementType::kS32, ElementType::kU8, {256, -1, 511}, {0, 255, 255});
        row("s32 to s4", ElementType::kS32, ElementType::kS4, {8, 7, -9}, {-8, 7, 7});
        row("anything but zero is true", ElementType::kF32, ElementType::kBool, {0, 0.1, kNaN},
            {0, 1, 1});
        row("f64 to bf16 rounds once", ElementType::kF64, ElementType::kBF16,
            {1.00390625 + 1e-12, 1.00390625}, {1.0078125, 1});
        row("f32 to bf16", ElementType::kF32, ElementType::kBF16, {1.00390625, 3.4e38}, {1, kInf});
        row("f16 subnormal", ElementType::kF32, ElementType::kF16, {5.960464477539063e-8, 1e-9},
            {5.960464477539063e-8, 0});
        row("u32 to f32", ElementType::kU32, ElementType::kF32, {4294967295.0}, {4294967296.0});
    }
    void convert() {
        QFETCH(int, from);
        QFETCH(int, to);
        QFETCH(Numbers, in);
        QFETCH(Numbers, want);
        const Numbers got = value_of(
            {tensor(static_cast<ElementType>(from), {static_cast<std::int64_t>(in.size())}, in)},
            [&](ir::Builder& b, const std::vector<ir::ValueId>& x) {
                return b.convert(x[0], static_cast<ElementType>(to));
            });
        QCOMPARE(got.size(), want.size());
        for (std::size_t i = 0; i < want.size(); ++i)
            QVERIFY2(
                same(got[i], want[i]),
                qPrintable(QString("element %1 is %2, want %3").arg(i).arg(got[i]).arg(want[i])));
    }

    void total_order_puts_nan_and_zeros_in_place() {
        const Numbers a{kNaN, -0.0, 0.0, kInf, -kNaN}, b{kInf, 0.0, -0.0, kNaN, -kInf};
        const Numbers got = value_of(
            {tensor(ElementType::kF32, {5}, a), tensor(ElementType::kF32, {5}, b)},
            [](ir::Builder& m, const std::vector<ir::ValueId>& x) {
                return m.add(
                    OpKind::kCompare, {x[0], x[1]},
                    ir::CompareAttributes{ir::Direction::kLt, ir::CompareType::kTotalOrder});
            });
        QCOMPARE(got, (Numbers{0, 1, 0, 1, 1}));
    }
    void clamp_takes_scalar_bounds() {
        const Numbers got = value_of({tensor(ElementType::kF32, {}, {-1}),
                                      tensor(ElementType::kF32, {4}, {-5, 0.5, 7, kNaN}),
                                      tensor(ElementType::kF32, {}, {2})},
                                     [](ir::Builder& b, const std::vector<ir::ValueId>& x) {
                                         return b.add(OpKind::kClamp, {x[0], x[1], x[2]});
                                     });
        QCOMPARE(got[0], -1.0);
        QCOMPARE(got[1], 0.5);
        QCOMPARE(got[2], 2.0);
        QVERIFY(std::isnan(got[3]));
    }
    void reduce_precision_rounds_and_overflows() {
        const Numbers got = value_of(
            {tensor(ElementType::kF32, {4}, {1.00390625, 1e6, 1e-9, kInf})},
            [](ir::Builder& b, const std::vector<ir::ValueId>& x) {
                return b.add(OpKind::kReducePrecision, {x[0]}, ir::ReducePrecisionAttributes{5, 2});
            });
        QCOMPARE(got, (Numbers{1, kInf, 0, kInf}));
    }
    void long_arrays_equal_short_ones() {
        // More than one block and one thread's chunk; bf16 passes through the adapters.
        Numbers in;
        for (int i = 0; i < 40000; ++i) in.push_back(i % 251 - 125);
        const Numbers got =
            value_of({tensor(ElementType::kBF16, {40000}, in)},
                     [](ir::Builder& b, const std::vector<ir::ValueId>& x) {
                         return b.add(OpKind::kMultiply, {x[0], b.splat(b.type(x[0]), 0.5)});
                     });
        for (std::size_t i = 0; i < in.size(); ++i) QCOMPARE(got[i], in[i] / 2);
    }
};
SHARDWRIGHT_TEST(ElementwiseTest, "elementwise")
#include "elementwise.moc"
