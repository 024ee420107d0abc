// Peers' annotated functions: what their CHECK comments expect, against policy `shardy`.
#include <QDirIterator>
#include <map>
#include <regex>

#include "formats/read_model.h"
#include "propagation/propagate.h"
#include "registry.h"
#include "sharding/text.h"

using namespace shardwright;
using namespace shardwright::ir;

namespace {

/// Open marks, priorities and explicit replication aside: what is placed where.
std::string placement(std::string text) {
    text = std::regex_replace(text, std::regex(R"(, replicated=\{[^}]*\})"), "");
    text = std::regex_replace(text, std::regex(R"((, )?\?)"), "");
    return std::regex_replace(text, std::regex(R"(\}p\d+)"), "}");
}

/// The bodies of all `<@mesh, body>` in `text`.
std::vector<std::string> bodies(const std::string& text) {
    std::vector<std::string> found;
    for (std::size_t at = text.find("<@"); at != std::string::npos; at = text.find("<@", at + 1)) {
        const std::size_t begin = text.find(", ", at);
        const std::size_t end = text.find('>', at);
        if (begin < end && end != std::string::npos)
            found.push_back(placement(text.substr(begin + 2, end - begin - 2)));
    }
    return found;
}

struct Expected {
    std::map<int, std::string> arguments, results;
    struct Line {
        std::string op;
        std::vector<std::string> shardings;
    };
    std::vector<Line> lines;
};

/// CHECK lines, each joined with the CHECK-SAME lines behind it.
std::vector<std::string> check_lines(const std::string& text) {
    std::vector<std::string> lines;
    const std::regex check(R"(// CHECK(-SAME|-NEXT|-LABEL|-NOT)?(\{LITERAL\})?: *(.*))");
    std::stringstream in(text);
    for (std::string line; std::getline(in, line);) {
        std::smatch m;
        if (!std::regex_search(line, m, check) || m[1] == "-NOT") continue;
        if (m[1] == "-SAME" && !lines.empty())
            lines.back() += " " + m[3].str();
        else
            lines.push_back(m[3]);
    }
    return lines;
}

/// Splits at commas outside of brackets.
std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> parts(1);
    int depth = 0;
    for (char c : text) {
        if (std::string("<[{(").find(c) != std::string::npos) ++depth;
        if (std::string(">]})").find(c) != std::string::npos) --depth;
        if (c == ',' && depth == 0)
            parts.emplace_back();
        else
            parts.back() += c;
    }
    return parts;
}

void expect_signature(const std::string& line, Expected& expected) {
    const std::size_t arrow = line.find("->");
    const std::regex argument(R"(%arg(\d+):[^%]*)");
    const std::string head = line.substr(0, arrow);
    for (std::sregex_iterator it(head.begin(), head.end(), argument), end; it != end; ++it)
        if (const auto found = bodies(it->str()); !found.empty())
            expected.arguments[std::stoi((*it)[1])] = found[0];
    if (arrow == std::string::npos) return;
    std::string tail = line.substr(arrow + 2);
    if (const auto open = tail.find('('); open != std::string::npos) tail = tail.substr(open + 1);
    int number = 0;
    for (const std::string& result : split(tail)) {
        if (const auto found = bodies(result); !found.empty()) expected.results[number] = found[0];
        ++number;
    }
}

Expected read_expected(const std::string& text) {
    Expected expected;
    const std::regex op(R"((stablehlo|sdy)\.(?:func_)?([a-z_]+))");
    for (const std::string& line : check_lines(text)) {
        std::smatch m;
        if (line.find("func ") == 0) {
            expect_signature(line, expected);
        } else if (const auto at = line.find("sharding_per_value"); at != std::string::npos) {
            std::string name = "case";  // `}) {sdy.sharding…` stands behind the branches
            if (line[0] != '}' && std::regex_search(line, m, op)) name = m[2];
            expected.lines.push_back({name, bodies(line.substr(at))});
        } else if (const auto out = line.find("out_shardings"); out != std::string::npos) {
            expected.lines.push_back({"manual_computation", bodies(line.substr(out))});
        }
    }
    return expected;
}

