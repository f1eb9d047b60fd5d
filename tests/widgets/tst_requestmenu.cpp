// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QClipboard>
#include <QContextMenuEvent>
#include <QtTest>

#include "charts/chartcanvas.h"
#include "charts/chartfigure.h"
#include "charts/chartpanel.h"
#include "chartspage.h"
#include "controls/datatable.h"
#include "controls/tabrow.h"
#include "requestmenu.h"
#include "session.h"
#include "tablespanel.h"
#include "widgets/madeuprun.h"
#include "widgets/windowfixture.h"

using namespace tokenpace;

class RequestMenuTest final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void aRightClickOnADotIsAboutItsRequest();
    void aRightClickBesideAllDotsIsAboutTheChart();
    void theTableHasItToo();
    void alikeSelectsEverywhere();
    void whatIsExcludedLeavesTheFiguresAndComesBack();
    void aRecordIsCopied();
    void whatWasSentIsCopiedAsCurl();
    void aRecordOfALogHasNoPromptToCopy();

private:
    [[nodiscard]] std::unique_ptr<MainWindow> filled();
    static void rightClick(QWidget& widget, QPoint at);
    static void select(Session& session, QList<int> rows);
    /// As it stands when it opens; null when there is none of that text.
    [[nodiscard]] static QAction* action(MainWindow& window, const QString& text);
};

std::unique_ptr<MainWindow> RequestMenuTest::filled()
{
    auto window = picture();
    test::fillPicture(window->session());
    return window;
}

void RequestMenuTest::rightClick(QWidget& widget, QPoint at)
{
    QTest::mouseClick(&widget, Qt::RightButton, {}, at);
    QContextMenuEvent asked(QContextMenuEvent::Mouse, at, widget.mapToGlobal(at));
    QCoreApplication::sendEvent(&widget, &asked);
}

