// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <functional>

#include <QWidget>

class QLabel;
class QPushButton;
class QToolButton;

namespace tokenpace {

/// A line below the tool bar that says what happened, to what, and what to do next, without stopping anyone's work.
/// Hidden while there is nothing to say. GUI thread.
class MessageStrip final : public QWidget {
    Q_OBJECT
public:
    enum class Kind { Info, Warning, Error };

    explicit MessageStrip(QWidget* parent = nullptr);

    void showMessage(Kind kind, const QString& text);
    /// The same with a button that does something about it.
    void showMessage(Kind kind, const QString& text, const QString& buttonText, std::function<void()> action);
    void dismiss();
    [[nodiscard]] QString text() const;
    [[nodiscard]] Kind kind() const { return m_kind; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Kind m_kind = Kind::Info;
    QLabel* m_text = nullptr;
    QPushButton* m_button = nullptr;
    QToolButton* m_close = nullptr;
    std::function<void()> m_action;
};

} // namespace tokenpace
