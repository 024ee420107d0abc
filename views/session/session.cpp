#include "session/session.h"

#include <QPointer>

#include "session/plan_command.h"

namespace shardwright::views {
namespace {

/// A model that names no devices gets a small mesh to play with.
constexpr const char* kFirstMesh = "data=2,model=4";

bool hasMesh(const plan::Model& model) {
    for (const mesh::Mesh& m : model.module.meshes())
        if (m.device_count() > 1) return true;
    return false;
}

}  // namespace

Session::Session(QObject* parent) : QObject(parent) {
    readers_.setMaxThreadCount(1);
}

Session::~Session() {
    // The window that listens may be half gone already: end in silence.
    blockSignals(true);
    undo_.blockSignals(true);
    deriver_.cancel();
    readers_.waitForDone();
}

QString Session::modelPath() const {
    return model_ ? QString::fromStdString(model_->path) : QString();
}

void Session::openModel(const QString& path, const QString& plan_path, const QString& mesh) {
    const std::uint64_t generation = ++open_generation_;
    ++opening_;
    Q_EMIT opening(path);
    readers_.start([this, path, plan_path, mesh, generation] {
        auto models = plan::open_models(path.toStdString());
        QString error;
        plan::Plan plan;
        if (!models.ok()) {
            error = QString::fromStdString(models.error().text());
        } else if (models->empty()) {
            error = tr("%1 holds no module").arg(path);
        } else if (!plan_path.isEmpty()) {
            if (auto read = plan::read_plan(plan_path.toStdString()); read.ok())
                plan = *read;
            else
                error = QString::fromStdString(read.error().text());
        }
        ModelPtr model = error.isEmpty() ? models->front() : nullptr;
        if (!mesh.isEmpty()) plan.mesh = mesh.toStdString();
        QMetaObject::invokeMethod(
            this,
            [this, generation, model, plan, plan_path, error] {
                --opening_;
                if (generation != open_generation_) return;
                if (!model) {
                    Q_EMIT openFailed(error);
                    return;
                }
                setModel(model, plan);
                plan_path_ = plan_path;
            },
            Qt::QueuedConnection);
    });
}

void Session::setModel(ModelPtr model, plan::Plan plan) {
    model_ = std::move(model);
    plan_ = std::move(plan);
    if (plan_.mesh.empty() && !hasMesh(*model_)) plan_.mesh = kFirstMesh;
    plan_.model = model_->path;
    plan_path_.clear();
    undo_.clear();
    derived_ = previous_ = baseline_ = previewed_ = nullptr;
    selection_ = {};
    setProblem({});
    Q_EMIT modelOpened();
    Q_EMIT planChanged();
    Q_EMIT selectionChanged();
    deriveNow();
}

bool Session::openPlan(const QString& path, QString* error) {
    auto read = plan::read_plan(path.toStdString());
    if (!read.ok()) {
        if (error != nullptr) *error = QString::fromStdString(read.error().text());
        return false;
    }
    plan::Plan next = *std::move(read);
    if (next.mesh.empty() && model_ && !hasMesh(*model_)) next.mesh = kFirstMesh;
    next.model = plan_.model;
    edit(next, tr("Open plan"));
    plan_path_ = path;
    return true;
}

bool Session::savePlan(const QString& path, QString* error) {
    plan::Plan saved = plan_;
    if (model_) saved.structure_hash = model_->structure_hash;
    const Status status = plan::write_plan(saved, path.toStdString());
    if (!status.ok()) {
        if (error != nullptr) *error = QString::fromStdString(status.error().text());
        return false;
    }
    plan_path_ = path;
    undo_.setClean();
    return true;
}

void Session::edit(const plan::Plan& next, const QString& text, const QString& merge_key) {
    if (!model_ || next == plan_) return;
    undo_.push(new PlanCommand(*this, plan_, next, text, merge_key));
}

void Session::adopt(const plan::Plan& plan) {
    plan_ = plan;
    Q_EMIT planChanged();
    deriveNow();
}

void Session::deriveNow() {
    if (!model_) return;
    const std::uint64_t generation = ++generation_;
    ++preview_generation_;
    previewed_ = nullptr;
    if (pending_++ == 0) Q_EMIT busyChanged(true);
    const ModelPtr model = model_;
    const QPointer<Session> self(this);
    deriver_.derive(model, plan_, [self, generation](Deriver::Outcome outcome) {
        // The session outlives its deriver's thread, so posting to it is safe here.
        Session* session = self.data();
        if (session == nullptr) return;
        QMetaObject::invokeMethod(
            session,
            [session, generation, outcome] {
                if (generation != session->generation_) return;
                session->pending_ = 0;
                if (outcome.derived) {
                    session->previous_ = session->derived_;
                    session->derived_ = outcome.derived;
                    if (!session->baseline_) session->baseline_ = outcome.derived;
                    session->last_seconds_ = outcome.seconds;
                    session->setProblem(QString::fromStdString(outcome.derived->partition_error));
                    Q_EMIT session->derivedChanged();
                } else if (!outcome.error.empty()) {
                    session->setProblem(QString::fromStdString(outcome.error));
                }
                Q_EMIT session->busyChanged(false);
            },
            Qt::QueuedConnection);
    });
}

void Session::preview(const std::optional<plan::Plan>& plan) {
    const std::uint64_t generation = ++preview_generation_;
    if (!plan || !model_) {
        if (previewed_) {
            previewed_ = nullptr;
            Q_EMIT previewChanged();
        }
        return;
    }
    const QPointer<Session> self(this);
    deriver_.preview(model_, *plan, [self, generation](Deriver::Outcome outcome) {
        Session* session = self.data();
        if (session == nullptr || !outcome.derived) return;
        QMetaObject::invokeMethod(
            session,
            [session, generation, outcome] {
                if (generation != session->preview_generation_) return;
                session->previewed_ = outcome.derived;
                Q_EMIT session->previewChanged();
            },
            Qt::QueuedConnection);
    });
}

plan::EditCheck Session::check(ir::ValueId value, int dim, int axis) const {
    if (!derived_ || dim < 0 || axis < 0)
        return {plan::Verdict::kRefuse, tr("nothing to shard here").toStdString()};
    return plan::check_axis(*derived_, value, static_cast<std::size_t>(dim),
                            static_cast<std::size_t>(axis));
}

bool Session::putAxis(ir::ValueId value, int dim, int axis) {
    const plan::EditCheck verdict = check(value, dim, axis);
    if (verdict.verdict == plan::Verdict::kRefuse) {
        setProblem(QString::fromStdString(verdict.reason));
        return false;
    }
    const auto d = static_cast<std::size_t>(dim), a = static_cast<std::size_t>(axis);
    const std::string axis_name = plan::mesh_of(*derived_).axes()[a].name;
    edit(plan::with_axis(*model_, *derived_, plan_, value, d, a),
         tr("Shard dim %1 of %2 on %3")
             .arg(dim)
             .arg(QString::fromStdString(model_->value_name(value)),
                  QString::fromStdString(axis_name)));
    return true;
}

bool Session::toggleAxis(ir::ValueId value, int dim, int axis) {
    if (!derived_ || dim < 0 || axis < 0 || !value.valid()) return false;
    const sharding::Sharding& now = derived_->shardings.of(value);
    const auto d = static_cast<std::size_t>(dim);
    if (d < now.dims.size())
        for (const mesh::AxisRef& ref : now.dims[d].axes)
            if (ref.axis == static_cast<std::uint32_t>(axis)) {
                clearDim(value, dim);
                return true;
            }
    return putAxis(value, dim, axis);
}

void Session::clearDim(ir::ValueId value, int dim) {
    if (!derived_ || !value.valid() || dim < 0) return;
    edit(plan::with_dim_cleared(*model_, *derived_, plan_, value, static_cast<std::size_t>(dim)),
         tr("Clear dim %1 of %2").arg(dim).arg(QString::fromStdString(model_->value_name(value))));
}

void Session::togglePin(ir::ValueId value) {
    if (!derived_ || !value.valid()) return;
    const QString name = QString::fromStdString(model_->value_name(value));
    if (plan::is_pinned(*model_, plan_, value))
        edit(plan::without_annotation(*model_, plan_, value), tr("Unpin %1").arg(name));
    else
        edit(plan::with_pin(*model_, *derived_, plan_, value), tr("Pin %1").arg(name));
}

void Session::setMesh(const QString& mesh, const QString& what) {
    plan::Plan next = plan_;
    next.mesh = mesh.toStdString();
    edit(next, what, QStringLiteral("mesh"));
}

void Session::setBaseline() {
    baseline_ = derived_;
    Q_EMIT derivedChanged();
}

void Session::select(ir::ValueId value, int dim) {
    const Selection next{value, dim};
    if (next == selection_) return;
    selection_ = next;
    Q_EMIT selectionChanged();
}

void Session::goTo(ir::ValueId value) {
    select(value);
    Q_EMIT goToRequested();
}

void Session::setProblem(const QString& text) {
    if (text == problem_) return;
    problem_ = text;
    Q_EMIT problemChanged(text);
}

}  // namespace shardwright::views
