#pragma once
// The open document: model, plan, what follows from them, selection, undo. Every view holds a
// pointer to the one session; an edit goes in here and comes back as `derivedChanged`.

#include <QObject>
#include <QString>
#include <QThreadPool>
#include <QUndoStack>
#include <optional>

#include "plan/describe.h"
#include "plan/edit.h"
#include "session/deriver.h"

namespace shardwright::views {

/// What is selected: a tensor, perhaps one of its dimensions.
struct Selection {
    ir::ValueId value;
    int dim = -1;
    friend bool operator==(const Selection&, const Selection&) = default;
};

class Session : public QObject {
    Q_OBJECT
  public:
    explicit Session(QObject* parent = nullptr);
    ~Session() override;

    // --- document
    // ----------------------------------------------------------------------------------
    /// Reads a model (and a plan for it) beside the interface; ends in modelOpened or openFailed.
    void openModel(const QString& path, const QString& plan_path = {}, const QString& mesh = {});
    /// Takes a model that is in memory already.
    void setModel(ModelPtr model, plan::Plan plan = {});
    bool openPlan(const QString& path, QString* error);
    bool savePlan(const QString& path, QString* error);
    QString planPath() const { return plan_path_; }
    QString modelPath() const;
    bool isOpening() const { return opening_ > 0; }

    ModelPtr model() const { return model_; }
    const plan::Plan& plan() const { return plan_; }
    /// The newest derived state; may be older than `plan()` while busy. Null before the first.
    DerivedPtr derived() const { return derived_; }
    DerivedPtr previous() const { return previous_; }
    DerivedPtr baseline() const { return baseline_; }
    DerivedPtr previewed() const { return previewed_; }
    bool isBusy() const { return pending_ > 0; }
    QString problem() const { return problem_; }
    double lastDeriveSeconds() const { return last_seconds_; }

    // --- edits
    // ---------------------------------------------------------------------------------------
    QUndoStack* undoStack() { return &undo_; }
    /// One undoable step. Edits with the same non-empty key that follow each other merge into one.
    void edit(const plan::Plan& next, const QString& text, const QString& merge_key = {});
    /// Puts an axis on a dimension or takes it off; refused edits report a problem. True when the
    /// plan changed.
    bool putAxis(ir::ValueId value, int dim, int axis);
    bool toggleAxis(ir::ValueId value, int dim, int axis);
    void clearDim(ir::ValueId value, int dim);
    void togglePin(ir::ValueId value);
    void setMesh(const QString& mesh, const QString& what);
    void setBaseline();
    /// Derives a plan without adopting it; nothing = stop previewing.
    void preview(const std::optional<plan::Plan>& plan);
    plan::EditCheck check(ir::ValueId value, int dim, int axis) const;

    // --- selection
    // -----------------------------------------------------------------------------------
    Selection selection() const { return selection_; }
    void select(ir::ValueId value, int dim = -1);
    /// Selects and asks the views to bring it on the screen.
    void goTo(ir::ValueId value);

  Q_SIGNALS:
    void opening(const QString& path);
    void modelOpened();
    void openFailed(const QString& message);
    void planChanged();
    void derivedChanged();
    void previewChanged();
    void selectionChanged();
    void goToRequested();
    void busyChanged(bool busy);
    void problemChanged(const QString& problem);

  private:
    friend class PlanCommand;
    void adopt(const plan::Plan& plan);
    void deriveNow();
    void setProblem(const QString& text);

    ModelPtr model_;
    plan::Plan plan_;
    DerivedPtr derived_, previous_, baseline_, previewed_;
    QUndoStack undo_;
    QString plan_path_, problem_;
    Selection selection_;
    int pending_ = 0;
    int opening_ = 0;
    std::uint64_t generation_ = 0, preview_generation_ = 0, open_generation_ = 0;
    double last_seconds_ = 0;
    QThreadPool readers_;
    Deriver deriver_;  // last: its thread ends before anything it posts to
};

}  // namespace shardwright::views
