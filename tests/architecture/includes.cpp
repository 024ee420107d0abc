// Keeps the layers: who may include whom (design/00), read from the #include lines themselves.
#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <map>
#include <set>

#include "registry.h"

class Includes : public QObject {
    Q_OBJECT

    using Layers = std::map<QString, std::set<QString>>;

    /// Direct neighbours below; what those may include is allowed too.
    static Layers direct() {
        return {
            {"base", {}},
            {"mesh", {"base"}},
            {"sharding", {"mesh"}},
            {"ir", {"sharding"}},
            {"rules", {"ir"}},
            {"propagation", {"rules"}},
            {"cost/model", {"ir"}},
            {"partition", {"propagation", "cost/model"}},
            {"cost/schedule", {"partition"}},
            {"search", {"cost/schedule"}},
            {"exec", {"ir"}},
            {"zoo", {"ir"}},
            {"formats", {"ir"}},
            {"draw", {"ir"}},
            {"plan", {"search", "exec", "zoo", "formats"}},
            {"export", {"plan", "draw"}},
            {"app/cli", {"export"}},
            {"views", {"plan", "draw"}},
            {"app/studio", {"views", "export"}},
        };
    }

    static Layers closed() {
        Layers layers = direct();
        for (bool grown = true; grown;) {
            grown = false;
            for (auto& [folder, below] : layers)
                for (const QString& b : std::set<QString>(below))
                    for (const QString& deeper : layers.at(b)) grown |= below.insert(deeper).second;
        }
        return layers;
    }

    static QString folder_of(const QString& path) {
        const QStringList parts = path.split('/');
        if (parts.size() >= 2 && (parts[0] == "cost" || parts[0] == "app"))
            return parts[0] + "/" + parts[1];
        return parts[0];
    }

    /// Every include of a file of ours: (file, its folder, included path).
    struct Include {
        QString file, folder, included;
    };
    static std::vector<Include> all_includes() {
        const QString root = QStringLiteral(SHARDWRIGHT_SOURCE_DIR);
        static const QRegularExpression line("^\\s*#include\\s+[\"<]([^\">]+)[\">]");
        std::vector<Include> found;
        for (const QString top : {"core", "views", "app"}) {
            QDirIterator it(root + "/" + top, {"*.h", "*.cpp"}, QDir::Files,
                            QDirIterator::Subdirectories);
            while (it.hasNext()) {
                QFile file(it.next());
                if (!file.open(QIODevice::ReadOnly)) continue;
                QString relative = file.fileName().mid(root.size() + 1);
                QString folder =
                    top == QStringLiteral("views")
                        ? QStringLiteral("views")
                        : folder_of(top == QStringLiteral("core") ? relative.mid(5) : relative);
                while (!file.atEnd()) {
                    const auto match = line.match(QString::fromUtf8(file.readLine()));
                    if (match.hasMatch()) found.push_back({relative, folder, match.captured(1)});
                }
            }
        }
        return found;
    }

  private Q_SLOTS:
    void lower_folders_never_include_higher_ones() {
        const Layers allowed = closed();
        int seen = 0;
        for (const Include& i : all_includes()) {
            const QString target = folder_of(i.included);
            if (!allowed.contains(target) || !i.included.contains('/')) continue;
            if (!QFile::exists(QStringLiteral(SHARDWRIGHT_SOURCE_DIR "/core/") + i.included))
                continue;
            ++seen;
            QVERIFY2(allowed.contains(i.folder), qPrintable("unknown folder: " + i.file));
            QVERIFY2(target == i.folder || allowed.at(i.folder).contains(target),
                     qPrintable(i.file + " includes " + i.included));
        }
        QVERIFY(seen > 50);
    }

    void the_core_has_no_qt() {
        for (const Include& i : all_includes())
            if (i.file.startsWith("core/") || i.file.startsWith("app/cli/"))
                QVERIFY2(!i.included.startsWith('Q') && !i.included.startsWith("Qt"),
                         qPrintable(i.file + " includes " + i.included));
    }

    void views_reach_the_core_through_plan_and_draw_alone() {
        for (const Include& i : all_includes()) {
            if (i.folder != "views") continue;
            if (!QFile::exists(QStringLiteral(SHARDWRIGHT_SOURCE_DIR "/core/") + i.included))
                continue;
            const QString target = folder_of(i.included);
            QVERIFY2(target == "plan" || target == "draw" || target == "base",
                     qPrintable(i.file + " includes " + i.included));
        }
    }

    void no_source_file_is_longer_than_500_lines() {
        const QString root = QStringLiteral(SHARDWRIGHT_SOURCE_DIR);
        for (const QString top : {"core", "views", "app", "tests"}) {
            QDirIterator it(root + "/" + top, {"*.h", "*.cpp"}, QDir::Files,
                            QDirIterator::Subdirectories);
            while (it.hasNext()) {
                QFile file(it.next());
                QVERIFY(file.open(QIODevice::ReadOnly));
                const auto lines = file.readAll().count('\n');
                QVERIFY2(
                    lines <= 500,
                    qPrintable(QStringLiteral("%1: %2 lines").arg(file.fileName()).arg(lines)));
            }
        }
    }
};
SHARDWRIGHT_TEST(Includes, "includes")
#include "includes.moc"
