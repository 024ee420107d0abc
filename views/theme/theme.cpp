#include "theme/theme.h"

#include <QApplication>
#include <QPalette>
#include <QSettings>
#include <QStyleFactory>

namespace shardwright::views {
namespace {

constexpr const char* kProperty = "shardwrightTheme";

QPalette paletteOf(const draw::Palette& p, bool dark) {
    QPalette palette;
    palette.setColor(QPalette::Window, toColor(dark ? p.group : p.background));
    palette.setColor(QPalette::WindowText, toColor(p.text));
    palette.setColor(QPalette::Base, toColor(p.card));
    palette.setColor(QPalette::AlternateBase, toColor(p.card_header));
    palette.setColor(QPalette::Text, toColor(p.text));
    palette.setColor(QPalette::Button, toColor(p.card_header));
    palette.setColor(QPalette::ButtonText, toColor(p.text));
    palette.setColor(QPalette::ToolTipBase, toColor(p.card));
    palette.setColor(QPalette::ToolTipText, toColor(p.text));
    palette.setColor(QPalette::PlaceholderText, toColor(p.faint_text));
    palette.setColor(QPalette::Highlight, toColor(dark ? 0xFF2F6FDE : p.selection));
    palette.setColor(QPalette::HighlightedText, Qt::white);
    palette.setColor(QPalette::Link, toColor(p.selection));
    palette.setColor(QPalette::Mid, toColor(p.group_edge));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role,
                         toColor(draw::mix(p.faint_text, p.background, 0.35)));
    return palette;
}

}  // namespace

QColor toColor(draw::Colour colour) {
    return QColor::fromRgba(colour);
}

Theme currentTheme() {
    return qApp->property(kProperty).toBool() ? Theme::kDark : Theme::kLight;
}

const draw::Palette& drawPalette() {
    return currentTheme() == Theme::kDark ? draw::dark_palette() : draw::light_palette();
}

void applyTheme(QApplication& application, Theme theme) {
    const bool dark = theme == Theme::kDark;
    application.setProperty(kProperty, dark);
    application.setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    application.setPalette(paletteOf(dark ? draw::dark_palette() : draw::light_palette(), dark));
    application.setStyleSheet(QStringLiteral("QToolTip { padding: 4px; }"));
}

Theme preferredTheme() {
    const QString saved = QSettings().value(QStringLiteral("theme")).toString();
    if (saved == QLatin1String("dark")) return Theme::kDark;
    if (saved == QLatin1String("light")) return Theme::kLight;
    return QPalette().color(QPalette::Window).lightness() < 100 ? Theme::kDark : Theme::kLight;
}

}  // namespace shardwright::views
