#pragma once
// Light and dark on Fusion: Qt before 6.5 does not know what the desktop prefers.

#include <QColor>
#include <QString>

#include "draw/colour.h"

class QApplication;

namespace shardwright::views {

enum class Theme { kLight, kDark };

/// Style, palette and tooltips of the whole application.
void applyTheme(QApplication& application, Theme theme);
Theme currentTheme();
/// The colours of pictures that belong to the current theme.
const draw::Palette& drawPalette();
QColor toColor(draw::Colour colour);
/// The theme saved by the user, or the desktop's as far as its palette tells.
Theme preferredTheme();

}  // namespace shardwright::views
