#include "tensor/tensor_panel.h"

#include <QClipboard>
#include <QFormLayout>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include "draw/units.h"
#include "tensor/pill_editor.h"

namespace shardwright::views {
namespace {

QString bytes(std::int64_t n) {
    return QString::fromStdString(draw::bytes_text(n));
}

QString plain(const std::string& tensor) {  // tensor<512x2048xf32> -> 512x2048xf32
    return QString::fromStdString(tensor.substr(0, tensor.size() - 1)).mid(7);
}

QLabel* wrapped() {
    auto* label = new QLabel;
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QListWidget* list(int rows, const QString& name) {
    auto* widget = new QListWidget;
    widget->setAccessibleName(name);
    widget->setWordWrap(true);
    widget->setMinimumHeight(rows * 18);
    return widget;
}

}  // namespace

TensorPanel::TensorPanel(Session* session, QWidget* parent) : QWidget(parent), session_(session) {
    setObjectName(QStringLiteral("tensorPanel"));
    auto* outer = new QVBoxLayout(this);
    empty_ = new QLabel(tr("Select a tensor in the graph."));
    outer->addWidget(empty_);
    content_ = new QWidget;
    outer->addWidget(content_, 1);
    auto* column = new QVBoxLayout(content_);
    column->setContentsMargins(0, 0, 0, 0);
    title_ = wrapped();
    shape_ = wrapped();
    shape_->setToolTip(
        tr("The whole tensor, and the part of it that one device holds (its shard)"));
    bytes_ = wrapped();
    origin_ = wrapped();
    origin_->setToolTip(
        tr("Yours: annotated by you, it stays. File: annotated in the model file.\nInferred: "
           "propagation completed it from its neighbours."));
    for (QLabel* label : {title_, shape_, bytes_}) column->addWidget(label);
    editor_ = new PillEditor(session_);
    column->addWidget(editor_);
    auto* line = new QHBoxLayout;
    line->addWidget(origin_, 1);
    pin_ = new QPushButton;
    pin_->setObjectName(QStringLiteral("pin"));
    connect(pin_, &QPushButton::clicked, this,
            [this] { session_->togglePin(session_->selection().value); });
    line->addWidget(pin_);
    column->addLayout(line);
    auto* form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    addForm(form, tr("Short"),
            tr("The form of plans and of --shard: one entry a dimension, - is whole"), short_);
    addForm(form, tr("Shardy"), tr("The sdy dialect's attribute, for StableHLO"), sdy_);
    addForm(form, tr("HLO"),
            tr("XLA's tile assignment: how many tiles along each dimension, on which devices"),
            hlo_);
    addForm(form, tr("JAX"), tr("jax.sharding.PartitionSpec"), spec_);
    column->addLayout(form);
    column->addWidget(new QLabel(tr("Why")));
    why_ = list(4, tr("Why this sharding"));
    why_->setObjectName(QStringLiteral("why"));
    column->addWidget(why_, 2);
    rule_ = wrapped();
    rule_->setToolTip(tr(
        "The producing operation's sharding rule: dimensions with the same letter are cut alike"));
    column->addWidget(rule_);
    column->addWidget(new QLabel(tr("Made of · used by")));
    neighbours_ = list(4, tr("Producers and users"));
    column->addWidget(neighbours_, 2);
    connect(neighbours_, &QListWidget::itemActivated, this, [this](QListWidgetItem* item) {
        const QVariant id = item->data(Qt::UserRole);
        if (id.isValid()) session_->goTo(ir::ValueId(id.toUInt()));
    });
    connect(session_, &Session::selectionChanged, this, &TensorPanel::refresh);
    connect(session_, &Session::derivedChanged, this, &TensorPanel::refresh);
    connect(session_, &Session::modelOpened, this, &TensorPanel::refresh);
    refresh();
}

void TensorPanel::addForm(QFormLayout* form, const QString& title, const QString& term,
                          QLineEdit*& field) {
    field = new QLineEdit;
    field->setReadOnly(true);
    field->setToolTip(term);
    field->setAccessibleName(title);
    auto* copy = new QToolButton;
    copy->setText(tr("Copy"));
    copy->setToolTip(tr("Copy this form to the clipboard"));
    QLineEdit* source = field;
    connect(copy, &QToolButton::clicked, this,
            [source] { QGuiApplication::clipboard()->setText(source->text()); });
    auto* line = new QHBoxLayout;
    line->addWidget(field, 1);
    line->addWidget(copy);
    form->addRow(title, line);
}

void TensorPanel::refresh() {
    const ir::ValueId value = session_->selection().value;
    const DerivedPtr derived = session_->derived();
    const bool any = value.valid() && derived && session_->model();
    content_->setVisible(any);
    empty_->setVisible(!any);
    editor_->refresh();
    if (!any) return;
    const plan::TensorFacts facts = plan::describe(*session_->model(), *derived, value);
    title_->setText(QStringLiteral("<b>%1</b>%2")
                        .arg(QString::fromStdString(facts.path).toHtmlEscaped(),
                             facts.path == facts.name
                                 ? QString()
                                 : QStringLiteral(" &nbsp;%1")
                                       .arg(QString::fromStdString(facts.name).toHtmlEscaped())));
    shape_->setText(tr("%1, on each device %2").arg(plain(facts.type), plain(facts.local_type)));
    bytes_->setText(tr("%1 in all, %2 a device%3")
                        .arg(bytes(facts.bytes), bytes(facts.bytes_per_device),
                             facts.uneven ? tr(" (padded)") : QString()));
    const bool pinned = plan::is_pinned(*session_->model(), session_->plan(), value);
    origin_->setText(facts.origin == plan::Origin::kPlan   ? tr("Yours")
                     : facts.origin == plan::Origin::kFile ? tr("From the file")
                                                           : tr("Inferred"));
    pin_->setText(pinned ? tr("Unpin") : tr("Pin"));
    pin_->setToolTip(pinned ? tr("Remove your annotation")
                            : tr("Keep this sharding as your annotation (P)"));
    short_->setText(QString::fromStdString(facts.short_form));
    sdy_->setText(QString::fromStdString(facts.sdy));
    hlo_->setText(QString::fromStdString(facts.hlo));
    spec_->setText(QString::fromStdString(facts.partition_spec));
    for (QLineEdit* field : {short_, sdy_, hlo_, spec_}) field->setCursorPosition(0);
    why_->clear();
    for (const std::string& line :
         plan::why_lines(*session_->model(), *derived, value, session_->selection().dim))
        why_->addItem(QString::fromStdString(line));
    rule_->setText(facts.rule.empty() ? QString()
                                      : tr("%1: %2").arg(QString::fromStdString(facts.producer),
                                                         QString::fromStdString(facts.rule)));
    rule_->setVisible(!facts.rule.empty());
    neighbours_->clear();
    const auto add = [this](const QString& sign, const plan::Neighbour& n) {
        auto* item = new QListWidgetItem(sign + QString::fromStdString(n.text), neighbours_);
        if (n.value.valid()) item->setData(Qt::UserRole, n.value.index);
    };
    for (const plan::Neighbour& n : facts.operands) add(QStringLiteral("← "), n);
    for (const plan::Neighbour& n : facts.users) add(QStringLiteral("→ "), n);
}

}  // namespace shardwright::views
