// shardwright-studio: the desktop workbench.
#include <QApplication>
#include <QCommandLineParser>
#include <QIcon>
#include <QTimer>
#include <cstdio>
#include <cstring>

#include "canvas/canvas.h"
#include "draw/layout.h"
#include "theme/theme.h"
#include "window/main_window.h"
#include "window/screenshot.h"

namespace {

using namespace shardwright;

struct Arguments {
    QString model, plan, mesh;
    views::ScreenshotRequest picture;
    bool dark = false;
};

Arguments parse(const QApplication& application) {
    const auto tr = [](const char* text) { return QApplication::translate("main", text); };
    QCommandLineParser parser;
    parser.setApplicationDescription(
        tr("Open a model, drag mesh axes onto its tensors, see what every choice costs."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument("MODEL", tr("the model to open"), "[MODEL]");
    const QCommandLineOption open("open", tr("the model to open"), "MODEL");
    const QCommandLineOption plan("plan", tr("the plan to open with it"), "PLAN");
    const QCommandLineOption mesh("mesh", tr("the mesh, e.g. data=2,model=4"), "AXES");
    const QCommandLineOption shot("screenshot", tr("write a picture and quit (needs no display)"),
                                  "FILE");
    const QCommandLineOption view(
        "view", tr("what to picture: %1").arg(views::MainWindow::viewNames().join(", ")), "NAME",
        "window");
    const QCommandLineOption size("size", tr("size of the picture"), "WxH", "1600x1000");
    const QCommandLineOption select("select", tr("a tensor to select and show"), "NAME");
    const QCommandLineOption groups("open-groups", tr("show all groups open"));
    const QCommandLineOption dark("dark", tr("dark theme"));
    parser.addOptions({open, plan, mesh, shot, view, size, select, groups, dark});
    parser.process(application);
    Arguments out;
    out.model = parser.isSet(open) ? parser.value(open) : parser.positionalArguments().value(0);
    out.plan = parser.value(plan);
    out.mesh = parser.value(mesh);
    out.picture.file = parser.value(shot);
    out.picture.view = parser.value(view);
    out.picture.select = parser.value(select);
    out.picture.open_groups = parser.isSet(groups);
    out.dark = parser.isSet(dark);
    const QStringList parts = parser.value(size).split('x');
    out.picture.size = {parts.value(0).toInt(), parts.value(1).toInt()};
    const bool bad_size = out.picture.size.width() < 100 || out.picture.size.height() < 100;
    if (bad_size || !views::MainWindow::viewNames().contains(out.picture.view)) {
        std::fprintf(stderr, "error: %s, expected %s\n", bad_size ? "--size" : "--view",
                     bad_size ? "a size like 1600x1000"
                              : qPrintable(views::MainWindow::viewNames().join(", ")));
        std::exit(2);
    }
    return out;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 2 && std::strcmp(argv[1], "--layout-worker") == 0)
        return draw::run_layout_worker(0, 1);
    for (int i = 1; i < argc; ++i)
        if (std::strncmp(argv[i], "--screenshot", 12) == 0 &&
            qEnvironmentVariableIsEmpty("DISPLAY") &&
            qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY") &&
            qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
            qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    // The start script asks whether a window could open; without a display Qt has ended above.
    if (argc == 2 && std::strcmp(argv[1], "--check-display") == 0) return 0;
    QApplication::setWindowIcon(
        QIcon(QStringLiteral(SHARDWRIGHT_RESOURCES "/icons/shardwright.svg")));
    QApplication::setApplicationName(QStringLiteral("shardwright"));
    QApplication::setOrganizationName(QStringLiteral("shardwright"));
    QApplication::setApplicationVersion(QStringLiteral(SHARDWRIGHT_VERSION));
    const Arguments arguments = parse(application);
    const bool is_picture = !arguments.picture.file.isEmpty();
    views::applyTheme(application, arguments.dark ? views::Theme::kDark
                                   : is_picture   ? views::Theme::kLight
                                                  : views::preferredTheme());
    views::MainWindow window;
    window.setLayoutProgram(QApplication::applicationFilePath());
    if (!arguments.model.isEmpty())
        window.openModel(arguments.model, arguments.plan, arguments.mesh);
    if (is_picture)  // a platform without a display grumbles about what a picture does not need
        qInstallMessageHandler([](QtMsgType type, const QMessageLogContext&, const QString& text) {
            if (type == QtCriticalMsg || type == QtFatalMsg)
                std::fprintf(stderr, "%s\n", qPrintable(text));
        });
    if (!is_picture) {
        window.restoreArrangement();
        window.show();
        return QApplication::exec();
    }
    window.resize(arguments.picture.size);
    window.show();
    int code = 0;
    views::takeScreenshot(&window, arguments.picture, [&](const QString& error) {
        if (!error.isEmpty()) {
            std::fprintf(stderr, "%s\n", qPrintable(error));
            code = 2;
        }
        QApplication::quit();
    });
    QApplication::exec();
    return code;
}
