#pragma once
// The help pages of resources/help, with links between them.

#include <QDialog>

namespace shardwright::views {

class HelpWindow : public QDialog {
    Q_OBJECT
  public:
    explicit HelpWindow(QWidget* parent = nullptr);
};

}  // namespace shardwright::views
