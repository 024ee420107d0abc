// What the built models compute: against plain loops, and against each other.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "exec/execute.h"
#include "registry.h"
#include "zoo/zoo.h"

using namespace shardwright;
using exec::Tensor;

namespace {

using Named = std::map<std::string, Tensor>;

ir::Module built(std::string_view kind, const zoo::Options& options) {
    auto module = zoo::build(kind, options);
    if (!module.ok()) qFatal("%s", module.error().text().c_str());
    return *std::move(module);
}

Named random_weights(const ir::Module& m, std::uint64_t seed) {
    const auto inputs = exec::random_inputs(m, 0, seed);
    Named named;
    for (std::size_t i = 0; i < inputs.size(); ++i)
        named.emplace(m.text(m.functions()[0].arguments[i].path), inputs[i]);
    return named;
}

Tensor run(const ir::Module& m, const Named& inputs) {
    std::vector<Tensor> ordered;
    for (const ir::ArgumentInfo& a : m.functions()[0].arguments)
        ordered.push_back(inputs.at(std::string(m.text(a.path))));
    auto outputs = exec::evaluate(m, 0, ordered, {});
    if (!outputs.ok()) qFatal("%s", outputs.error().text().c_str());
    return outputs->values.at(0);
}

double largest_difference(const Tensor& a, const Tensor& b) {
    double worst = a.type == b.type ? 0 : INFINITY;
    for (std::int64_t i = 0; i < a.element_count() && worst < INFINITY; ++i)
        worst = std::max(worst, std::fabs(a.at(i) - b.at(i)));
    return worst;
}

const zoo::Options kSmall = {{"batch", "2"},  {"seq", "5"},     {"model", "16"},     {"heads", "4"},
                             {"vocab", "11"}, {"dtype", "f64"}, {"lookup", "onehot"}};

zoo::Options with(zoo::Options options, zoo::Options more) {
    options.insert(options.end(), more.begin(), more.end());
    return options;
}

}  // namespace

class NumbersTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void an_mlp_is_what_a_loop_computes() {
        const ir::Module m = built("mlp", {{"layers", "2"},
                                           {"batch", "3"},
                                           {"input", "4"},
                                           {"hidden", "5"},
                                           {"output", "2"},
                                           {"dtype", "f64"}});
        const Named in = random_weights(m, 7);
        const Tensor out = run(m, in);
        for (std::int64_t row = 0; row < 3; ++row)
            for (std::int64_t column = 0; column < 2; ++column) {
                double sum = in.at("b2").at(column);
                for (std::int64_t h = 0; h < 5; ++h) {
                    double hidden = in.at("b1").at(h);
                    for (std::int64_t i = 0; i < 4; ++i)
                        hidden += in.at("x").at(row * 4 + i) * in.at("w1").at(i * 5 + h);
                    sum += std::max(hidden, 0.0) * in.at("w2").at(h * 2 + column);
                }
                QVERIFY(std::fabs(sum - out.at(row * 2 + column)) < 1e-12);
            }
    }
    void tokens_see_only_those_before_them_data() {
        QTest::addColumn<QString>("causal");
        QTest::newRow("causal") << "true";
        QTest::newRow("not causal") << "false";
    }
    void tokens_see_only_those_before_them() {
        QFETCH(QString, causal);
        const ir::Module m = built("transformer", with(kSmall, {{"causal", causal.toStdString()}}));
        Named in = random_weights(m, 3);
        const Tensor before = run(m, in);
        // Another last token in each of the two sequences.
        auto* tokens = reinterpret_cast<std::int32_t*>(in.at("tokens").data.data());
        for (const int last : {4, 9}) tokens[last] = (tokens[last] + 1) % 11;
        const Tensor after = run(m, in);
        double earlier = 0, last = 0;
        for (std::int64_t i = 0; i < before.element_count(); ++i) {
            double& worst = (i / 11) % 5 == 4 ? last : earlier;
            worst = std::max(worst, std::fabs(before.at(i) - after.at(i)));
        }
        QVERIFY(last > 1e-3);
        QCOMPARE(earlier > 1e-6, causal == "false");
    }
    void a_scanned_model_equals_the_unrolled_one_data() {
        QTest::addColumn<QString>("positions");
        for (const char* p : {"rotary", "learned", "relative", "none"}) QTest::newRow(p) << p;
    }
    void a_scanned_model_equals_the_unrolled_one() {
        QFETCH(QString, positions);
        const zoo::Options options = with(
            kSmall, {{"positions", positions.toStdString()}, {"kv_heads", "2"}, {"layers", "3"}});
        const ir::Module unrolled = built("transformer", options);
        const ir::Module scanned = built("transformer", with(options, {{"scan", "true"}}));
        const Named in = random_weights(unrolled, 5);
        Named stacked;
        for (const auto& [path, tensor] : in) {
            if (!path.starts_with("layer_")) {
                stacked.emplace(path, tensor);
                continue;
            }
            const std::string rest = path.substr(path.find('/') + 1);
            Tensor& all = stacked["layers/" + rest];
            all.type = tensor.type;
            all.type.dims.insert(all.type.dims.begin(), 3);
            // The map is sorted by path, so that layers come in order.
            all.data.insert(all.data.end(), tensor.data.begin(), tensor.data.end());
        }
        QVERIFY(largest_difference(run(unrolled, in), run(scanned, stacked)) < 1e-12);
    }
    void grouped_heads_equal_repeated_ones() {
        const zoo::Options options = with(kSmall, {{"layers", "1"}});
        const ir::Module grouped = built("transformer", with(options, {{"kv_heads", "2"}}));
        const ir::Module full = built("transformer", options);
        const Named in = random_weights(grouped, 9);
        Named repeated = in;
        for (const char* path : {"layer_0/attention/wk", "layer_0/attention/wv"}) {
            const Tensor& narrow = in.at(path);  // [16, 2, 4] to [16, 4, 4]
            Tensor wide = Tensor::zeros({narrow.type.element, {16, 4, 4}});
            for (std::size_t row = 0; row < 16; ++row)
                for (std::size_t head = 0; head < 4; ++head)
                    std::memcpy(wide.data.data() + (row * 4 + head) * 32,
                                narrow.data.data() + (row * 2 + head / 2) * 32, 32);
            repeated[path] = wide;
        }
        QVERIFY(largest_difference(run(grouped, in), run(full, repeated)) < 1e-12);
    }
    void one_hot_rows_look_up_what_gather_does() {
        const ir::Module gather = built("transformer", with(kSmall, {{"lookup", "gather"}}));
        const ir::Module onehot = built("transformer", with(kSmall, {{"lookup", "onehot"}}));
        const Named in = random_weights(gather, 11);
        // Tokens within the vocabulary: outside it the two differ by definition.
        Named inside = in;
        auto* tokens = reinterpret_cast<std::int32_t*>(inside.at("tokens").data.data());
        for (int i = 0; i < 10; ++i) tokens[i] %= 11;
        QVERIFY(largest_difference(run(gather, inside), run(onehot, inside)) < 1e-12);
    }
    void normalisation_has_unit_size() {
        // With zero layers' worth of change, logits of scaled embeddings do not depend on the
        // scale.
        const ir::Module m = built("transformer", with(kSmall, {{"layers", "1"}}));
        Named in = random_weights(m, 13);
        for (auto& [path, tensor] : in)
            if (path.ends_with("wo") || path.ends_with("w_down"))
                std::fill(tensor.data.begin(), tensor.data.end(), std::byte{0});
        const Tensor before = run(m, in);
        auto* table = reinterpret_cast<double*>(in.at("embedding").data.data());
        for (int i = 0; i < 11 * 16; ++i) table[i] *= 1000;
        const double moved = largest_difference(before, run(m, in));
        QVERIFY2(moved < 1e-3, qPrintable(QString::number(moved)));
    }
};
SHARDWRIGHT_TEST(NumbersTest, "numbers")
#include "numbers.moc"
