// Layouts: nothing overlaps, equal graphs are laid out once, a dead worker does no harm.
#include "draw/layout.h"

#include <filesystem>
#include <random>

#include "draw/layout_message.h"
#include "registry.h"

using namespace shardwright::draw;

namespace {

LayoutInput random_graph(std::uint32_t nodes, std::uint32_t edges, unsigned seed) {
    std::mt19937 random(seed);
    LayoutInput input;
    for (std::uint32_t i = 0; i < nodes; ++i)
        input.sizes.push_back({60.0 + random() % 100, 30.0 + random() % 40});
    for (std::uint32_t e = 0; e < edges; ++e) {
        const auto from = static_cast<std::uint32_t>(random() % (nodes - 1));
        const auto reach = std::min(nodes - 1 - from, 6u);
        input.edges.push_back({from, from + 1 + static_cast<std::uint32_t>(random() % reach)});
    }
    return input;
}

int overlapping_pairs(const LayoutResult& layout) {
    int overlaps = 0;
    for (std::size_t i = 0; i < layout.nodes.size(); ++i)
        for (std::size_t j = i + 1; j < layout.nodes.size(); ++j)
            overlaps += layout.nodes[i].grown(-0.5).intersects(layout.nodes[j].grown(-0.5));
    return overlaps;
}

QString studio_program() {
    const QString path = QString(SHARDWRIGHT_BINARY_DIR) + "/bin/shardwright-studio";
    return std::filesystem::exists(path.toStdString()) ? path : QString();
}

}  // namespace

class LayoutTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void layered_never_overlaps_data() {
        QTest::addColumn<unsigned>("seed");
        for (unsigned seed = 1; seed <= 10; ++seed) QTest::addRow("seed %u", seed) << seed;
    }
    void layered_never_overlaps() {
        QFETCH(unsigned, seed);
        const LayoutInput input = random_graph(40 + seed * 7, 60 + seed * 9, seed);
        const LayoutResult layout = layout_layered(input);
        QCOMPARE(overlapping_pairs(layout), 0);
        for (const LayoutEdge& e : input.edges)
            QVERIFY(layout.nodes[e.from].bottom() < layout.nodes[e.to].y);
        QCOMPARE(overlapping_pairs(into_columns(layout, input.edges, 1.6)), 0);
    }
    void layered_survives_cycles() {
        const LayoutInput input{{{10, 10}, {10, 10}, {10, 10}}, {{0, 1}, {1, 2}, {2, 0}, {1, 1}}};
        QCOMPARE(overlapping_pairs(layout_layered(input)), 0);
    }
    void columns_make_a_chain_landscape() {
        LayoutInput chain;
        for (std::uint32_t i = 0; i < 60; ++i) {
            chain.sizes.push_back({100, 40});
            if (i > 0) chain.edges.push_back({i - 1, i});
        }
        const LayoutResult tall = layout_layered(chain);
        QVERIFY(tall.size.height > 20 * tall.size.width);
        const LayoutResult wide = into_columns(tall, chain.edges, 1.6);
        const double ratio = wide.size.width / wide.size.height;
        QVERIFY2(ratio > 0.8 && ratio < 3.0, qPrintable(QString::number(ratio)));
        QCOMPARE(overlapping_pairs(wide), 0);
    }
    void messages_round_trip_and_reject_garbage() {
        const LayoutInput input = random_graph(20, 30, 3);
        QVERIFY(decode_input(encode(input)) == input);
        const LayoutResult result = layout_layered(input);
        const auto back = decode_result(encode(std::optional(result)), input);
        QVERIFY(back && back->nodes == result.nodes);
        const std::string bytes = encode(input);
        for (std::size_t cut = 0; cut < bytes.size(); cut += 3)
            QVERIFY(!decode_input(std::string_view(bytes).substr(0, cut)));
        QVERIFY(!decode_input(std::string(8, '\xff')));
        QVERIFY(!decode_result(encode(std::nullopt), input));
    }
    void equal_graphs_are_laid_out_once() {
        LayoutStore store;  // no worker: the fallback
        const auto a = store.layout(random_graph(20, 30, 1));
        const auto b = store.layout(random_graph(20, 30, 1));
        const auto c = store.layout(random_graph(20, 30, 2));
        QVERIFY(a == b);
        QVERIFY(a != c);
        QCOMPARE(store.size(), std::size_t(2));
    }
    void worker_lays_out_with_graphviz() {
        const QString program = studio_program();
        if (program.isEmpty()) QSKIP("the studio is not built");
        LayoutWorker worker(program.toStdString());
        const LayoutInput input = random_graph(30, 40, 5);
        const LayoutResult layout = worker.layout(input);
        QCOMPARE(worker.fallbacks(), 0);
        QCOMPARE(overlapping_pairs(layout), 0);
        int curves = 0;
        for (const auto& curve : layout.curves) curves += !curve.empty();
        QCOMPARE(curves, int(input.edges.size()));
    }
    void dead_or_silent_worker_falls_back_data() {
        QTest::addColumn<QByteArray>("fault");
        QTest::newRow("crash") << QByteArray("crash");
        QTest::newRow("hang") << QByteArray("hang");
    }
    void dead_or_silent_worker_falls_back() {
        QFETCH(QByteArray, fault);
        const QString program = studio_program();
        if (program.isEmpty()) QSKIP("the studio is not built");
        LayoutWorker worker(program.toStdString(), 1.0);
        const LayoutInput input = random_graph(30, 40, 5);
        qputenv("SHARDWRIGHT_LAYOUT_FAULT", fault);
        const LayoutResult layout = worker.layout(input);
        qunsetenv("SHARDWRIGHT_LAYOUT_FAULT");
        QCOMPARE(worker.fallbacks(), 1);
        QCOMPARE(overlapping_pairs(layout), 0);
        worker.layout(input);
        QCOMPARE(worker.restarts(), 1);
        QCOMPARE(worker.fallbacks(), 1);
    }
    void missing_program_falls_back() {
        LayoutWorker worker("/nowhere/at/all");
        const LayoutInput input = random_graph(10, 10, 5);
        QCOMPARE(overlapping_pairs(worker.layout(input)), 0);
        QCOMPARE(worker.fallbacks(), 1);
    }
};
SHARDWRIGHT_TEST(LayoutTest, "layout")
#include "layout.moc"
