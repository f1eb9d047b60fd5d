// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QLineEdit>
#include <QWidget>

#include "controls/rolelabel.h"

class QGridLayout;
class QVBoxLayout;

namespace tokenpace {

/// A group's head in a form: its title and a line to the right edge.
class GroupHead final : public QWidget {
    Q_OBJECT
public:
    explicit GroupHead(const QString& title, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_title;
};

/// The line below a field: help in muted, or what is wrong with an icon in front. Wraps; takes no room when empty.
class HelpLine final : public QWidget {
    Q_OBJECT
public:
    explicit HelpLine(QWidget* parent = nullptr);

    enum class Kind { Help, Good, Warning, Error };
    void setHelp(const QString& text, Kind kind = Kind::Help);
    [[nodiscard]] QString text() const { return m_text; }
    [[nodiscard]] Kind kind() const { return m_kind; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_text;
    Kind m_kind = Kind::Help;
    RoleLabel* m_label = nullptr;
};

/// A field that says at its right how its value stands, such as "✓ set, 51 characters".
class StateField final : public QLineEdit {
    Q_OBJECT
public:
    explicit StateField(QWidget* parent = nullptr);

    void setState(const QString& text, bool good);
    [[nodiscard]] QString state() const { return m_state; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_state;
    bool m_good = false;
};

/// The foot of a dialog: 52 high, a line above it.
class DialogFoot final : public QWidget {
    Q_OBJECT
public:
    explicit DialogFoot(QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;
};

/// A path with the home folder as `~`, as people write it.
[[nodiscard]] QString shortPath(const QString& path);

/// Marks a field as wrong or right for the style sheet; does nothing when it is so already.
void setBad(QWidget* field, bool bad);

/// A column of labels 104 wide, 12 px, the fields; rows 10 apart, help 3 below its field.
class FormColumn final : public QWidget {
    Q_OBJECT
public:
    explicit FormColumn(QWidget* parent = nullptr);

    void addGroup(const QString& title);
    /// Takes ownership of `field`; gives back the line below it.
    HelpLine* addRow(const QString& label, QWidget* field);

private:
    QGridLayout* m_grid = nullptr;
};

} // namespace tokenpace
