#include "collectives/collectives_model.h"

#include <map>

#include "draw/units.h"

namespace shardwright::views {
CollectivesModel::CollectivesModel(QObject* parent) : QAbstractTableModel(parent) {}

void CollectivesModel::setLines(std::vector<plan::CollectiveFacts> lines) {
    beginResetModel();
    lines_.clear();
    std::map<std::string, std::size_t> known;
    for (plan::CollectiveFacts& facts : lines) {
        const std::string key = std::to_string(static_cast<int>(facts.kind)) + "\n" + facts.axes +
                                "\n" + std::to_string(facts.bytes) + "\n" +
                                std::to_string(facts.trips) + "\n" + facts.cause + "\n" +
                                facts.scope;
        const auto [found, is_new] = known.emplace(key, lines_.size());
        if (is_new)
            lines_.push_back({std::move(facts), 1});
        else
            ++lines_[found->second].count;
    }
    endResetModel();
}

int CollectivesModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(lines_.size());
}

int CollectivesModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumns;
}

double CollectivesModel::timeOf(const Line& line) {
    return line.facts.time_s * static_cast<double>(line.facts.trips * line.count);
}

QVariant CollectivesModel::sortValue(const Line& line, int column) const {
    const plan::CollectiveFacts& f = line.facts;
    switch (column) {
        case kBytes:
            return QVariant::fromValue<qlonglong>(f.bytes);
        case kCount:
            return QVariant::fromValue<qlonglong>(line.count * f.trips);
        case kTotal:
            return QVariant::fromValue<qlonglong>(f.bytes * f.trips * line.count);
        case kTime:
            return timeOf(line);
        default:
            return text(line, column);
    }
}

QString CollectivesModel::text(const Line& line, int column) const {
    const plan::CollectiveFacts& f = line.facts;
    switch (column) {
        case kKind:
            return QString::fromStdString(std::string(ir::name(f.kind)));
        case kAxes:
            return QString::fromStdString(f.axes);
        case kBytes:
            return QString::fromStdString(draw::bytes_text(f.bytes));
        case kCount:
            return f.trips > 1 ? tr("%1 × %2").arg(line.count).arg(f.trips)
                               : QString::number(line.count);
        case kTotal:
            return QString::fromStdString(draw::bytes_text(f.bytes * f.trips * line.count));
        case kTime:
            return line.facts.time_s > 0 ? QString::fromStdString(draw::time_text(timeOf(line)))
                                         : QString();
        case kCause:
            return QString::fromStdString(f.cause);
        case kScope:
            return QString::fromStdString(f.scope);
        default:
            return {};
    }
}

QString CollectivesModel::toolTip(const Line& line) const {
    using enum ir::OpKind;
    QString meaning;
    switch (line.facts.kind) {
        case kAllGather:
            meaning =
                tr("all-gather: every device collects the shards of the others, so that it holds "
                   "the whole dimension");
            break;
        case kAllReduce:
            meaning =
                tr("all-reduce: partial results of all devices are added up, and all get the sum");
            break;
        case kReduceScatter:
            meaning =
                tr("reduce-scatter: partial results are added up, and each device keeps one shard "
                   "of the sum");
            break;
        case kAllToAll:
            meaning = tr("all-to-all: the sharding moves from one dimension to another");
            break;
        case kCollectivePermute:
            meaning = tr("collective-permute: each device sends its shard to one other device");
            break;
        default:
            break;
    }
    return meaning + tr("\n%1 bytes sent by each device, each time").arg(line.facts.bytes);
}

QVariant CollectivesModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount() || index.column() >= kColumns) return {};
    const Line& line = lines_[static_cast<std::size_t>(index.row())];
    switch (role) {
        case Qt::DisplayRole:
            return text(line, index.column());
        case Qt::ToolTipRole:
            return toolTip(line);
        case kSortRole:
            return sortValue(line, index.column());
        case Qt::TextAlignmentRole:
            if (index.column() >= kBytes && index.column() <= kTime)
                return QVariant(Qt::AlignRight | Qt::AlignVCenter);
            return {};
        default:
            return {};
    }
}

QVariant CollectivesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || (role != Qt::DisplayRole && role != Qt::ToolTipRole))
        return {};
    const bool tip = role == Qt::ToolTipRole;
    switch (section) {
        case kKind:
            return tip ? tr("What the devices do together") : tr("Kind");
        case kAxes:
            return tip ? tr("Mesh axes along which they talk") : tr("Axes");
        case kBytes:
            return tip ? tr("Sent by one device, each time") : tr("Bytes");
        case kCount:
            return tip ? tr("How many of these, times the trips of the loops around") : tr("Count");
        case kTotal:
            return tip ? tr("Sent by one device in a whole step") : tr("Total");
        case kTime:
            return tip ? tr("Estimated for a whole step (model, not measurement)") : tr("Time");
        case kCause:
            return tip ? tr("The operation that needs it") : tr("Cause");
        case kScope:
            return tip ? tr("Where in the model") : tr("Where");
        default:
            return {};
    }
}

}  // namespace shardwright::views
