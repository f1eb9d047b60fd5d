// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QAction>
#include <QClipboard>
#include <QMenu>
#include <QToolButton>
#include <QWheelEvent>
#include <QtTest>

#include "chartfixture.h"
#include "charts/chartcanvas.h"
#include "charts/chartfigure.h"
#include "charts/chartpanel.h"
#include "theme/theme.h"

using namespace tokenpace;
using test::ChartFixture;

namespace {

/// A shown panel over a fixture, painted once.
struct Stage {
    explicit Stage(ChartKind kind = ChartKind::TtftByLength)
        : panel(kind, fixture.data, fixture.selection, themes)
    {
        panel.resize(690, 318);
    }
    void show()
    {
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        QTRY_VERIFY(canvas().framesRendered() > 0);
    }
    [[nodiscard]] ChartCanvas& canvas() { return panel.canvas(); }
    [[nodiscard]] QPoint dotAt(int row) { return canvas().figure().placeOf(row)->at.toPoint(); }
    void wheel(QPoint at, int notches)
    {
        QWheelEvent event(at, canvas().mapToGlobal(at), {}, {0, notches * 120}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&canvas(), &event);
    }
    /// Waits until a frame is rendered that was asked for now.
    void nextFrame()
    {
        const int frames = canvas().framesRendered();
        QTRY_VERIFY(canvas().framesRendered() > frames);
    }

    ThemeController themes;
    ChartFixture fixture;
    ChartPanel panel;
};

void addThree(ChartFixture& fixture)
{
    fixture.add("a", 100, 100, 10);
    fixture.add("a", 1000, 400, 12);
    fixture.add("b", 10000, 2000, 40);
}

} // namespace

class ChartPanelTest final : public QObject {
    Q_OBJECT

private slots:
    void clickingADotMakesItCurrent();
    void controlAddsToTheSelection();
    void clickingNothingClears();
    void draggingSelectsWhatLiesInside();
    void selectedDotsStandOut();
    void aResetOfTheModelForgetsTheSelection();
    void theWheelZoomsAtTheCursorAndDoubleClickResets();
    void draggingWithTheMiddleButtonPans();
    void zoomsCanBeWalkedThrough();
    void doubleClickOnTheTitleExpands();
    void aHiddenChartDrawsNothing();
    void manyChangesMakeFewFrames();
    void theMenuSwitchesScales();
    void theMenuSwitchesToGaps();
    void dataAreCopiedAsText();
    void aScreenReaderIsToldWhatIsDrawn();
};

void ChartPanelTest::clickingADotMakesItCurrent()
{
    for (const ChartKind kind : {ChartKind::TtftByLength, ChartKind::TpotByModel}) {
        Stage stage(kind);
        addThree(stage.fixture);
        stage.show();
        for (const int row : {1, 2, 0}) {
            QTest::mouseClick(&stage.canvas(), Qt::LeftButton, {}, stage.dotAt(row));
            QCOMPARE(stage.fixture.selection.currentIndex().row(), row);
            QCOMPARE(stage.fixture.selection.selectedRows().size(), 1);
            QCOMPARE(stage.fixture.selection.selectedRows().first().row(), row);
        }
    }
}

void ChartPanelTest::controlAddsToTheSelection()
{
    Stage stage;
    addThree(stage.fixture);
    stage.show();
    QTest::mouseClick(&stage.canvas(), Qt::LeftButton, {}, stage.dotAt(0));
    QTest::mouseClick(&stage.canvas(), Qt::LeftButton, Qt::ControlModifier, stage.dotAt(2));
    QCOMPARE(stage.fixture.selection.selectedRows().size(), 2);
    QCOMPARE(stage.fixture.selection.currentIndex().row(), 2);
    QTRY_VERIFY(stage.canvas().figure().front().texts().contains(QStringLiteral("2 selected")));
}

void ChartPanelTest::clickingNothingClears()
{
    Stage stage;
    addThree(stage.fixture);
    stage.show();
    QTest::mouseClick(&stage.canvas(), Qt::LeftButton, {}, stage.dotAt(1));
    QVERIFY(stage.fixture.selection.hasSelection());
    const QPoint nothing = stage.canvas().figure().plot().bottomRight().toPoint() - QPoint(30, 10);
    QVERIFY(!stage.canvas().figure().nearest(nothing, 12));
    QTest::mouseClick(&stage.canvas(), Qt::LeftButton, {}, nothing);
    QVERIFY(!stage.fixture.selection.hasSelection());
    QVERIFY(!stage.fixture.selection.currentIndex().isValid());
}

