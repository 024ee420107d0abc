// Whole networks as XLA dumps them: every file loads, verifies, and keeps its names and shardings.
#include <QElapsedTimer>
#include <algorithm>
#include <filesystem>

#include "formats/read_model.h"
#include "ir/infer.h"
#include "registry.h"
#include "sharding/geometry.h"

using namespace shardwright;

namespace {

std::string path_of(const std::string& name) {
    return test::cases_folder() + "/real/" + name;
}

Result<ir::Module> load(const std::string& name) {
    return formats::read_hlo(test::read_text(path_of(name)), name, {});
}

struct ArgumentBytes {
    std::int64_t whole = 0, device = 0;
};

/// Bytes of all entry arguments, whole and on one device under their own shardings.
ArgumentBytes argument_bytes(const ir::Module& m) {
    ArgumentBytes out;
    const ir::Function& main = m.entry();
    for (std::size_t i = 0; i < main.arguments.size(); ++i) {
        const ir::ValueId value = m.argument(main.body, i);
        ir::TensorType type = m.type(value);
        out.whole += type.byte_size();
        if (const sharding::Sharding* s = m.annotation(value))
            type.dims = sharding::shard_shape(view(type.dims), *s);
        out.device += type.byte_size();
    }
    return out;
}

}  // namespace

class HloReal : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void initTestCase() {
        if (test::cases_folder().empty()) QSKIP("no cases: 10 HLO files not read");
    }

    void loads_and_verifies_data() {
        QTest::addColumn<int>("arguments");
        QTest::addColumn<int>("results");
        QTest::newRow("hlo_colabfold_2gpu.hlo") << 267 << 19;
        QTest::newRow("hlo_fuzz_rand_000034.hlo") << 2 << 1;
        QTest::newRow("hlo_imagenette_cnn_4gpu.hlo") << 103 << 1;
        QTest::newRow("hlo_imagenette_cnn_train.hlo") << 167 << 166;
        QTest::newRow("hlo_llama3_8b_prefill_tp8.hlo") << 14 << 15;
        QTest::newRow("hlo_llama3_8b_train_fsdp8.hlo") << 44 << 50;
        QTest::newRow("hlo_mixtral_generate_tp8.hlo") << 24 << 15;
        QTest::newRow("hlo_resnet50_1gpu.hlo") << 154 << 1;
        QTest::newRow("hlo_resnet50_8gpu.hlo") << 154 << 1;
        QTest::newRow("hlo_sd15_unet_8gpu.hlo") << 689 << 1;
    }
    void loads_and_verifies() {
        QFETCH(int, arguments);
        QFETCH(int, results);
        const std::string name = QTest::currentDataTag();
        QElapsedTimer timer;
        timer.start();
        const Result<ir::Module> m = load(name);
        if (!m.ok()) QFAIL(m.error().text().c_str());
        qInfo("%s: %zu operations in %lld ms", name.c_str(), m->op_count(), timer.elapsed());
        const Status status = ir::verify_module(*m);
        if (!status.ok()) QFAIL(status.error().text().c_str());
        QCOMPARE(static_cast<int>(m->entry().arguments.size()), arguments);
        QCOMPARE(static_cast<int>(m->entry().results.size()), results);
    }

    void argument_bytes_of_a_train_step() {
        const Result<ir::Module> m = load("hlo_llama3_8b_train_fsdp8.hlo");
        QVERIFY(m.ok());
        const ArgumentBytes bytes = argument_bytes(*m);
        constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;
        QCOMPARE(QString::number(static_cast<double>(bytes.whole) / kGiB, 'f', 3),
                 QString("89.749"));
        QCOMPARE(QString::number(static_cast<double>(bytes.device) / kGiB, 'f', 3),
                 QString("11.221"));
    }

    void named_axes_come_from_the_header() {
        const Result<ir::Module> m = load("hlo_llama3_8b_train_fsdp8.hlo");
        QVERIFY(m.ok());
        QCOMPARE(m->meshes().size(), std::size_t(1));
        const mesh::Mesh& mesh = m->meshes()[0];
        QCOMPARE(mesh.rank(), std::size_t(12));  // axes of size 1 are kept
        QCOMPARE(mesh.device_count(), std::int64_t(8));
        const ir::Function& main = m->entry();
        const ir::ValueId kernel = m->argument(main.body, 3);
        QCOMPARE(QString::fromStdString(std::string(m->text(main.arguments[3].path))),
                 QString("state.params['params']['decoder']['layers']['mlp']['wi_1']['kernel']"));
        const sharding::Sharding* s = m->annotation(kernel);
        QVERIFY(s != nullptr);
        QCOMPARE(s->dims[0].axes.size(), std::size_t(4));
        QCOMPARE(QString::fromStdString(mesh.axes()[s->dims[0].axes[0].axis].name),
                 QString("fsdp"));
        QCOMPARE(s->shards(0), std::int64_t(8));
        QCOMPARE(s->shards(1), std::int64_t(1));
    }

    void donations_and_flags_come_from_the_header() {
        const Result<ir::Module> m = load("hlo_llama3_8b_train_fsdp8.hlo");
        QVERIFY(m.ok());
        const ir::Function& main = m->entry();
        QCOMPARE(main.arguments[3].alias_output, 3);
        QVERIFY(main.arguments[3].donated);
        QCOMPARE(main.arguments.back().alias_output, -1);
        QCOMPARE(m->allow_propagation_to_parameters.size(), std::size_t(44));
        QVERIFY(main.results[2].annotation.has_value());
        QCOMPARE(main.results[2].annotation->shards(0), std::int64_t(8));
        const Result<ir::Module> mixtral = load("hlo_mixtral_generate_tp8.hlo");
        QVERIFY(mixtral.ok());
        QVERIFY(mixtral->entry().arguments[10].donated);  // buffer_donor
        QVERIFY(!mixtral->entry().arguments[11].donated);
    }

    void inlined_operations_keep_their_place() {
        const Result<ir::Module> m = load("hlo_llama3_8b_train_fsdp8.hlo");
        QVERIFY(m.ok());
        bool found = false;
        ir::walk(*m, m->entry().body, [&](ir::OpId id) {
            found |= m->scope(id) ==
                     "jit(train_step)/jvp(TransformerLinenPure.apply)/"
                     "TransformerLinenPure/decoder/while/body/closed_call/"
                     "layers/dot_general";
        });
        QVERIFY(found);
    }

    void function_results_take_the_named_sharding() {
        const Result<ir::Module> m = load("hlo_resnet50_8gpu.hlo");
        QVERIFY(m.ok());
        const auto& annotation = m->entry().results[0].annotation;
        QVERIFY(annotation.has_value());
        QVERIFY(annotation->is_replicated());
    }
};
SHARDWRIGHT_TEST(HloReal, "hlo_real")
#include "hlo_real.moc"
