// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QComboBox>
#include <QDialog>
#include <QDir>
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
#include "session.h"
#include "settings/settingseditor.h"
#include "settings/settingsfinder.h"
#include "settingsdialog/settingsdialog.h"
#include "statusstrip.h"
#include "tablespanel.h"
#include "theme/theme.h"
#include "tokenraster.h"
#include "widgets/madeuprun.h"
#include "widgets/windowfixture.h"

using namespace tokenpace;

static constexpr int longWaitMs = 60000; // a busy machine under a sanitizer

class TestMainWindow final : public test::WindowFixture {
    Q_OBJECT
private slots:
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
    void settingsOfAnotherToolAreNotEdited();
    void theSameLogTwiceShowsItsRowsOnce();
    void selectingARowShowsItInTheInspector();
    void withoutALogTheStatusBarSaysSo();
    void simulatedDataAreLabelled();

private:
    [[nodiscard]] std::unique_ptr<MainWindow> simulated(int repeats, int maxTokens);
    [[nodiscard]] int logLines() const;
};

// A window on the simulated endpoint with a short experiment of one model.
std::unique_ptr<MainWindow> TestMainWindow::simulated(int repeats, int maxTokens)
{
    StartUp startUp;
    startUp.simulated = true;
    startUp.logPath = logPath();
    auto window = std::make_unique<MainWindow>(*themes, startUp);
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
    MainWindow window(*themes, StartUp());
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
    MainWindow window(*themes, startUp);
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
    MainWindow window(*themes, startUp);
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
    MainWindow window(*themes, startUp);
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
    const QString path = folder->filePath(QStringLiteral("wild.jsonl"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{\"ttft_ms\": 312.4, \"tpot_ms\": 21.7, \"tokens\": 256, \"total_ms\": 5850.1, \"model\": \"m\"}\n"
               "this is no record\n"
               "{\"ttft_ms\": 300.0, \"model\": \"m\"}\n");
    file.close();
    MainWindow window(*themes, StartUp());
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
    MainWindow window(*themes, StartUp());
    show(window);
    window.openLog(folder->filePath(QStringLiteral("missing.jsonl")));
    QTRY_VERIFY(window.messages()->isVisible());
    QCOMPARE(window.messages()->kind(), MessageStrip::Kind::Error);
    QVERIFY(window.messages()->text().contains(QStringLiteral("missing.jsonl")));
    QVERIFY(window.showsFirstPage());
}

void TestMainWindow::settingsOfAnotherToolAreNotEdited()
{
    const QString path = folder->filePath(QStringLiteral("config.toml"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("[taotoken]\nbase_url = \"http://127.0.0.1:1\"\nmodel = \"m\"\n");
    file.close();
    qputenv("XDG_CONFIG_HOME", folder->path().toUtf8());
    StartUp startUp;
    SettingsPlaces places = processPlaces();
    places.explicitFile = path;
    startUp.settings = findSettings(places).settings;
    MainWindow window(*themes, startUp);
    show(window);
    QTRY_VERIFY(window.session().settings());
    QVERIFY(!window.session().settings()->foreignShape.isEmpty());
    QVERIFY(QDir(folder->path()).mkdir(QStringLiteral("tokenpace")));
    QFile own(folder->filePath(QStringLiteral("tokenpace/settings.json")));
    QVERIFY(own.open(QIODevice::WriteOnly));
    own.close();
    window.commands()->settings()->trigger();
    const auto* dialog = window.findChild<SettingsDialog*>();
    QVERIFY(dialog != nullptr);
    QCOMPARE(dialog->editor().file(), own.fileName());
    qunsetenv("XDG_CONFIG_HOME");
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

void TestMainWindow::withoutALogTheStatusBarSaysSo()
{
    StartUp startUp;
    startUp.settings = test::pictureSettings();
    startUp.settings->telemetry.recordTokenTiming = false;
    MainWindow window(*themes, startUp);
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
