// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "mainwindow.h"

#include <algorithm>

#include <QCloseEvent>
#include <QDir>
#include <QGuiApplication>
#include <QScreen>
#include <QSettings>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolButton>
#include <QVBoxLayout>

#include "appcommands.h"
#include "charts/chartpanel.h"
#include "chartspage.h"
#include "commandsearch.h"
#include "controls/progressstrip.h"
#include "controls/tabrow.h"
#include "firstpage.h"
#include "inspector.h"
#include "lagprobe.h"
#include "logloader.h"
#include "messagestrip.h"
#include "modelmenu.h"
#include "runbar.h"
#include "session.h"
#include "settings/environment.h"
#include "statusstrip.h"
#include "tablespanel.h"
#include "theme/comfort.h"
#include "theme/theme.h"
#include "tokenraster.h"

namespace tokenpace {

namespace {

constexpr QSize designedSize{1280, 800};
constexpr QSize leastSize{900, 600};
constexpr int slowLoadMs = 1000;
constexpr int tickMs = 500;
constexpr int progressMs = 100; // under load many requests end in a tenth of a second; nobody reads faster

const QString themeKey = QStringLiteral("window/theme");
const QString reducedMotionKey = QStringLiteral("window/reducedMotion");
const QString geometryKey = QStringLiteral("window/geometry");

} // namespace

MainWindow::MainWindow(ThemeController& themes, StartUp startUp, QWidget* parent)
    : QWidget(parent)
    , m_themes(themes)
    , m_startUp(std::move(startUp))
    , m_session(std::make_unique<Session>(m_startUp.keychain))
    , m_loader(std::make_unique<LogLoader>())
{
    setWindowTitle(tr("Tokenpace"));
    setMinimumSize(leastSize);
    setAcceptDrops(true);
    build();
    connectCommands();
    connectSession();
    restoreState();
    start();
}

MainWindow::~MainWindow()
{
    // Widgets go before the models that they show; a run that still goes on is cancelled by the session's end.
    m_slowLoad.stop();
    m_tick.stop();
    m_progressClock.stop();
    m_session->disconnect(this);
    m_session->requests().disconnect(this);
    m_loader.reset();
    qDeleteAll(findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
    m_session.reset();
}

void MainWindow::build()
{
    m_probe = new LagProbe(this);
    m_commands = new AppCommands(this);
    m_runBar = new RunBar(*m_session, *m_commands);
    m_messages = new MessageStrip;
    m_stack = new QStackedWidget;
    m_firstPage = new FirstPage;
    m_tabs = new TabRow(TabRow::Kind::Main);
    m_progress = new ProgressStrip;
    m_page = new ChartsPage(*m_session, m_themes);
    m_status = new StatusStrip(*m_session, *m_probe);
    m_models = new ModelMenu(*m_session, this);
    m_tabs->addTab(m_page, tr("Charts"));
    m_tabs->addRight(m_progress);
    m_stack->addWidget(m_firstPage);
    m_stack->addWidget(m_tabs);
    m_commands->setPanes(m_page->paneActions());

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_runBar);
    layout->addWidget(m_messages);
    layout->addWidget(m_stack, 1);
    layout->addWidget(m_status);

    setTabOrder(m_runBar->menuButton(), m_tabs->tabBar());
    m_page->orderTabs(m_tabs->tabBar());

    m_slowLoad.setSingleShot(true);
    m_slowLoad.setInterval(slowLoadMs);
    m_tick.setInterval(tickMs);
    m_progressClock.setSingleShot(true);
    m_progressClock.setInterval(progressMs);
}

void MainWindow::connectCommands()
{
    connect(m_commands->run(), &QAction::triggered, m_session.get(), &Session::start);
    connect(m_commands->stop(), &QAction::triggered, m_session.get(), &Session::stop);
    connect(m_commands->clearSelection(), &QAction::triggered, &m_session->selection(), &QItemSelectionModel::clear);
    connect(m_commands->parameters(), &QAction::triggered, m_runBar, &RunBar::openParameters);
    connect(m_commands->open(), &QAction::triggered, this, &MainWindow::chooseLog);
    connect(m_commands->connectEndpoint(), &QAction::triggered, this, &MainWindow::connectEndpoint);
    connect(m_commands->settings(), &QAction::triggered, this, &MainWindow::editSettings);
    connect(m_commands->importSettings(), &QAction::triggered, this, &MainWindow::chooseImport);
    connect(m_commands->pasteSettings(), &QAction::triggered, this, &MainWindow::pasteImport);
    connect(m_commands->exportToml(), &QAction::triggered, this, [this] {
        chooseSettingsExport(true);
    });
    connect(m_commands->exportDotenv(), &QAction::triggered, this, [this] {
        chooseSettingsExport(false);
    });
    connect(m_commands->tryIt(), &QAction::triggered, this, &MainWindow::tryIt);
    connect(m_commands->clear(), &QAction::triggered, m_session.get(), &Session::clear);
    connect(m_commands->exportAll(), &QAction::triggered, this, [this] {
        openExport(m_page->lastUsed());
    });
    connect(m_commands->filter(), &QAction::triggered, m_page->tables(), &TablesPanel::focusFilter);
    connect(m_commands->copy(), &QAction::triggered, m_page->tables(), &TablesPanel::copy);
    connect(m_commands->theme(), &QAction::triggered, &m_themes, &ThemeController::toggle);
    connect(m_commands->followDesktop(), &QAction::triggered, this, [this] {
        m_themes.setChoice(ThemeController::Choice::FollowDesktop);
    });
    connect(&m_themes, &ThemeController::changed, this, [this] {
        m_commands->followDesktop()->setChecked(m_themes.choice() == ThemeController::Choice::FollowDesktop);
    });
    connect(m_commands->reducedMotion(), &QAction::toggled, this, &MainWindow::reduceMotion);
    connect(m_commands, &AppCommands::textSizeChosen, this, &MainWindow::chooseTextSize);
    connect(m_commands->chartAlone(), &QAction::triggered, this, [this](bool on) {
        m_page->showAlone(on ? m_page->lastUsed() : nullptr);
    });
    connect(m_page, &ChartsPage::aloneChanged, m_commands->chartAlone(), &QAction::setChecked);
    connect(m_commands->resetLayout(), &QAction::triggered, m_page, &ChartsPage::resetLayout);
    connect(m_commands->search(), &QAction::triggered, this, [this] {
        (new CommandSearch(*m_commands->mainMenu(), this))->open();
    });
    connect(m_commands->numbers(), &QAction::triggered, this, &MainWindow::showNumbers);
    connect(m_commands->about(), &QAction::triggered, this, &MainWindow::showAbout);
    connect(m_commands->quit(), &QAction::triggered, this, &QWidget::close);
    connect(m_commands, &AppCommands::modelToggled, m_runBar, &RunBar::toggleChip);

    connect(m_runBar, &RunBar::modelsRequested, this, &MainWindow::showModelMenu);
    connect(m_models, &ModelMenu::connectRequested, this, &MainWindow::connectEndpoint);
    connect(m_models, &ModelMenu::modelsListed, this, &MainWindow::onModelsListed);
    connect(m_models, &ModelMenu::listingFailed, this, [this](const QString& why) {
        m_messages->showMessage(MessageStrip::Kind::Warning, why);
    });
    connect(m_firstPage, &FirstPage::tryItRequested, this, &MainWindow::tryIt);
    connect(m_firstPage, &FirstPage::connectRequested, this, &MainWindow::connectEndpoint);
    connect(m_firstPage, &FirstPage::openLogRequested, this, &MainWindow::chooseLog);
    connect(m_firstPage, &FirstPage::logDropped, this, [this](const QString& path) {
        takeFiles({path});
    });
}

void MainWindow::connectSession()
{
    Session* session = m_session.get();
    connect(session, &Session::settingsChanged, this, &MainWindow::refreshPage);
    connect(session, &Session::settingsChanged, this, &MainWindow::checkSettings);
    connect(session, &Session::specChanged, this, &MainWindow::refreshProgress);
    connect(session, &Session::runStarted, this, &MainWindow::onRunStarted);
    connect(session, &Session::runEnded, this, &MainWindow::onRunEnded);
    connect(session, &Session::runFailing, this, &MainWindow::onRunFailing);
    connect(session, &Session::recordsChanged, this, &MainWindow::onRecordsChanged);
    connect(session, &Session::noticed, this, [this](const QString& text) {
        m_messages->showMessage(MessageStrip::Kind::Warning, text);
    });
    connect(session, &Session::runProgressed, this, [this](int done, int planned) {
        m_done = done;
        m_planned = planned;
        if (!m_progressClock.isActive()) {
            m_progressClock.start();
        }
    });
    connect(&m_progressClock, &QTimer::timeout, this, &MainWindow::refreshProgress);
    connect(&session->requests(), &QAbstractItemModel::rowsInserted, this, &MainWindow::refreshNext);
    connect(&session->requests(), &QAbstractItemModel::rowsInserted, this, &MainWindow::refreshPage);
    connect(&m_tick, &QTimer::timeout, this, &MainWindow::refreshProgress);
    connect(&m_slowLoad, &QTimer::timeout, this, [this] {
        m_messages->showMessage(MessageStrip::Kind::Info, tr("Reading %1 …").arg(m_loader->path()), tr("Cancel"),
                                [this] {
                                    m_loader->cancel();
                                });
    });
    connect(m_loader.get(), &LogLoader::loaded, this, &MainWindow::onLogLoaded);
    for (ChartPanel* panel : {m_page->ttftPanel(), m_page->tpotPanel()}) {
        connect(panel, &ChartPanel::exportRequested, this, [this, panel] {
            openExport(panel);
        });
    }
    connect(session, &Session::limitsChanged, this, &MainWindow::refreshLimits);
    const auto connectLimit = [this](ChartPanel* panel, const char* key, double LimitSettings::*which) {
        connect(panel, &ChartPanel::limitMoved, this, [this, which](double ms) {
            moveLimit(which, ms);
        });
        connect(panel, &ChartPanel::limitSaveRequested, this, [this, key, which] {
            saveLimit(key, which);
        });
    };
    connectLimit(m_page->ttftPanel(), "limits.ttftMs", &LimitSettings::ttftMs);
    connectLimit(m_page->tpotPanel(), "limits.tpotMs", &LimitSettings::tpotMs);
}

void MainWindow::start()
{
    setFirstPageFacts();
    if (m_startUp.simulated) {
        const QString error = m_session->useSimulated(m_startUp.logPath);
        if (!error.isEmpty()) {
            m_messages->showMessage(MessageStrip::Kind::Error,
                                    tr("The simulated endpoint does not start: %1").arg(error));
        }
    } else if (m_startUp.settings) {
        m_session->setSettings(*m_startUp.settings, m_startUp.logPath);
    } else if (!m_startUp.settingsError.isEmpty()) {
        m_messages->showMessage(MessageStrip::Kind::Error, m_startUp.settingsError);
    }
    if (m_startUp.spec && m_session->settings()) {
        m_session->setParameters(specFor(*m_startUp.spec));
    }
    refreshPage();
    refreshProgress();
    if (!m_startUp.openLog.isEmpty()) {
        openLog(m_startUp.openLog);
    }
    if (m_startUp.runAtOnce) {
        QTimer::singleShot(0, m_session.get(), &Session::startWhenReady);
    }
}

// The spec of the command line on the endpoints that this window has: its simulated endpoint is one of its own.
RunSpec MainWindow::specFor(RunSpec spec) const
{
    if (m_startUp.simulated) {
        QList<Target> own = m_session->targets();
        own.removeIf([&spec](const Target& target) {
            return !std::any_of(spec.targets.begin(), spec.targets.end(), [&target](const Target& asked) {
                return asked.model == target.model;
            });
        });
        spec.targets = own;
    }
    if (spec.targets.isEmpty()) {
        spec.targets = m_session->targets();
    }
    return spec;
}

void MainWindow::setFirstPageFacts()
{
    FirstPageFacts facts;
    facts.settingsPlaces = m_startUp.lookedAt;
    facts.settingsFound = m_startUp.settingsError;
    facts.variables = {QStringLiteral("TAOTOKEN_API_KEY"), QStringLiteral("OPENAI_API_KEY")};
    const EnvironmentLookup environment = processEnvironment();
    for (const QString& name : std::as_const(facts.variables)) {
        if (environment(name)) {
            facts.variablesSet.append(name);
        }
    }
    m_firstPage->setFacts(facts);
}

bool MainWindow::showsFirstPage() const
{
    return m_stack->currentWidget() == m_firstPage;
}

void MainWindow::refreshPage()
{
    const bool first = !m_session->settings() && m_session->requests().rowCount() == 0;
    QWidget* wanted = first ? static_cast<QWidget*>(m_firstPage) : m_tabs;
    if (m_stack->currentWidget() != wanted) {
        m_stack->setCurrentWidget(wanted);
    }
    m_runBar->exportButton()->setEnabled(!first);
    m_commands->exportAll()->setEnabled(!first);
    setWindowTitle(m_session->simulated() ? tr("Tokenpace – simulated endpoint") : tr("Tokenpace"));
}

void MainWindow::restoreState()
{
    const QSettings settings;
    const QString theme = settings.value(themeKey).toString();
    if (theme == QStringLiteral("dark")) {
        m_themes.setChoice(ThemeController::Choice::Dark);
    } else if (theme == QStringLiteral("light")) {
        m_themes.setChoice(ThemeController::Choice::Light);
    }
    m_commands->followDesktop()->setChecked(m_themes.choice() == ThemeController::Choice::FollowDesktop);
    m_commands->reducedMotion()->setChecked(settings.value(reducedMotionKey).toBool());
    m_commands->showTextSize(storedTextSize(settings));
    QSize size = designedSize;
    if (const QScreen* screen = QGuiApplication::primaryScreen()) {
        size = size.boundedTo(screen->availableSize()).expandedTo(leastSize);
    }
    resize(size);
    restoreGeometry(settings.value(geometryKey).toByteArray());
    m_page->restoreLayout(settings);
    m_page->tables()->restoreColumns(settings);
}

void MainWindow::saveState() const
{
    QSettings settings;
    switch (m_themes.choice()) {
    case ThemeController::Choice::Dark:
        settings.setValue(themeKey, QStringLiteral("dark"));
        break;
    case ThemeController::Choice::Light:
        settings.setValue(themeKey, QStringLiteral("light"));
        break;
    case ThemeController::Choice::FollowDesktop:
        settings.remove(themeKey);
        break;
    }
    settings.setValue(geometryKey, saveGeometry());
    m_page->saveLayout(settings);
    m_page->tables()->saveColumns(settings);
}

void MainWindow::reduceMotion(bool reduced)
{
    setReducedMotion(reduced);
    m_page->setAnimated(!reduced);
    QSettings().setValue(reducedMotionKey, reduced);
}

void MainWindow::chooseTextSize(int percent)
{
    QSettings settings;
    storeTextSize(settings, percent);
    m_commands->showTextSize(percent);
    m_messages->showMessage(MessageStrip::Kind::Info, tr("Text size %1 % from the next start on.").arg(percent));
}

void MainWindow::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    // The keyboard starts above the first control, so that the first Tab leads to Run and nothing wears a ring before.
    if (!showsFirstPage() && !focusWidget()) {
        setFocus(Qt::OtherFocusReason);
    }
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    m_page->showAlone(nullptr);
    saveState();
    // No question: what has finished is in the log, and what is in flight is written as stopped.
    m_session->stop();
    event->accept();
}

} // namespace tokenpace
