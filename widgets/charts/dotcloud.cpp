// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "charts/dotcloud.h"

#include <algorithm>
#include <cmath>

#include <QPainter>
#include <QPainterPath>

#include "charts/drawlist.h"

namespace tokenpace {

namespace {

constexpr double hollowPen = 1.2;
constexpr double leastHollowAlpha = 0.9; // a flagged one must be found among thousands

} // namespace

DotStyle dotStyle(std::size_t dots)
{
    if (dots <= 500) {
        return {2.5, 0.75};
    }
    if (dots <= 5000) {
        return {1.8, 0.34};
    }
    return {1.7, 0.125};
}

DotCloud::DotCloud(QGraphicsItem* parent)
    : QGraphicsItem(parent)
{
}

void DotCloud::setVectors(bool on, std::size_t most)
{
    m_vectors = on;
    m_mostVectors = std::max<std::size_t>(1, most);
}

void DotCloud::begin(QRectF area, double devicePixelRatio, DotStyle style, std::vector<QColor> colours)
{
    prepareGeometryChange();
    if (style != m_style || devicePixelRatio != m_ratio) {
        m_sprites = {};
    }
    m_area = area;
    m_ratio = devicePixelRatio;
    m_style = style;
    m_colours = std::move(colours);
    m_dots.clear();
    const QSize size(static_cast<int>(std::ceil(area.width() * m_ratio)),
                     static_cast<int>(std::ceil(area.height() * m_ratio)));
    if (m_vectors || size.isEmpty()) {
        m_image = {};
        return;
    }
    if (m_image.size() != size) {
        m_image = QImage(size, QImage::Format_ARGB32_Premultiplied);
    }
    m_image.fill(Qt::transparent);
}

void DotCloud::add(std::span<const PlacedDot> dots)
{
    if (m_vectors) {
        m_dots.insert(m_dots.end(), dots.begin(), dots.end());
        return;
    }
    if (m_image.isNull()) {
        return;
    }
    for (const PlacedDot& dot : dots) {
        splat(dot);
    }
}

const DotCloud::Sprite& DotCloud::sprite(int marker, bool hollow, int phase)
{
    Sprite& sprite = m_sprites[static_cast<std::size_t>((marker * 2 + (hollow ? 1 : 0)) * 16 + phase)];
    if (sprite.size > 0) {
        return sprite;
    }
    const double radius = m_style.radius * m_ratio;
    const double reach = std::ceil(radius * 1.5 + hollowPen * m_ratio) + 1; // a triangle reaches 1.5 radii
    sprite.size = 2 * static_cast<int>(reach) + 1;
    QImage image(sprite.size, sprite.size, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(hollow ? QPen(Qt::black, hollowPen * m_ratio) : QPen(Qt::NoPen));
    painter.setBrush(hollow ? QBrush(Qt::NoBrush) : QBrush(Qt::black));
    const QPointF centre(reach + (phase % 4 + 0.5) / 4, reach + (phase / 4 + 0.5) / 4);
    painter.drawPath(markerPath(static_cast<Marker>(marker), centre, radius));
    painter.end();
    sprite.coverage.reserve(static_cast<std::size_t>(sprite.size * sprite.size));
    for (int y = 0; y < sprite.size; ++y) {
        const auto* line = reinterpret_cast<const QRgb*>(image.constScanLine(y));
        for (int x = 0; x < sprite.size; ++x) {
            sprite.coverage.push_back(static_cast<unsigned char>(qAlpha(line[x])));
        }
    }
    return sprite;
}

void DotCloud::splat(const PlacedDot& dot)
{
    const double x = (dot.at.x() - m_area.x()) * m_ratio;
    const double y = (dot.at.y() - m_area.y()) * m_ratio;
    if (!(x > -100 && y > -100 && x < m_image.width() + 100 && y < m_image.height() + 100)) {
        return;
    }
    const double left = std::floor(x);
    const double top = std::floor(y);
    const int phase = static_cast<int>((x - left) * 4) + 4 * static_cast<int>((y - top) * 4);
    const Sprite& shape = sprite(static_cast<int>(markerOf(dot.series)), dot.hollow, phase);
    const int x0 = static_cast<int>(left) - shape.size / 2;
    const int y0 = static_cast<int>(top) - shape.size / 2;
    const QColor& colour = m_colours[static_cast<std::size_t>(dot.series)];
    const double alpha = colour.alphaF() * (dot.hollow ? std::max(m_style.alpha, leastHollowAlpha) : m_style.alpha);
    const auto strength = static_cast<unsigned>(std::lround(alpha * 256));
    const auto red = static_cast<unsigned>(colour.red());
    const auto green = static_cast<unsigned>(colour.green());
    const auto blue = static_cast<unsigned>(colour.blue());
    const int fromX = std::max(0, -x0);
    const int toX = std::min(shape.size, m_image.width() - x0);
    const int toY = std::min(shape.size, m_image.height() - y0);
    for (int row = std::max(0, -y0); row < toY; ++row) {
        auto* line = reinterpret_cast<QRgb*>(m_image.scanLine(y0 + row)) + x0;
        const unsigned char* coverage = shape.coverage.data() + static_cast<std::ptrdiff_t>(row) * shape.size;
        for (int column = fromX; column < toX; ++column) {
            const unsigned a = coverage[column] * strength; // 0 .. 255 * 256
            if (a == 0) {
                continue;
            }
            const unsigned rest = 255 * 256 - a;
            const QRgb old = line[column];
            const auto mix = [&](unsigned source, int below) {
                return static_cast<int>((source * a + static_cast<unsigned>(below) * rest + 32640) / 65280);
            };
            line[column] =
                qRgba(mix(red, qRed(old)), mix(green, qGreen(old)), mix(blue, qBlue(old)), mix(255, qAlpha(old)));
        }
    }
}

QRectF DotCloud::boundingRect() const
{
    return m_area;
}

void DotCloud::paint(QPainter* painter, const QStyleOptionGraphicsItem* /*option*/, QWidget* /*widget*/)
{
    if (!m_vectors) {
        if (!m_image.isNull()) {
            painter->drawImage(QRectF(m_area.topLeft(), QSizeF(m_image.size()) / m_ratio), m_image);
        }
        return;
    }
    const QRectF reach = m_area.adjusted(-m_style.radius, -m_style.radius, m_style.radius, m_style.radius);
    const std::size_t step = (m_dots.size() + m_mostVectors - 1) / m_mostVectors;
    for (std::size_t i = 0; i < m_dots.size(); i += step) {
        const PlacedDot& dot = m_dots[i];
        if (!reach.contains(dot.at)) {
            continue;
        }
        QColor colour = m_colours[static_cast<std::size_t>(dot.series)];
        colour.setAlphaF(static_cast<float>(
            colour.alphaF() * (dot.hollow ? std::max(m_style.alpha, leastHollowAlpha) : m_style.alpha)));
        painter->setPen(dot.hollow ? QPen(colour, hollowPen) : QPen(Qt::NoPen));
        painter->setBrush(dot.hollow ? QBrush(Qt::NoBrush) : QBrush(colour));
        painter->drawPath(markerPath(markerOf(dot.series), dot.at, m_style.radius));
    }
}

} // namespace tokenpace
