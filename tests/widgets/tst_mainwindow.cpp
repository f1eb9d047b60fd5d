// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QComboBox>
#include <QDialog>
#include <QFile>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTcpServer>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include "appcommands.h"
#include "charts/chartcanvas.h"
#include "charts/chartpanel.h"
#include "chartspage.h"
#include "controls/chip.h"
#include "controls/chipbar.h"
#include "controls/datatable.h"
#include "controls/progressstrip.h"
#include "controls/toolbarparts.h"
#include "firstpage.h"
#include "inspector.h"
#include "logloader.h"
#include "mainwindow.h"
#include "messagestrip.h"
#include "runbar.h"
#include "statusstrip.h"
#include "tablespanel.h"
#include "theme/theme.h"
#include "tokenraster.h"
#include "widgets/madeuprun.h"

using namespace tokenpace;

static constexpr int longWaitMs = 60000; // a busy machine under a sanitizer

class TestMainWindow final : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void init();
    void cleanup();
    void withoutSettingsTheFirstPageComes();
    void aSettingsErrorIsSaidOnTheFirstPage();
    void settingsShowTheirModelsAndThePlan();
    void chipsToggleSeriesAndThePlan();
    void keysToggleModelsAndExplainTheNumbers();
    void noModelForbidsTheRunAndSaysSo();
    void theSinglePromptNeedsAPrompt();
    void aRunFillsTheModels();
    void escapeStopsARun();
    void aSecondRunGoesBesideTheFirst();
    void aRefusedConnectionIsSaidInWords();
    void anUnsetVariableForbidsTheRun();
    void closingWhileRunningKeepsWhatWasFinished();
    void aLogOpenedShowsItsRows();
    void aFileThatIsNoLogIsNamed();
    void theSameLogTwiceShowsItsRowsOnce();
    void selectingARowShowsItInTheInspector();
    void theThemeSwitchesAndIsRemembered();
    void nothingIsClippedInASmallWindow_data();
    void nothingIsClippedInASmallWindow();
    void tabulatorFollowsTheEye();
    void oneChartCanHaveThePageAlone();
    void panesCanBeHidden();
    void withoutALogTheStatusBarSaysSo();
    void simulatedDataAreLabelled();

private:
    [[nodiscard]] std::unique_ptr<MainWindow> picture();
    [[nodiscard]] std::unique_ptr<MainWindow> simulated(int repeats, int maxTokens);
    static void show(MainWindow& window);
    [[nodiscard]] QString logPath() const { return m_folder->filePath(QStringLiteral("token_timing.jsonl")); }
    [[nodiscard]] int logLines() const;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<ThemeController> m_themes;
};

void TestMainWindow::initTestCase()
{
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName(QStringLiteral("tokenpace-test"));
    QCoreApplication::setApplicationName(QStringLiteral("tst_mainwindow"));
}

void TestMainWindow::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_folder->path());
    m_themes = std::make_unique<ThemeController>();
    m_themes->setChoice(ThemeController::Choice::Dark);
}

void TestMainWindow::cleanup()
{
    m_themes.reset();
    m_folder.reset();
}

void TestMainWindow::show(MainWindow& window)
{
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    window.activateWindow();
}

std::unique_ptr<MainWindow> TestMainWindow::picture()
{
    StartUp startUp;
    startUp.settings = test::pictureSettings();
    startUp.logPath = logPath();
    auto window = std::make_unique<MainWindow>(*m_themes, startUp);
    show(*window);
    return window;
}

// A window on the simulated endpoint with a short experiment of one model.
std::unique_ptr<MainWindow> TestMainWindow::simulated(int repeats, int maxTokens)
{
    StartUp startUp;
    startUp.simulated = true;
    startUp.logPath = logPath();
    auto window = std::make_unique<MainWindow>(*m_themes, startUp);
    show(*window);
    RunSpec spec = window->session().parameters();
    spec.targets = spec.targets.first(1);
    spec.promptTokens = {100, 300};
    spec.repeats = repeats;
    spec.warmup = 0;
    spec.maxTokens = maxTokens;
    spec.seed = 11;
    window->session().setParameters(spec);
    return window;
}

