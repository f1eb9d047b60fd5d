// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "appcommands.h"

#include <QWidget>

#include "theme/comfort.h"

namespace tokenpace {

AppCommands::AppCommands(QWidget* window)
    : QObject(window)
    , m_window(window)
    , m_mainMenu(new QMenu(window))
    , m_panesMenu(new QMenu(tr("Panes"), window))
{
    m_run = add(tr("Run"), Qt::Key_F5);
    m_stop = add(tr("Stop"), Qt::Key_Escape);
    m_clearSelection = add(tr("Clear selection"), Qt::Key_Escape);
    m_parameters = add(tr("Parameters of the experiment…"), {});
    m_open = add(tr("Open a log…"), QKeySequence::Open);
    m_connectEndpoint = add(tr("Connect an endpoint…"), {});
    m_settings = add(tr("Settings…"), QKeySequence(tr("Ctrl+,")));
    m_importSettings = add(tr("Import settings…"), {});
    m_pasteSettings = add(tr("Paste a curl command…"), {});
    m_exportToml = add(tr("As config.toml…"), {});
    m_exportDotenv = add(tr("As an environment file…"), {});
    m_tryIt = add(tr("Use the simulated endpoint"), {});
    m_clear = add(tr("Clear all requests shown"), {});
    m_exportAll = add(tr("Export…"), QKeySequence(tr("Ctrl+E")));
    m_filter = add(tr("Filter the table"), QKeySequence::Find);
    m_copy = add(tr("Copy the table"), QKeySequence(tr("Ctrl+Shift+C")));
    m_theme = add(tr("Switch between dark and light"), {});
    m_followDesktop = add(tr("Follow the desktop's theme"), {});
    m_followDesktop->setCheckable(true);
    m_reducedMotion = add(tr("Reduced motion"), {});
    m_reducedMotion->setCheckable(true);
    m_reducedMotion->setToolTip(tr("Axes jump instead of gliding; menus and panes open at once."));
    for (const int percent : textSizes) {
        QAction* size = add(tr("Text size %1 %").arg(percent), {});
        size->setCheckable(true);
        connect(size, &QAction::triggered, this, [this, percent] {
            emit textSizeChosen(percent);
        });
        m_textSizes.append(size);
    }
    m_chartAlone = add(tr("Chart alone"), Qt::Key_F11);
    m_chartAlone->setCheckable(true);
    m_resetLayout = add(tr("Reset the layout"), {});
    m_search = add(tr("Search for a command…"), QKeySequence(tr("Ctrl+K")));
    m_numbers = add(tr("What the numbers mean"), Qt::Key_F1);
    m_about = add(tr("About Tokenpace"), {});
    m_quit = add(tr("Quit"), QKeySequence(tr("Ctrl+Q")));
    m_quit->setMenuRole(QAction::QuitRole);
    // Esc is one or the other: stop while something runs, else the selection goes.
    m_stop->setEnabled(false);
    m_run->setEnabled(false);
    for (int i = 0; i < 9; ++i) {
        QAction* toggle =
            add(tr("Show or hide model %1").arg(i + 1), QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + i)));
        connect(toggle, &QAction::triggered, this, [this, i] {
            emit modelToggled(i);
        });
        m_models.append(toggle);
    }
    fillMainMenu();
}

QAction* AppCommands::add(const QString& text, const QKeySequence& key)
{
    auto* action = new QAction(text, m_window);
    if (!key.isEmpty()) {
        action->setShortcut(key);
        action->setShortcutContext(Qt::WindowShortcut);
    }
    m_window->addAction(action);
    return action;
}

void AppCommands::fillMainMenu()
{
    m_mainMenu->addActions({m_run, m_stop, m_parameters});
    m_mainMenu->addSeparator();
    m_mainMenu->addActions({m_open, m_connectEndpoint, m_settings, m_importSettings, m_pasteSettings});
    auto* exportSettings = new QMenu(tr("Export settings"), m_mainMenu);
    exportSettings->addActions({m_exportToml, m_exportDotenv});
    m_mainMenu->addMenu(exportSettings);
    m_mainMenu->addAction(m_tryIt);
    m_mainMenu->addSeparator();
    m_mainMenu->addActions({m_exportAll, m_copy, m_filter, m_clearSelection, m_clear});
    m_mainMenu->addSeparator();
    auto* models = new QMenu(tr("Models"), m_mainMenu);
    models->addActions(m_models);
    m_mainMenu->addMenu(models);
    m_mainMenu->addMenu(m_panesMenu);
    m_mainMenu->addActions({m_chartAlone, m_resetLayout, m_theme, m_followDesktop});
    auto* sizes = new QMenu(tr("Text size"), m_mainMenu);
    sizes->addActions(m_textSizes);
    m_mainMenu->addMenu(sizes);
    m_mainMenu->addAction(m_reducedMotion);
    m_mainMenu->addSeparator();
    m_mainMenu->addActions({m_search, m_numbers, m_about, m_quit});
}

void AppCommands::showTextSize(int percent)
{
    for (std::size_t i = 0; i < textSizes.size(); ++i) {
        m_textSizes.at(static_cast<qsizetype>(i))->setChecked(textSizes.at(i) == percent);
    }
}

void AppCommands::setPanes(const QList<QAction*>& panes)
{
    m_panesMenu->clear();
    m_panesMenu->addActions(panes);
}

} // namespace tokenpace
