// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QImage>
#include <QList>
#include <QPainter>
#include <QString>

namespace tokenpace::test {

/// All pictures beside each other, with their names: for eyes that look for what is out of line.
class ContactSheet {
public:
    void add(const QImage& image, const QString& name) { m_shots.append({image, name}); }

    void save(const QString& path) const
    {
        constexpr int columns = 4;
        constexpr QSize cell(480, 340);
        constexpr int nameHeight = 24;
        const int rows = (static_cast<int>(m_shots.size()) + columns - 1) / columns;
        QImage sheet(columns * cell.width(), rows * cell.height(), QImage::Format_RGB32);
        sheet.fill(QColor(128, 128, 128));
        QPainter painter(&sheet);
        painter.setRenderHint(QPainter::SmoothPixmapTransform);
        for (int i = 0; i < m_shots.size(); ++i) {
            const QRect place(QPoint(i % columns * cell.width(), i / columns * cell.height()), cell);
            const QSize size = m_shots.at(i).image.size().scaled(cell - QSize(8, nameHeight + 4), Qt::KeepAspectRatio);
            painter.drawText(place.adjusted(4, 4, 0, 0), m_shots.at(i).name);
            painter.drawImage(QRect(place.topLeft() + QPoint(4, nameHeight), size), m_shots.at(i).image);
        }
        painter.end();
        sheet.save(path);
    }

private:
    struct Shot {
        QImage image;
        QString name;
    };
    QList<Shot> m_shots;
};

} // namespace tokenpace::test
