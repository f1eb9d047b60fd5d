// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "theme/icons.h"

#include <cmath>

#include <QFile>
#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

#include "theme/theme.h"

namespace tokenpace {

namespace {

/// The picture in one colour. `size` in device pixels.
QPixmap drawn(const QString& name, const QColor& colour, const QSize& size)
{
    const QString key = QStringLiteral("tokenpace/%1/%2/%3x%4")
                            .arg(name, colour.name(QColor::HexArgb))
                            .arg(size.width())
                            .arg(size.height());
    QPixmap pixmap;
    if (QPixmapCache::find(key, &pixmap)) {
        return pixmap;
    }
    pixmap = QPixmap(size);
    pixmap.fill(Qt::transparent);
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (file.open(QIODevice::ReadOnly)) {
        QByteArray svg = file.readAll();
        svg.replace("currentColor", colour.name(QColor::HexRgb).toLatin1());
        QSvgRenderer renderer(svg);
        renderer.setAspectRatioMode(Qt::KeepAspectRatio);
        QPainter painter(&pixmap);
        painter.setOpacity(colour.alphaF());
        renderer.render(&painter, QRectF(QPointF(0, 0), QSizeF(size)));
    }
    QPixmapCache::insert(key, pixmap);
    return pixmap;
}

class ThemedIconEngine final : public QIconEngine {
public:
    ThemedIconEngine(QString name, IconColour colour)
        : m_name(std::move(name))
        , m_colour(colour)
    {
    }

    QIconEngine* clone() const override { return new ThemedIconEngine(m_name, m_colour); }
    QString key() const override { return QStringLiteral("tokenpace"); }
    QString iconName() override { return m_name; }
    bool isNull() override { return false; }

    QSize actualSize(const QSize& size, QIcon::Mode /*mode*/, QIcon::State /*state*/) override { return size; }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State /*state*/) override
    {
        const Theme& theme = activeTheme();
        const bool disabled = mode == QIcon::Disabled;
        return drawn(m_name, disabled ? theme.disabled : iconColour(m_colour, theme), size);
    }

    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal /*scale*/) override
    {
        return pixmap(size, mode, state); // the size is in device pixels already
    }

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override
    {
        const qreal ratio = painter->device()->devicePixelRatio();
        QPixmap picture = pixmap((QSizeF(rect.size()) * ratio).toSize(), mode, state);
        picture.setDevicePixelRatio(ratio);
        painter->drawPixmap(rect.topLeft(), picture);
    }

private:
    QString m_name;
    IconColour m_colour;
};

} // namespace

QColor iconColour(IconColour role, const Theme& theme)
{
    switch (role) {
    case IconColour::Text2:
        return theme.text2;
    case IconColour::Muted:
        return theme.muted;
    case IconColour::Text:
        return theme.text;
    case IconColour::Accent:
        return theme.accent;
    case IconColour::AccentText:
        return theme.accentText;
    case IconColour::OnAccent:
        return Qt::white;
    case IconColour::Good:
        return theme.good;
    case IconColour::Warning:
        return theme.warning;
    case IconColour::Error:
        return theme.error;
    }
    return theme.text2;
}

QIcon themedIcon(const QString& name, IconColour colour)
{
    return QIcon(new ThemedIconEngine(name, colour));
}

QPixmap iconPixmap(const QString& name, const QColor& colour, int size, qreal devicePixelRatio)
{
    const int device = static_cast<int>(std::lround(size * devicePixelRatio));
    QPixmap pixmap = drawn(name, colour, QSize(device, device));
    pixmap.setDevicePixelRatio(devicePixelRatio);
    return pixmap;
}

} // namespace tokenpace
