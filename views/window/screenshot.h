#pragma once
// A picture of a view, once everything it shows has been computed. Works without a display.

#include <QSize>
#include <QString>
#include <functional>

namespace shardwright::views {

class MainWindow;

struct ScreenshotRequest {
    QString file, view;
    QSize size{1600, 1000};
    QString select;  ///< name of a tensor to select and bring on the screen
    bool open_groups = false;
};

/// Waits for the model, the scene and the derived state, then writes the picture and calls `done`
/// with an error text ("" = written).
void takeScreenshot(MainWindow* window, const ScreenshotRequest& request,
                    std::function<void(QString)> done);

}  // namespace shardwright::views