int TestMainWindow::logLines() const
{
    QFile file(logPath());
    return file.open(QIODevice::ReadOnly) ? static_cast<int>(file.readAll().count('\n')) : 0;
}

void TestMainWindow::withoutSettingsTheFirstPageComes()
{
    MainWindow window(*m_themes, StartUp());
    show(window);
    QVERIFY(window.showsFirstPage());
    QVERIFY(window.firstPage()->isVisible());
    QVERIFY(!window.runBar()->runButton()->isEnabled());
    QVERIFY(!window.messages()->isVisible());
}

void TestMainWindow::aSettingsErrorIsSaidOnTheFirstPage()
{
    StartUp startUp;
    startUp.settingsError = QStringLiteral("/x/settings.json:3: expected a comma");
    MainWindow window(*m_themes, startUp);
    show(window);
    QVERIFY(window.showsFirstPage());
    QVERIFY(window.messages()->isVisible());
    QVERIFY(window.messages()->text().contains(startUp.settingsError));
}

void TestMainWindow::settingsShowTheirModelsAndThePlan()
{
    const auto window = picture();
    QVERIFY(!window->showsFirstPage());
    QCOMPARE(window->runBar()->chips()->count(), 3);
    QVERIFY(window->runBar()->runButton()->isEnabled());
    const QString plan = window->progress()->parts().value(0);
    QVERIFY2(plan.startsWith(QStringLiteral("3 models × 5 lengths × 12 repeats = 180 requests")), qPrintable(plan));
    QVERIFY2(plan.contains(QStringLiteral("prompt tokens, about")), qPrintable(plan));
}

void TestMainWindow::chipsToggleSeriesAndThePlan()
{
    const auto window = picture();
    Chip* chip = window->runBar()->chips()->chip(1);
    QVERIFY(chip);
    QTest::mouseClick(chip, Qt::LeftButton);
    QVERIFY(!window->session().series().isShown(1));
    QVERIFY(window->progress()->parts().value(0).startsWith(QStringLiteral("2 models")));
    QTest::mouseClick(window->runBar()->chips()->chip(1), Qt::LeftButton);
    QVERIFY(window->session().series().isShown(1));
}

void TestMainWindow::keysToggleModelsAndExplainTheNumbers()
{
    const auto window = picture();
    QTest::keyClick(window.get(), Qt::Key_2, Qt::ControlModifier);
    QVERIFY(!window->session().series().isShown(1));
    QTest::keyClick(window.get(), Qt::Key_2, Qt::ControlModifier);
    QVERIFY(window->session().series().isShown(1));
    QTest::keyClick(window.get(), Qt::Key_F1);
    QVERIFY(window->findChild<QDialog*>());
}

void TestMainWindow::noModelForbidsTheRunAndSaysSo()
{
    const auto window = picture();
    for (int series = 0; series < 3; ++series) {
        window->session().series().setShown(series, false);
    }
    QVERIFY(!window->runBar()->runButton()->isEnabled());
    QVERIFY(window->progress()->parts().value(0).contains(QStringLiteral("switched off")));
}

void TestMainWindow::theSinglePromptNeedsAPrompt()
{
    const auto window = picture();
    QComboBox* box = window->runBar()->experimentBox();
    box->setFocus();
    QTest::keyClick(box, Qt::Key_Down);
    QCOMPARE(window->session().experiment(), Experiment::Single);
    QVERIFY(!window->runBar()->runButton()->isEnabled());
    RunSpec spec = window->session().parameters();
    spec.prompt = QStringLiteral("Hello");
    window->session().setParameters(spec);
    QVERIFY(window->runBar()->runButton()->isEnabled());
}

void TestMainWindow::aRunFillsTheModels()
{
    const auto window = simulated(2, 8);
    QSignalSpy ended(&window->session(), &Session::runEnded);
    QTest::mouseClick(window->runBar()->runButton(), Qt::LeftButton);
    QVERIFY(window->session().running());
    QVERIFY(!window->runBar()->runButton()->isEnabled());
    QVERIFY(window->runBar()->stopButton()->isEnabled());
    QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, longWaitMs);
    QCOMPARE(window->session().requests().rowCount(), 4);
    QCOMPARE(window->session().requests().finishedCount(), 4);
    QCOMPARE(window->session().summary().rowCount(), 2);
    QCOMPARE(logLines(), 4);
    QVERIFY(window->runBar()->runButton()->isEnabled());
    QVERIFY(window->progress()->parts().value(0).contains(QStringLiteral("4 of 4 requests")));
    QVERIFY(window->status()->text().contains(QStringLiteral("4 records written")));
}