/// The mesh that the annotations speak of.
sharding::MeshId mesh_of(const Module& m) {
    std::vector<ValueId> values;
    for (const auto& [value, s] : m.annotations()) values.push_back(value);
    std::sort(values.begin(), values.end());
    std::vector<const sharding::Sharding*> all;
    for (const ValueId v : values) all.push_back(m.annotation(v));
    for (const Function& f : m.functions())
        for (const ResultInfo& r : f.results)
            if (r.annotation) all.push_back(&*r.annotation);
    for (std::size_t i = 0; i < m.op_count(); ++i) {
        if (const auto* a = m.attributes_if<ShardingAttributes>(OpId(i)))
            all.push_back(&a->sharding);
        if (const auto* a = m.attributes_if<ManualAttributes>(OpId(i)))
            for (const auto& s : a->in) all.push_back(&s);
    }
    for (const sharding::Sharding* s : all)
        if (m.mesh(s->mesh).rank() > 0) return s->mesh;
    return sharding::MeshId(0);
}

/// What differs; empty when all is as expected.
std::string difference(const Module& m, const Expected& expected) {
    propagation::Options options;
    options.policy = propagation::Policy::kShardy;
    const rules::RuleTable rules(m);
    const auto result = propagation::propagate(m, rules, mesh_of(m), options);
    const auto text = [&](const sharding::Sharding& s) {
        return placement(sharding::print_sdy_body(s, m.mesh(s.mesh)));
    };
    std::string wrong;
    const auto compare = [&](const std::string& what, const std::string& got,
                             const std::string& want) {
        if (got != want) wrong += "\n    " + what + ": " + got + " instead of " + want;
    };
    const Function& f = m.entry();
    for (const auto& [i, want] : expected.arguments)
        compare("argument " + std::to_string(i),
                text(result.of(m.argument(f.body, std::size_t(i)))), want);
    for (const auto& [i, want] : expected.results)
        compare("result " + std::to_string(i),
                text(result.pool[result.of_result[0][std::size_t(i)]]), want);
    std::map<std::string, std::size_t> next;
    for (const Expected::Line& line : expected.lines) {
        std::string seen;
        bool found = false;
        for (std::size_t& i = next[line.op]; i < m.op_count() && !found; ++i) {
            if (ir::name(m.op(OpId(i)).kind) != line.op) continue;
            std::vector<std::string> got;
            for (std::size_t r = 0; r < m.op(OpId(i)).result_count; ++r)
                got.push_back(text(result.of(m.result(OpId(i), r))));
            // A sharding on an operation without results says where it runs, not what is placed.
            found = got == line.shardings || m.op(OpId(i)).result_count == 0;
            for (const std::string& s : got) seen += " " + s;
        }
        std::string want;
        for (const std::string& s : line.shardings) want += " " + s;
        if (!found) compare(line.op, seen, want);
    }
    return wrong;
}

}  // namespace

class ShardyCasesTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void completed_shardings_are_those_expected() {
        const std::string folder = test::cases_folder();
        if (folder.empty()) QSKIP("0 functions: the folder of cases is absent");
        int functions = 0, matched = 0;
        QDirIterator files(QString::fromStdString(folder + "/shardy"), {"*.mlir"}, QDir::Files);
        QStringList paths;
        while (files.hasNext()) paths << files.next();
        paths.sort();
        for (const QString& path : paths) {
            const QString whole = QString::fromStdString(test::read_text(path.toStdString()));
            for (const QString& chunk : whole.split("// -----")) {
                ++functions;
                const std::string text = chunk.toStdString();
                const auto name = QRegularExpression("@(\\w+)\\(").match(chunk).captured(1);
                const auto read = formats::read_model_text(text, path.toStdString());
                if (!read.ok()) {
                    qInfo("%s: %s", qPrintable(name), read.error().text().c_str());
                    continue;
                }
                const std::string wrong = difference(read->modules[0], read_expected(text));
                if (wrong.empty())
                    ++matched;
                else
                    qInfo("%s %s:%s", qPrintable(QFileInfo(path).baseName()), qPrintable(name),
                          wrong.c_str());
            }
        }
        qInfo("%d of %d functions match", matched, functions);
        QVERIFY(matched >= 42);
    }
};
SHARDWRIGHT_TEST(ShardyCasesTest, "shardy_cases")
#include "shardy_cases.moc"
