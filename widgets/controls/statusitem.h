// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QWidget>

namespace tokenpace {

/// A coloured dot and words in the status bar: "● 127.0.0.1:8080 up". The word says the state; the dot only repeats it.
class StatusItem final : public QWidget {
    Q_OBJECT
public:
    enum class State { None, Good, Warning, Error, Unknown }; ///< None: no dot
    explicit StatusItem(QWidget* parent = nullptr);

    void setText(const QString& text);
    [[nodiscard]] QString text() const { return m_text; }
    void setState(State state);
    [[nodiscard]] State state() const { return m_state; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override; ///< elides from here on

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_text;
    State m_state = State::None;
};

} // namespace tokenpace
