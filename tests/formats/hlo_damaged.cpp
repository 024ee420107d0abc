// Damaged HLO text: whatever the bytes, the reader answers with a module or a diagnostic.
#include <random>

#include "formats/read_model.h"
#include "registry.h"

using namespace shardwright;

namespace {

/// A small module with one of everything that the syntax has.
std::string sample() {
    return test::read_text(std::string(SHARDWRIGHT_SOURCE_DIR) + "/tests/formats/data/sample.hlo");
}

}  // namespace

class HloDamaged : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void the_sample_itself_loads() {
        QVERIFY(!sample().empty());
        const Result<ir::Module> m = formats::read_hlo(sample(), "sample.hlo", {});
        if (!m.ok()) QFAIL(m.error().text().c_str());
        QCOMPARE(m->entry().results.size(), std::size_t(2));
    }
    void truncated_anywhere() {
        const std::string text = sample();
        int refused = 0;
        for (std::size_t n = 0; n < text.size(); ++n)
            refused += !formats::read_hlo(std::string_view(text).substr(0, n), "cut.hlo", {}).ok();
        // Only the cut of the last line end leaves a whole module.
        QVERIFY2(refused >= static_cast<int>(text.size()) - 2,
                 qPrintable(QString::number(refused)));
    }
    void bytes_changed_at_random() {
        const std::string whole = sample();
        const std::string alphabet = "{}()[]<>,=:%\"'\\/*-+.?0123456789aefxTnul \n\t\0\xff";
        std::mt19937 random(20260401);
        int refused = 0;
        for (int round = 0; round < 6000; ++round) {
            std::string text = whole;
            for (int n = static_cast<int>(random() % 4); n >= 0; --n) {
                const std::size_t at = random() % text.size();
                switch (random() % 4) {
                    case 0:
                        text[at] = alphabet[random() % alphabet.size()];
                        break;
                    case 1:
                        text.erase(at, 1 + random() % 12);
                        break;
                    case 2:
                        text.insert(at, 1, alphabet[random() % alphabet.size()]);
                        break;
                    default: {
                        const std::size_t from = random() % text.size();
                        text.insert(at, text.substr(from, random() % 40));
                    }
                }
            }
            const Result<ir::Module> m = formats::read_hlo(text, "fuzz.hlo", {});
            if (m.ok()) continue;
            ++refused;
            QVERIFY(m.error().exit_code() == 2 || m.error().exit_code() == 3);
            QVERIFY(!m.error().what.empty());
        }
        QVERIFY(refused > 1000);
    }
    void deep_nesting_is_refused() {
        std::string text = "HloModule m\nENTRY e {\n  a = ";
        text += std::string(100000, '(');
        QVERIFY(!formats::read_hlo(text, "deep.hlo", {}).ok());
        QVERIFY(
            !formats::read_hlo("HloModule m, x=" + std::string(100000, '{'), "deep.hlo", {}).ok());
    }
};
SHARDWRIGHT_TEST(HloDamaged, "hlo_damaged")
#include "hlo_damaged.moc"
