// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <array>
#include <span>
#include <vector>

#include <QColor>
#include <QGraphicsItem>
#include <QImage>

namespace tokenpace {

/// A request at its place in the chart, in logical px.
struct PlacedDot {
    QPointF at;
    int row = 0; ///< in the RequestsModel
    int series = 0;
    bool hollow = false;
};

/// How dots look: the more there are, the smaller and fainter each.
struct DotStyle {
    double radius = 2.5;
    double alpha = 0.75;

    friend bool operator==(const DotStyle&, const DotStyle&) = default;
};
[[nodiscard]] DotStyle dotStyle(std::size_t dots);

/// All dots of a chart as one picture under its series. A QGraphicsItem each, as Qt Charts makes them, costs seconds
/// at some thousand dots; here new ones are painted onto the old picture, 100,000 in some milliseconds.
class DotCloud final : public QGraphicsItem {
public:
    explicit DotCloud(QGraphicsItem* parent);

    /// Empties the picture and sets what all further dots look like. `colours` by series; `area` in logical px.
    void begin(QRectF area, double devicePixelRatio, DotStyle style, std::vector<QColor> colours);
    void add(std::span<const PlacedDot> dots);
    /// Keeps the dots themselves and paints them as shapes, for formats of vectors; of more than `most` every n-th.
    void setVectors(bool on, std::size_t most);

    [[nodiscard]] QRectF boundingRect() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    struct Sprite {
        int size = 0;
        std::vector<unsigned char> coverage; // of size x size device px
    };
    [[nodiscard]] const Sprite& sprite(int marker, bool hollow, int phase);
    void splat(const PlacedDot& dot);

    QRectF m_area;
    double m_ratio = 1;
    DotStyle m_style;
    std::vector<QColor> m_colours;
    std::vector<PlacedDot> m_dots; // only when painted as vectors
    QImage m_image;
    std::array<Sprite, 4 * 2 * 16> m_sprites; // marker x hollow x 4 x 4 positions inside a pixel
    bool m_vectors = false;
    std::size_t m_mostVectors = 0;
};

} // namespace tokenpace
