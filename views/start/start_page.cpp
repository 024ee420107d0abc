#include "start/start_page.h"

#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QVBoxLayout>

namespace shardwright::views {
namespace {

constexpr const char* kRecent = "recent";
constexpr int kKept = 10;

QLabel* heading(const QString& text) {
    auto* label = new QLabel(QStringLiteral("<b>%1</b>").arg(text));
    return label;
}

/// The plan that lies beside a sample: `mlp.mlir` and `mlp.shardplan.json`.
QString planBeside(const QFileInfo& model) {
    const QString path =
        model.dir().filePath(model.completeBaseName() + QStringLiteral(".shardplan.json"));
    return QFileInfo::exists(path) ? path : QString();
}

}  // namespace

StartPage::StartPage(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("startPage"));
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(40, 32, 40, 32);
    outer->setSpacing(14);
    auto* title =
        new QLabel(tr("<h1>Shardwright</h1>Open a model, drag mesh axes onto its tensors, "
                      "and see what every choice costs."));
    title->setWordWrap(true);
    outer->addWidget(title);
    auto* open = new QPushButton(tr("Open a model …"));
    open->setObjectName(QStringLiteral("openButton"));
    open->setToolTip(
        tr("StableHLO or MHLO text (.mlir), HLO text (.hlo), plain or .gz; or drop a file here"));
    open->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(open, &QPushButton::clicked, this, &StartPage::openDialogRequested);
    outer->addWidget(open);
    auto* lists = new QHBoxLayout;
    samples_ = new QListWidget;
    recent_ = new QListWidget;
    const auto add = [&](const QString& name, QListWidget* list) {
        auto* column = new QVBoxLayout;
        column->addWidget(heading(name));
        column->addWidget(list, 1);
        list->setAccessibleName(name);
        list->setAlternatingRowColors(true);
        const auto go = [this](QListWidgetItem* item) {
            Q_EMIT openRequested(item->data(Qt::UserRole).toString(),
                                 item->data(Qt::UserRole + 1).toString());
        };
        connect(list, &QListWidget::itemActivated, this, go);
        connect(list, &QListWidget::itemClicked, this, go);
        lists->addLayout(column, 1);
    };
    add(tr("Samples"), samples_);
    add(tr("Recent"), recent_);
    outer->addLayout(lists, 3);
    outer->addWidget(heading(tr("Get your own model out")));
    auto* how = new QPlainTextEdit(QStringLiteral(
        "# JAX: the program before partitioning, with names\n"
        "open(\"model.mlir\", \"w\").write(\n"
        "    jax.jit(step).lower(*args).as_text(debug_info=True))\n"
        "# or every module that XLA compiles, as HLO text:\n"
        "XLA_FLAGS=\"--xla_dump_to=dump --xla_dump_hlo_as_text\" python train.py\n"));
    how->setReadOnly(true);
    how->setAccessibleName(tr("Commands that write a model file"));
    QFont fixed(QStringLiteral("monospace"));
    fixed.setStyleHint(QFont::Monospace);
    how->setFont(fixed);
    how->setMaximumHeight(fontMetrics().height() * 7);
    outer->addWidget(how, 1);
    fillSamples();
    refresh();
}

void StartPage::fillSamples() {
    const QDir folder(QStringLiteral(SHARDWRIGHT_SAMPLES));
    const QStringList names{QStringLiteral("*.mlir"), QStringLiteral("*.hlo"),
                            QStringLiteral("*.mlir.gz")};
    for (const QFileInfo& file : folder.entryInfoList(names, QDir::Files, QDir::Name)) {
        const QString plan = planBeside(file);
        auto* item = new QListWidgetItem(
            plan.isEmpty() ? file.fileName() : tr("%1, with a plan").arg(file.fileName()),
            samples_);
        item->setData(Qt::UserRole, file.filePath());
        item->setData(Qt::UserRole + 1, plan);
        item->setToolTip(file.filePath());
    }
}

QStringList StartPage::recent() {
    return QSettings().value(QLatin1String(kRecent)).toStringList();
}

void StartPage::remember(const QString& path) {
    QStringList files = recent();
    const QString absolute = QFileInfo(path).absoluteFilePath();
    files.removeAll(absolute);
    files.prepend(absolute);
    QSettings().setValue(QLatin1String(kRecent), files.mid(0, kKept));
}

void StartPage::refresh() {
    recent_->clear();
    for (const QString& path : recent()) {
        if (!QFileInfo::exists(path)) continue;
        auto* item = new QListWidgetItem(QFileInfo(path).fileName(), recent_);
        item->setData(Qt::UserRole, path);
        item->setToolTip(path);
    }
}

}  // namespace shardwright::views
