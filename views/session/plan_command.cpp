#include "session/plan_command.h"

namespace shardwright::views {

PlanCommand::PlanCommand(Session& session, plan::Plan before, plan::Plan after, const QString& text,
                         const QString& merge_key)
    : QUndoCommand(text),
      session_(session),
      before_(std::move(before)),
      after_(std::move(after)),
      merge_key_(merge_key) {}

void PlanCommand::undo() {
    session_.adopt(before_);
}

void PlanCommand::redo() {
    session_.adopt(after_);
}

bool PlanCommand::mergeWith(const QUndoCommand* other) {
    const auto* next = static_cast<const PlanCommand*>(other);
    if (next->merge_key_ != merge_key_) return false;
    after_ = next->after_;
    setObsolete(before_ == after_);
    return true;
}

}  // namespace shardwright::views
