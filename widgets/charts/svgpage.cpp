// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "charts/svgpage.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>

#include "charts/chartfigure.h"
#include "theme/theme.h"

namespace tokenpace {

namespace {

constexpr std::size_t mostDots = 10'000;

/// A tenth of a px is less than anyone sees.
QByteArray number(double value)
{
    QByteArray text = QByteArray::number(value, 'f', 1);
    if (text.endsWith(".0")) {
        text.chop(2);
    }
    return text == "-0" ? QByteArrayLiteral("0") : text;
}

std::string colour(const char* property, const QColor& value, double opacity)
{
    std::string css = std::string(property) + ':' + value.name().toStdString();
    const double alpha = value.alphaF() * opacity;
    if (alpha < 0.999) {
        css += ';' + std::string(property) + "-opacity:" + QByteArray::number(alpha, 'f', 3).toStdString();
    }
    return css;
}

/// One element: what of it no theme changes, and its look in the theme that it was painted with.
struct Element {
    QByteArray head; ///< "<path"
    QByteArray tail; ///< attributes and the end
    std::string look;
};

class Recorder final : public QPaintEngine {
public:
    explicit Recorder(std::vector<Element>& elements)
        : QPaintEngine(AllFeatures)
        , m_elements(elements)
    {
    }

    bool begin(QPaintDevice* /*device*/) override { return true; }
    bool end() override { return true; }
    [[nodiscard]] Type type() const override { return User; }

    void updateState(const QPaintEngineState& now) override
    {
        m_pen = now.pen();
        m_brush = now.brush();
        m_font = now.font();
        m_opacity = now.opacity();
        m_transform = now.transform();
    }

    void drawPath(const QPainterPath& path) override
    {
        // A dot is a line without length and with round ends: a fifth of the bytes of a circle.
        constexpr int elementsOfEllipse = 13;
        const QRectF box = path.boundingRect();
        const bool filled = m_brush.style() != Qt::NoBrush && m_pen.style() == Qt::NoPen;
        if (filled && path.elementCount() == elementsOfEllipse && path.elementAt(1).isCurveTo()
            && std::abs(box.width() - box.height()) < 0.01) {
            const QPointF at = m_transform.map(box.center());
            m_elements.push_back({"<path", " d=\"M" + number(at.x()) + ' ' + number(at.y()) + "h0\"/>",
                                  "fill:none;stroke-linecap:round;stroke-width:" + number(box.width()).toStdString()
                                      + ';' + colour("stroke", m_brush.color(), m_opacity)});
            return;
        }
        const QPainterPath placed = m_transform.map(path);
        QByteArray d;
        for (int i = 0; i < placed.elementCount(); ++i) {
            const QPainterPath::Element& element = placed.elementAt(i);
            d += element.isMoveTo() ? "M" : element.isLineTo() ? "L" : element.isCurveTo() ? "C" : " ";
            d += number(element.x) + ' ' + number(element.y);
        }
        push("<path", " d=\"" + d + "\"/>");
    }

    void drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) override
    {
        QByteArray list;
        for (int i = 0; i < count; ++i) {
            const QPointF at = m_transform.map(points[i]);
            list += (i > 0 ? " " : "") + number(at.x()) + ',' + number(at.y());
        }
        const bool line = mode == PolylineMode;
        const QBrush brush = m_brush;
        if (line) {
            m_brush = Qt::NoBrush;
        }
        push(line ? "<polyline" : "<polygon", " points=\"" + list + "\"/>");
        m_brush = brush;
    }

    void drawRects(const QRectF* rects, int count) override
    {
        for (int i = 0; i < count; ++i) {
            const QRectF rect = m_transform.mapRect(rects[i]);
            push("<rect",
                 " x=\"" + number(rect.x()) + "\" y=\"" + number(rect.y()) + "\" width=\"" + number(rect.width())
                     + "\" height=\"" + number(rect.height()) + "\"/>");
        }
    }

    void drawPixmap(const QRectF& /*target*/, const QPixmap& /*pixmap*/, const QRectF& /*source*/) override { }

    void drawTextItem(const QPointF& at, const QTextItem& item) override
    {
        const QPointF base = m_transform.map(at);
        const QFont font = item.font();
        // Its length keeps the text in its place where another face stands in.
        m_elements.push_back({"<text",
                              " x=\"" + number(base.x()) + "\" y=\"" + number(base.y()) + "\" textLength=\""
                                  + number(item.width()) + "\">" + item.text().toHtmlEscaped().toUtf8() + "</text>",
                              "font-size:" + std::to_string(font.pixelSize()) + "px;font-weight:"
                                  + std::to_string(font.weight()) + ';' + colour("fill", m_pen.color(), m_opacity)});
    }

private:
    void push(const char* head, const QByteArray& tail)
    {
        std::string look = m_brush.style() == Qt::NoBrush ? "fill:none" : colour("fill", m_brush.color(), m_opacity);
        if (m_pen.style() != Qt::NoPen) {
            constexpr double hair = 0.5; // of a pen of width 0
            const double width = m_pen.widthF() > 0 ? m_pen.widthF() : hair;
            look += ';' + colour("stroke", m_pen.color(), m_opacity) + ";stroke-width:" + number(width).toStdString();
            if (m_pen.style() == Qt::CustomDashLine || m_pen.style() == Qt::DashLine) {
                look += ";stroke-dasharray:";
                for (const qreal part : m_pen.dashPattern()) {
                    look += number(part * width).toStdString() + ' ';
                }
            }
        }
        m_elements.push_back({head, tail, look});
    }

