#include "window/help_window.h"

#include <QTextBrowser>
#include <QVBoxLayout>

namespace shardwright::views {

HelpWindow::HelpWindow(QWidget* parent) : QDialog(parent) {
    setWindowTitle(tr("Shardwright help"));
    auto* browser = new QTextBrowser;
    browser->setObjectName(QStringLiteral("help"));
    browser->setSearchPaths({QStringLiteral(SHARDWRIGHT_RESOURCES "/help")});
    browser->setOpenExternalLinks(true);
    browser->setSource(QUrl(QStringLiteral("index.md")), QTextDocument::MarkdownResource);
    auto* column = new QVBoxLayout(this);
    column->addWidget(browser);
    resize(760, 640);
}

}  // namespace shardwright::views
