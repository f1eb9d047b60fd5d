// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QStringList>
#include <QWidget>

namespace tokenpace {

/// One of a few choices in one frame. Arrow keys move the choice, as in a row of radio buttons.
class SegmentedControl final : public QWidget {
    Q_OBJECT
public:
    explicit SegmentedControl(const QStringList& choices, QWidget* parent = nullptr);

    [[nodiscard]] int currentIndex() const { return m_current; }
    void setCurrentIndex(int index);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void currentIndexChanged(int index);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] QRect segmentRect(int index) const;
    [[nodiscard]] int indexAt(const QPoint& pos) const;
    QStringList m_choices;
    int m_current = 0;
    int m_hovered = -1;
};

} // namespace tokenpace