void TestMainWindow::escapeStopsARun()
{
    const auto window = simulated(200, 8);
    QTest::keyClick(window.get(), Qt::Key_F5);
    QVERIFY(window->session().running());
    QTRY_VERIFY_WITH_TIMEOUT(window->session().requests().finishedCount() > 0, longWaitMs);
    QTest::keyClick(window.get(), Qt::Key_Escape);
    QTRY_VERIFY_WITH_TIMEOUT(!window->session().running(), longWaitMs);
    QVERIFY(window->session().requests().finishedCount() > 0);
    QVERIFY(window->session().requests().finishedCount() < 400);
    QCOMPARE(window->session().requests().finishedCount(), window->session().requests().rowCount());
}

void TestMainWindow::aSecondRunGoesBesideTheFirst()
{
    const auto window = simulated(1, 4);
    QSignalSpy ended(&window->session(), &Session::runEnded);
    window->session().start();
    QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, longWaitMs);
    window->session().start();
    QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 2, longWaitMs);
    QCOMPARE(window->session().requests().rowCount(), 4);
    QCOMPARE(logLines(), 4);
}

void TestMainWindow::aRefusedConnectionIsSaidInWords()
{
    // A port that was free a moment ago and on which nothing listens now.
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::LocalHost));
    const quint16 port = server.serverPort();
    server.close();
    StartUp startUp;
    Settings settings = test::pictureSettings();
    settings.endpoints = settings.endpoints.first(1);
    settings.endpoints.first().baseUrl = QStringLiteral("http://127.0.0.1:%1").arg(port);
    startUp.settings = settings;
    startUp.logPath = QString();
    MainWindow window(*m_themes, startUp);
    show(window);
    QSignalSpy ended(&window.session(), &Session::runEnded);
    RunSpec spec = window.session().parameters();
    spec.promptTokens = {10};
    spec.repeats = 2;
    window.session().setParameters(spec);
    window.session().start();
    QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, longWaitMs);
    QVERIFY(window.messages()->isVisible());
    QCOMPARE(window.messages()->kind(), MessageStrip::Kind::Error);
    QVERIFY2(window.messages()->text().contains(QStringLiteral("baseUrl")), qPrintable(window.messages()->text()));
    QVERIFY2(window.status()->text().contains(QStringLiteral("not reached")), qPrintable(window.status()->text()));
}

void TestMainWindow::anUnsetVariableForbidsTheRun()
{
    StartUp startUp;
    Settings settings = test::pictureSettings();
    const QString problem = QStringLiteral("settings.json:4: apiKey: the variable MY_KEY is not set");
    settings.endpoints.first().problems = {problem};
    startUp.settings = settings;
    MainWindow window(*m_themes, startUp);
    show(window);
    QVERIFY(window.messages()->isVisible());
    QVERIFY(window.messages()->text().contains(problem));
    QVERIFY(!window.runBar()->runButton()->isEnabled());
}

void TestMainWindow::closingWhileRunningKeepsWhatWasFinished()
{
    auto window = simulated(200, 8);
    window->session().start();
    QTRY_VERIFY_WITH_TIMEOUT(window->session().requests().finishedCount() >= 2, longWaitMs);
    const int finished = window->session().requests().finishedCount();
    QVERIFY(window->close());
    window.reset();
    QVERIFY2(logLines() >= finished, qPrintable(QString::number(logLines())));
}

