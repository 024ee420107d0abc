// The HLO writer: what it writes reads back as the same program.
#include "formats/read_model.h"
#include "formats/write_model.h"
#include "ir/builder.h"
#include "registry.h"

using namespace shardwright;
using ir::OpKind;

namespace {

/// Everything a program says, value numbers aside: one line an operation, regions in between.
QStringList listing(const ir::Module& m) {
    QStringList out;
    ir::walk(m, m.entry().body, [&](ir::OpId id) {
        QString line = QString::fromStdString(std::string(ir::name(m.op(id).kind)));
        for (std::size_t i = 0; i < m.op(id).result_count; ++i) {
            const ir::ValueId v = m.result(id, i);
            line += " " + QString::fromStdString(ir::hlo_text(m.type(v)));
            if (const sharding::Sharding* s = m.annotation(v))
                line += QString(" hash=%1").arg(sharding::hash_value(*s));
        }
        for (const ir::ValueId v : m.operands(id)) {
            const ir::Value& value = m.value(v);
            line += value.def.valid()
                        ? " <" + QString::fromStdString(std::string(ir::name(m.op(value.def).kind)))
                        : QString(" <arg%1").arg(value.index);
        }
        line += " @" + QString::fromStdString(std::string(m.scope(id)));
        out << line;
    });
    return out;
}

std::string write(const ir::Module& m, formats::Annotate annotate = formats::Annotate::kSdy) {
    formats::WriteOptions options;
    options.annotate = annotate;
    return formats::write_hlo(m, options);
}

}  // namespace

