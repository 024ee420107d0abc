#pragma once
// Builds scenes beside the interface: groups and graphs once a model, layouts for what is open.

#include <QObject>
#include <QString>
#include <QThreadPool>
#include <memory>
#include <vector>

#include "draw/scene.h"
#include "session/deriver.h"

namespace shardwright::views {

/// Everything about a model's picture that shardings do not change.
struct Outline {
    ModelPtr model;
    draw::GroupTree tree;
    draw::Graphs graphs;
};
using OutlinePtr = std::shared_ptr<const Outline>;

/// A scene and what it was built of.
struct SceneState {
    OutlinePtr outline;
    std::vector<bool> open;
    draw::Scene scene;
};
using ScenePtr = std::shared_ptr<const SceneState>;

class SceneLoader : public QObject {
    Q_OBJECT
  public:
    explicit SceneLoader(QObject* parent = nullptr);
    ~SceneLoader() override;

    /// The program that answers to `--layout-worker`; "" = our own layout in this process. Used by
    /// models loaded from now on.
    void setWorkerProgram(const QString& program);
    void load(const ModelPtr& model);
    void rebuild(const std::vector<bool>& open);
    OutlinePtr outline() const { return outline_; }

  Q_SIGNALS:
    void outlineReady();
    void sceneReady(shardwright::views::ScenePtr scene);

  private:
    QString program_;
    OutlinePtr outline_;
    std::shared_ptr<draw::LayoutStore> store_;
    std::uint64_t generation_ = 0;
    QThreadPool pool_;
};

}  // namespace shardwright::views
