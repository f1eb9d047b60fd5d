// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "runbar.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSignalBlocker>

#include "appcommands.h"
#include "controls/chip.h"
#include "controls/chipbar.h"
#include "controls/rolelabel.h"
#include "controls/toolbarparts.h"
#include "experimentpopup.h"
#include "session.h"
#include "theme/theme.h"

namespace tokenpace {

RunBar::RunBar(Session& session, AppCommands& commands, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_commands(commands)
    , m_run(new ToolPushButton(QStringLiteral("play"), tr("Run")))
    , m_stop(new ToolPushButton(QStringLiteral("stop"), tr("Stop")))
    , m_experimentLabel(new RoleLabel(tr("Experiment"), RoleLabel::Role::Text2, textFont(13)))
    , m_experiment(new QComboBox)
    , m_noEndpoint(new RoleLabel(tr("No endpoint yet"), RoleLabel::Role::Text2, textFont(12)))
    , m_chips(new ChipBar)
{
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    auto* bar = new BarFrame(BarFrame::Kind::Tool);
    outer->addWidget(bar);
    auto* layout = qobject_cast<QHBoxLayout*>(bar->layout());

    m_parameters =
        makeIconButton(QStringLiteral("sliders"), tr("Parameters of the experiment"), IconButtonSize::Bar, this);
    m_add = makeIconButton(QStringLiteral("plus"), tr("Choose models for the next run"), IconButtonSize::Bar, this);
    m_export = makeIconButton(QStringLiteral("export"), tr("Export (Ctrl+E)"), IconButtonSize::Bar, this);
    m_theme = makeIconButton(QStringLiteral("contrast"), tr("Dark or light"), IconButtonSize::Bar, this);
    m_menu = makeIconButton(QStringLiteral("menu"), tr("Menu"), IconButtonSize::Bar, this);
    m_popup = new ExperimentPopup(this);

    m_run->setToolTip(tr("Start the experiment (F5)"));
    m_stop->setToolTip(tr("Stop; all that was measured stays (Esc)"));
    m_experiment->addItem(tr("Prompt length"), QVariant::fromValue(static_cast<int>(Experiment::Length)));
    m_experiment->addItem(tr("Single prompt"), QVariant::fromValue(static_cast<int>(Experiment::Single)));
    m_experiment->setFixedWidth(136);
    m_experiment->setAccessibleName(tr("Experiment"));
    m_experimentLabel->setBuddy(m_experiment);
    m_menu->setMenu(m_commands.mainMenu());
    m_menu->setPopupMode(QToolButton::InstantPopup);

    layout->addWidget(m_run);
    layout->addWidget(m_stop);
    layout->addWidget(new BarSeparator);
    layout->addWidget(m_experimentLabel);
    layout->addWidget(m_experiment);
    layout->addWidget(m_parameters);
    layout->addWidget(new BarSeparator);
    layout->addWidget(m_noEndpoint);
    layout->addWidget(m_chips);
    layout->addWidget(m_add);
    layout->addStretch(1);
    layout->addWidget(m_export);
    layout->addWidget(m_theme);
    layout->addWidget(m_menu);

    // The order of the eye, whatever the order of creation.
    QWidget* order[] = {m_run, m_stop, m_experiment, m_parameters, m_chips, m_add, m_export, m_theme, m_menu};
    for (std::size_t i = 1; i < std::size(order); ++i) {
        setTabOrder(order[i - 1], order[i]);
    }

    connect(m_run, &QPushButton::clicked, m_commands.run(), &QAction::trigger);
    connect(m_stop, &QPushButton::clicked, m_commands.stop(), &QAction::trigger);
    connect(m_export, &QToolButton::clicked, m_commands.exportAll(), &QAction::trigger);
    connect(m_theme, &QToolButton::clicked, m_commands.theme(), &QAction::trigger);
    connect(m_parameters, &QToolButton::clicked, this, &RunBar::openParameters);
    connect(m_experiment, &QComboBox::activated, this, &RunBar::onExperimentChosen);
    connect(m_add, &QToolButton::clicked, this, [this] {
        emit modelsRequested(m_add->mapToGlobal(QPoint(0, m_add->height() + 4)));
    });
    connect(m_popup, &ExperimentPopup::edited, &m_session, &Session::setParameters);
    connect(m_popup, &ExperimentPopup::validityChanged, this, &RunBar::refreshButtons);
    connect(m_chips, &ChipBar::toggled, this, &RunBar::onChipToggled);
    connect(&m_session, &Session::specChanged, this, &RunBar::refresh);
    connect(&m_session, &Session::settingsChanged, this, &RunBar::refresh);
    connect(&m_session, &Session::runStarted, this, &RunBar::refresh);
    connect(&m_session, &Session::runEnded, this, &RunBar::refresh);
    connect(&m_session.series(), &SeriesModel::labelsChanged, this, &RunBar::refreshChips);
    connect(&m_session.requests(), &QAbstractItemModel::rowsInserted, this, [this] {
        if (m_session.chipSeries() != m_chipSeries) {
            refreshChips();
        }
    });
    refresh();
}

void RunBar::openParameters()
{
    m_popup->setSpec(m_session.parameters());
    m_popup->setLocked(m_session.running());
    m_popup->popUp(m_parameters->mapToGlobal(QPoint(-8, m_parameters->height() + 6)));
}

void RunBar::onExperimentChosen(int index)
{
    const auto experiment = static_cast<Experiment>(m_experiment->itemData(index).toInt());
    m_session.setExperiment(experiment);
    // A single prompt needs its text before anything can run.
    if (experiment == Experiment::Single && m_session.parameters().prompt.isEmpty()) {
        openParameters();
    }
}

void RunBar::refresh()
{
    const bool running = m_session.running();
    const bool ready = m_session.settings().has_value();
    refreshButtons();
    m_experimentLabel->setEnabled(ready);
    m_experiment->setEnabled(ready && !running);
    m_parameters->setEnabled(ready);
    const QSignalBlocker blocker(m_experiment);
    m_experiment->setCurrentIndex(m_experiment->findData(static_cast<int>(m_session.experiment())));
    refreshChips();
}

void RunBar::refreshButtons()
{
    const bool running = m_session.running();
    const QStringList problems = m_session.problems() + m_popup->problems();
    const bool mayRun = !running && problems.isEmpty();
    // The keyboard goes from the one to the other; left alone, Qt would send it on to some other control.
    if (running && m_run->hasFocus()) {
        m_stop->setEnabled(true);
        m_stop->setFocus(Qt::OtherFocusReason);
    } else if (!running && m_stop->hasFocus()) {
        m_run->setEnabled(mayRun);
        m_run->setFocus(Qt::OtherFocusReason);
    }
    m_run->setMain(!running);
    m_run->setEnabled(mayRun);
    m_run->setToolTip(problems.isEmpty() ? tr("Start the experiment (F5)") : problems.join(QLatin1Char('\n')));
    m_commands.run()->setEnabled(mayRun);
    m_stop->setEnabled(running);
    m_stop->setKeyText(running ? tr("Esc") : QString());
    m_stop->setIconName(QStringLiteral("stop"), running ? IconColour::Error : IconColour::Text2);
    // Esc is one or the other, so never both are enabled.
    m_commands.clearSelection()->setEnabled(!running);
    m_commands.stop()->setEnabled(running);
}

void RunBar::refreshChips()
{
    m_chipSeries = m_session.chipSeries();
    QList<ChipBar::Item> items;
    for (const int number : std::as_const(m_chipSeries)) {
        const SeriesModel::Series& series = m_session.series().at(number);
        QString help = series.model + QLatin1Char('\n') + series.endpoint;
        if (series.endpoint == QStringLiteral("simulated")) {
            help += QLatin1Char('\n') + tr("simulated: no real model answers");
        }
        items.append({series.label, number, series.shown, help});
    }
    m_chips->setItems(items);
    // Chips come later than the bar, and would be last for the tabulator.
    QWidget* before = m_parameters;
    for (int i = 0; i < m_chips->count(); ++i) {
        setTabOrder(before, m_chips->chip(i));
        before = m_chips->chip(i);
    }
    const bool ready = m_session.settings().has_value();
    m_chips->setVisible(!items.isEmpty());
    m_noEndpoint->setVisible(items.isEmpty() && !ready);
    m_add->setVisible(ready);
    m_add->setEnabled(!m_session.running());
}

void RunBar::onChipToggled(int position, bool on)
{
    if (position >= 0 && position < m_chipSeries.size()) {
        m_session.series().setShown(m_chipSeries.at(position), on);
    }
}

void RunBar::toggleChip(int position)
{
    if (position >= 0 && position < m_chipSeries.size()) {
        const int series = m_chipSeries.at(position);
        m_session.series().setShown(series, !m_session.series().isShown(series));
    }
}

} // namespace tokenpace
