// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QLabel>

namespace tokenpace {

/// Words in a colour of the theme, by role, that follow a switch. `setLines()` gives plain text a line height, which a
/// plain label has no way for.
class RoleLabel final : public QLabel {
    Q_OBJECT
public:
    enum class Role { Text, Text2, Muted, AccentText, Good, Warning, Error };

    RoleLabel(const QString& text, Role role, const QFont& font, QWidget* parent = nullptr);

    void setRole(Role role);
    [[nodiscard]] Role role() const { return m_role; }
    /// Wraps `text` (plain) at words, `lineHeight` px a line.
    void setLines(const QString& text, int lineHeight);

protected:
    void changeEvent(QEvent* event) override;

private:
    void recolour();
    Role m_role;
};

} // namespace tokenpace
