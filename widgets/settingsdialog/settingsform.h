// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <functional>
#include <utility>

#include <QList>
#include <QScrollArea>

class QGridLayout;
class QLabel;

namespace tokenpace {

class HelpLine;
class SettingsFields;

/// The fields of a page, one row a row of the model: nothing here knows a key. What is typed goes to the model at each
/// stroke; what the model changes is shown, also when it comes from undo.
class SettingsForm final : public QScrollArea {
    Q_OBJECT

public:
    /// `fields` is not owned and outlives the form.
    explicit SettingsForm(SettingsFields& fields, QWidget* parent = nullptr);

    /// Words under a field while it has no problem, and at the right end of a field for a key, such as "set".
    void setNote(const QString& path, const QString& note);
    void setState(const QString& path, const QString& state, bool good);
    /// Buttons under a field: what can be done about it with one click.
    using Actions = QList<std::pair<QString, std::function<void()>>>;
    void setActions(const QString& path, const Actions& actions);
    /// Models that are marked, with words in place of the note; none: nothing is wrong with them.
    void setBadItems(const QString& path, const QStringList& items, const QString& words);
    /// The editor of a key on this page, or null.
    [[nodiscard]] QWidget* fieldOf(const QString& path) const;
    void showField(const QString& path); ///< scrolls to it

private:
    struct Row {
        QString path;
        QWidget* field = nullptr;
        HelpLine* help = nullptr;
        QWidget* actions = nullptr; ///< its buttons run what is at their place in `runs`
        QList<std::function<void()>> runs;
        QString note;
        QString warning; ///< shown in place of the note
    };

    void rebuild();
    void addField(QGridLayout& grid, int row);
    [[nodiscard]] QWidget* makeField(int row);
    void refresh(int first, int last);
    void refreshRow(int row);
    void runAction(const QString& path, int number);
    void write(int row, const QVariant& value);

    SettingsFields& m_fields;
    QList<Row> m_rows;
    int m_gridRow = 0;
    bool m_showing = false; ///< fields are being filled, nobody types
};

} // namespace tokenpace
