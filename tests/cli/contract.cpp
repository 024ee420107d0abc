// The headless program's contract: names, exit codes, JSON keys (design/00).
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>

#include "registry.h"

namespace {

constexpr const char* kModel = R"(module @tiny {
  func.func @main(%x: tensor<8x16xf32>, %w1: tensor<16x32xf32>, %w2: tensor<32x16xf32>) -> tensor<8x16xf32> {
    %h = stablehlo.dot_general %x, %w1, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
    %t = stablehlo.tanh %h : tensor<8x32xf32>
    %y = stablehlo.dot_general %t, %w2, contracting_dims = [1] x [0] : (tensor<8x32xf32>, tensor<32x16xf32>) -> tensor<8x16xf32>
    return %y : tensor<8x16xf32>
  }
}
)";

struct Ran {
    int code = -1;
    QByteArray out, err;
    QJsonObject json() const { return QJsonDocument::fromJson(out).object(); }
};

}  // namespace

class Contract : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    QString model_;

    static Ran run(const QStringList& arguments) {
        QProcess process;
        process.start(QStringLiteral(SHARDWRIGHT_BINARY_DIR "/bin/shardwright"), arguments);
        Ran ran;
        if (!process.waitForFinished(60000)) return ran;
        ran.code = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2;
        ran.out = process.readAllStandardOutput();
        ran.err = process.readAllStandardError();
        return ran;
    }
    QString write(const char* name, const QByteArray& text) {
        QFile file(folder_.filePath(name));
        if (file.open(QIODevice::WriteOnly)) file.write(text);
        return file.fileName();
    }

  private Q_SLOTS:
    void initTestCase() { model_ = write("tiny.mlir", kModel); }

    void info_has_the_promised_keys() {
        const Ran ran = run({"info", model_, "--json"});
        QCOMPARE(ran.code, 0);
        for (const char* key : {"operations", "parameters", "parameter_bytes", "flops", "mesh"})
            QVERIFY2(ran.json().contains(key), key);
        QCOMPARE(ran.json()["flops"].toDouble(), 2.0 * 8 * 16 * 32 * 2 + 8 * 32);
        QCOMPARE(ran.json()["parameters"].toInt(), 16 * 32 * 2);  // x is an input
    }

    void megatron_is_one_all_reduce() {
        const Ran ran = run({"partition", model_, "--json", "--mesh", "model=4", "--shard",
                             "w1=[-, model]", "--shard", "w2=[model, -]"});
        QCOMPARE(ran.code, 0);
        const QJsonArray lines = ran.json()["collectives"].toArray();
        QCOMPARE(lines.size(), 1);
        QCOMPARE(lines[0].toObject()["kind"].toString(), QStringLiteral("all_reduce"));
        QCOMPARE(lines[0].toObject()["axes"].toString(), QStringLiteral("model"));
        for (const char* key : {"kind", "axes", "bytes", "count", "cause"})
            QVERIFY2(lines[0].toObject().contains(key), key);
    }

    void propagate_completes_what_lies_between() {
        const Ran ran =
            run({"propagate", model_, "--json", "--mesh", "model=4", "--shard", "w1=[-, model]"});
        QCOMPARE(ran.code, 0);
        QVERIFY(ran.json().contains("conflicts"));
        bool found = false;
        for (const QJsonValue& value : ran.json()["values"].toArray()) {
            const QJsonObject v = value.toObject();
            if (v["name"] != QStringLiteral("t")) continue;
            found = true;
            QVERIFY(v["sharding"].toObject()["sdy"].toString().contains("[{?}, {\"model\", ?}]"));
            QVERIFY(v["sharding"].toObject().contains("hlo"));
        }
        QVERIFY(found);
    }

    void verify_is_equal_and_says_so() {
        const Ran ran =
            run({"verify", model_, "--json", "--mesh", "x=3", "--random-shardings", "5"});
        QCOMPARE(ran.code, 0);
        QCOMPARE(ran.json()["equal"].toBool(), true);
        const QJsonObject output = ran.json()["outputs"].toArray()[0].toObject();
        for (const char* key : {"name", "max_abs", "max_rel", "equal"})
            QVERIFY2(output.contains(key), key);
    }

    void estimate_has_the_promised_keys() {
        const Ran ran = run({"estimate", model_, "--json", "--mesh", "model=4"});
        QCOMPARE(ran.code, 0);
        for (const char* key :
             {"step_time_s", "compute_time_s", "collective_time_s", "exposed_collective_time_s",
              "peak_bytes_per_device", "argument_bytes", "argument_bytes_per_device", "model_flops",
              "mfu", "hfu", "fits"})
            QVERIFY2(ran.json().contains(key), key);
        QCOMPARE(
            run({"estimate", model_, "--mesh", "model=4", "--assert", "peak_bytes_per_device < 1B"})
                .code,
            1);
        QCOMPARE(run({"estimate", model_, "--mesh", "model=4", "--assert",
                      "peak_bytes_per_device < 16GiB"})
                     .code,
                 0);
    }

    void faults_have_their_exit_codes_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("message");
        const QString m = write("tiny2.mlir", kModel);
        const QString check = write("check.mlir", R"(func.func @main() {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  check.expect_eq_const %a, dense<[1.0, 3.0]> : tensor<2xf32>
  func.return
}
)");
        const QString broken = write("broken.mlir",
                                     "func.func @main(%a: tensor<2xf32>) -> "
                                     "tensor<2xf32> {\n  %b = stablehlo.nope %a : "
                                     "tensor<2xf32>\n  return %b : tensor<2xf32>\n}\n");
        const QString dynamic = write("dynamic.mlir",
                                      "func.func @main(%a: tensor<?xf32>) -> "
                                      "tensor<?xf32> {\n  return %a : tensor<?xf32>\n}\n");
        QTest::newRow("no command") << QStringList{} << 2 << "";
        QTest::newRow("unknown command") << QStringList{"frobnicate"} << 2 << "";
        QTest::newRow("later command") << QStringList{"search", m} << 3 << "not supported";
        QTest::newRow("no such file") << QStringList{"info", "/nonexistent.mlir"} << 2 << "error: ";
        QTest::newRow("unknown operation") << QStringList{"info", broken} << 2 << "broken.mlir:2:";
        QTest::newRow("dynamic dimension")
            << QStringList{"info", dynamic} << 3 << "not supported: dynamic dimension";
        QTest::newRow("failed check") << QStringList{"eval", check} << 1 << "check failed";
        QTest::newRow("no mesh") << QStringList{"propagate", m} << 2 << "no mesh";
        QTest::newRow("bad mesh") << QStringList{"propagate", m, "--mesh", "x"} << 2 << "expected";
        QTest::newRow("unknown axis")
            << QStringList{"propagate", m, "--mesh", "x=2", "--shard", "w1=[y, -]"} << 2 << "'y'";
        QTest::newRow("wrong rank")
            << QStringList{"propagate", m, "--mesh", "x=2", "--shard", "w1=[x]"} << 2 << "w1";
        QTest::newRow("axis twice")
            << QStringList{"propagate", m, "--mesh", "x=2", "--shard", "w1=[x, x]"} << 2 << "x";
        QTest::newRow("unmatched target")
            << QStringList{"propagate", m, "--mesh", "x=2", "--shard", "nope=[x]"} << 2 << "'nope'";
        QTest::newRow("unmatched allowed")
            << QStringList{"propagate", m,          "--mesh",           "x=2",
                           "--shard",   "nope=[x]", "--allow-unmatched"}
            << 0 << "";
        QTest::newRow("bad inputs")
            << QStringList{"eval", m, "--inputs", "random:x"} << 2 << "random:SEED";
        QTest::newRow("memory limit")
            << QStringList{"eval", m, "--max-memory", "10B"} << 2 << "memory";
    }
    void faults_have_their_exit_codes() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, message);
        const Ran ran = run(arguments);
        QVERIFY2(QString::fromUtf8(ran.err).contains(message) || message.isEmpty(),
                 ran.err.constData());
        QTEST(ran.code, "code");
    }

    void a_new_model_is_whole_and_verifies() {
        const QString out = folder_.filePath("mlp.mlir");
        QCOMPARE(run({"new", "mlp", "-o", out}).code, 0);
        QCOMPARE(run({"verify", out, "--mesh", "data=2,model=2", "--random-shardings", "1"}).code,
                 0);
        const Ran bad = run({"new", "mlp", "layerz=3", "-o", folder_.filePath("no.mlir")});
        QCOMPARE(bad.code, 2);
        QVERIFY2(bad.err.contains("layers"), bad.err.constData());
        QVERIFY(!QFile::exists(folder_.filePath("no.mlir")));
    }

    void split_files_report_each_module() {
        const QString both = write("both.mlir", QByteArray(kModel) + "\n// -----\n\n" + kModel);
        const Ran ran = run({"info", both, "--json"});
        QCOMPARE(ran.code, 0);
        QCOMPARE(ran.json()["modules"].toArray().size(), 2);
    }
};
SHARDWRIGHT_TEST(Contract, "contract")
#include "contract.moc"
