#include "outline/outline_model.h"

namespace shardwright::views {
OutlineModel::OutlineModel(QObject* parent) : QAbstractItemModel(parent) {}

void OutlineModel::setOutline(const OutlinePtr& outline) {
    beginResetModel();
    outline_ = outline;
    entries_.clear();
    if (outline_) {
        Entry root;
        root.group = outline_->tree.root();
        entries_.push_back(root);
        for (std::uint32_t e = 0; e < entries_.size(); ++e)
            if (entries_[e].group.valid()) addChildren(e);
    }
    endResetModel();
}

void OutlineModel::addChildren(std::uint32_t entry) {
    const draw::Group& group = outline_->tree[entries_[entry].group];
    const auto begin = static_cast<std::uint32_t>(entries_.size());
    const auto add = [&](Entry child) {
        child.parent = entry;
        child.row = static_cast<std::uint32_t>(entries_.size()) - begin;
        entries_.push_back(child);
    };
    for (const draw::GroupId g : group.children) {
        Entry child;
        child.group = g;
        add(child);
    }
    for (const ir::ValueId v : group.arguments) {
        Entry child;
        child.argument = v;
        add(child);
    }
    for (const ir::OpId op : group.ops) {
        Entry child;
        child.op = op;
        add(child);
    }
    entries_[entry].child_begin = begin;
    entries_[entry].child_count = static_cast<std::uint32_t>(entries_.size()) - begin;
}

const OutlineModel::Entry& OutlineModel::entryOf(const QModelIndex& index) const {
    return entries_[index.isValid() ? static_cast<std::size_t>(index.internalId()) : 0];
}

ir::ValueId OutlineModel::valueAt(const QModelIndex& index) const {
    if (!index.isValid()) return {};
    const Entry& e = entryOf(index);
    if (e.argument.valid()) return e.argument;
    if (e.op.valid() && outline_->model->module.op(e.op).result_count > 0)
        return outline_->model->module.result(e.op);
    return {};
}

draw::GroupId OutlineModel::groupAt(const QModelIndex& index) const {
    return index.isValid() ? entryOf(index).group : draw::GroupId();
}

QModelIndex OutlineModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) return {};
    return createIndex(
        row, column,
        static_cast<quintptr>(entryOf(parent).child_begin + static_cast<std::uint32_t>(row)));
}

QModelIndex OutlineModel::parent(const QModelIndex& index) const {
    if (!index.isValid()) return {};
    const std::uint32_t up = entryOf(index).parent;
    if (up == 0) return {};
    return createIndex(static_cast<int>(entries_[up].row), 0, static_cast<quintptr>(up));
}

int OutlineModel::rowCount(const QModelIndex& parent) const {
    if (entries_.empty() || parent.column() > 0) return 0;
    return static_cast<int>(entryOf(parent).child_count);
}

int OutlineModel::columnCount(const QModelIndex&) const {
    return 2;
}

QVariant OutlineModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || (role != Qt::DisplayRole && role != Qt::ToolTipRole)) return {};
    const Entry& e = entryOf(index);
    const plan::Model& model = *outline_->model;
    if (e.group.valid()) {
        const draw::Group& g = outline_->tree[e.group];
        if (index.column() == 0) return QString::fromStdString(g.name);
        return g.cards == 1 ? tr("1 operation") : tr("%1 operations").arg(g.cards);
    }
    const ir::ValueId v = valueAt(index);
    if (index.column() == 1)
        return v.valid() ? QString::fromStdString(ir::mlir_text(model.module.type(v))) : QString();
    if (e.argument.valid()) return QString::fromStdString(model.display_path(v));
    const QString kind = QString::fromStdString(std::string(ir::name(model.module.op(e.op).kind)));
    return v.valid() ? tr("%1 → %2").arg(kind, QString::fromStdString(model.value_name(v))) : kind;
}

QVariant OutlineModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    return section == 0 ? tr("Group or operation") : tr("Contents");
}

}  // namespace shardwright::views
