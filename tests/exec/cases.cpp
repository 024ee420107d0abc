// The peers' programs that check their own results, and real networks small enough to run here.
#include <QDir>

#include "formats/read_model.h"
#include "program.h"
#include "registry.h"

using namespace shardwright;
using namespace shardwright::test;

namespace {

enum class Verdict { kGood, kWrong, kUnsupported, kError };

Verdict run_file(const std::string& path, std::string& message) {
    const auto file = formats::read_model(path);
    if (!file.ok()) {
        message = file.error().text();
        return file.error().fault == Fault::kUnsupported ? Verdict::kUnsupported : Verdict::kError;
    }
    Verdict verdict = Verdict::kGood;
    for (const ir::Module& module : file->modules) {
        std::size_t entry = 0;
        for (std::size_t f = 0; f < module.functions().size(); ++f)
            if (&module.functions()[f] == &module.entry()) entry = f;
        const auto inputs = exec::random_inputs(module, entry, 1);
        const auto outputs = exec::evaluate(module, entry, inputs, {});
        if (!outputs.ok()) {
            message = outputs.error().text();
            return outputs.error().fault == Fault::kUnsupported ? Verdict::kUnsupported
                                                                : Verdict::kError;
        }
        if (!outputs->failures.empty()) {
            message = outputs->failures[0].message;
            verdict = Verdict::kWrong;
        }
    }
    return verdict;
}

}  // namespace

class CasesTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void programs_that_check_themselves() {
        const std::string folder = cases_folder();
        if (folder.empty()) QSKIP("the folder of cases is not here: 460 programs not run");
        const QDir dir(QString::fromStdString(folder + "/stablehlo"));
        int counts[4] = {};
        for (const QString& name : dir.entryList({"*.mlir"}, QDir::Files)) {
            std::string message;
            const Verdict verdict = run_file(dir.filePath(name).toStdString(), message);
            ++counts[static_cast<int>(verdict)];
            if (verdict == Verdict::kWrong || verdict == Verdict::kError)
                qWarning("%s: %s", qPrintable(name), message.c_str());
        }
        qInfo("%d good, %d wrong, %d not supported, %d errors", counts[0], counts[1], counts[2],
              counts[3]);
        QCOMPARE(counts[1], 0);
        QCOMPARE(counts[3], 0);
        QVERIFY2(counts[0] >= 400, "fewer programs run than before");
    }

    void real_networks_data() {
        QTest::addColumn<QString>("file");
        for (const char* name :
             {"shlo_gleasonk_searchless_chess_9m.mlir", "shlo_ttdloke_mnist_backward.mlir",
              "mlir_iree_mnist.mlir", "gspmd_ttmlir_e2e_tp.mlir"})
            QTest::newRow(name) << name;
    }
    void real_networks() {
        QFETCH(QString, file);
        const std::string folder = cases_folder();
        if (folder.empty()) QSKIP("the folder of cases is not here: 4 networks not run");
        const auto read = formats::read_model(folder + "/real/" + file.toStdString());
        QVERIFY2(read.ok(), read.ok() ? "" : read.error().text().c_str());
        for (const ir::Module& module : read->modules) {
            exec::Options options;
            options.fill_elided_seed = 1;
            const auto outputs =
                exec::evaluate(module, 0, exec::random_inputs(module, 0, 1), options);
            QVERIFY2(outputs.ok(), outputs.ok() ? "" : outputs.error().text().c_str());
            for (const exec::Tensor& t : outputs->values)
                for (std::int64_t i = 0; i < t.element_count(); ++i)
                    QVERIFY2(t.at(i) == t.at(i), "NaN in an output");
        }
    }
};
SHARDWRIGHT_TEST(CasesTest, "cases")
#include "cases.moc"
