// Every handled operation: random shardings of every value, even and uneven sizes, same numbers.
#include "harness.h"
#include "programs.h"
#include "registry.h"

using namespace shardwright;

class OperationsTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void same_numbers_under_random_shardings_data() {
        QTest::addColumn<int>("program");
        QTest::addColumn<QString>("mesh");
        QTest::addColumn<int>("size");
        const auto& programs = test::programs();
        for (std::size_t p = 0; p < programs.size(); ++p)
            for (const char* mesh : {"x=3", "x=2,y=4", "x=2,y=2,z=2"})
                for (const int size : {8, 5})
                    QTest::addRow("%s %s %d", programs[p].name, mesh, size)
                        << static_cast<int>(p) << QString(mesh) << size;
    }
    void same_numbers_under_random_shardings() {
        QFETCH(int, program);
        QFETCH(QString, mesh);
        QFETCH(int, size);
        test::Case c(mesh.toStdString());
        test::programs()[static_cast<std::size_t>(program)].build(c, size);
        const auto valid = ir::verify_module(c.module);
        QVERIFY2(valid.ok(), valid.ok() ? "" : valid.error().text().c_str());
        for (std::uint64_t seed = 1; seed <= 6; ++seed) {
            const std::string bad = test::difference(c, c.random_shardings(seed), seed);
            QVERIFY2(bad.empty(),
                     ("seed " + std::to_string(seed) + ": " + bad.substr(0, 6000)).c_str());
        }
    }
};
SHARDWRIGHT_TEST(OperationsTest, "operations")
#include "operations.moc"
