// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "charts/charttip.h"

#include <algorithm>

#include <QPainter>
#include <QPainterPath>

#include "charts/charttext.h"
#include "charts/drawlist.h"
#include "measure/metrics.h"
#include "numbertext.h"
#include "requestsmodel.h"
#include "theme/textcache.h"

namespace tokenpace {

namespace {

constexpr double padX = 10;
constexpr double padY = 8;
constexpr double lineHeight = 17;
constexpr double leastWidth = 215;
constexpr double distance = 14; // from the dot

struct Line {
    QString label;
    QString value;
};

std::vector<Line> linesOf(const Timeline& timeline)
{
    std::vector<Line> lines;
    QString prompt = dashText;
    if (const auto length = promptLength(timeline)) {
        const QString tokens = countText(static_cast<qint64>(length->tokens));
        prompt = length->estimated ? Charts::tr("about %1 tokens").arg(tokens) : Charts::tr("%1 tokens").arg(tokens);
    }
    lines.push_back({Charts::tr("Prompt"), prompt});
    lines.push_back({QStringLiteral("TTFT"), exactMs(ttftMs(timeline))});
    lines.push_back({QStringLiteral("TPOT"), exactMs(tpotMs(timeline))});
    QStringList flags;
    for (const std::string_view flag : names(timeline.flags)) {
        flags << QString::fromUtf8(flag.data(), static_cast<qsizetype>(flag.size()));
    }
    if (!flags.isEmpty()) {
        lines.push_back({Charts::tr("Flags"), flags.join(QStringLiteral(", "))});
    }
    return lines;
}

} // namespace

void paintRequestTip(QPainter& painter, const RequestsModel& requests, int row, QPointF anchor, QRectF bounds,
                     const Theme& theme)
{
    const RequestsModel::Row& request = requests.row(row);
    if (!request.finished()) {
        return;
    }
    const QFont nameFont = textFont(12, QFont::DemiBold);
    const QFont labelFont = textFont(12);
    const QFont valueFont = numberFont(12);
    const QString name = requests.series().at(request.series).label;
    const QString number = QStringLiteral("#%1").arg(countText(request.seq));
    const std::vector<Line> lines = linesOf(*request.timeline);

    double width = 16 + advanceOf(nameFont, name) + 16 + advanceOf(valueFont, number);
    for (const Line& line : lines) {
        width = std::max(width, advanceOf(labelFont, line.label) + 24 + advanceOf(valueFont, line.value));
    }
    const QSizeF size(std::max(leastWidth, width + 2 * padX),
                      2 * padY + lineHeight * (1 + static_cast<double>(lines.size())) + 3);
    QPointF corner(anchor.x() - size.width() - distance, anchor.y() - size.height() - distance);
    if (corner.x() < bounds.left() + 4) {
        corner.setX(anchor.x() + distance);
    }
    if (corner.y() < bounds.top() + 4) {
        corner.setY(anchor.y() + distance);
    }
    corner.setX(
        std::clamp(corner.x(), bounds.left() + 4, std::max(bounds.left() + 4, bounds.right() - size.width() - 4)));
    corner.setY(
        std::clamp(corner.y(), bounds.top() + 4, std::max(bounds.top() + 4, bounds.bottom() - size.height() - 4)));
    const QRectF box(QPointF(corner.toPoint()) + QPointF(0.5, 0.5), size);

    painter.setPen(QPen(theme.controlLine, 1));
    painter.setBrush(theme.ctl);
    painter.drawRoundedRect(box, 6, 6);
    const double left = box.left() + padX;
    const double right = box.right() - padX;
    double y = box.top() + padY + 12;
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.series(request.series));
    painter.drawPath(markerPath(markerOf(request.series), {left + 4.5, y - 4.5}, 4.5));
    const auto text = [&](double x, const QString& words, const QFont& font, const QColor& colour, bool atRight) {
        painter.setFont(font);
        painter.setPen(colour);
        painter.drawText(QPointF(atRight ? x - advanceOf(font, words) : x, y), words);
    };
    text(left + 16, name, nameFont, theme.text, false);
    text(right, number, valueFont, theme.muted, true);
    y += 3;
    for (const Line& line : lines) {
        y += lineHeight;
        text(left, line.label, labelFont, theme.text2, false);
        text(right, line.value, valueFont, theme.text, true);
    }
}

} // namespace tokenpace
