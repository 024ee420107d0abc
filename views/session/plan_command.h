#pragma once
// One step of undo: the plan before and after.

#include <QUndoCommand>

#include "session/session.h"

namespace shardwright::views {

class PlanCommand : public QUndoCommand {
  public:
    PlanCommand(Session& session, plan::Plan before, plan::Plan after, const QString& text,
                const QString& merge_key);
    void undo() override;
    void redo() override;
    int id() const override { return merge_key_.isEmpty() ? -1 : 1; }
    bool mergeWith(const QUndoCommand* other) override;

  private:
    Session& session_;
    plan::Plan before_, after_;
    QString merge_key_;
};

}  // namespace shardwright::views
