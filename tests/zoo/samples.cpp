// samples/ is what its builders make: regenerated and compared. With SHARDWRIGHT_WRITE_SAMPLES set
// the test writes the folder instead.
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include "formats/read_model.h"
#include "formats/write_model.h"
#include "ir/infer.h"
#include "plan/derive.h"
#include "registry.h"
#include "sample_list.h"

using namespace shardwright;
using test::Sample;

namespace {

QString folder() {
    return QString::fromUtf8(SHARDWRIGHT_SOURCE_DIR) + "/samples/";
}

/// The text that `shardwright new` writes.
std::string model_text(const Sample& sample) {
    const auto module = zoo::build(sample.kind, sample.options);
    if (!module.ok()) qFatal("%s", module.error().text().c_str());
    formats::WriteOptions write;
    write.locations = true;
    return formats::write_mlir(*module, write);
}

plan::Model model_of(const Sample& sample) {
    auto file = formats::read_model_text(model_text(sample), sample.name + ".mlir");
    if (!file.ok()) qFatal("%s", file.error().text().c_str());
    return plan::Model(std::move(file->modules.at(0)));
}

plan::Plan plan_of(const Sample& sample) {
    plan::Plan plan;
    plan.model = sample.name + ".mlir";
    plan.mesh = sample.mesh;
    plan.annotations = sample.annotations;
    plan.structure_hash = model_of(sample).structure_hash;
    return plan;
}

bool compare_or_write(const QString& path, const std::string& text) {
    QFile file(path);
    if (qEnvironmentVariableIsSet("SHARDWRIGHT_WRITE_SAMPLES"))
        return file.open(QIODevice::WriteOnly) &&
               file.write(text.data(), qint64(text.size())) == qint64(text.size());
    return file.open(QIODevice::ReadOnly) && file.readAll().toStdString() == text;
}

}  // namespace

class SamplesTest : public QObject {
    Q_OBJECT
    static void rows() {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < test::samples().size(); ++i)
            QTest::newRow(test::samples()[i].name.c_str()) << int(i);
    }
  private Q_SLOTS:
    void files_are_what_the_builders_make_data() { rows(); }
    void files_are_what_the_builders_make() {
        QFETCH(int, index);
        const Sample& sample = test::samples()[std::size_t(index)];
        const QString base = folder() + QString::fromStdString(sample.name);
        QVERIFY(compare_or_write(base + ".mlir", model_text(sample)));
        QVERIFY(compare_or_write(base + ".shardplan.json", plan::to_json(plan_of(sample))));
        QVERIFY(QFileInfo(base + ".mlir").size() <= 300 * 1024);
    }
    void models_read_back_sound_data() { rows(); }
    void models_read_back_sound() {
        QFETCH(int, index);
        const Sample& sample = test::samples()[std::size_t(index)];
        const auto built = zoo::build(sample.kind, sample.options);
        const plan::Model model = model_of(sample);
        const Status status = ir::verify_module(model.module);
        QVERIFY2(status.ok(), status.ok() ? "" : status.error().text().c_str());
        QCOMPARE(model.module.op_count(), built->op_count());
    }
    void every_annotation_of_a_plan_finds_a_tensor_data() { rows(); }
    void every_annotation_of_a_plan_finds_a_tensor() {
        QFETCH(int, index);
        const Sample& sample = test::samples()[std::size_t(index)];
        const auto prepared = plan::prepare(model_of(sample), plan_of(sample));
        QVERIFY2(prepared.ok(), prepared.ok() ? "" : prepared.error().text().c_str());
        QVERIFY2(prepared->unmatched.empty(),
                 prepared->unmatched.empty() ? "" : prepared->unmatched[0].c_str());
    }
    void every_sample_has_a_line_in_the_readme() {
        const std::string readme = test::read_text((folder() + "README.md").toStdString());
        for (const Sample& sample : test::samples())
            QVERIFY2(readme.find("`" + sample.name + "`") != std::string::npos,
                     sample.name.c_str());
    }
};
SHARDWRIGHT_TEST(SamplesTest, "samples")
#include "samples.moc"
