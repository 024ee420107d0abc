// What the MLIR writer writes reads back equal, in the pretty and in the generic form.
#include <QDir>

#include "formats/read_model.h"
#include "formats/write_model.h"
#include "ir/infer.h"
#include "registry.h"

using namespace shardwright;
using formats::Annotate;

namespace {

QString first_difference(const std::string& a, const std::string& b) {
    std::size_t at = 0;
    while (at < a.size() && at < b.size() && a[at] == b[at]) ++at;
    const std::size_t line = a.rfind('\n', at) == std::string::npos ? 0 : a.rfind('\n', at) + 1;
    return QString("\n%1\n%2")
        .arg(QString::fromStdString(a.substr(line, 300)),
             QString::fromStdString(b.substr(line, 300)));
}

bool has_several_sizes(const ir::Module& module) {
    for (const mesh::Mesh& mesh : module.meshes())
        if (mesh.device_count() != module.meshes().front().device_count()) return true;
    return false;
}

/// The text of `module`, and of what reading `form` of it gives.
void compare(const ir::Module& module, Annotate annotate, bool generic, const QString& path) {
    formats::WriteOptions pretty;
    pretty.annotate = annotate;
    formats::WriteOptions form = pretty;
    form.generic = generic;
    const std::string expected = formats::write_mlir(module, pretty);
    const std::string text = formats::write_mlir(module, form);
    const auto again = formats::read_mlir(text, "again.mlir", {});
    QVERIFY2(
        again.ok(),
        again.ok() ? "" : qPrintable(path + ": " + QString::fromStdString(again.error().text())));
    QCOMPARE(again->size(), std::size_t(1));
    const std::string actual = formats::write_mlir(again->front(), pretty);
    if (actual != expected) QFAIL(qPrintable(path + first_difference(expected, actual)));
    if (annotate != Annotate::kSdy) return;
    QCOMPARE(again->front().op_count(), module.op_count());
    QCOMPARE(again->front().functions().size(), module.functions().size());
}

}  // namespace

class MlirRoundTrip : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void files_of_others_data() {
        QTest::addColumn<QString>("folder");
        for (const char* folder : {"real", "shardy", "stablehlo"}) QTest::newRow(folder) << folder;
    }
    void files_of_others() {
        QFETCH(QString, folder);
        if (test::cases_folder().empty()) QSKIP("cases are absent: 0 files read");
        const QDir dir(QString::fromStdString(test::cases_folder()) + "/" + folder);
        int modules = 0;
        for (const QString& name : dir.entryList({"*.mlir"}, QDir::Files, QDir::Name)) {
            const auto model = formats::read_model(dir.filePath(name).toStdString());
            if (!model.ok()) continue;
            for (const ir::Module& module : model->modules) {
                ++modules;
                for (const Annotate annotate : {Annotate::kSdy, Annotate::kMhlo, Annotate::kNone}) {
                    // GSPMD's words know one number of devices a module.
                    if (annotate == Annotate::kMhlo && has_several_sizes(module)) continue;
                    for (const bool generic : {false, true}) {
                        compare(module, annotate, generic, name);
                        if (QTest::currentTestFailed()) return;
                    }
                }
            }
        }
        qInfo("%s: %d modules", qPrintable(folder), modules);
        QVERIFY(modules > 0);
    }
};
SHARDWRIGHT_TEST(MlirRoundTrip, "mlir_round_trip")
#include "mlir_round_trip.moc"
