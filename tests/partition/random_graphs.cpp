// Random graphs on random meshes under random shardings: the numbers of one device, always.
#include "random_graph.h"
#include "registry.h"

using namespace shardwright;

class RandomGraphsTest : public QObject {
    Q_OBJECT
    static std::string failure(const std::string& mesh, std::uint64_t seed, int ops) {
        test::Case c(mesh);
        test::random_graph(c, seed, ops);
        return test::difference(c, c.random_shardings(seed * 7919 + 1), seed);
    }

  private Q_SLOTS:
    void same_numbers_data() {
        QTest::addColumn<QString>("mesh");
        for (const char* mesh : {"x=2", "x=3", "x=5", "x=8", "x=2,y=2,z=2", "x=2,y=3", "x=4,y=2"})
            QTest::newRow(mesh) << QString(mesh);
    }
    void same_numbers() {
        QFETCH(QString, mesh);
        const std::string text = mesh.toStdString();
        // More: SHARDWRIGHT_RANDOM_GRAPHS=count, from another first seed on.
        const int count = qEnvironmentVariableIntValue("SHARDWRIGHT_RANDOM_GRAPHS");
        const int first = qEnvironmentVariableIntValue("SHARDWRIGHT_FIRST_SEED");
        for (int i = 1; i <= (count > 0 ? count : 60); ++i) {
            const auto seed = static_cast<std::uint64_t>(first + i);
            std::string bad = failure(text, seed, 12);
            if (bad.empty()) continue;
            int ops = 12;  // the smallest number of operations that still fails
            while (ops > 1) {
                const std::string less = failure(text, seed, ops - 1);
                if (less.empty()) break;
                bad = less;
                --ops;
            }
            const std::string where =
                "seed " + std::to_string(seed) + ", " + std::to_string(ops) + " operations\n";
            QFAIL((where + bad.substr(0, 8000)).c_str());
        }
    }
};
SHARDWRIGHT_TEST(RandomGraphsTest, "random_graphs")
#include "random_graphs.moc"
