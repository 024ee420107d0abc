// The chip table: every row of the design is there, and a damaged table is refused with its key.
#include "cost/model/chip.h"
#include "registry.h"

using namespace shardwright;

namespace {

std::string table_path() {
    return std::string(SHARDWRIGHT_SOURCE_DIR) + "/resources/chips.json";
}

}  // namespace

class Chips : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void every_chip_has_its_figures_data() {
        QTest::addColumn<double>("teraflops");
        QTest::addColumn<int>("gibibytes");
        QTest::addColumn<double>("memory_gb_s");
        QTest::newRow("TPU v3") << 123.0 << 32 << 900.0;
        QTest::newRow("TPU v3 core") << 61.5 << 16 << 450.0;
        QTest::newRow("TPU v4") << 275.0 << 32 << 1200.0;
        QTest::newRow("TPU v5e") << 197.0 << 16 << 819.0;
        QTest::newRow("tpu_v5p") << 459.0 << 95 << 2765.0;
        QTest::newRow("v6e") << 918.0 << 32 << 1638.0;
        QTest::newRow("Ironwood") << 2307.0 << 192 << 7380.0;
        QTest::newRow("A100") << 312.0 << 80 << 2039.0;
        QTest::newRow("H100") << 990.0 << 80 << 3350.0;
        QTest::newRow("H200") << 990.0 << 141 << 4800.0;
        QTest::newRow("B200") << 2300.0 << 192 << 8000.0;
        QTest::newRow("GB200-NVL72") << 2300.0 << 192 << 8000.0;
    }
    void every_chip_has_its_figures() {
        const auto table = cost::load_chips(table_path());
        if (!table.ok()) QFAIL(table.error().text().c_str());
        const auto chip = table->find(QTest::currentDataTag());
        QVERIFY(chip.ok());
        QFETCH(double, teraflops);
        QFETCH(int, gibibytes);
        QFETCH(double, memory_gb_s);
        QCOMPARE((*chip)->bf16_flops / 1e12, teraflops);
        QCOMPARE((*chip)->memory_bytes >> 30, std::int64_t(gibibytes));
        QCOMPARE((*chip)->memory_bandwidth / 1e9, memory_gb_s);
    }
    void wrap_needs_the_right_slice() {
        const auto table = cost::load_chips(table_path());
        QVERIFY(table.ok());
        const cost::Network& v5e = (*table->find("v5e"))->network;
        QVERIFY(v5e.wraps(0, 16) && !v5e.wraps(0, 8));
        const cost::Network& v5p = (*table->find("v5p"))->network;
        QVERIFY(v5p.wraps(2, 8) && !v5p.wraps(2, 6));
    }
    void peaks_follow_the_type() {
        const auto table = cost::load_chips(table_path());
        const cost::Chip& chip = **table->find("v5e");
        QCOMPARE(chip.matrix_flops(ir::ElementType::kS8, ir::Precision::kDefault), 394e12);
        QCOMPARE(chip.matrix_flops(ir::ElementType::kF32, ir::Precision::kDefault), 197e12);
        QCOMPARE(chip.matrix_flops(ir::ElementType::kF32, ir::Precision::kHighest), 197e12 / 6);
    }
    void unknown_chip_lists_those_there_are() {
        const auto table = cost::load_chips(table_path());
        const auto chip = table->find("abacus");
        QVERIFY(!chip.ok());
        QVERIFY(chip.error().expected.find("TPU v5p") != std::string::npos);
    }
    void damaged_tables_are_refused_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("error");
        QTest::newRow("syntax") << "\"units\""
                                << "units"
                                << "t.json:3:3: error: not JSON";
        QTest::newRow("missing") << "\"memory_bytes\""
                                 << "\"memory\""
                                 << "t.json: error: chips[0].memory_bytes is missing";
        QTest::newRow("type") << "\"torus\": ["
                              << "\"torus\": 3, \"x\": ["
                              << "t.json: error: chips[0].network.torus is not a list";
        QTest::newRow("range") << "\"hop_latency\": 1e-06"
                               << "\"hop_latency\": -1"
                               << "t.json: error: chips[0].network.hop_latency is out of range";
        QTest::newRow("twice") << "\"TPU v4\""
                               << "\"tpu-v3\""
                               << "t.json: error: chips[2].name is given twice";
    }
    void damaged_tables_are_refused() {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, error);
        QString text = QString::fromStdString(test::read_text(table_path()));
        const auto at = text.indexOf(from);
        QVERIFY(at >= 0);
        text.replace(at, from.size(), to);
        const auto table = cost::parse_chips(text.toStdString(), "t.json");
        QVERIFY(!table.ok());
        const QString said = QString::fromStdString(table.error().text());
        QVERIFY2(said.startsWith(error), qPrintable(said));
    }
};
SHARDWRIGHT_TEST(Chips, "chips")
#include "chips.moc"
