#pragma once
// The collectives of the derived program as a table.

#include <QAbstractTableModel>
#include <vector>

#include "session/session.h"

namespace shardwright::views {

class CollectivesModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    enum Column { kKind, kAxes, kBytes, kCount, kTotal, kTime, kCause, kScope, kColumns };
    /// Raw values for sorting.
    static constexpr int kSortRole = Qt::UserRole + 1;

    explicit CollectivesModel(QObject* parent = nullptr);
    void setLines(std::vector<plan::CollectiveFacts> lines);
    const plan::CollectiveFacts& line(int row) const {
        return lines_[static_cast<std::size_t>(row)].facts;
    }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    /// Equal collectives (kind, axes, bytes, cause, scope) are one line with a count.
    struct Line {
        plan::CollectiveFacts facts;
        std::int64_t count = 1;
    };
    static double timeOf(const Line& line);
    QVariant sortValue(const Line& line, int column) const;
    QString text(const Line& line, int column) const;
    QString toolTip(const Line& line) const;

    std::vector<Line> lines_;
};

}  // namespace shardwright::views