void RequestMenuTest::select(Session& session, QList<int> rows)
{
    session.selection().select(session.requests().selectionOf({rows.begin(), rows.end()}),
                               QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    session.selection().setCurrentIndex(session.requests().index(rows.first(), 0), QItemSelectionModel::NoUpdate);
}

QAction* RequestMenuTest::action(MainWindow& window, const QString& text)
{
    RequestMenu* menu = window.page()->requestMenu();
    menu->popup({10, 10});
    QList<QAction*> all = menu->actions();
    for (QAction* each : menu->actions()) {
        if (each->menu()) {
            all += each->menu()->actions();
        }
    }
    for (QAction* each : all) {
        if (each->text().startsWith(text)) {
            return each;
        }
    }
    return nullptr;
}

void RequestMenuTest::aRightClickOnADotIsAboutItsRequest()
{
    const auto window = filled();
    ChartCanvas& canvas = window->page()->ttftPanel()->canvas();
    QTRY_VERIFY(canvas.figure().placeOf(7));
    rightClick(canvas, canvas.figure().placeOf(7)->at.toPoint());
    QVERIFY(window->page()->requestMenu()->isVisible());
    QVERIFY(window->session().selection().hasSelection());
    const int current = window->session().selection().currentIndex().row();
    const QPointF between = canvas.figure().placeOf(current)->at - canvas.figure().placeOf(7)->at;
    QVERIFY(between.manhattanLength() < 8); // itself, or a dot that covers it
}

void RequestMenuTest::aRightClickBesideAllDotsIsAboutTheChart()
{
    const auto window = filled();
    ChartCanvas& canvas = window->page()->ttftPanel()->canvas();
    QTRY_VERIFY(canvas.figure().placeOf(7));
    rightClick(canvas, canvas.figure().plot().topLeft().toPoint() + QPoint(3, 3));
    QVERIFY(!window->page()->requestMenu()->isVisible());
    QVERIFY(qApp->activePopupWidget() != nullptr);
    QVERIFY(!window->session().selection().hasSelection());
    qApp->activePopupWidget()->close();
}

void RequestMenuTest::theTableHasItToo()
{
    const auto window = filled();
    window->page()->tables()->tabs()->setCurrentIndex(TablesPanel::Requests);
    DataTable* table = window->page()->tables()->requestsTable();
    QTRY_VERIFY(table->isVisible() && table->model()->rowCount() > 3);
    const QRect cell = table->visualRect(table->indexAt({40, 40}));
    rightClick(*table->viewport(), cell.center());
    QVERIFY(window->page()->requestMenu()->isVisible());
    QCOMPARE(window->session().selection().selectedRows().size(), 1);
}

void RequestMenuTest::alikeSelectsEverywhere()
{
    const auto window = filled();
    Session& session = window->session();
    select(session, {4});
    const RequestsModel::Row& pattern = session.requests().row(4);
    const QString model = session.series().at(pattern.series).label;
    QAction* all = action(*window, QStringLiteral("All of %1 (").arg(model));
    QVERIFY(all);
    all->trigger();
    QVERIFY(session.selection().selectedRows().size() > 10);
    for (const QModelIndex& index : session.selection().selectedRows()) {
        QCOMPARE(session.requests().row(index.row()).series, pattern.series);
    }
    QCOMPARE(session.selection().currentIndex().row(), 4);
    const auto selected = session.selection().selectedRows().size();
    QVERIFY(all->text().contains(QString::number(selected)));
}

void RequestMenuTest::whatIsExcludedLeavesTheFiguresAndComesBack()
{
    const auto window = filled();
    Session& session = window->session();
    const int before = session.chartData().ttftCounts().ok;
    select(session, {4, 5});
    QVERIFY(!action(*window, QStringLiteral("Include")));
    action(*window, QStringLiteral("Exclude"))->trigger();
    QCOMPARE(session.chartData().ttftCounts().ok, before - 2);
    QCOMPARE(session.chartData().ttftCounts().hollow.at(Flag::Excluded), 2);
    QVERIFY(!action(*window, QStringLiteral("Exclude")));
    action(*window, QStringLiteral("Include"))->trigger();
    QCOMPARE(session.chartData().ttftCounts().ok, before);
}

void RequestMenuTest::aRecordIsCopied()
{
    const auto window = filled();
    select(window->session(), {4});
    action(*window, QStringLiteral("Copy the record"))->trigger();
    const int seq = window->session().requests().row(4).seq;
    QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("\"seq\": %1").arg(seq)));
    select(window->session(), {4, 5, 6});
    action(*window, QStringLiteral("Copy 3 records"))->trigger();
    QCOMPARE(QGuiApplication::clipboard()->text().trimmed().count(QLatin1Char('\n')), 3);
}

void RequestMenuTest::whatWasSentIsCopiedAsCurl()
{
    StartUp startUp;
    startUp.logPath = QString();
    MainWindow window(*themes, startUp);
    show(window);
    Session& session = window.session();
    QCOMPARE(session.useSimulated(QString()), QString());
    RunSpec spec = session.parameters();
    spec.promptTokens = {100};
    spec.repeats = 1;
    spec.warmup = 0;
    spec.maxTokens = 4;
    session.setParameters(spec);
    session.start();
    QTRY_VERIFY_WITH_TIMEOUT(!session.running(), 60000);
    QTRY_VERIFY(session.requests().rowCount() > 0 && session.requests().row(0).finished());
    session.start(); // a second run does not make the first forgotten
    QTRY_VERIFY_WITH_TIMEOUT(!session.running(), 60000);
    select(session, {0});
    QAction* asCurl = action(window, QStringLiteral("Copy as curl"));
    QVERIFY(asCurl->isEnabled());
    asCurl->trigger();
    const QString text = QGuiApplication::clipboard()->text();
    QVERIFY2(text.startsWith(QStringLiteral("curl ")), qPrintable(text));
    const Timeline& timeline = *session.requests().row(0).timeline;
    QVERIFY(text.contains(QStringLiteral("\"model\":\"%1\"").arg(QString::fromStdString(timeline.model))));
}

void RequestMenuTest::aRecordOfALogHasNoPromptToCopy()
{
    const auto window = filled();
    select(window->session(), {4});
    QAction* asCurl = action(*window, QStringLiteral("Copy as curl"));
    QVERIFY(!asCurl->isEnabled());
    QVERIFY(!asCurl->toolTip().isEmpty());
}

QTEST_MAIN(RequestMenuTest)
#include "tst_requestmenu.moc"
