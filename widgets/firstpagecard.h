// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QList>
#include <QString>
#include <QWidget>

class QPushButton;
class QVBoxLayout;

namespace tokenpace {

/// One of the three choices of the first page: icon, title, what it is, three lines with icons, a button and a hint.
class FirstPageCard final : public QWidget {
    Q_OBJECT
public:
    struct Line {
        QString icon;
        QString text;
    };
    struct Words {
        QString icon;
        QString title;
        QString description;
        QList<Line> lines;
        QString button;
        QString hint;
    };

    /// `main`: the one card with the accent border and the main button.
    FirstPageCard(const Words& words, bool main, QWidget* parent = nullptr);

    [[nodiscard]] QPushButton* button() const { return m_button; }
    void setPadding(int padding);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    bool m_main;
    QVBoxLayout* m_column = nullptr;
    QPushButton* m_button = nullptr;
};

} // namespace tokenpace
