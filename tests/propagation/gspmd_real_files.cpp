// Policy gspmd completes the real, annotated programs and leaves what was given as it is.
#include <QDir>

#include "formats/read_model.h"
#include "graph.h"

using namespace shardwright;
using ir::ValueId;

namespace {

double bytes_of(const ir::Module& m, ValueId v) {
    return double(m.type(v).byte_size());
}

}  // namespace

class GspmdRealFiles : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void completes_data() {
        QTest::addColumn<QString>("path");
        const std::string folder = test::cases_folder();
        int found = 0;
        if (!folder.empty()) {
            const QDir dir(QString::fromStdString(folder + "/real"));
            for (const QString& file : dir.entryList({"*.hlo"}, QDir::Files, QDir::Name)) {
                QTest::newRow(qPrintable(file)) << dir.filePath(file);
                ++found;
            }
        }
        if (found == 0) QTest::newRow("no cases") << QString();
    }
    void completes() {
        QFETCH(QString, path);
        if (path.isEmpty()) QSKIP("1 skipped: no cases folder");
        const std::string file = path.toStdString();
        const auto read = formats::read_hlo(test::read_text(file), file, {});
        if (!read.ok()) QSKIP(read.error().text().c_str());
        const ir::Module& m = *read;
        if (m.meshes().empty()) QSKIP("1 skipped: no mesh in the file");
        const rules::RuleTable rules(m);
        QElapsedTimer timer;
        timer.start();
        const propagation::Result result =
            propagation::propagate(m, rules, sharding::MeshId(0), propagation::Options{});
        const double ms = double(timer.nsecsElapsed()) / 1e6;
        QCOMPARE(result.of_value.size(), m.value_count());
        for (const auto& [v, given] : m.annotations())
            if (given.form == sharding::Form::kTiled && given.mesh == sharding::MeshId(0))
                QVERIFY2(sharding::same_placement(result.of(v), given), qPrintable(path));
        double all = 0, whole = 0;
        for (std::size_t i = 0; i < m.value_count(); ++i) {
            const ValueId v(i);
            QVERIFY(sharding::validate(result.of(v), m.mesh(sharding::MeshId(0)), m.type(v).rank())
                        .ok());
            all += bytes_of(m, v);
            if (result.of(v).is_replicated()) whole += bytes_of(m, v);
        }
        qInfo("%zu ops, %zu rules, %.1f ms, %zu placements, %zu conflicts, %.1f %% of bytes whole",
              m.op_count(), rules.size(), ms, result.placements.size(), result.conflicts.size(),
              100 * whole / all);
    }
};
SHARDWRIGHT_TEST(GspmdRealFiles, "gspmd_real_files")
#include "gspmd_real_files.moc"
