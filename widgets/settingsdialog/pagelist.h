// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QList>
#include <QWidget>

#include "settingsfields.h"

class QListWidget;
class QToolButton;

namespace tokenpace {

/// The left side of the settings: the endpoints with what can be done to them, and the pages for all endpoints. Shows
/// the editor's endpoints; asks it for nothing but them.
class PageList final : public QWidget {
    Q_OBJECT

public:
    enum class State { Unknown, Good, Bad };

    /// `editor` is not owned and outlives the list.
    explicit PageList(SettingsEditor& editor, QWidget* parent = nullptr);

    void refresh();
    void chooseEndpoint(int index);
    void choosePage(SettingsFields::Page page); ///< one of those for all endpoints
    void setState(int endpoint, State state);
    [[nodiscard]] State state(int endpoint) const { return m_states.value(endpoint, State::Unknown); }
    void clearStates(); ///< the endpoints are other ones
    [[nodiscard]] int endpoint() const; ///< the chosen one, or -1
    [[nodiscard]] QListWidget* list() const { return m_list; }

signals:
    void endpointChosen(int index);
    void pageChosen(tokenpace::SettingsFields::Page page);
    void addRequested();
    void duplicateRequested();
    void removeRequested();
    void moveRequested(int by);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void onCurrentChanged();
    void updateButtons();

    SettingsEditor& m_editor;
    QList<State> m_states;
    QListWidget* m_list = nullptr;
    QToolButton* m_duplicate = nullptr;
    QToolButton* m_remove = nullptr;
    QToolButton* m_up = nullptr;
    QToolButton* m_down = nullptr;
    bool m_filling = false;
};

} // namespace tokenpace
