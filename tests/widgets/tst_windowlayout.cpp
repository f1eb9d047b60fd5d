// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <algorithm>

#include <QApplication>
#include <QComboBox>
#include <QScrollBar>
#include <QSettings>
#include <QTest>
#include <QToolButton>

#include "appcommands.h"
#include "charts/chartcanvas.h"
#include "charts/chartpanel.h"
#include "chartspage.h"
#include "controls/chip.h"
#include "controls/chipbar.h"
#include "controls/datatable.h"
#include "controls/toolbarparts.h"
#include "inspector.h"
#include "messagestrip.h"
#include "runbar.h"
#include "session.h"
#include "statusstrip.h"
#include "tablespanel.h"
#include "theme/comfort.h"
#include "tokenraster.h"
#include "widgets/madeuprun.h"
#include "widgets/windowfixture.h"

using namespace tokenpace;

class TestWindowLayout final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void nothingIsClippedInASmallWindow_data();
    void nothingIsClippedInASmallWindow();
    void tabulatorFollowsTheEye();
    void oneChartCanHaveThePageAlone();
    void panesCanBeHidden();
    void theThemeSwitchesAndIsRemembered();
    void reducedMotionIsRememberedAndNothingGlides();
    void aTextSizeIsForTheNextStart();
};

void TestWindowLayout::nothingIsClippedInASmallWindow_data()
{
    QTest::addColumn<QSize>("size");
    QTest::newRow("1000 x 640") << QSize(1000, 640);
    QTest::newRow("1280 x 800") << QSize(1280, 800);
    QTest::newRow("1920 x 1080") << QSize(1920, 1080);
}

void TestWindowLayout::nothingIsClippedInASmallWindow()
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

void TestWindowLayout::tabulatorFollowsTheEye()
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

void TestWindowLayout::oneChartCanHaveThePageAlone()
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

void TestWindowLayout::panesCanBeHidden()
{
    const auto window = picture();
    const QList<QAction*> panes = window->page()->paneActions();
    QCOMPARE(panes.size(), 3);
    panes.first()->trigger();
    QVERIFY(!window->page()->raster()->isVisible());
    panes.first()->trigger();
    QVERIFY(window->page()->raster()->isVisible());
}

void TestWindowLayout::theThemeSwitchesAndIsRemembered()
{
    {
        const auto window = picture();
        QVERIFY(themes->theme().dark);
        window->commands()->theme()->trigger();
        QVERIFY(!themes->theme().dark);
        QVERIFY(window->close());
    }
    themes->setChoice(ThemeController::Choice::Dark);
    const auto again = picture();
    QVERIFY(!themes->theme().dark);
}

void TestWindowLayout::reducedMotionIsRememberedAndNothingGlides()
{
    {
        const auto window = picture();
        QVERIFY(!reducedMotion());
        QVERIFY(window->page()->isAnimated());
        window->commands()->reducedMotion()->trigger();
        QVERIFY(window->close());
    }
    setReducedMotion(false);
    const auto again = picture();
    QVERIFY(reducedMotion());
    QVERIFY(again->commands()->reducedMotion()->isChecked());
    QVERIFY(!again->page()->isAnimated());
    QVERIFY(!QApplication::isEffectEnabled(Qt::UI_AnimateMenu));
    // The raster's axis is where it ends up with the first frame.
    TokenRaster& raster = *again->page()->raster();
    const QString run = QStringLiteral("long");
    test::fillPicture(again->session());
    again->session().requests().announce(run, {RequestsModel::Announced{0, 100, 0}});
    const int paints = raster.paintCount();
    again->session().requests().apply({RequestStarted{run, 0, steadyNow() - fromMs(300'000)}});
    QTRY_VERIFY(raster.paintCount() > paints);
    QVERIFY(raster.timeEndMs() >= 300'000);
    again->commands()->reducedMotion()->trigger();
    QVERIFY(!reducedMotion());
}

void TestWindowLayout::aTextSizeIsForTheNextStart()
{
    const auto window = picture();
    QAction* largest = window->commands()->textSizeActions().last();
    largest->trigger();
    QVERIFY(largest->isChecked());
    QVERIFY(!window->commands()->textSizeActions().first()->isChecked());
    QVERIFY(window->messages()->text().contains(QStringLiteral("200 %")));
    QCOMPARE(storedTextSize(QSettings()), 200);
    const bool scaledAlready = qEnvironmentVariableIsSet("QT_SCALE_FACTOR");
    applyTextSize(QSettings());
    if (!scaledAlready) {
        QCOMPARE(qgetenv("QT_SCALE_FACTOR"), QByteArray("2"));
        qunsetenv("QT_SCALE_FACTOR");
    }
    qputenv("QT_SCALE_FACTOR", "1.3"); // a person's own word goes first
    applyTextSize(QSettings());
    QCOMPARE(qgetenv("QT_SCALE_FACTOR"), QByteArray("1.3"));
    window->commands()->textSizeActions().first()->trigger();
    QCOMPARE(storedTextSize(QSettings()), 100);
}

QTEST_MAIN(TestWindowLayout)
#include "tst_windowlayout.moc"
