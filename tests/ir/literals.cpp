// Rounding of numbers to every element type, against values worked out by hand from the formats.
#include <bit>
#include <cmath>
#include <limits>

#include "ir/builder.h"
#include "ir/float_format.h"
#include "ir/literal.h"
#include "registry.h"

using namespace shardwright;
using namespace shardwright::ir;
using E = ElementType;

namespace {
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
}  // namespace

class LiteralsTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void narrow_floats_round_to_nearest_even_data() {
        QTest::addColumn<int>("type");
        QTest::addColumn<double>("value");
        QTest::addColumn<uint>("code");
        const auto row = [](const char* name, E type, double value, uint code) {
            QTest::newRow(name) << static_cast<int>(type) << value << code;
        };
        row("bf16 one", E::kBF16, 1.0, 0x3F80);
        row("bf16 tie to even down", E::kBF16, 1.0 + 0x1p-8, 0x3F80);
        row("bf16 tie to even up", E::kBF16, 1.0 + 3 * 0x1p-8, 0x3F82);
        row("bf16 just above a tie", E::kBF16, 1.0 + 0x1p-8 + 0x1p-40, 0x3F81);
        row("bf16 pi", E::kBF16, 3.141592653589793, 0x4049);
        row("bf16 overflow", E::kBF16, 3.4e38 * 1.01, 0x7F80);
        row("bf16 -inf", E::kBF16, -kInf, 0xFF80);
        row("bf16 smallest subnormal", E::kBF16, 0x1p-133, 0x0001);
        row("f16 one third", E::kF16, 1.0 / 3.0, 0x3555);
        row("f16 largest", E::kF16, 65504, 0x7BFF);
        row("f16 below the tie to infinity", E::kF16, 65519.99, 0x7BFF);
        row("f16 tie to infinity", E::kF16, 65520, 0x7C00);
        row("f16 smallest subnormal", E::kF16, 0x1p-24, 0x0001);
        row("f16 half of it is even zero", E::kF16, 0x1p-25, 0x0000);
        row("f16 above half of it", E::kF16, 0x1.8p-25, 0x0001);
        row("f16 negative zero", E::kF16, -0.0, 0x8000);
        row("e4m3fn largest", E::kF8E4M3FN, 448, 0x7E);
        row("e4m3fn tie stays", E::kF8E4M3FN, 464, 0x7E);
        row("e4m3fn over is NaN", E::kF8E4M3FN, 465, 0x7F);
        row("e4m3fn smallest", E::kF8E4M3FN, 0x1p-9, 0x01);
        row("e4m3 overflow", E::kF8E4M3, 300, 0x78);
        row("e4m3 largest", E::kF8E4M3, 240, 0x77);
        row("e3m4 largest", E::kF8E3M4, 15.5, 0x6F);
        row("e5m2 largest", E::kF8E5M2, 57344, 0x7B);
        row("e5m2 tie to infinity", E::kF8E5M2, 61440, 0x7C);
        row("e5m2 NaN", E::kF8E5M2, kNan, 0x7E);
        row("e4m3fnuz one", E::kF8E4M3FNUZ, 1, 0x40);
        row("e4m3fnuz largest", E::kF8E4M3FNUZ, 240, 0x7F);
        row("e4m3fnuz overflow is NaN", E::kF8E4M3FNUZ, 1000, 0x80);
        row("e4m3fnuz has one zero", E::kF8E4M3FNUZ, -0.0, 0x00);
        row("e4m3fnuz tiny negative is zero", E::kF8E4M3FNUZ, -1e-9, 0x00);
        row("e4m3b11fnuz largest", E::kF8E4M3B11FNUZ, 30, 0x7F);
        row("e5m2fnuz one", E::kF8E5M2FNUZ, 1, 0x40);
        row("e8m0 one", E::kF8E8M0FNU, 1, 127);
        row("e8m0 tie to even exponent", E::kF8E8M0FNU, 1.5, 128);
        row("e8m0 tie from odd exponent", E::kF8E8M0FNU, 3.0, 128);
        row("e8m0 negative", E::kF8E8M0FNU, -2, 0xFF);
        row("e8m0 zero", E::kF8E8M0FNU, 0, 0);
        row("f6 e2m3 largest", E::kF6E2M3FN, 100, 0x1F);
        row("f6 e3m2 largest", E::kF6E3M2FN, -28, 0x3F);
        row("f4 three", E::kF4E2M1FN, 3, 0x5);
        row("f4 tie 2.5 to even", E::kF4E2M1FN, 2.5, 0x4);
        row("f4 tie 5 to even", E::kF4E2M1FN, 5, 0x6);
        row("f4 saturates", E::kF4E2M1FN, -1e30, 0xF);
    }
    void narrow_floats_round_to_nearest_even() {
        QFETCH(int, type);
        QFETCH(double, value);
        QFETCH(uint, code);
        QCOMPARE(uint(encode_narrow_float(static_cast<E>(type), value)), code);
    }
    void every_code_decodes_to_what_encodes_to_it() {
        for (int t = static_cast<int>(E::kF4E2M1FN); t <= static_cast<int>(E::kF16); ++t) {
            const E type = static_cast<E>(t);
            for (uint code = 0; code < 1u << bit_width(type); ++code) {
                const double value = decode_narrow_float(type, static_cast<std::uint16_t>(code));
                const uint back = encode_narrow_float(type, value);
                const bool nan = std::isnan(value);
                const bool same =
                    nan ? std::isnan(decode_narrow_float(type, static_cast<std::uint16_t>(back)))
                        : back == code;
                QVERIFY2(same, qPrintable(QString("%1 code %2").arg(t).arg(code)));
            }
        }
    }
    void integers_saturate_data() {
        QTest::addColumn<int>("type");
        QTest::addColumn<double>("value");
        QTest::addColumn<qlonglong>("stored");
        const auto row = [](const char* name, E type, double value, qlonglong stored) {
            QTest::newRow(name) << static_cast<int>(type) << value << stored;
        };
        row("s8 over", E::kS8, 300, 127);
        row("s8 under", E::kS8, -300, -128);
        row("s4 under", E::kS4, -9, -8);
        row("s2 over", E::kS2, 5, 1);
        row("u4 over", E::kU4, 99, 15);
        row("u8 negative", E::kU8, -1, 0);
        row("s32 NaN", E::kS32, kNan, 0);
        row("s64 over", E::kS64, kInf, std::numeric_limits<qlonglong>::max());
        row("s64 least", E::kS64, -kInf, std::numeric_limits<qlonglong>::min());
        row("u64 over reads as the largest signed", E::kU64, 1e30,
            std::numeric_limits<qlonglong>::max());
        row("fraction is cut", E::kS32, -2.9, -2);
        row("bool", E::kBool, 0.25, 1);
    }
    void integers_saturate() {
        QFETCH(int, type);
        QFETCH(double, value);
        QFETCH(qlonglong, stored);
        std::vector<std::byte> data;
        append_element(data, static_cast<E>(type), value);
        QCOMPARE(qlonglong(element_as_int(data, static_cast<E>(type), 0)), stored);
    }
    void large_integers_round_once() {
        // 2^62 + 2^54 + 1 lies above the tie of bf16; through a double it would look like the tie.
        const std::int64_t value = (std::int64_t{1} << 62) + (std::int64_t{1} << 54) + 1;
        std::vector<std::byte> data;
        append_element_int(data, E::kBF16, value);
        QCOMPARE(element_as_double(data, E::kBF16, 0), 0x1.02p62);
    }
    void complex_numbers_hold_both_parts() {
        const Literal l = Literal::splat_of({E::kC64, {3}}, 1.5);
        QCOMPARE(l.data().size(), std::size_t(8));
        QCOMPARE(element_as_double(l.data(), E::kC64, 0), 1.5);
    }
    void identities_leave_values_unchanged() {
        QCOMPARE(
            element_as_double(identity_literal(OpKind::kMaximum, {E::kF32, {}}).data(), E::kF32, 0),
            -kInf);
        // Without an infinity the least finite number serves.
        const Literal least = identity_literal(OpKind::kMaximum, {E::kF8E4M3FN, {}});
        QCOMPARE(element_as_double(least.data(), E::kF8E4M3FN, 0), -448.0);
        const Literal top = identity_literal(OpKind::kMinimum, {E::kS16, {}});
        QCOMPARE(element_as_int(top.data(), E::kS16, 0), std::int64_t(32767));
        const Literal ones = identity_literal(OpKind::kAnd, {E::kU8, {}});
        QCOMPARE(element_as_int(ones.data(), E::kU8, 0), std::int64_t(255));
        const Literal one = identity_literal(OpKind::kMultiply, {E::kBF16, {}});
        QCOMPARE(element_as_double(one.data(), E::kBF16, 0), 1.0);
    }
};
SHARDWRIGHT_TEST(LiteralsTest, "literals")
#include "literals.moc"
