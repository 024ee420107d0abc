// Plans as files: round trip, faults with their place, nothing lost.
#include <QDir>
#include <QTemporaryDir>

#include "plan/plan.h"
#include "registry.h"

using namespace shardwright;

class PlanFile : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void what_is_written_reads_back_equal() {
        plan::Plan plan;
        plan.model = "model.mlir";
        plan.mesh = "data=4,model=2";
        plan.annotations = {{"layer_*/wq", "[-, model]"}, {"x", "[data, -, ?]"}};
        plan.allow_outputs = 0;
        plan.policy = propagation::Policy::kShardy;
        plan.policy_given = true;
        plan.random_seed = 7;
        QTemporaryDir folder;
        const std::string path = folder.filePath("a.shardplan.json").toStdString();
        QVERIFY(plan::write_plan(plan, path).ok());
        const Result<plan::Plan> back = plan::read_plan(path);
        QVERIFY2(back.ok(), back.ok() ? "" : back.error().text().c_str());
        QVERIFY(*back == plan);
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 1);  // no temporary file left
    }

    void setting_a_target_again_replaces_it() {
        plan::Plan plan;
        plan.set("w", "[data, -]");
        plan.set("w", "[-, data]");
        QCOMPARE(plan.annotations.size(), std::size_t(1));
        QCOMPARE(plan.annotations[0].sharding, std::string("[-, data]"));
        plan.set("w", "");
        QVERIFY(plan.annotations.empty());
    }

    void faults_name_file_and_place_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("message");
        QTest::newRow("not JSON") << "{\n  \"schema\": oops}"
                                  << "p.json:2:13: error: not a JSON";
        QTest::newRow("no object") << "[1]"
                                   << "not a plan";
        QTest::newRow("no schema") << "{}"
                                   << "schema null";
        QTest::newRow("unknown key") << R"({"schema":"shardwright-plan/1","mash":"a=2"})"
                                     << "unknown key 'mash'";
        QTest::newRow("wrong type") << R"({"schema":"shardwright-plan/1","mesh":3})"
                                    << "wrong type";
        QTest::newRow("policy") << R"({"schema":"shardwright-plan/1","policy":"best"})"
                                << "policy 'best', expected gspmd or shardy";
        QTest::newRow("annotation")
            << R"({"schema":"shardwright-plan/1","annotations":[{"target":1}]})"
            << "an annotation without";
        QTest::newRow("empty") << ""
                               << "not a JSON";
    }
    void faults_name_file_and_place() {
        QFETCH(QString, text);
        QFETCH(QString, message);
        const Result<plan::Plan> plan = plan::from_json(text.toStdString(), "p.json");
        QVERIFY(!plan.ok());
        const QString said = QString::fromStdString(plan.error().text());
        QVERIFY2(said.contains(message), qPrintable(said));
        QVERIFY(said.startsWith("p.json:"));
        QCOMPARE(plan.error().exit_code(), 2);
    }
};
SHARDWRIGHT_TEST(PlanFile, "plan_file")
#include "plan_file.moc"
