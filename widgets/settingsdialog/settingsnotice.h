// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <functional>
#include <utility>
#include <vector>

#include <QWidget>

class QHBoxLayout;

namespace tokenpace {

class RoleLabel;

/// A strip above the form with something to decide: words, and buttons for the ways on. Hidden while there is nothing.
class SettingsNotice final : public QWidget {
    Q_OBJECT
public:
    explicit SettingsNotice(QWidget* parent = nullptr);

    enum class Kind { Info, Warning, Error };
    using Ways = std::vector<std::pair<QString, std::function<void()>>>;
    void ask(Kind kind, const QString& words, const Ways& ways = {});
    void dismiss();
    [[nodiscard]] QString text() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Kind m_kind = Kind::Info;
    RoleLabel* m_words = nullptr;
    QHBoxLayout* m_buttons = nullptr;
};

} // namespace tokenpace
