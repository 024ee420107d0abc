#include "totals/totals_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>

#include "draw/units.h"

namespace shardwright::views {
namespace {

/// " ▲ +1.2 GB": a sign besides the colour of the text.
QString delta(double difference, const std::string& text) {
    if (difference == 0) return {};
    return QStringLiteral("  %1 %2").arg(difference > 0 ? QStringLiteral("▲") : QStringLiteral("▼"),
                                         QString::fromStdString(text));
}

}  // namespace

TotalsBar::TotalsBar(Session* session, QWidget* parent) : QWidget(parent), session_(session) {
    setObjectName(QStringLiteral("totals"));
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(8, 2, 8, 2);
    line->setSpacing(18);
    memory_ = new QLabel;
    memory_->setObjectName(QStringLiteral("memory"));
    bar_ = new QProgressBar;
    bar_->setFixedWidth(90);
    bar_->setTextVisible(false);
    bar_->setAccessibleName(tr("Memory of one device"));
    time_ = new QLabel;
    time_->setObjectName(QStringLiteral("stepTime"));
    communication_ = new QLabel;
    communication_->setObjectName(QStringLiteral("communication"));
    conflicts_ = new QLabel;
    state_ = new QLabel;
    state_->setObjectName(QStringLiteral("state"));
    for (QWidget* w :
         std::initializer_list<QWidget*>{memory_, bar_, time_, communication_, conflicts_})
        line->addWidget(w);
    line->addStretch(1);
    line->addWidget(state_);
    connect(session_, &Session::derivedChanged, this, &TotalsBar::refresh);
    connect(session_, &Session::busyChanged, this, &TotalsBar::refresh);
    connect(session_, &Session::modelOpened, this, &TotalsBar::refresh);
    connect(session_, &Session::opening, this, &TotalsBar::refresh);
    connect(session_, &Session::openFailed, this, &TotalsBar::refresh);
    refresh();
}

void TotalsBar::refresh() {
    state_->setText(session_->isOpening() ? tr("Opening …")
                    : session_->isBusy()  ? tr("Computing …")
                    : session_->derived()
                        ? tr("%1 ms").arg(session_->lastDeriveSeconds() * 1000, 0, 'f', 0)
                        : QString());
    state_->setToolTip(tr("How long the last edit took to propagate and price"));
    // A figure that is being computed is grey, never wrong.
    for (QLabel* label : {memory_, time_, communication_, conflicts_})
        label->setEnabled(!session_->isBusy());
    showFigures();
}

void TotalsBar::showFigures() {
    const DerivedPtr derived = session_->derived(), base = session_->baseline();
    const bool any = derived && base;
    bar_->setVisible(any && derived->totals.chip_memory_bytes > 0);
    if (!any) {
        for (QLabel* label : {memory_, time_, communication_, conflicts_}) label->clear();
        return;
    }
    const plan::Totals &now = derived->totals, &then = base->totals;
    const bool has_peak = now.peak_bytes_per_device > 0;
    const std::int64_t held = has_peak ? now.peak_bytes_per_device : now.argument_bytes_per_device;
    const std::int64_t held_then =
        has_peak ? then.peak_bytes_per_device : then.argument_bytes_per_device;
    QString memory = has_peak
                         ? tr("Peak %1").arg(QString::fromStdString(draw::bytes_text(held)))
                         : tr("Arguments %1").arg(QString::fromStdString(draw::bytes_text(held)));
    if (now.chip_memory_bytes > 0)
        memory += tr(" of %1").arg(QString::fromStdString(draw::bytes_text(now.chip_memory_bytes)));
    memory_->setText(
        memory + tr(" a device") +
        delta(static_cast<double>(held - held_then), draw::bytes_delta_text(held - held_then)));
    memory_->setToolTip(
        tr("Bytes on each device (model, not measurement).\nArguments: %1 in all, "
           "%2 a device.\n▲▼ against the baseline.")
            .arg(QString::fromStdString(draw::bytes_text(now.argument_bytes)),
                 QString::fromStdString(draw::bytes_text(now.argument_bytes_per_device))));
    if (now.chip_memory_bytes > 0)
        bar_->setValue(static_cast<int>(std::min<double>(
            100, 100.0 * static_cast<double>(held) / static_cast<double>(now.chip_memory_bytes))));
    time_->setVisible(now.step_time_s > 0);
    time_->setText(tr("Step %1").arg(QString::fromStdString(draw::time_text(now.step_time_s))) +
                   delta(now.step_time_s - then.step_time_s,
                         draw::time_delta_text(now.step_time_s - then.step_time_s)));
    time_->setToolTip(
        tr("Estimated time of one step on %1 (model, not measurement):\ncompute %2, collectives %3")
            .arg(QString::fromStdString(derived->plan.chip),
                 QString::fromStdString(draw::time_text(now.compute_time_s)),
                 QString::fromStdString(draw::time_text(now.collective_time_s))));
    communication_->setText(
        (now.collectives == 1 ? tr("1 collective, %1")
                              : tr("%1 collectives, %2").arg(now.collectives))
            .arg(QString::fromStdString(draw::bytes_text(now.collective_bytes))) +
        delta(static_cast<double>(now.collective_bytes - then.collective_bytes),
              draw::bytes_delta_text(now.collective_bytes - then.collective_bytes)));
    communication_->setToolTip(
        tr("Bytes that each device sends in one step, loops counted by their trips"));
    conflicts_->setText(now.conflicts == 1 ? tr("1 conflict")
                                           : tr("%1 conflicts").arg(now.conflicts));
    conflicts_->setToolTip(
        tr("Places where two shardings wanted the same dimension or axis; one had to give way"));
}

}  // namespace shardwright::views
