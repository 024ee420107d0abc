#include "window/screenshot.h"

#include <QBuffer>
#include <QFileInfo>
#include <QPixmap>
#include <QTimer>
#include <memory>

#include "base/atomic_file.h"
#include "canvas/canvas.h"
#include "window/main_window.h"

namespace shardwright::views {
namespace {

class Photographer : public QObject {
  public:
    Photographer(MainWindow* window, ScreenshotRequest request, std::function<void(QString)> done)
        : QObject(window), window_(window), request_(std::move(request)), done_(std::move(done)) {
        connect(window_->session(), &Session::openFailed, this,
                [this](const QString& message) { finish(message); });
        connect(&poll_, &QTimer::timeout, this, &Photographer::look);
        poll_.start(20);
    }

  private:
    void look() {
        Session* session = window_->session();
        const bool is_start = !session->model() && !session->isOpening();
        const bool settled = session->model() && !session->isBusy() && !session->isOpening() &&
                             window_->canvas()->scene() != nullptr;
        if (!settled && !is_start) {
            settled_looks_ = 0;
            return;
        }
        if (session->model() && !prepared_) {
            prepared_ = true;
            prepare();
            settled_looks_ = 0;
            return;
        }
        if (++settled_looks_ < 12) return;  // layouts of docks and scenes arrive by events
        QWidget* view = window_->viewNamed(request_.view);
        if (view == nullptr) {
            finish(QObject::tr("no view is called '%1'; there are: %2")
                       .arg(request_.view, MainWindow::viewNames().join(QStringLiteral(", "))));
            return;
        }
        finish(write(view->grab()));
    }

    /// As every other output: whole or not at all. Empty when all is well.
    QString write(const QPixmap& picture) const {
        QByteArray bytes;
        QBuffer buffer(&bytes);
        // The format is the name's, PNG for a name without one (/dev/stdout).
        const QByteArray format = QFileInfo(request_.file).suffix().toLatin1();
        if (!picture.save(&buffer, format.isEmpty() ? "PNG" : format.constData()))
            return QObject::tr("cannot write '%1' as a picture").arg(request_.file);
        const Status status = write_file_atomically(
            request_.file.toStdString(), std::string_view(bytes.constData(), bytes.size()));
        return status.ok() ? QString() : QString::fromStdString(status.error().text());
    }

    void prepare() {
        if (request_.open_groups) window_->canvas()->openAll(true);
        if (request_.select.isEmpty()) return;
        const auto found = window_->session()->model()->find(request_.select.toStdString());
        if (!found.empty()) window_->session()->goTo(found.front());
    }

    void finish(const QString& error) {
        poll_.stop();
        if (auto done = std::move(done_)) done(error);
        done_ = nullptr;
    }

    MainWindow* window_;
    ScreenshotRequest request_;
    std::function<void(QString)> done_;
    QTimer poll_;
    int settled_looks_ = 0;
    bool prepared_ = false;
};

}  // namespace

void takeScreenshot(MainWindow* window, const ScreenshotRequest& request,
                    std::function<void(QString)> done) {
    window->resize(request.size);
    new Photographer(window, request, std::move(done));
}

}  // namespace shardwright::views
