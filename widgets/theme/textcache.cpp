// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "theme/textcache.h"

#include <cmath>

#include <QCache>
#include <QFontMetricsF>
#include <QPainter>
#include <QStaticText>

namespace tokenpace {

namespace {

// A window of the usual size shows some 400 texts; the rest is for those that come back.
constexpr int mostTexts = 4000;

struct Key {
    QFont font;
    QString text;
    bool operator==(const Key& other) const = default;
};

size_t qHash(const Key& key, size_t seed)
{
    return qHashMulti(seed, key.font, key.text);
}

struct Line {
    QStaticText text;
    double advance = 0;
    double ascent = 0;
    double descent = 0;
};

const Line& lineOf(const QFont& font, const QString& text)
{
    thread_local QCache<Key, Line> cache(mostTexts);
    const Key key{font, text};
    if (const Line* found = cache.object(key)) {
        return *found;
    }
    const QFontMetricsF metrics(font);
    auto* line = new Line{QStaticText(text), metrics.horizontalAdvance(text), metrics.ascent(), metrics.descent()};
    line->text.setTextFormat(Qt::PlainText);
    line->text.setPerformanceHint(QStaticText::AggressiveCaching);
    line->text.prepare({}, font);
    cache.insert(key, line);
    return *line;
}

} // namespace

double advanceOf(const QFont& font, const QString& text)
{
    return lineOf(font, text).advance;
}

QString elidedTo(double width, const QFont& font, const QString& text, Qt::TextElideMode mode)
{
    return advanceOf(font, text) <= width ? text : QFontMetricsF(font).elidedText(text, mode, width);
}

void paintText(QPainter& painter, QPointF at, const QFont& font, const QString& text)
{
    if (text.isEmpty()) {
        return;
    }
    const Line& line = lineOf(font, text);
    painter.setFont(font);
    painter.drawStaticText(at - QPointF(0, line.ascent), line.text);
}

void paintText(QPainter& painter, const QRectF& rect, Qt::Alignment horizontal, const QFont& font, const QString& text)
{
    const Line& line = lineOf(font, text);
    double x = rect.left();
    if (horizontal & Qt::AlignRight) {
        x = rect.right() - line.advance;
    } else if (horizontal & Qt::AlignHCenter) {
        x = rect.left() + (rect.width() - line.advance) / 2;
    }
    const double baseline = std::round(rect.top() + (rect.height() + line.ascent - line.descent) / 2);
    paintText(painter, QPointF(x, baseline), font, text);
}

} // namespace tokenpace
