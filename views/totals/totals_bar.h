#pragma once
// The totals in one line, each with its difference to the baseline, and a bar of memory per device.

#include <QWidget>

#include "session/session.h"

class QLabel;
class QProgressBar;

namespace shardwright::views {

class TotalsBar : public QWidget {
    Q_OBJECT
  public:
    explicit TotalsBar(Session* session, QWidget* parent = nullptr);

  private:
    void refresh();
    void showFigures();

    Session* session_;
    QLabel *memory_, *time_, *communication_, *conflicts_, *state_;
    QProgressBar* bar_;
};

}  // namespace shardwright::views