void ChartPanelTest::draggingSelectsWhatLiesInside()
{
    Stage stage;
    addThree(stage.fixture);
    stage.show();
    const QPoint from = stage.dotAt(0) + QPoint(-6, 10);
    const QPoint to = stage.dotAt(1) + QPoint(8, -8);
    QTest::mousePress(&stage.canvas(), Qt::LeftButton, {}, from);
    QTest::mouseMove(&stage.canvas(), (from + to) / 2);
    QTest::mouseMove(&stage.canvas(), to);
    QTest::mouseRelease(&stage.canvas(), Qt::LeftButton, {}, to);
    QList<int> rows;
    for (const QModelIndex& index : stage.fixture.selection.selectedRows()) {
        rows << index.row();
    }
    QCOMPARE(rows, (QList<int>{0, 1}));
}

void ChartPanelTest::selectedDotsStandOut()
{
    for (const ChartKind kind : {ChartKind::TtftByLength, ChartKind::TpotByModel}) {
        Stage stage(kind);
        test::fill(stage.fixture, {{"a", 38, 0.055, 0, 8.2, 0.13}}, {100, 1000}, 60);
        stage.show();
        const QPoint dot = stage.dotAt(5);
        const QColor before = stage.canvas().grab().toImage().pixelColor(dot);
        stage.fixture.selection.select(
            QItemSelection(stage.fixture.requests.index(5, 0), stage.fixture.requests.index(6, 0)),
            QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
        stage.nextFrame();
        const QPoint now = stage.dotAt(5); // another row in the table moves the plot's end
        const QColor after = stage.canvas().grab().toImage().pixelColor(now);
        const QColor colour = stage.themes.theme().series(0);
        const auto distance = [&colour](const QColor& other) {
            return std::abs(other.red() - colour.red()) + std::abs(other.green() - colour.green())
                + std::abs(other.blue() - colour.blue());
        };
        QVERIFY2(distance(after) < 60, qPrintable(after.name()));
        QVERIFY(kind == ChartKind::TtftByLength || distance(before) > distance(after));
    }
}

void ChartPanelTest::aResetOfTheModelForgetsTheSelection()
{
    Stage stage;
    addThree(stage.fixture);
    stage.show();
    stage.fixture.selection.select(
        QItemSelection(stage.fixture.requests.index(0, 0), stage.fixture.requests.index(1, 0)),
        QItemSelectionModel::Select | QItemSelectionModel::Rows);
    QTRY_VERIFY(stage.canvas().figure().front().texts().contains(QStringLiteral("2 selected")));
    stage.fixture.requests.clear();
    addThree(stage.fixture);
    QTRY_VERIFY(!stage.canvas().figure().front().texts().contains(QStringLiteral("2 selected")));
}

void ChartPanelTest::theWheelZoomsAtTheCursorAndDoubleClickResets()
{
    Stage stage;
    addThree(stage.fixture);
    stage.show();
    const QPoint at = stage.dotAt(1);
    const AxisRange before = stage.canvas().figure().xScale().range;
    stage.wheel(at, 3);
    QVERIFY(stage.canvas().isZoomed());
    stage.nextFrame();
    const AxisRange after = stage.canvas().figure().xScale().range;
    QVERIFY(after.low > before.low && after.high < before.high);
    QVERIFY((stage.dotAt(1) - at).manhattanLength() <= 2);
    QTest::mouseDClick(&stage.canvas(), Qt::LeftButton, {}, at + QPoint(20, 30));
    QVERIFY(!stage.canvas().isZoomed());
    QCOMPARE(stage.canvas().figure().xScale().range, before);
}

void ChartPanelTest::draggingWithTheMiddleButtonPans()
{
    Stage stage;
    addThree(stage.fixture);
    stage.show();
    const QPoint at = stage.dotAt(1);
    QTest::mousePress(&stage.canvas(), Qt::MiddleButton, {}, at);
    QTest::mouseMove(&stage.canvas(), at + QPoint(20, -10));
    QTest::mouseMove(&stage.canvas(), at + QPoint(40, -20));
    QTest::mouseRelease(&stage.canvas(), Qt::MiddleButton, {}, at + QPoint(40, -20));
    stage.nextFrame();
    QVERIFY((stage.dotAt(1) - at - QPoint(40, -20)).manhattanLength() <= 2);
    QVERIFY(!stage.fixture.selection.hasSelection());
}

void ChartPanelTest::zoomsCanBeWalkedThrough()
{
    Stage stage;
    addThree(stage.fixture);
    stage.show();
    stage.canvas().setFocus();
    stage.wheel(stage.dotAt(1), 2);
    const auto zoomed = stage.canvas().spec().zoomX;
    QVERIFY(zoomed.has_value());
    QTest::keySequence(&stage.canvas(), QKeySequence::Undo);
    QVERIFY(!stage.canvas().isZoomed());
    QTest::keySequence(&stage.canvas(), QKeySequence::Redo);
    QCOMPARE(stage.canvas().spec().zoomX, zoomed);
}

void ChartPanelTest::doubleClickOnTheTitleExpands()
{
    Stage stage;
    stage.show();
    QSignalSpy spy(&stage.panel, &ChartPanel::expandRequested);
    QTest::mouseDClick(&stage.canvas(), Qt::LeftButton, {}, QPoint(60, 20));
    QCOMPARE(spy.count(), 1);
    QTest::mouseClick(stage.panel.findChild<QToolButton*>(), Qt::LeftButton);
    QCOMPARE(spy.count(), 2);
}

void ChartPanelTest::aHiddenChartDrawsNothing()
{
    Stage stage;
    addThree(stage.fixture);
    stage.show();
    stage.panel.hide();
    const int frames = stage.canvas().framesRendered();
    QSignalSpy changed(&stage.fixture.data, &ChartData::changed);
    for (int i = 0; i < 5; ++i) {
        stage.fixture.add("a", 1000, 300 + i, 10);
        QCoreApplication::processEvents();
    }
    QVERIFY(changed.count() >= 5);
    QCOMPARE(stage.canvas().framesRendered(), frames);
    stage.panel.show();
    QTRY_VERIFY(stage.canvas().framesRendered() > frames);
    QVERIFY(stage.canvas().figure().placeOf(7));
}

void ChartPanelTest::manyChangesMakeFewFrames()
{
    Stage stage;
    addThree(stage.fixture);
    stage.show();
    QTRY_VERIFY(stage.canvas().figure().placeOf(2));
    const int frames = stage.canvas().framesRendered();
    QElapsedTimer timer;
    timer.start();
    for (int i = 0; i < 200; ++i) {
        stage.fixture.add("a", 1000, 300 + i % 7, 10);
        QCoreApplication::processEvents();
    }
    QTRY_VERIFY(stage.canvas().figure().placeOf(202));
    const auto most = static_cast<int>(timer.elapsed() / 100) + 3;
    QVERIFY2(stage.canvas().framesRendered() - frames <= most,
             qPrintable(QString::number(stage.canvas().framesRendered() - frames)));
}

void ChartPanelTest::theMenuSwitchesScales()
{
    Stage stage;
    addThree(stage.fixture);
    stage.show();
    stage.wheel(stage.dotAt(1), 2);
    auto* menu = stage.panel.findChild<QMenu*>();
    emit menu->aboutToShow();
    QAction* time = nullptr;
    for (QAction* action : menu->actions()) {
        time = action->text() == QStringLiteral("Logarithmic time") ? action : time;
    }
    QVERIFY(time != nullptr && time->isChecked());
    time->trigger();
    QVERIFY(!stage.panel.spec().logY);
    QVERIFY2(!stage.canvas().isZoomed(), "a zoom belongs to the scale that it was made on");
    stage.nextFrame();
    QCOMPARE(stage.canvas().figure().yScale().range.low, 0.0);
}

void ChartPanelTest::theMenuSwitchesToGaps()
{
    ThemeController themes;
    ChartFixture fixture;
    addThree(fixture);
    ChartPanel panel(ChartKind::TpotByModel, fixture.data, fixture.selection, themes);
    auto* menu = panel.findChild<QMenu*>();
    const auto choose = [menu](const QString& text) {
        emit menu->aboutToShow();
        for (QAction* action : menu->actions()) {
            if (action->text().startsWith(text)) {
                action->trigger();
                return true;
            }
        }
        return false;
    };
    QVERIFY(choose(QStringLiteral("Per gap")));
    QVERIFY(panel.spec().perGap);
    panel.copyData();
    const QString csv = QGuiApplication::clipboard()->text();
    QVERIFY2(csv.startsWith(QStringLiteral("endpoint,model,run,seq,gap,gap_ms\r\nlocal,a,run,0,1,")), qPrintable(csv));
    QCOMPARE(csv.count(QLatin1Char('\n')), 7); // a line for each of two gaps of three requests
    QVERIFY(choose(QStringLiteral("Per request")));
    QVERIFY(!panel.spec().perGap);
}

void ChartPanelTest::dataAreCopiedAsText()
{
    Stage stage;
    addThree(stage.fixture);
    stage.panel.copyData();
    QCOMPARE(QGuiApplication::clipboard()->text().count(QStringLiteral("\n")), 4);
    stage.panel.copyImage();
    QVERIFY(!QGuiApplication::clipboard()->image().isNull());
}

void ChartPanelTest::aScreenReaderIsToldWhatIsDrawn()
{
    Stage stage;
    QCOMPARE(stage.canvas().accessibleName(), QStringLiteral("Time to first token vs prompt length"));
    QVERIFY(!stage.canvas().accessibleDescription().isEmpty());
    addThree(stage.fixture);
    stage.show();
    QTRY_VERIFY(stage.canvas().accessibleDescription().contains(QStringLiteral("b: median TTFT 2.00 s")));
    for (const QToolButton* button : stage.panel.findChildren<QToolButton*>()) {
        QVERIFY(!button->accessibleName().isEmpty());
    }
}

QTEST_MAIN(ChartPanelTest)
#include "tst_chartpanel.moc"
