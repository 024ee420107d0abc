#include "collectives/collectives_panel.h"

#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QVBoxLayout>

#include "draw/units.h"

namespace shardwright::views {

CollectivesPanel::CollectivesPanel(Session* session, QWidget* parent)
    : QWidget(parent), session_(session) {
    setObjectName(QStringLiteral("collectivesPanel"));
    model_ = new CollectivesModel(this);
    sorted_ = new QSortFilterProxyModel(this);
    sorted_->setSourceModel(model_);
    sorted_->setSortRole(CollectivesModel::kSortRole);
    sorted_->setFilterKeyColumn(-1);
    sorted_->setFilterCaseSensitivity(Qt::CaseInsensitive);
    table_ = new QTableView;
    table_->setModel(sorted_);
    table_->setAccessibleName(tr("Collectives"));
    table_->setSortingEnabled(true);
    table_->sortByColumn(CollectivesModel::kTotal, Qt::DescendingOrder);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setAlternatingRowColors(true);
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    table_->horizontalHeader()->setStretchLastSection(true);
    table_->setWordWrap(false);
    connect(table_, &QTableView::activated, this, &CollectivesPanel::goTo);
    connect(table_, &QTableView::doubleClicked, this, &CollectivesPanel::goTo);
    auto* filter = new QLineEdit;
    filter->setPlaceholderText(tr("Filter: kind, axis, cause …"));
    filter->setClearButtonEnabled(true);
    filter->setAccessibleName(tr("Filter collectives"));
    connect(filter, &QLineEdit::textChanged, sorted_, &QSortFilterProxyModel::setFilterFixedString);
    summary_ = new QLabel;
    auto* top = new QHBoxLayout;
    top->addWidget(filter, 1);
    top->addWidget(summary_);
    auto* column = new QVBoxLayout(this);
    column->addLayout(top);
    column->addWidget(table_, 1);
    connect(session_, &Session::derivedChanged, this, &CollectivesPanel::refresh);
    connect(session_, &Session::modelOpened, this, [this] { model_->setLines({}); });
    refresh();
}

void CollectivesPanel::refresh() {
    const DerivedPtr derived = session_->derived();
    if (!derived) {
        model_->setLines({});
        summary_->clear();
        return;
    }
    std::vector<plan::CollectiveFacts> lines = plan::collective_facts(*derived);
    const auto count = static_cast<int>(lines.size());
    model_->setLines(std::move(lines));
    summary_->setText(
        (count == 1 ? tr("1 collective, %1 sent by each device")
                    : tr("%1 collectives, %2 sent by each device").arg(count))
            .arg(QString::fromStdString(draw::bytes_text(derived->totals.collective_bytes))));
    for (int c = 0; c < CollectivesModel::kCause; ++c) table_->resizeColumnToContents(c);
    table_->setColumnWidth(CollectivesModel::kCause,
                           std::max(260, table_->columnWidth(CollectivesModel::kCause)));
}

void CollectivesPanel::goTo(const QModelIndex& index) {
    const QModelIndex source = sorted_->mapToSource(index);
    if (!source.isValid() || !session_->model()) return;
    const plan::CollectiveFacts& line = model_->line(source.row());
    if (line.source_value.valid()) {
        session_->goTo(line.source_value);
    } else if (line.source_op.valid() &&
               session_->model()->module.op(line.source_op).result_count > 0) {
        session_->goTo(session_->model()->module.result(line.source_op));
    }
}

}  // namespace shardwright::views