    std::vector<Element>& m_elements; // not owned
    QPen m_pen;
    QBrush m_brush;
    QFont m_font;
    double m_opacity = 1;
    QTransform m_transform;
};

/// Paper without pixels: 96 to the inch as in CSS.
class Sheet final : public QPaintDevice {
public:
    Sheet(std::vector<Element>& elements, QSizeF size)
        : m_engine(elements)
        , m_size(size.toSize())
    {
    }
    [[nodiscard]] QPaintEngine* paintEngine() const override { return &m_engine; }

protected:
    [[nodiscard]] int metric(PaintDeviceMetric metric) const override
    {
        constexpr int dpi = 96;
        constexpr double mmPerInch = 25.4;
        switch (metric) {
        case PdmWidth:
            return m_size.width();
        case PdmHeight:
            return m_size.height();
        case PdmWidthMM:
            return qRound(m_size.width() * mmPerInch / dpi);
        case PdmHeightMM:
            return qRound(m_size.height() * mmPerInch / dpi);
        case PdmNumColors:
            return 1 << 24;
        case PdmDepth:
            return 32;
        case PdmDpiX:
        case PdmDpiY:
        case PdmPhysicalDpiX:
        case PdmPhysicalDpiY:
            return dpi;
        case PdmDevicePixelRatio:
            return 1;
        case PdmDevicePixelRatioScaled:
            return static_cast<int>(devicePixelRatioFScale());
        }
        return 0;
    }

private:
    mutable Recorder m_engine;
    QSize m_size;
};

std::vector<Element> painted(const ChartSpec& spec, const ChartData& data, const Theme& theme, QSizeF size)
{
    const auto figure = ChartFigure::make(spec, data);
    figure->setFooter({});
    figure->setTheme(theme);
    figure->setSize(size, 2);
    figure->setForVectors(true, ChartFigure::VectorText::Text, mostDots);
    figure->update();
    std::vector<Element> elements;
    Sheet sheet(elements, size);
    QPainter painter(&sheet);
    figure->paint(painter);
    painter.end();
    return elements;
}

} // namespace

QByteArray SvgPage::add(const ChartSpec& spec, const ChartData& data, QSizeF size)
{
    const std::vector<Element> light = painted(spec, data, lightTheme(), size);
    const std::vector<Element> dark = painted(spec, data, darkTheme(), size);
    // Themes differ in colours alone: the same elements in the same order.
    const bool same = light.size() == dark.size();
    QByteArray svg = "<svg viewBox=\"0 0 " + number(size.width()) + ' ' + number(size.height())
        + "\" role=\"img\" xmlns=\"http://www.w3.org/2000/svg\">\n<title>"
        + chartTitle(spec.kind).toHtmlEscaped().toUtf8() + "</title>\n";
    for (std::size_t i = 0; i < light.size(); ++i) {
        const Look look{light[i].look, same ? dark[i].look : light[i].look};
        const int number = m_classes.try_emplace(look, static_cast<int>(m_classes.size())).first->second;
        svg += light[i].head + " class=\"c" + QByteArray::number(number) + '"' + light[i].tail + '\n';
    }
    return svg + "</svg>";
}

QByteArray SvgPage::styleSheet() const
{
    const auto page = [](const Theme& theme) {
        const std::pair<const char*, QColor> roles[] = {{"--panel", theme.panel},
                                                        {"--text", theme.text},
                                                        {"--text2", theme.text2},
                                                        {"--line", theme.line},
                                                        {"--warning", theme.warning}};
        QByteArray css = ":root{";
        for (const auto& [name, value] : roles) {
            css += QByteArray(name) + ':' + value.name().toUtf8() + ';';
        }
        return css + "}\n";
    };
    QByteArray lightCss = page(lightTheme());
    QByteArray darkCss = page(darkTheme());
    for (const auto& [look, number] : m_classes) {
        const QByteArray name = ".c" + QByteArray::number(number);
        lightCss += name + '{' + QByteArray::fromStdString(look.light) + "}\n";
        if (look.dark != look.light) {
            darkCss += name + '{' + QByteArray::fromStdString(look.dark) + "}\n";
        }
    }
    // Paper is white: a dark page would be printed without its ground.
    return lightCss + "@media screen and (prefers-color-scheme:dark){\n" + darkCss + "}\n";
}

QString chartSummary(const ChartSpec& spec, const ChartData& data)
{
    const auto figure = ChartFigure::make(spec, data);
    figure->setSize({820, 480}, 1);
    figure->update();
    return figure->summary();
}

} // namespace tokenpace
