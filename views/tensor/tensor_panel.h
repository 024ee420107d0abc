#pragma once
// The inspector: everything about the selected tensor, and why it is sharded so.

#include <QWidget>

#include "session/session.h"

class QFormLayout;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace shardwright::views {

class PillEditor;

class TensorPanel : public QWidget {
    Q_OBJECT
  public:
    explicit TensorPanel(Session* session, QWidget* parent = nullptr);

  private:
    void refresh();
    void addForm(QFormLayout* form, const QString& title, const QString& term, QLineEdit*& field);

    Session* session_;
    QLabel *title_, *shape_, *bytes_, *origin_, *rule_;
    PillEditor* editor_;
    QLineEdit *short_, *sdy_, *hlo_, *spec_;
    QListWidget *why_, *neighbours_;
    QPushButton* pin_;
    QWidget* content_;
    QLabel* empty_;
};

}  // namespace shardwright::views
