#pragma once
// The graph as a tree: groups, and in them operations and arguments. What screen readers see of the
// canvas.

#include <QAbstractItemModel>
#include <vector>

#include "canvas/scene_loader.h"

namespace shardwright::views {

class OutlineModel : public QAbstractItemModel {
    Q_OBJECT
  public:
    explicit OutlineModel(QObject* parent = nullptr);
    void setOutline(const OutlinePtr& outline);
    /// The value behind an entry (an operation's first result, an argument); invalid for groups.
    ir::ValueId valueAt(const QModelIndex& index) const;
    draw::GroupId groupAt(const QModelIndex& index) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    /// Entries of all groups in one table: each group's children, arguments, operations in a row.
    struct Entry {
        draw::GroupId group;       ///< a group …
        ir::ValueId argument;      ///< … or an argument …
        ir::OpId op;               ///< … or an operation
        std::uint32_t parent = 0;  ///< entry of the group that holds it; the root's own is 0
        std::uint32_t row = 0;
        std::uint32_t child_begin = 0, child_count = 0;
    };
    void addChildren(std::uint32_t entry);
    const Entry& entryOf(const QModelIndex& index) const;

    OutlinePtr outline_;
    std::vector<Entry> entries_;
};

}  // namespace shardwright::views
