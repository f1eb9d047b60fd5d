// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QAction>
#include <QList>
#include <QMenu>
#include <QObject>

namespace tokenpace {

/// Every action of the window with its key, and the menus that hold them. The window connects them; the actions work
/// in all of it, pop-ups apart. GUI thread; children of the window.
class AppCommands final : public QObject {
    Q_OBJECT
public:
    explicit AppCommands(QWidget* window);

    [[nodiscard]] QAction* run() const { return m_run; }
    [[nodiscard]] QAction* stop() const { return m_stop; }
    [[nodiscard]] QAction* clearSelection() const { return m_clearSelection; } ///< Esc while nothing runs
    [[nodiscard]] QAction* open() const { return m_open; }
    [[nodiscard]] QAction* connectEndpoint() const { return m_connectEndpoint; }
    [[nodiscard]] QAction* settings() const { return m_settings; }
    [[nodiscard]] QAction* importSettings() const { return m_importSettings; }
    [[nodiscard]] QAction* pasteSettings() const { return m_pasteSettings; }
    [[nodiscard]] QAction* exportToml() const { return m_exportToml; }
    [[nodiscard]] QAction* exportDotenv() const { return m_exportDotenv; }
    [[nodiscard]] QAction* tryIt() const { return m_tryIt; }
    [[nodiscard]] QAction* clear() const { return m_clear; }
    [[nodiscard]] QAction* exportAll() const { return m_exportAll; } ///< Ctrl+E
    [[nodiscard]] QAction* filter() const { return m_filter; }
    [[nodiscard]] QAction* copy() const { return m_copy; }
    [[nodiscard]] QAction* parameters() const { return m_parameters; }
    [[nodiscard]] QAction* theme() const { return m_theme; }
    [[nodiscard]] QAction* followDesktop() const { return m_followDesktop; }
    [[nodiscard]] QAction* reducedMotion() const { return m_reducedMotion; }
    [[nodiscard]] const QList<QAction*>& textSizeActions() const { return m_textSizes; }
    /// Ticks the one that is set.
    void showTextSize(int percent);
    [[nodiscard]] QAction* chartAlone() const { return m_chartAlone; }
    [[nodiscard]] QAction* resetLayout() const { return m_resetLayout; }
    [[nodiscard]] QAction* search() const { return m_search; }
    [[nodiscard]] QAction* numbers() const { return m_numbers; }
    [[nodiscard]] QAction* about() const { return m_about; }
    [[nodiscard]] QAction* quit() const { return m_quit; }

    [[nodiscard]] QMenu* mainMenu() const { return m_mainMenu; }

    /// Entries that show and hide the panes.
    void setPanes(const QList<QAction*>& panes);

signals:
    void textSizeChosen(int percent);
    void modelToggled(int position); ///< Ctrl+1 to Ctrl+9, from 0

private:
    QAction* add(const QString& text, const QKeySequence& key);
    void fillMainMenu();

    QWidget* m_window; // owns this
    QAction* m_run = nullptr; // all actions and menus are children of the window
    QAction* m_stop = nullptr;
    QAction* m_clearSelection = nullptr;
    QAction* m_open = nullptr;
    QAction* m_connectEndpoint = nullptr;
    QAction* m_settings = nullptr;
    QAction* m_importSettings = nullptr;
    QAction* m_pasteSettings = nullptr;
    QAction* m_exportToml = nullptr;
    QAction* m_exportDotenv = nullptr;
    QAction* m_tryIt = nullptr;
    QAction* m_clear = nullptr;
    QAction* m_exportAll = nullptr;
    QAction* m_filter = nullptr;
    QAction* m_copy = nullptr;
    QAction* m_parameters = nullptr;
    QAction* m_theme = nullptr;
    QAction* m_followDesktop = nullptr;
    QAction* m_reducedMotion = nullptr;
    QList<QAction*> m_textSizes;
    QAction* m_chartAlone = nullptr;
    QAction* m_resetLayout = nullptr;
    QAction* m_search = nullptr;
    QAction* m_numbers = nullptr;
    QAction* m_about = nullptr;
    QAction* m_quit = nullptr;
    QMenu* m_mainMenu = nullptr;
    QMenu* m_panesMenu = nullptr;
    QList<QAction*> m_models;
};

} // namespace tokenpace
