// Small HLO texts: what they become, and what is said about those that are wrong.
#include "formats/read_model.h"
#include "ir/infer.h"
#include "ir/trip_count.h"
#include "registry.h"

using namespace shardwright;
using ir::OpKind;

namespace {

Result<ir::Module> read(const QString& text) {
    return formats::read_hlo(text.toStdString(), "test.hlo", {});
}

/// The kinds of the entry's operations, without its return: "parameter-less" form of the program.
QString kinds(const ir::Module& m) {
    QStringList out;
    for (const ir::OpId id : m.region(m.entry().body).ops)
        if (m.op(id).kind != OpKind::kReturn)
            out << QString::fromStdString(std::string(ir::name(m.op(id).kind)));
    return out.join(" ");
}

}  // namespace

class HloSyntax : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void texts_become_operations_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("operations");
        QTest::newRow("bare and typed operands, with and without percent")
            << "HloModule m\nENTRY e {\n  %x = f32[2]{0} parameter(0)\n"
               "  y = f32[2]{0} add(x, f32[2]{0} %x)\n  ROOT %z = f32[2] negate(y)\n}\n"
            << "add negate";
        QTest::newRow("root before the end, control predecessors, comments")
            << "/* dump */ HloModule m, is_scheduled=true\n// note\nENTRY %e (p: f32[]) -> f32[] "
               "{\n"
               "  p = f32[] parameter(0)\n  ROOT a = f32[] abs(/*index=0*/p)\n"
               "  b = f32[] sine(p), control-predecessors={a}\n}\n"
            << "abs sine";
        QTest::newRow("call is inlined, its tuple taken apart")
            << "HloModule m\nf {\n  a = f32[] parameter(0)\n  b = f32[] exponential(a)\n"
               "  u = (f32[]) tuple(b)\n  ROOT t = (f32[], (f32[])) tuple(a, u)\n}\n"
               "ENTRY e {\n  p = f32[] parameter(0)\n"
               "  t = (f32[], (f32[])) call(p), to_apply=f\n"
               "  u = (f32[]) get-tuple-element(t), index=1\n"
               "  v = f32[] get-tuple-element(u), index=0\n  ROOT r = f32[] negate(v)\n}\n"
            << "exponential negate";
        QTest::newRow("fusion") << "HloModule m\nfused {\n  a = f32[4]{0} parameter(0)\n  ROOT b = "
                                   "f32[4]{0} tanh(a)\n}\n"
                                   "ENTRY e {\n  p = f32[4]{0} parameter(0)\n"
                                   "  ROOT r = f32[4]{0} fusion(p), kind=kLoop, calls=fused\n}\n"
                                << "tanh";
        QTest::newRow("async pairs")
            << "HloModule m\ng {\n  a = f32[4]{0} parameter(0)\n  ROOT b = f32[4]{0} cosine(a)\n}\n"
               "ENTRY e {\n  p = f32[4]{0} parameter(0)\n"
               "  s = ((f32[4]{0}), f32[4]{0}, u32[]) async-start(p), calls=g\n"
               "  d = f32[4]{0} async-done(s)\n"
               "  c = (f32[4]{0}, f32[4]{0}, u32[]) copy-start(d)\n"
               "  ROOT e2 = f32[4]{0} copy-done(c)\n}\n"
            << "cosine copy";
        QTest::newRow("bitcast of another layout is a transpose and a reshape")
            << "HloModule m\nENTRY e {\n  p = f32[2,3]{0,1} parameter(0)\n"
               "  ROOT r = f32[3,2]{1,0} bitcast(p)\n}\n"
            << "transpose reshape";
        QTest::newRow("tiled layouts and memory spaces")
            << "HloModule m\nENTRY e {\n  p = bf16[16,128]{1,0:T(8,128)(2,1)S(1)} parameter(0)\n"
               "  ROOT r = f32[16,128]{1,0:T(8,128)} convert(p)\n}\n"
            << "convert";
        QTest::newRow("conditional by predicate")
            << "HloModule m\nt {\n  a = f32[] parameter(0)\n  ROOT b = f32[] sine(a)\n}\n"
               "f {\n  a = f32[] parameter(0)\n  ROOT b = f32[] cosine(a)\n}\n"
               "ENTRY e {\n  c = pred[] parameter(0)\n  x = f32[] parameter(1)\n"
               "  ROOT r = f32[] conditional(c, x, x), true_computation=t, false_computation=f\n}\n"
            << "if";
        QTest::newRow("constants") << "HloModule m\nENTRY e {\n  a = f32[2,2]{1,0} constant({ { 1, "
                                      "-inf }, { nan, 2.5e-3 } })\n"
                                      "  b = c64[2]{0} constant({(1, -2), (0, 0.5)})\n  c = "
                                      "pred[3]{0} constant({1, 0, true})\n"
                                      "  d = s8[100]{0} constant({...})\n  ROOT e1 = u64[] "
                                      "constant(18446744073709551615)\n}\n"
                                   << "constant constant constant constant constant";
    }
    void texts_become_operations() {
        QFETCH(QString, text);
        QFETCH(QString, operations);
        const Result<ir::Module> m = read(text);
        if (!m.ok()) QFAIL(m.error().text().c_str());
        QCOMPARE(kinds(*m), operations);
        const Status status = ir::verify_module(*m);
        if (!status.ok()) QFAIL(status.error().text().c_str());
    }

    void errors_tell_their_place_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("error");
        QTest::addColumn<int>("exit_code");
        const auto entry = [](const char* body) {
            return QString("HloModule m\nENTRY e {\n%1}\n").arg(body);
        };
        QTest::newRow("unknown operand")
            << entry("  a = f32[] parameter(0)\n  ROOT b = f32[] add(a, c)\n") << "test.hlo:4:25"
            << 2;
        QTest::newRow("unknown opcode")
            << entry("  a = f32[] parameter(0)\n  ROOT b = f32[] frobnicate(a)\n")
            << "test.hlo:4:18" << 3;
        QTest::newRow("dynamic dimension")
            << entry("  ROOT a = f32[2,<=5] parameter(0)\n") << "test.hlo:3:18" << 3;
        QTest::newRow("wrong result shape")
            << entry("  a = f32[2] parameter(0)\n  ROOT b = f32[3] negate(a)\n") << "test.hlo:4:8"
            << 2;
        QTest::newRow("short constant")
            << entry("  ROOT a = f32[3] constant({1, 2})\n") << "test.hlo:3:28" << 2;
        QTest::newRow("huge shape")
            << entry("  ROOT a = f32[9999999999,9999999999] parameter(0)\n") << "test.hlo:3" << 2;
        QTest::newRow("unclosed") << "HloModule m\nENTRY e {\n  a = f32[] parameter(0)\n"
                                  << "test.hlo:4:1" << 2;
        QTest::newRow("not HLO") << "module {}"
                                 << "test.hlo:1:1" << 2;
        QTest::newRow("recursion")
            << "HloModule m\nf {\n  a = f32[] parameter(0)\n  ROOT r = f32[] call(a), "
               "to_apply=f\n}\n"
               "ENTRY e {\n  a = f32[] parameter(0)\n  ROOT r = f32[] call(a), to_apply=f\n}\n"
            << "test.hlo:4:8" << 2;
        QTest::newRow("parameters with a gap")
            << entry("  a = f32[] parameter(0)\n  ROOT b = f32[] parameter(2)\n") << "test.hlo:4:28"
            << 2;
    }
    void errors_tell_their_place() {
        QFETCH(QString, text);
        QFETCH(QString, error);
        QFETCH(int, exit_code);
        const Result<ir::Module> m = read(text);
        QVERIFY(!m.ok());
        const QString said = QString::fromStdString(m.error().text());
        QVERIFY2(said.startsWith(error), qPrintable(said));
        QCOMPARE(m.error().exit_code(), exit_code);
    }

    void inlining_is_limited_before_it_happens() {
        // Each computation calls the next twice: 2^40 operations from 40 lines.
        QString text = "HloModule m\nf0 {\n  a = f32[] parameter(0)\n  ROOT r = f32[] sine(a)\n}\n";
        for (int i = 1; i <= 40; ++i)
            text += QString(
                        "f%1 {\n  a = f32[] parameter(0)\n  b = f32[] call(a), to_apply=f%2\n"
                        "  ROOT r = f32[] call(b), to_apply=f%2\n}\n")
                        .arg(i)
                        .arg(i - 1);
        text += "ENTRY e {\n  a = f32[] parameter(0)\n  ROOT r = f32[] call(a), to_apply=f40\n}\n";
        const Result<ir::Module> m = read(text);
        QVERIFY(!m.ok());
        QCOMPARE(m.error().exit_code(), 3);
    }

    void second_instance_gets_other_names() {
        const Result<ir::Module> m = read(
            "HloModule m\nf {\n  a = f32[] parameter(0)\n  ROOT r = f32[] sine(a)\n}\nENTRY e {\n"
            "  p = f32[] parameter(0)\n  c = f32[] call(p), to_apply=f, "
            "metadata={op_name=\"jit(g)/f\"}\n"
            "  ROOT d = f32[] call(c), to_apply=f, metadata={op_name=\"jit(g)/h\"}\n}\n");
        QVERIFY(m.ok());
        const auto& ops = m->region(m->entry().body).ops;
        QCOMPARE(m->name(m->result(ops[0])), std::string_view("r"));
        QCOMPARE(m->name(m->result(ops[1])), std::string_view("r.d"));
        QCOMPARE(m->scope(ops[1]), std::string_view("jit(g)/h"));
    }

    void loops_carry_flat_tuples_and_know_their_trips() {
        const Result<ir::Module> m = read(
            "HloModule m\ncond {\n  t = (s32[], (f32[4], f32[])) parameter(0)\n"
            "  i = s32[] get-tuple-element(t), index=0\n  n = s32[] constant(7)\n"
            "  ROOT l = pred[] compare(i, n), direction=LT\n}\n"
            "body {\n  t = (s32[], (f32[4], f32[])) parameter(0)\n"
            "  i = s32[] get-tuple-element(t), index=0\n  u = (f32[4], f32[]) "
            "get-tuple-element(t), index=1\n"
            "  one = s32[] constant(1)\n  j = s32[] add(i, one)\n"
            "  ROOT r = (s32[], (f32[4], f32[])) tuple(j, u)\n}\n"
            "ENTRY e {\n  x = f32[4] parameter(0)\n  z = s32[] constant(0)\n  s = f32[] "
            "constant(0)\n"
            "  u = (f32[4], f32[]) tuple(x, s)\n  t = (s32[], (f32[4], f32[])) tuple(z, u)\n"
            "  w = (s32[], (f32[4], f32[])) while(t), condition=cond, body=body\n"
            "  v = (f32[4], f32[]) get-tuple-element(w), index=1\n"
            "  ROOT r = f32[4] get-tuple-element(v), index=0\n}\n");
        if (!m.ok()) QFAIL(m.error().text().c_str());
        QCOMPARE(kinds(*m), QString("constant constant while"));
        const ir::OpId loop = m->region(m->entry().body).ops[2];
        QCOMPARE(m->op(loop).result_count, 3u);
        QCOMPARE(ir::trip_count(*m, loop).value_or(-1), std::int64_t(7));
        QVERIFY(m->returned(m->entry().body)[0] == m->result(loop, 1));
    }

    void tile_assignments_without_named_axes_get_a_mesh() {
        const Result<ir::Module> m = read(
            "HloModule m, num_partitions=8\nENTRY e {\n"
            "  x = f32[16,8] parameter(0), sharding={devices=[4,2]<=[8]}\n"
            "  y = f32[16,8] parameter(1), sharding={devices=[2,1,4]<=[2,4]T(0,1) "
            "last_tile_dim_replicate}\n"
            "  s = f32[16,8] add(x, y)\n"
            "  ROOT c = f32[16,8] custom-call(s), custom_call_target=\"Sharding\", "
            "sharding={devices=[1,8]<=[8]}\n}\n");
        if (!m.ok()) QFAIL(m.error().text().c_str());
        QCOMPARE(kinds(*m), QString("add sharding_constraint"));
        QCOMPARE(m->meshes().size(), std::size_t(1));
        QCOMPARE(m->meshes()[0].device_count(), std::int64_t(8));
        const ir::RegionId body = m->entry().body;
        QCOMPARE(m->annotation(m->argument(body, 0))->shards(0), std::int64_t(4));
        QCOMPARE(m->annotation(m->argument(body, 1))->shards(0), std::int64_t(2));
        QCOMPARE(m->annotation(m->argument(body, 1))->shards(1), std::int64_t(1));
    }

    void collectives_of_the_file_keep_their_groups() {
        const Result<ir::Module> m = read(
            "HloModule m, num_partitions=4\nadd {\n  a = f32[] parameter(0)\n  b = f32[] "
            "parameter(1)\n"
            "  ROOT s = f32[] add(a, b)\n}\nENTRY e {\n  x = f32[8] parameter(0)\n"
            "  r = f32[8] all-reduce(x), channel_id=1, replica_groups=[2,2]<=[2,2]T(1,0), "
            "use_global_device_ids=true, to_apply=add\n"
            "  ROOT g = f32[16] all-gather(r), channel_id=2, replica_groups={{0,1},{2,3}}, "
            "dimensions={0}, use_global_device_ids=true\n}\n");
        if (!m.ok()) QFAIL(m.error().text().c_str());
        QVERIFY(m->is_partitioned);
        const auto& ops = m->region(m->entry().body).ops;
        const auto& reduce = m->attributes<ir::CollectiveAttributes>(ops[0]);
        QVERIFY(reduce.groups == (std::vector<std::vector<std::int64_t>>{{0, 2}, {1, 3}}));
        QVERIFY(reduce.reduction == ir::Reduction::kSum);
        QVERIFY(reduce.mode == ir::GroupMode::kFlattenedIds);
    }
};
SHARDWRIGHT_TEST(HloSyntax, "hlo_syntax")
#include "hlo_syntax.moc"
