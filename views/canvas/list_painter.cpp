#include "canvas/list_painter.h"

#include <QFontDatabase>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include "theme/theme.h"

namespace shardwright::views {
namespace {

QRectF toQt(const draw::Rect& r) {
    return {r.x, r.y, r.width, r.height};
}

QPen penOf(draw::Colour colour, double width, bool dashed) {
    if ((colour >> 24) == 0) return Qt::NoPen;
    QPen pen(toColor(colour), width);
    if (dashed) pen.setDashPattern({4, 2.5});
    return pen;
}

void paintRect(QPainter& painter, const draw::RectItem& item) {
    painter.setPen(penOf(item.stroke, static_cast<double>(item.stroke_width), item.dashed));
    painter.setBrush((item.fill >> 24) == 0 ? QBrush(Qt::NoBrush) : QBrush(toColor(item.fill)));
    const auto radius = static_cast<double>(item.radius);
    if (radius > 0)
        painter.drawRoundedRect(toQt(item.rect), radius, radius);
    else
        painter.drawRect(toQt(item.rect));
}

class TextPainter {
  public:
    void paint(QPainter& painter, const draw::DisplayList& list, const draw::TextItem& item) {
        if (item.size != size_ || item.bold != bold_) {
            QFont font = pictureFont();
            // Pixel sizes are whole numbers in Qt; point sizes are not, and the transform scales
            // both.
            font.setPixelSize(64);
            font.setBold(item.bold);
            painter.setFont(font);
            metrics_ = QFontMetricsF(font);
            size_ = item.size;
            bold_ = item.bold;
        }
        const double factor = static_cast<double>(item.size) / 64;
        const std::string_view bytes = list.string(item);
        QString text = QString::fromUtf8(bytes.data(), static_cast<qsizetype>(bytes.size()));
        double width = metrics_.horizontalAdvance(text) * factor;
        if (width > item.box.width + 0.5) {
            text = metrics_.elidedText(text, Qt::ElideRight, item.box.width / factor);
            width = metrics_.horizontalAdvance(text) * factor;
        }
        double x = item.box.x;
        if (item.align == draw::Align::kCentre) x += (item.box.width - width) / 2;
        if (item.align == draw::Align::kRight) x += item.box.width - width;
        const double y = item.box.centre().y + static_cast<double>(item.size) * 0.36;
        painter.save();
        painter.translate(x, y);
        painter.scale(factor, factor);
        painter.setPen(toColor(item.colour));
        painter.drawText(QPointF(0, 0), text);
        painter.restore();
    }

  private:
    float size_ = -1;
    bool bold_ = false;
    QFontMetricsF metrics_{QFont()};
};

void paintCurve(QPainter& painter, const draw::DisplayList& list, const draw::CurveItem& item) {
    const auto p = list.points(item);
    if (p.empty()) return;
    QPainterPath path({p[0].x, p[0].y});
    for (std::size_t i = 1; i + 2 < p.size(); i += 3)
        path.cubicTo(p[i].x, p[i].y, p[i + 1].x, p[i + 1].y, p[i + 2].x, p[i + 2].y);
    const auto width = static_cast<double>(item.width);
    painter.setPen(penOf(item.colour, width, item.dashed));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
    if (!item.arrow) return;
    const draw::Point end = p.back();
    const double size = 3 + 1.5 * width;
    const QPointF head[] = {{end.x, end.y},
                            {end.x - size * 0.7, end.y - size * 1.4},
                            {end.x + size * 0.7, end.y - size * 1.4}};
    painter.setPen(Qt::NoPen);
    painter.setBrush(toColor(item.colour));
    painter.drawPolygon(head, 3);
}

}  // namespace

QFont pictureFont() {
    static const QFont font = [] {
        QFont f;
        if (QFontDatabase::families().contains(QStringLiteral("DejaVu Sans")))
            f.setFamily(QStringLiteral("DejaVu Sans"));
        f.setHintingPreference(QFont::PreferNoHinting);
        return f;
    }();
    return font;
}

void paintList(QPainter& painter, const draw::DisplayList& list, double scale) {
    painter.setRenderHint(QPainter::Antialiasing, scale >= 0.12);
    painter.setRenderHint(QPainter::TextAntialiasing);
    TextPainter texts;
    for (const draw::Item& item : list.items()) {
        switch (item.kind) {
            case draw::ItemKind::kRect:
                paintRect(painter, list.rect_at(item.index));
                break;
            case draw::ItemKind::kText:
                texts.paint(painter, list, list.text_at(item.index));
                break;
            case draw::ItemKind::kCurve:
                paintCurve(painter, list, list.curve_at(item.index));
                break;
        }
    }
}

}  // namespace shardwright::views
