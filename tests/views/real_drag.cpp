// A drag with a real mouse: needs an X server (xvfb-run) and its XTEST extension; the `offscreen`
// platform delivers no drags. Skipped everywhere else.
#include <QApplication>
#include <QLibrary>
#include <thread>

#include "canvas/canvas.h"
#include "mesh/axis_chip.h"
#include "registry.h"
#include "two_layers.h"
#include "window/main_window.h"

using namespace shardwright;
using namespace shardwright::views;

namespace {

/// A second connection to the X server that moves the pointer and presses its button.
class RobotMouse {
  public:
    RobotMouse() : x11_("X11", 6), xtst_("Xtst", 6) {
        open_ = reinterpret_cast<Open>(x11_.resolve("XOpenDisplay"));
        flush_ = reinterpret_cast<Flush>(x11_.resolve("XFlush"));
        close_ = reinterpret_cast<Flush>(x11_.resolve("XCloseDisplay"));
        motion_ = reinterpret_cast<Motion>(xtst_.resolve("XTestFakeMotionEvent"));
        button_ = reinterpret_cast<Button>(xtst_.resolve("XTestFakeButtonEvent"));
        if (open_ != nullptr && flush_ != nullptr && motion_ != nullptr && button_ != nullptr)
            display_ = open_(nullptr);
    }
    ~RobotMouse() {
        if (display_ != nullptr && close_ != nullptr) close_(display_);
    }
    bool works() const { return display_ != nullptr; }
    void move(QPoint p) {
        motion_(display_, -1, p.x(), p.y(), 0);
        flush_(display_);
        std::this_thread::sleep_for(std::chrono::milliseconds(25));
    }
    void press(bool down) {
        button_(display_, 1, down ? 1 : 0, 0);
        flush_(display_);
        std::this_thread::sleep_for(std::chrono::milliseconds(60));
    }
    void drag(QPoint from, QPoint to) {
        move(from);
        press(true);
        constexpr int kSteps = 24;
        for (int i = 1; i <= kSteps; ++i) move(from + (to - from) * i / kSteps);
        move(to + QPoint(1, 0));
        std::this_thread::sleep_for(std::chrono::milliseconds(150));
        press(false);
    }

  private:
    using Open = void* (*)(const char*);
    using Flush = int (*)(void*);
    using Motion = int (*)(void*, int, int, int, unsigned long);
    using Button = int (*)(void*, unsigned, int, unsigned long);
    QLibrary x11_, xtst_;
    Open open_ = nullptr;
    Flush flush_ = nullptr, close_ = nullptr;
    Motion motion_ = nullptr;
    Button button_ = nullptr;
    void* display_ = nullptr;
};

}  // namespace

class RealDragTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void a_chip_dragged_with_the_mouse_shards_the_graph() {
        if (QGuiApplication::platformName() != QLatin1String("xcb"))
            QSKIP("1 skipped: needs xvfb-run and the xcb platform");
        RobotMouse mouse;
        if (!mouse.works()) QSKIP("1 skipped: needs libXtst");
        QStandardPaths::setTestModeEnabled(true);
        test::TwoLayers names;
        MainWindow window;
        window.setGeometry(0, 0, 1200, 760);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        Session& session = *window.session();
        session.setModel(test::two_layers(names), test::plan_on("data=2,model=4"));
        const auto settled = [&] {
            return session.derived() && !session.isBusy() && window.canvas()->scene();
        };
        QTRY_VERIFY_WITH_TIMEOUT(settled(), 20000);
        window.canvas()->reveal(names.input);
        QTRY_VERIFY(window.canvas()->cellRect(names.input, 0).has_value());
        auto* chip = window.findChild<AxisChip*>("chip_data");
        QVERIFY(chip != nullptr);
        QTest::qWait(200);
        const QPoint from = chip->mapToGlobal(chip->rect().center());
        const QPoint to = window.canvas()->mapToGlobal(
            window.canvas()->cellRect(names.input, 0)->center().toPoint());
        std::thread hand([&] { mouse.drag(from, to); });
        const bool done = QTest::qWaitFor(
            [&] {
                return settled() &&
                       session.derived()->shardings.of(names.activation).shards(0) == 2;
            },
            10000);
        hand.join();
        QVERIFY(done);
        QCOMPARE(session.undoStack()->index(), 1);
        QTest::keyClick(&window, Qt::Key_Z, Qt::ControlModifier);
        QTRY_VERIFY(settled() && session.derived()->shardings.of(names.activation).shards(0) == 1);
    }
};
SHARDWRIGHT_TEST(RealDragTest, "real_drag")
#include "real_drag.moc"
