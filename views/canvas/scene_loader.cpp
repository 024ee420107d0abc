#include "canvas/scene_loader.h"

namespace shardwright::views {
namespace {

/// A scene of this size can still be read in a usual window.
constexpr draw::Size kReadable{1900, 1250};

draw::Scene makeScene(const Outline& outline, const std::vector<bool>& open,
                      draw::LayoutStore& store) {
    const plan::Model& model = *outline.model;
    const auto label = [&model](ir::ValueId v) {
        std::string path = model.display_path(v);
        // The end of a path says more than its beginning: `…/mlp/wi_0/kernel`.
        constexpr std::size_t kLongest = 34;
        if (path.size() > kLongest) {
            std::size_t cut = path.find('/', path.size() - kLongest);
            if (cut == std::string::npos) cut = path.size() - kLongest;
            path = "…" + path.substr(cut);
        }
        return model.module.value(v).def.valid() ? model.value_name(v) : path;
    };
    return draw::build_scene({model.module, outline.tree, outline.graphs, label}, open, store);
}

}  // namespace

SceneLoader::SceneLoader(QObject* parent) : QObject(parent) {
    pool_.setMaxThreadCount(1);
    store_ = std::make_shared<draw::LayoutStore>();
}

SceneLoader::~SceneLoader() {
    pool_.waitForDone();
}

void SceneLoader::setWorkerProgram(const QString& program) {
    program_ = program;
    store_ = std::make_shared<draw::LayoutStore>(program.toStdString());
}

void SceneLoader::load(const ModelPtr& model) {
    const std::uint64_t generation = ++generation_;
    outline_ = nullptr;
    pool_.start([this, model, generation, store = store_] {
        auto outline = std::make_shared<Outline>();
        outline->model = model;
        outline->tree = draw::find_groups(model->module, model->uses);
        outline->graphs = draw::make_graphs(model->module, model->uses, outline->tree);
        auto state = std::make_shared<SceneState>();
        state->outline = outline;
        // As much as can be read at once: fewer open groups until it fits a window.
        for (const std::int64_t cards : {44, 26, 14, 0}) {
            state->open = draw::first_view(outline->tree, cards);
            state->scene = makeScene(*outline, state->open, *store);
            const draw::Rect& all = state->scene.bounds;
            if (all.width <= kReadable.width && all.height <= kReadable.height) break;
        }
        QMetaObject::invokeMethod(
            this,
            [this, generation, outline, state] {
                if (generation != generation_) return;
                outline_ = outline;
                Q_EMIT outlineReady();
                Q_EMIT sceneReady(state);
            },
            Qt::QueuedConnection);
    });
}

void SceneLoader::rebuild(const std::vector<bool>& open) {
    if (!outline_) return;
    const std::uint64_t generation = ++generation_;
    pool_.start([this, open, generation, outline = outline_, store = store_] {
        auto state = std::make_shared<SceneState>();
        state->outline = outline;
        state->open = open;
        state->scene = makeScene(*outline, open, *store);
        QMetaObject::invokeMethod(
            this,
            [this, generation, state] {
                if (generation == generation_) Q_EMIT sceneReady(state);
            },
            Qt::QueuedConnection);
    });
}

}  // namespace shardwright::views
