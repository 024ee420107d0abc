// Names as people see them: cleaned paths and globs.
#include "plan/model.h"
#include "registry.h"

using namespace shardwright;

class Names : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void paths_lose_brackets_and_wrappers_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("cleaned");
        QTest::newRow("maxtext argument")
            << "state.params['params']['decoder']['layers']['mlp']['wi_0']['kernel']"
            << "state/params/params/decoder/layers/mlp/wi_0/kernel";
        QTest::newRow("escaped quotes") << "params[\\'a\\'][\\'b\\']"
                                        << "params/a/b";
        QTest::newRow("jit") << "jit(step)/layer_3/attention/dot_general"
                             << "layer_3/attention/dot_general";
        QTest::newRow("nested wrappers") << "jit(step)/transpose(jvp(layer_3))/mul"
                                         << "layer_3/mul";
        QTest::newRow("checkpoint and loop") << "jit(f)/while/body/checkpoint/layers/add"
                                             << "layers/add";
        QTest::newRow("index") << "opt_state[0].mu['w']"
                               << "opt_state/0/mu/w";
        QTest::newRow("number after a dot stays") << "p0.1"
                                                  << "p0.1";
        QTest::newRow("plain") << "true_length"
                               << "true_length";
        QTest::newRow("empty") << ""
                               << "";
    }
    void paths_lose_brackets_and_wrappers() {
        QFETCH(QString, path);
        QFETCH(QString, cleaned);
        QCOMPARE(QString::fromStdString(plan::clean_path(path.toStdString())), cleaned);
    }

    void globs_match_whole_texts_data() {
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("matches");
        QTest::newRow("star over slashes") << "layer_*/wq"
                                           << "layer_3/attention/wq" << true;
        QTest::newRow("two stars") << "*mlp*kernel"
                                   << "a/mlp/wi/kernel" << true;
        QTest::newRow("question mark") << "layer_?/w"
                                       << "layer_3/w" << true;
        QTest::newRow("one character only") << "layer_?/w"
                                            << "layer_13/w" << false;
        QTest::newRow("not a prefix") << "layer"
                                      << "layer_3" << false;
        QTest::newRow("empty text") << "*"
                                    << "" << true;
        QTest::newRow("backtracking") << "*ab*abc"
                                      << "ababxababc" << true;
    }
    void globs_match_whole_texts() {
        QFETCH(QString, pattern);
        QFETCH(QString, text);
        QTEST(plan::glob_match(pattern.toStdString(), text.toStdString()), "matches");
    }
};
SHARDWRIGHT_TEST(Names, "names")
#include "names.moc"
