// Every MLIR file of the peers' cases loads and verifies, or says by name why not.
#include <QDir>
#include <chrono>
#include <map>

#include "formats/read_model.h"
#include "ir/infer.h"
#include "registry.h"

using namespace shardwright;

class MlirFiles : public QObject {
    Q_OBJECT

    static QStringList files(const char* folder) {
        const QDir dir(QString::fromStdString(test::cases_folder()) + "/" + folder);
        QStringList out;
        for (const QString& name : dir.entryList({"*.mlir"}, QDir::Files, QDir::Name))
            out << dir.filePath(name);
        return out;
    }

    void load_all(const char* folder, bool all_must_load) {
        if (test::cases_folder().empty()) QSKIP("cases are absent: 0 files read");
        const QStringList paths = files(folder);
        QVERIFY(!paths.isEmpty());
        int loaded = 0;
        for (const QString& path : paths) {
            const auto start = std::chrono::steady_clock::now();
            const auto model = formats::read_model(path.toStdString());
            const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
            QVERIFY2(took.count() < 2.0, qPrintable(path));
            if (model.ok()) {
                ++loaded;
                for (const ir::Module& module : model->modules) {
                    const Status status = ir::verify_module(module);
                    QVERIFY2(status.ok(), status.ok() ? "" : status.error().text().c_str());
                }
                continue;
            }
            const std::string text = model.error().text();
            if (all_must_load || model.error().fault != Fault::kUnsupported) QFAIL(text.c_str());
            qInfo("%s", text.c_str());
        }
        qInfo("%s: %d of %d files loaded", folder, loaded, static_cast<int>(paths.size()));
    }

  private Q_SLOTS:
    void real_networks_load() { load_all("real", true); }
    void shardy_programs_load() { load_all("shardy", true); }
    void stablehlo_programs_load() { load_all("stablehlo", false); }
};
SHARDWRIGHT_TEST(MlirFiles, "mlir_files")
#include "mlir_files.moc"
