// Bad text: the place and the words of each message, and no crash on damaged files.
#include <QDir>
#include <random>

#include "formats/read_model.h"
#include "registry.h"

using namespace shardwright;

namespace {

Result<std::vector<ir::Module>> read(const std::string& text) {
    return formats::read_mlir(text, "m.mlir", {});
}

/// A function around one line, which then is line 2.
std::string body(const std::string& line) {
    return "func.func @main(%a: tensor<2x3xf32>, %i: tensor<i32>) -> tensor<2x3xf32> {\n" + line +
           "\n  return %a : tensor<2x3xf32>\n}\n";
}

}  // namespace

class MlirMalformed : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void messages_name_place_and_expectation_data() {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<std::string>("message");
        const auto row = [](const char* name, const std::string& text, const std::string& message) {
            QTest::newRow(name) << text << message;
        };
        row("nothing", "", "m.mlir:1:1: error: no function in this text, expected func.func");
        row("unknown operation", body("  %0 = stablehlo.frobnicate %a : tensor<2x3xf32>"),
            "m.mlir:2:8: error: unknown operation 'stablehlo.frobnicate', expected an operation of "
            "StableHLO, MHLO, CHLO, Shardy or func");
        row("undefined value", body("  %0 = stablehlo.abs %b : tensor<2x3xf32>"),
            "m.mlir:2:22: error: value '%b' is not defined, expected a value defined above in this "
            "function");
        row("defined twice", body("  %a = stablehlo.abs %a : tensor<2x3xf32>"),
            "m.mlir:2:3: error: value '%a' is defined twice, expected a new name");
        row("no such result", body("  %0 = stablehlo.abs %a#1 : tensor<2x3xf32>"),
            "m.mlir:2:24: error: '%a' has no result 1, expected a number below 1");
        row("operand type", body("  %0 = stablehlo.abs %a : (tensor<3xf32>) -> tensor<2x3xf32>"),
            "m.mlir:2:28: error: operand 0 is stated as tensor<3xf32>, expected tensor<2x3xf32>, "
            "its "
            "type");
        row("missing colon", body("  %0 = stablehlo.abs %a tensor<2x3xf32>"),
            "m.mlir:2:25: error: found 'tensor', expected ':'");
        row("unclosed tensor", "func.func @f(%a: tensor<2x",
            "m.mlir:1:27: error: unknown element type '', "
            "expected an element type such as f32, bf16, i32, ui8, i1 or complex<f32>");
        row("element type", body("  %0 = stablehlo.iota dim = 0 : tensor<4xf33>"),
            "m.mlir:2:42: error: unknown element type 'f33', expected an element type such as f32, "
            "bf16, i32, ui8, i1 or complex<f32>");
        row("dynamic dim", "func.func @f(%a: tensor<?x3xf32>) { return }",
            "m.mlir:1:25: error: not supported: dynamic dimension");
        row("quantised", "func.func @f(%a: tensor<3x!quant.uniform<i8:f32, 0.1>>) { return }",
            "m.mlir:1:27: error: not supported: quantised type");
        row("unfinished string", body("  %0 = stablehlo.custom_call @f(%a) {a = \"x} : () -> ()"),
            "m.mlir:2:42: error: found unfinished string, expected an attribute");
        row("list too short", body("  %0 = stablehlo.constant dense<[1, 2]> : tensor<3xi32>"),
            "m.mlir:2:38: error: list of 2 values, expected 3 values for tensor<3xi32>");
        row("value out of range", body("  %0 = stablehlo.constant dense<300> : tensor<i8>"),
            "m.mlir:2:33: error: value out of range, expected one that fits i8");
        row("blob size", body("  %0 = stablehlo.constant dense<\"0x000000\"> : tensor<2xi32>"),
            "m.mlir:2:33: error: hex blob of 3 bytes, expected 8 bytes for tensor<2xi32>");
        row("no return", "func.func @f(%a: tensor<f32>) {\n}",
            "m.mlir:1:31: error: block without a return, expected a return at its end");
        row("unfinished function", "func.func @f(%a: tensor<f32>) {\n  return",
            "m.mlir:2:9: error: found end of text, expected '}'");
        row("result count", body("  %0:2 = stablehlo.abs %a : tensor<2x3xf32>"),
            "m.mlir:2:3: error: 2 results are named and the operation has 1, expected a name for "
            "each result");
        row("unknown callee", body("  %0 = call @f(%a) : (tensor<2x3xf32>) -> tensor<2x3xf32>"),
            "m.mlir:2:8: error: call of unknown function '@f', expected a function of this module");
        row("recursion",
            "func.func @f(%a: tensor<f32>) -> tensor<f32> {\n  %0 = call @f(%a) : (tensor<f32>) -> "
            "tensor<f32>\n  return %0 : tensor<f32>\n}",
            "m.mlir:1:11: error: function '@f' calls itself, expected calls without recursion");
        row("inferred type",
            body("  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> "
                 "tensor<2x3xf32>"),
            "m.mlir:2:8: error: result 0 of transpose is stated as tensor<2x3xf32>, expected "
            "tensor<3x2xf32>");
        row("mesh", body("  %0 = sdy.reshard %a <@m, [{}, {}]> : tensor<2x3xf32>"),
            "m.mlir:2:23: error: unknown mesh '@m', expected an sdy.mesh of that name");
        row("two modules", "module {\n}\nmodule {\n}",
            "m.mlir:3:1: error: a second module in one piece of text, expected modules to be "
            "separated by a line '// -----'");
        row("dynamic operation",
            body("  %0 = stablehlo.dynamic_iota %i, dim = 0 : (tensor<i32>) -> tensor<4xf32>"),
            "m.mlir:2:8: error: not supported: dynamic shapes (dynamic_iota)");
        row("stray byte", "func.func @f() {\n  \x01\n}",
            "m.mlir:2:3: error: found byte 0x01, expected an operation");
    }
    void messages_name_place_and_expectation() {
        QFETCH(std::string, text);
        QFETCH(std::string, message);
        const auto result = read(text);
        QVERIFY(!result.ok());
        QCOMPARE(QString::fromStdString(result.error().text()), QString::fromStdString(message));
    }

    void nesting_is_bounded_data() {
        QTest::addColumn<std::string>("open");
        QTest::newRow("types") << std::string("(");
        QTest::newRow("attributes") << std::string("[");
        QTest::newRow("dictionaries") << std::string("{a = ");
        QTest::newRow("strings of brackets") << std::string("<");
    }
    void nesting_is_bounded() {
        QFETCH(std::string, open);
        std::string text = "module attributes {a = ";
        for (int i = 0; i < 200'000; ++i) text += open;
        QVERIFY(!read(text).ok());
        std::string regions = "func.func @f() {\n";
        for (int i = 0; i < 5000; ++i) regions += "\"stablehlo.if\"() ({\n";
        QVERIFY(!read(regions).ok());
    }

    void long_call_chains_are_refused_by_name() {
        std::string text =
            "func.func @main(%a: tensor<f32>) -> tensor<f32> {\n  %0 = call @f0(%a) : "
            "(tensor<f32>) -> tensor<f32>\n  return %0 : tensor<f32>\n}\n";
        constexpr int kChain = 5000;
        for (int i = 0; i < kChain; ++i) {
            text +=
                "func.func private @f" + std::to_string(i) + "(%a: tensor<f32>) -> tensor<f32> {\n";
            if (i + 1 < kChain)
                text += "  %0 = call @f" + std::to_string(i + 1) +
                        "(%a) : (tensor<f32>) -> tensor<f32>\n";
            text += i + 1 < kChain ? "  return %0 : tensor<f32>\n}\n"
                                   : "  return %a : tensor<f32>\n}\n";
        }
        const auto result = read(text);
        QVERIFY(!result.ok());
        QCOMPARE(result.error().exit_code(), 3);
    }

    void inlined_size_is_counted_before_inlining() {
        // Each function calls the next twice: 2^40 operations when inlined.
        std::string text;
        for (int i = 0; i < 40; ++i) {
            const std::string next = "@f" + std::to_string(i + 1);
            const std::string call = " = call " + next + "(%a) : (tensor<f32>) -> tensor<f32>\n";
            text += "func.func private @f" + std::to_string(i) +
                    "(%a: tensor<f32>) -> tensor<f32> {\n  %0" + call + "  %1" + call +
                    "  return %0 : tensor<f32>\n}\n";
        }
        text +=
            "func.func private @f40(%a: tensor<f32>) -> tensor<f32> {\n  return %a : "
            "tensor<f32>\n}\n";
        const auto result = read(text);
        QVERIFY(!result.ok());
        QCOMPARE(result.error().exit_code(), 3);
        QVERIFY2(result.error().what.find("inlining the calls of '@f") != std::string::npos,
                 result.error().what.c_str());
    }

    void cut_off_files_give_a_message() {
        if (test::cases_folder().empty()) QSKIP("cases are absent: 0 files read");
        int cuts = 0;
        for (const char* folder : {"real", "shardy"}) {
            const QDir dir(QString::fromStdString(test::cases_folder()) + "/" + folder);
            for (const QString& name : dir.entryList({"*.mlir"}, QDir::Files, QDir::Name)) {
                const std::string text = test::read_text(dir.filePath(name).toStdString());
                const std::size_t step = std::max<std::size_t>(1, text.size() / 60);
                for (std::size_t n = step / 2; n < text.size(); n += step, ++cuts) {
                    const auto result = read(text.substr(0, n));
                    if (!result.ok()) QVERIFY(!result.error().what.empty());
                }
            }
        }
        QVERIFY(cuts > 500);
    }

    void damaged_files_do_not_crash() {
        if (test::cases_folder().empty()) QSKIP("cases are absent: 0 files read");
        std::mt19937 random(12345);
        const std::string alphabet = "()[]{}<>:,=%@#!\"0x-1 9?*\n\\az";
        int refused = 0, tried = 0;
        for (const char* folder : {"real", "shardy", "stablehlo"}) {
            const QDir dir(QString::fromStdString(test::cases_folder()) + "/" + folder);
            int taken = 0;
            for (const QString& name : dir.entryList({"*.mlir"}, QDir::Files, QDir::Name)) {
                const std::string text = test::read_text(dir.filePath(name).toStdString());
                if (text.size() > 30'000 || (taken++ % 8 != 0 && folder[1] == 't')) continue;
                for (int round = 0; round < 25; ++round, ++tried) {
                    std::string damaged = text;
                    const int edits = 1 + static_cast<int>(random() % 4);
                    for (int e = 0; e < edits && !damaged.empty(); ++e) {
                        const std::size_t at = random() % damaged.size();
                        switch (random() % 4) {
                            case 0:
                                damaged[at] = alphabet[random() % alphabet.size()];
                                break;
                            case 1:
                                damaged.erase(at, 1 + random() % 40);
                                break;
                            case 2:
                                damaged.insert(at, 1, static_cast<char>(random() % 256));
                                break;
                            default:
                                damaged.insert(
                                    at, text.substr(random() % text.size(), 1 + random() % 60));
                        }
                    }
                    if (!read(damaged).ok()) ++refused;
                }
            }
        }
        qInfo("%d damaged texts, %d refused", tried, refused);
        QVERIFY(tried > 300 && refused > tried / 4);
    }
};
SHARDWRIGHT_TEST(MlirMalformed, "mlir_malformed")
#include "mlir_malformed.moc"
