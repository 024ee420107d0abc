#include "outline/outline_panel.h"

#include <QHeaderView>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QTreeView>
#include <QVBoxLayout>

#include "canvas/canvas.h"

namespace shardwright::views {

OutlinePanel::OutlinePanel(Session* session, Canvas* canvas, QWidget* parent)
    : QWidget(parent), session_(session), canvas_(canvas) {
    setObjectName(QStringLiteral("outlinePanel"));
    model_ = new OutlineModel(this);
    filtered_ = new QSortFilterProxyModel(this);
    filtered_->setSourceModel(model_);
    filtered_->setRecursiveFilteringEnabled(true);
    filtered_->setFilterKeyColumn(-1);
    filtered_->setFilterCaseSensitivity(Qt::CaseInsensitive);
    find_ = new QLineEdit;
    find_->setPlaceholderText(tr("Find: name, operation, shape …"));
    find_->setClearButtonEnabled(true);
    find_->setAccessibleName(tr("Find in the model"));
    connect(find_, &QLineEdit::textChanged, this, [this](const QString& text) {
        filtered_->setFilterFixedString(text);
        if (!text.isEmpty()) tree_->expandAll();
    });
    tree_ = new QTreeView;
    tree_->setModel(filtered_);
    tree_->setAccessibleName(tr("Outline of the model"));
    tree_->setUniformRowHeights(true);
    tree_->setAlternatingRowColors(true);
    tree_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    tree_->header()->setSectionResizeMode(1, QHeaderView::Interactive);
    tree_->header()->resizeSection(1, 104);
    tree_->header()->setStretchLastSection(false);
    connect(tree_, &QTreeView::activated, this, &OutlinePanel::goTo);
    connect(tree_, &QTreeView::clicked, this, &OutlinePanel::goTo);
    auto* column = new QVBoxLayout(this);
    column->addWidget(find_);
    column->addWidget(tree_, 1);
    connect(canvas_->loader(), &SceneLoader::outlineReady, this,
            [this] { model_->setOutline(canvas_->loader()->outline()); });
    connect(session_, &Session::modelOpened, this, [this] { model_->setOutline(nullptr); });
}

void OutlinePanel::focusFind() {
    find_->setFocus();
    find_->selectAll();
}

void OutlinePanel::goTo(const QModelIndex& index) {
    const QModelIndex source = filtered_->mapToSource(index);
    if (const ir::ValueId v = model_->valueAt(source); v.valid()) {
        session_->goTo(v);
    } else if (const draw::GroupId g = model_->groupAt(source); g.valid() && canvas_->scene()) {
        const draw::Scene& scene = canvas_->scene()->scene;
        if (const auto found = scene.node_of_group.find(g); found != scene.node_of_group.end())
            canvas_->fitRect(scene.nodes[found->second].rect);
    }
}

}  // namespace shardwright::views