class HloWrite : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void real_files_read_back_equal_data() {
        QTest::addColumn<QString>("file");
        if (test::cases_folder().empty()) QSKIP("no cases: 10 HLO files not written");
        for (const char* name :
             {"hlo_colabfold_2gpu", "hlo_fuzz_rand_000034", "hlo_imagenette_cnn_4gpu",
              "hlo_imagenette_cnn_train", "hlo_llama3_8b_prefill_tp8", "hlo_llama3_8b_train_fsdp8",
              "hlo_mixtral_generate_tp8", "hlo_resnet50_1gpu", "hlo_resnet50_8gpu",
              "hlo_sd15_unet_8gpu"})
            QTest::newRow(name) << QString(name) + ".hlo";
    }
    void real_files_read_back_equal() {
        QFETCH(QString, file);
        const std::string path = test::cases_folder() + "/real/" + file.toStdString();
        const Result<ir::Module> m = formats::read_hlo(test::read_text(path), "in.hlo", {});
        QVERIFY(m.ok());
        const std::string text = write(*m);
        const Result<ir::Module> back = formats::read_hlo(text, "out.hlo", {});
        if (!back.ok()) QFAIL(back.error().text().c_str());
        const QStringList before = listing(*m), after = listing(*back);
        for (qsizetype i = 0; i < std::min(before.size(), after.size()); ++i)
            QCOMPARE(after[i], before[i]);
        QCOMPARE(after.size(), before.size());
        const ir::Function &f = m->entry(), &g = back->entry();
        for (std::size_t i = 0; i < f.arguments.size(); ++i) {
            QCOMPARE(back->text(g.arguments[i].name), m->text(f.arguments[i].name));
            QCOMPARE(back->text(g.arguments[i].path), m->text(f.arguments[i].path));
            QCOMPARE(g.arguments[i].alias_output, f.arguments[i].alias_output);
            QCOMPARE(g.arguments[i].donated, f.arguments[i].donated);
            const sharding::Sharding* s = m->annotation(m->argument(f.body, i));
            const sharding::Sharding* t = back->annotation(back->argument(g.body, i));
            QCOMPARE(t != nullptr, s != nullptr);
            if (s != nullptr) QVERIFY(*s == *t);
        }
        for (std::size_t i = 0; i < f.results.size(); ++i)
            QVERIFY(f.results[i].annotation == g.results[i].annotation);
        QVERIFY(write(*back) == text);
    }

    void collectives_of_axes_get_device_groups() {
        ir::Module m;
        m.num_partitions = 8;
        m.is_partitioned = true;
        m.add_mesh(*mesh::Mesh::parse("x=2,y=4"));
        ir::Builder b(m);
        const ir::TensorType type{ir::ElementType::kF32, {8, 8}};
        const ir::RegionId body = b.begin_function("main", {&type, 1});
        ir::CollectiveAttributes a;
        a.axes = {m.meshes()[0].full(0)};
        const ir::ValueId sum = b.add(OpKind::kAllReduce, {m.argument(body, 0)}, a, type);
        a.axes = {m.meshes()[0].full(1)};
        a.dim = 0;
        const ir::ValueId whole =
            b.add(OpKind::kAllGather, {sum}, a, {ir::ElementType::kF32, {32, 8}});
        a.dim = -1;
        a.shift = 1;
        const ir::ValueId moved =
            b.add(OpKind::kCollectivePermute, {whole}, a, {ir::ElementType::kF32, {32, 8}});
        b.ret({&moved, 1});
        const std::string text = write(m);
        QVERIFY(text.find("all-reduce(%v0), channel_id=1, replica_groups=[4,2]<=[2,4]T(1,0)") !=
                std::string::npos);
        QVERIFY(text.find("dimensions={0}, channel_id=2, replica_groups=[2,4]<=[2,4],") !=
                std::string::npos);
        QVERIFY(text.find("source_target_pairs={{0,1},{1,2},{2,3},{4,5},{5,6},{6,7}}") !=
                std::string::npos);
        const Result<ir::Module> back = formats::read_hlo(text, "out.hlo", {});
        if (!back.ok()) QFAIL(back.error().text().c_str());
        const auto& groups =
            back->attributes<ir::CollectiveAttributes>(back->region(back->entry().body).ops[0])
                .groups;
        QVERIFY(groups == (std::vector<std::vector<std::int64_t>>{{0, 4}, {1, 5}, {2, 6}, {3, 7}}));
    }

    void captured_values_are_passed_to_loops() {
        ir::Module m;
        ir::Builder b(m);
        const ir::TensorType type{ir::ElementType::kF32, {4}};
        const ir::TensorType types[] = {type, type};
        const ir::RegionId body = b.begin_function("main", types);
        const ir::TensorType carried[] = {{ir::ElementType::kS32, {}}, type};
        const ir::RegionId condition = b.make_region(carried), step = b.make_region(carried);
        b.set_region(condition);
        const ir::ValueId less = b.compare(m.argument(condition, 0),
                                           b.scalar(ir::ElementType::kS32, 3), ir::Direction::kLt);
        b.ret({&less, 1});
        b.set_region(step);
        const ir::ValueId next[] = {
            b.add(OpKind::kAdd, {m.argument(step, 0), b.scalar(ir::ElementType::kS32, 1)}),
            b.add(OpKind::kAdd, {m.argument(step, 1), m.argument(body, 1)})};  // captured
        b.ret(next);
        b.set_region(body);
        const ir::ValueId init[] = {b.scalar(ir::ElementType::kS32, 0), m.argument(body, 0)};
        const ir::RegionId regions[] = {condition, step};
        const ir::OpId loop = b.add_op(OpKind::kWhile, init, {}, {}, regions);
        const ir::ValueId result = m.result(loop, 1);
        b.ret({&result, 1});
        const Result<ir::Module> back = formats::read_hlo(write(m), "out.hlo", {});
        if (!back.ok()) QFAIL(back.error().text().c_str());
        const ir::OpId read = back->region(back->entry().body).ops[1];
        QVERIFY(back->op(read).kind == OpKind::kWhile);
        QCOMPARE(back->op(read).result_count, 3u);  // counter, sum, and what the body captured
    }
};
SHARDWRIGHT_TEST(HloWrite, "hlo_write")
#include "hlo_write.moc"