void TestMainWindow::aLogOpenedShowsItsRows()
{
    const QString path = m_folder->filePath(QStringLiteral("wild.jsonl"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{\"ttft_ms\": 312.4, \"tpot_ms\": 21.7, \"tokens\": 256, \"total_ms\": 5850.1, \"model\": \"m\"}\n"
               "this is no record\n"
               "{\"ttft_ms\": 300.0, \"model\": \"m\"}\n");
    file.close();
    MainWindow window(*m_themes, StartUp());
    show(window);
    QVERIFY(window.showsFirstPage());
    window.openLog(path);
    QTRY_COMPARE(window.session().requests().rowCount(), 2);
    QVERIFY(!window.showsFirstPage());
    QCOMPARE(window.runBar()->chips()->count(), 1);
    QVERIFY2(window.messages()->text().contains(QStringLiteral("line 2")), qPrintable(window.messages()->text()));
    QVERIFY(window.status()->text().contains(QStringLiteral("wild.jsonl")));
}

void TestMainWindow::aFileThatIsNoLogIsNamed()
{
    MainWindow window(*m_themes, StartUp());
    show(window);
    window.openLog(m_folder->filePath(QStringLiteral("missing.jsonl")));
    QTRY_VERIFY(window.messages()->isVisible());
    QCOMPARE(window.messages()->kind(), MessageStrip::Kind::Error);
    QVERIFY(window.messages()->text().contains(QStringLiteral("missing.jsonl")));
    QVERIFY(window.showsFirstPage());
}

void TestMainWindow::theSameLogTwiceShowsItsRowsOnce()
{
    const auto window = simulated(1, 4);
    QSignalSpy ended(&window->session(), &Session::runEnded);
    window->session().start();
    QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, longWaitMs);
    QCOMPARE(window->session().requests().rowCount(), 2);
    window->openLog(logPath());
    QTRY_VERIFY(window->messages()->text().contains(QStringLiteral("shown already")));
    QCOMPARE(window->session().requests().rowCount(), 2);
}

void TestMainWindow::selectingARowShowsItInTheInspector()
{
    const auto window = picture();
    const int row = test::fillPicture(window->session());
    TokenRaster* raster = window->page()->raster();
    QTRY_VERIFY(!raster->rowRect(row).isEmpty());
    QTest::mouseClick(raster, Qt::LeftButton, {}, raster->rowRect(row).center());
    QVERIFY(window->page()->inspector()->shownText().contains(QStringLiteral("qwen-small #115")));
    QCOMPARE(window->session().selection().currentIndex().row(), row);
    // Esc lets go of the selection while nothing runs.
    QTest::keyClick(window.get(), Qt::Key_Escape);
    QVERIFY(!window->session().selection().hasSelection());
}

void TestMainWindow::theThemeSwitchesAndIsRemembered()
{
    {
        const auto window = picture();
        QVERIFY(m_themes->theme().dark);
        window->commands()->theme()->trigger();
        QVERIFY(!m_themes->theme().dark);
        QVERIFY(window->close());
    }
    m_themes->setChoice(ThemeController::Choice::Dark);
    const auto again = picture();
    QVERIFY(!m_themes->theme().dark);
}

void TestMainWindow::nothingIsClippedInASmallWindow_data()
{
    QTest::addColumn<QSize>("size");
    QTest::newRow("1000 x 640") << QSize(1000, 640);
    QTest::newRow("1280 x 800") << QSize(1280, 800);
    QTest::newRow("1920 x 1080") << QSize(1920, 1080);
}

void TestMainWindow::nothingIsClippedInASmallWindow()
{
    QFETCH(QSize, size);
    const auto window = picture();
    test::fillPicture(window->session());
    window->resize(size);
    QTRY_COMPARE(window->size(), size);
    QCoreApplication::processEvents();
    const RunBar* bar = window->runBar();
    const QWidget* parts[] = {bar->runButton(), bar->stopButton(), bar->experimentBox(), bar->parametersButton(),
                              bar->chips(),     bar->addButton(),  bar->exportButton(),  bar->menuButton()};
    int right = 0;
    for (const QWidget* part : parts) {
        const QRect place(part->mapTo(window.get(), QPoint(0, 0)), part->size());
        QVERIFY(window->rect().contains(place));
        QVERIFY2(place.left() >= right, "two parts of the tool bar overlap");
        QVERIFY(part->width() >= part->minimumSizeHint().width());
        right = place.right();
    }
    const ChartsPage* page = window->page();
    for (const QWidget* pane :
         std::initializer_list<const QWidget*>{page->ttftPanel(), page->tpotPanel(), page->raster(), page->tables(),
                                               page->inspector(), window->status()}) {
        const QRect place(pane->mapTo(window.get(), QPoint(0, 0)), pane->size());
        QVERIFY2(window->rect().contains(place), pane->metaObject()->className());
        QVERIFY2(pane->height() >= pane->minimumSizeHint().height(), pane->metaObject()->className());
    }
    QVERIFY2(page->ttftPanel()->height() >= 200, qPrintable(QString::number(page->ttftPanel()->height())));
    // From the designed size on every column of the summary is in sight.
    if (size.width() >= 1280) {
        QTRY_COMPARE(page->tables()->summaryTable()->horizontalScrollBar()->maximum(), 0);
    }
}

void TestMainWindow::tabulatorFollowsTheEye()
{
    const auto window = picture();
    const RunBar* bar = window->runBar();
    bar->runButton()->setFocus();
    QList<const QWidget*> visited{QApplication::focusWidget()};
    for (int i = 0; i < 40; ++i) {
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        visited.append(QApplication::focusWidget());
    }
    const ChartsPage* page = window->page();
    qsizetype last = -1;
    for (const QWidget* part : std::initializer_list<const QWidget*>{
             bar->runButton(), bar->experimentBox(), bar->parametersButton(), bar->chips()->chip(0), bar->addButton(),
             &page->ttftPanel()->canvas(), &page->tpotPanel()->canvas(), page->raster(),
             page->tables()->summaryTable()}) {
        const qsizetype at = visited.indexOf(part);
        QVERIFY2(at > last, qPrintable(part->accessibleName() + part->toolTip()));
        last = at;
    }
    // Within a pane from left to right: in the raster's title its menu, then what takes it out and closes it.
    const QWidget* dock = page->raster();
    while (!dock->inherits("QDockWidget")) {
        dock = dock->parentWidget();
    }
    QList<int> columns;
    for (const QWidget* widget : std::as_const(visited)) {
        const bool inTitle = qobject_cast<const QToolButton*>(widget) != nullptr && dock->isAncestorOf(widget);
        if (inTitle && columns.size() < 3) {
            columns.append(widget->mapTo(window.get(), QPoint(0, 0)).x());
        }
    }
    QCOMPARE(columns.size(), 3);
    QVERIFY(std::ranges::is_sorted(columns));
}

void TestMainWindow::oneChartCanHaveThePageAlone()
{
    const auto window = picture();
    const ChartsPage* page = window->page();
    const int before = page->ttftPanel()->width();
    QTest::keyClick(window.get(), Qt::Key_F11);
    QVERIFY(!page->tpotPanel()->isVisible());
    QVERIFY(!page->raster()->isVisible());
    QTRY_VERIFY(page->ttftPanel()->width() > before * 3 / 2);
    QTest::keyClick(window.get(), Qt::Key_F11);
    QVERIFY(page->tpotPanel()->isVisible());
    QVERIFY(page->raster()->isVisible());
    QTRY_COMPARE(page->ttftPanel()->width(), before);
}

void TestMainWindow::panesCanBeHidden()
{
    const auto window = picture();
    const QList<QAction*> panes = window->page()->paneActions();
    QCOMPARE(panes.size(), 3);
    panes.first()->trigger();
    QVERIFY(!window->page()->raster()->isVisible());
    panes.first()->trigger();
    QVERIFY(window->page()->raster()->isVisible());
}

void TestMainWindow::withoutALogTheStatusBarSaysSo()
{
    StartUp startUp;
    startUp.settings = test::pictureSettings();
    startUp.settings->telemetry.recordTokenTiming = false;
    MainWindow window(*m_themes, startUp);
    show(window);
    QVERIFY2(window.status()->text().contains(QStringLiteral("recording off")), qPrintable(window.status()->text()));
}

void TestMainWindow::simulatedDataAreLabelled()
{
    const auto window = simulated(1, 4);
    QVERIFY(window->status()->text().contains(QStringLiteral("simulated endpoint")));
    QVERIFY(window->runBar()->chips()->chip(0)->toolTip().contains(QStringLiteral("simulated")));
    QVERIFY(window->windowTitle().contains(QStringLiteral("simulated")));
}

QTEST_MAIN(TestMainWindow)
#include "tst_mainwindow.moc"
