#include "mesh/mesh_panel.h"

#include <QGridLayout>
#include <QInputDialog>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "mesh/axis_chip.h"

namespace shardwright::views {
namespace {

constexpr int kLargestAxis = 1 << 20;

QString textOf(const std::vector<mesh::Axis>& axes) {
    return QString::fromStdString(mesh::Mesh("mesh", axes).text());
}

std::vector<mesh::Axis> axesOf(const mesh::Mesh& mesh) {
    return {mesh.axes().begin(), mesh.axes().end()};
}

}  // namespace

MeshPanel::MeshPanel(Session* session, QWidget* parent) : QWidget(parent), session_(session) {
    auto* outer = new QVBoxLayout(this);
    auto* help = new QLabel(tr("Drag an axis onto a dimension of a tensor."));
    help->setWordWrap(true);
    outer->addWidget(help);
    rows_ = new QGridLayout;
    rows_->setColumnStretch(3, 1);
    outer->addLayout(rows_);
    fold_ = new QToolButton;
    fold_->setCheckable(true);
    fold_->setAutoRaise(true);
    fold_->setToolTip(tr("Axes of size 1 shard nothing until they are made larger"));
    connect(fold_, &QToolButton::toggled, this, [this] {
        shown_ = {};
        refresh();
    });
    outer->addWidget(fold_);
    auto* add = new QPushButton(tr("Add axis"));
    add->setObjectName(QStringLiteral("addAxis"));
    add->setToolTip(
        tr("Adds a direction to the grid of devices: the devices are multiplied by its size"));
    connect(add, &QPushButton::clicked, this, &MeshPanel::addAxis);
    devices_ = new QLabel;
    auto* bottom = new QHBoxLayout;
    bottom->addWidget(add);
    bottom->addWidget(devices_, 1);
    outer->addLayout(bottom);
    outer->addStretch(1);
    connect(session_, &Session::planChanged, this, &MeshPanel::refresh);
    connect(session_, &Session::derivedChanged, this, &MeshPanel::refresh);
    connect(session_, &Session::modelOpened, this, [this] {
        shown_ = {};
        refresh();
    });
    refresh();
}

mesh::Mesh MeshPanel::currentMesh() const {
    if (!session_->plan().mesh.empty()) {
        if (auto parsed = mesh::Mesh::parse(session_->plan().mesh); parsed.ok()) return *parsed;
    }
    if (session_->derived()) return plan::mesh_of(*session_->derived());
    return {};
}

void MeshPanel::refresh() {
    const mesh::Mesh mesh = currentMesh();
    devices_->setText(mesh.rank() == 0           ? tr("no mesh")
                      : mesh.device_count() == 1 ? tr("1 device")
                                                 : tr("%1 devices").arg(mesh.device_count()));
    const auto now = mesh.axes(), then = shown_.axes();
    if (rows_->count() > 0 && std::equal(now.begin(), now.end(), then.begin(), then.end())) return;
    shown_ = mesh;
    while (QLayoutItem* item = rows_->takeAt(0)) {
        if (item->widget() != nullptr) item->widget()->deleteLater();
        delete item;
    }
    const auto idle = std::count_if(now.begin(), now.end(),
                                    [](const mesh::Axis& axis) { return axis.size == 1; });
    const bool folds = idle > 2;
    fold_->setVisible(folds);
    fold_->setText(fold_->isChecked() ? tr("%1 axes of size 1 ▾").arg(idle)
                                      : tr("%1 axes of size 1 ▸").arg(idle));
    const std::vector<draw::AxisStyle> styles = draw::axis_styles(mesh);
    for (std::size_t a = 0; a < mesh.rank(); ++a) {
        if (folds && !fold_->isChecked() && mesh.axes()[a].size == 1) continue;
        const int axis = static_cast<int>(a);
        auto* size = new QSpinBox;
        size->setObjectName(QStringLiteral("size_") + QString::fromStdString(styles[a].name));
        size->setAccessibleName(tr("Size of axis %1").arg(QString::fromStdString(styles[a].name)));
        size->setRange(1, kLargestAxis);
        size->setValue(static_cast<int>(mesh.axes()[a].size));
        size->setKeyboardTracking(false);
        connect(size, &QSpinBox::valueChanged, this, [this, axis](int v) { resizeAxis(axis, v); });
        auto* remove = new QToolButton;
        remove->setText(QStringLiteral("✕"));
        remove->setAutoRaise(true);
        remove->setToolTip(tr("Remove this axis; annotations that name it lose it"));
        remove->setAccessibleName(tr("Remove axis %1").arg(QString::fromStdString(styles[a].name)));
        connect(remove, &QToolButton::clicked, this, [this, axis] { removeAxis(axis); });
        rows_->addWidget(new AxisChip(styles[a]), axis, 0);
        rows_->addWidget(size, axis, 1);
        rows_->addWidget(remove, axis, 2);
    }
}

void MeshPanel::resizeAxis(int axis, int size) {
    std::vector<mesh::Axis> axes = axesOf(currentMesh());
    if (static_cast<std::size_t>(axis) >= axes.size()) return;
    axes[static_cast<std::size_t>(axis)].size = size;
    session_->setMesh(textOf(axes), tr("Resize axis"));
}

void MeshPanel::addAxis() {
    bool ok = false;
    const QString name =
        QInputDialog::getText(this, tr("Add axis"), tr("Name of the new axis:"), QLineEdit::Normal,
                              QStringLiteral("axis%1").arg(currentMesh().rank()), &ok)
            .trimmed();
    if (!ok || name.isEmpty()) return;
    std::vector<mesh::Axis> axes = axesOf(currentMesh());
    axes.push_back({name.toStdString(), 2});
    session_->setMesh(textOf(axes), tr("Add axis %1").arg(name));
}

void MeshPanel::removeAxis(int axis) {
    const mesh::Mesh before = currentMesh();
    std::vector<mesh::Axis> axes = axesOf(before);
    if (static_cast<std::size_t>(axis) >= axes.size() || axes.size() < 2) return;
    const std::string name = axes[static_cast<std::size_t>(axis)].name;
    axes.erase(axes.begin() + axis);
    // One step of undo for the mesh and what it does to the annotations.
    session_->edit(plan::without_axis(session_->plan(), name, textOf(axes).toStdString()),
                   tr("Remove axis %1").arg(QString::fromStdString(name)));
}

}  // namespace shardwright::views
