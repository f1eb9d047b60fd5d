// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QWidget>

#include "experiment/runspec.h"

class QComboBox;
class QLabel;
class QToolButton;

namespace tokenpace {

class AppCommands;
class ChipBar;
class ExperimentPopup;
class Session;
class ToolPushButton;

/// The tool bar: run and stop, the experiment and its parameters, the models as chips, export, theme and menu. GUI
/// thread; owns neither session nor commands.
class RunBar final : public QWidget {
    Q_OBJECT
public:
    RunBar(Session& session, AppCommands& commands, QWidget* parent = nullptr);

    [[nodiscard]] ToolPushButton* runButton() const { return m_run; }
    [[nodiscard]] ToolPushButton* stopButton() const { return m_stop; }
    [[nodiscard]] QComboBox* experimentBox() const { return m_experiment; }
    [[nodiscard]] QToolButton* parametersButton() const { return m_parameters; }
    [[nodiscard]] ExperimentPopup* popup() const { return m_popup; }
    [[nodiscard]] ChipBar* chips() const { return m_chips; }
    [[nodiscard]] QToolButton* addButton() const { return m_add; }
    [[nodiscard]] QToolButton* exportButton() const { return m_export; }
    [[nodiscard]] QToolButton* menuButton() const { return m_menu; }

    void openParameters();
    /// Turns the chip at a position (from 0) over, as a click does.
    void toggleChip(int position);

signals:
    void modelsRequested(const QPoint& globalPosition); ///< the + button

private:
    void onExperimentChosen(int index);
    void refresh();
    void refreshButtons();
    void refreshChips();
    void onChipToggled(int position, bool on);

    Session& m_session; // not owned
    AppCommands& m_commands; // not owned
    ToolPushButton* m_run = nullptr;
    ToolPushButton* m_stop = nullptr;
    QLabel* m_experimentLabel = nullptr;
    QComboBox* m_experiment = nullptr;
    QToolButton* m_parameters = nullptr;
    ExperimentPopup* m_popup = nullptr;
    QLabel* m_noEndpoint = nullptr;
    ChipBar* m_chips = nullptr;
    QToolButton* m_add = nullptr;
    QToolButton* m_export = nullptr;
    QToolButton* m_theme = nullptr;
    QToolButton* m_menu = nullptr;
    QList<int> m_chipSeries; // series of each chip
};

} // namespace tokenpace
