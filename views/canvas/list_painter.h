#pragma once
// The QPainter back end of display lists.

#include <QFont>

#include "draw/display_list.h"

class QPainter;

namespace shardwright::views {

/// Paints the list in the painter's present transformation; `scale` is that transformation's, for
/// the choice of antialiasing. Text never leaves its box.
void paintList(QPainter& painter, const draw::DisplayList& list, double scale);
/// The font of pictures: DejaVu Sans where there is one, for the metrics that layouts assume.
QFont pictureFont();

}  // namespace shardwright::views
