#pragma once
// What the window shows before a model is open: samples, recent files, how to get a model out.

#include <QWidget>

class QListWidget;

namespace shardwright::views {

class StartPage : public QWidget {
    Q_OBJECT
  public:
    explicit StartPage(QWidget* parent = nullptr);
    /// Reads the recent files anew.
    void refresh();
    /// Remembers a file that was opened.
    static void remember(const QString& path);
    static QStringList recent();

  Q_SIGNALS:
    void openRequested(const QString& path, const QString& plan);
    void openDialogRequested();

  private:
    void fillSamples();

    QListWidget *samples_, *recent_;
};

}  // namespace shardwright::views
