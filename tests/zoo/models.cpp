// Models made to order: sound for every combination of options, exact in their parameter counts.
#include <set>

#include "ir/infer.h"
#include "ir/print.h"
#include "ir/trip_count.h"
#include "registry.h"
#include "zoo/zoo.h"

using namespace shardwright;

namespace {

/// "layers=2 gated=false" as options.
zoo::Options options(const QString& text) {
    zoo::Options result;
    for (const QString& word : text.split(' ', Qt::SkipEmptyParts)) {
        const auto equals = word.indexOf('=');
        result.emplace_back(word.left(equals).toStdString(), word.mid(equals + 1).toStdString());
    }
    return result;
}

/// Elements of all weights: every argument but the model's data.
qlonglong parameter_count(const ir::Module& m) {
    qlonglong count = 0;
    const ir::Function& f = m.entry();
    for (std::size_t i = 0; i < f.arguments.size(); ++i) {
        const std::string_view path = m.text(f.arguments[i].path);
        if (path != "tokens" && path != "x") count += m.type(m.argument(f.body, i)).element_count();
    }
    return count;
}

}  // namespace

class ModelsTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void every_combination_verifies_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("given");
        for (const char* given : {"", "layers=1 bias=false", "activation=gelu dtype=bf16",
                                  "activation=silu layers=5 hidden=7 batch=3"})
            QTest::newRow(qPrintable(QString("mlp ") + given)) << "mlp" << given;
        for (const char* positions : {"rotary", "learned", "relative", "none"})
            for (const char* heads : {"", " kv_heads=2", " kv_heads=1"})
                for (const char* scan : {"", " scan=true"}) {
                    const QString given = QString("positions=%1%2%3").arg(positions, heads, scan);
                    QTest::newRow(qPrintable(given)) << "transformer" << given;
                }
        for (const char* given :
             {"norm=layer", "norm=layer norm_place=post", "tied=true lookup=onehot", "causal=false",
              "gated=false activation=gelu", "activation=relu dtype=f64", "dtype=bf16 scan=true",
              "dtype=f16 positions=relative", "head_dim=6 hidden=10 vocab=11 seq=1 batch=1"})
            QTest::newRow(given) << "transformer" << given;
    }
    void every_combination_verifies() {
        QFETCH(QString, kind);
        QFETCH(QString, given);
        const auto built = zoo::build(kind.toStdString(), options(given));
        QVERIFY2(built.ok(), built.ok() ? "" : built.error().text().c_str());
        const Status status = ir::verify_module(*built);
        QVERIFY2(status.ok(), status.ok() ? "" : status.error().text().c_str());
        const auto again = zoo::build(kind.toStdString(), options(given));
        QCOMPARE(ir::print(*built), ir::print(*again));
        std::set<std::string_view> names;
        for (std::size_t i = 0; i < built->value_count(); ++i) {
            const std::string_view name = built->name(ir::ValueId(i));
            QVERIFY2(name.empty() || names.insert(name).second, std::string(name).c_str());
        }
    }
    void parameter_counts_are_exact_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("given");
        QTest::addColumn<qlonglong>("count");
        QTest::newRow("mlp") << "mlp"
                             << "layers=3 input=10 hidden=20 output=5"
                             << qlonglong(10 * 20 + 20 + 20 * 20 + 20 + 20 * 5 + 5);
        // design/80: L(3MH+4MND+2M+32N)+M+32000M and its ungated form.
        const QString dense = "dtype=bf16 vocab=32000 tied=true batch=1 ";
        const QString large = dense +
                              "seq=1024 positions=relative layers=%1 model=%2 hidden=%3 "
                              "heads=%4 head_dim=128";
        const QString l64 = large.arg(64).arg(8192).arg(65536).arg(128);
        const QString l128 = large.arg(128).arg(16384).arg(131072).arg(256);
        QTest::newRow("137 billion") << "transformer" << l64 << 137'702'416'384ll;
        QTest::newRow("137 billion, scanned")
            << "transformer" << l64 + " scan=true" << 137'702'416'384ll;
        QTest::newRow("1.1 trillion") << "transformer" << l128 << 1'100'041'175'040ll;
        QTest::newRow("174 billion")
            << "transformer"
            << dense +
                   "seq=2048 positions=learned gated=false layers=96 model=12288 hidden=49152 "
                   "heads=96 head_dim=128"
            << 174'366'928'896ll;
    }
    void parameter_counts_are_exact() {
        QFETCH(QString, kind);
        QFETCH(QString, given);
        QFETCH(qlonglong, count);
        const auto built = zoo::build(kind.toStdString(), options(given));
        QVERIFY2(built.ok(), built.ok() ? "" : built.error().text().c_str());
        QCOMPARE(parameter_count(*built), count);
    }
    void bad_options_say_what_is_allowed_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("given");
        QTest::addColumn<QString>("message");
        QTest::newRow("kind") << "mpl"
                              << ""
                              << "unknown kind of model 'mpl', expected one of mlp, ";
        QTest::newRow("option") << "mlp"
                                << "layer=3"
                                << "unknown option 'layer' of mlp, expected one of layers, batch";
        QTest::newRow("number") << "mlp"
                                << "layers=many"
                                << "option layers=many, expected a number from 1 to 100000";
        QTest::newRow("zero") << "mlp"
                              << "batch=0"
                              << "a number from 1";
        QTest::newRow("choice") << "transformer"
                                << "norm=batch"
                                << "one of rms, layer";
        QTest::newRow("heads") << "transformer"
                               << "model=10 heads=4"
                               << "head_dim given";
        QTest::newRow("kv heads") << "transformer"
                                  << "kv_heads=3"
                                  << "a divisor of heads";
        QTest::newRow("odd rotary") << "transformer"
                                    << "head_dim=3"
                                    << "an even head_dim";
        QTest::newRow("overflow") << "transformer"
                                  << "seq=16777216 batch=16777216 heads=32"
                                  << "at most 2^57";
    }
    void bad_options_say_what_is_allowed() {
        QFETCH(QString, kind);
        QFETCH(QString, given);
        QFETCH(QString, message);
        const auto built = zoo::build(kind.toStdString(), options(given));
        QVERIFY(!built.ok());
        const QString text = QString::fromStdString(built.error().text());
        QVERIFY2(text.contains(message), qPrintable(text));
        QCOMPARE(built.error().exit_code(), 2);
    }
    void operations_and_weights_have_paths() {
        const auto built = zoo::build("transformer", {});
        QVERIFY(built.ok());
        std::set<std::string_view> scopes;
        ir::walk(*built, built->entry().body,
                 [&](ir::OpId op) { scopes.insert(built->scope(op)); });
        QVERIFY(scopes.contains("transformer/layer_1/attention/dot_general"));
        QVERIFY(scopes.contains("transformer/layer_0/ffn/logistic"));
        QVERIFY(scopes.contains("transformer/logits/dot_general"));
        std::set<std::string_view> paths;
        for (const ir::ArgumentInfo& a : built->entry().arguments)
            paths.insert(built->text(a.path));
        QVERIFY(paths.contains("layer_1/attention/wq"));
        QVERIFY(paths.contains("tokens"));
    }
    void a_scanned_model_loops_once_a_layer() {
        const auto built = zoo::build("transformer", {{"scan", "true"}, {"layers", "7"}});
        QVERIFY(built.ok());
        int loops = 0;
        ir::walk(*built, built->entry().body, [&](ir::OpId op) {
            if (built->op(op).kind != ir::OpKind::kWhile) return;
            ++loops;
            QCOMPARE(qlonglong(ir::trip_count(*built, op).value_or(-1)), 7ll);
        });
        QCOMPARE(loops, 1);
    }
};
SHARDWRIGHT_TEST(ModelsTest, "models")
#include "models.moc"
