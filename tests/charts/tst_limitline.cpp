// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QAction>
#include <QInputDialog>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QtTest>

#include "chartfixture.h"
#include "charts/chartcanvas.h"
#include "charts/chartfigure.h"
#include "charts/chartpanel.h"
#include "theme/theme.h"

using namespace tokenpace;
using test::ChartFixture;

namespace {

constexpr double savedMs = 800;

/// A shown panel with a limit of 800 ms, as its settings say.
struct Stage {
    Stage()
        : panel(ChartKind::TtftByLength, fixture.data, fixture.selection, themes)
        , moved(&panel, &ChartPanel::limitMoved)
    {
        fixture.add("a", 100, 100, 10);
        fixture.add("a", 1000, 400, 12);
        fixture.add("b", 10000, 2000, 40);
        panel.resize(690, 318);
        panel.setLimit(savedMs, savedMs, true);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        QTRY_VERIFY(canvas().framesRendered() > 0);
    }
    [[nodiscard]] ChartCanvas& canvas() { return panel.canvas(); }
    [[nodiscard]] double limit() { return canvas().spec().limitMs.value_or(-1); }
    /// On the line, right of all dots.
    [[nodiscard]] QPoint onLine()
    {
        return {qRound(canvas().figure().plot().right()) - 3, qRound(*canvas().figure().limitY())};
    }
    void pressAndMove(QPoint from, QPoint to)
    {
        QTest::mouseMove(&canvas(), from);
        QTest::mousePress(&canvas(), Qt::LeftButton, {}, from);
        QTest::mouseMove(&canvas(), (from + to) / 2);
        QTest::mouseMove(&canvas(), to);
    }
    [[nodiscard]] QAction* action(const QString& text)
    {
        auto* menu = panel.findChild<QMenu*>();
        menu->popup(panel.mapToGlobal(QPoint(10, 10)));
        for (QAction* each : menu->actions()) {
            if (each->text() == text) {
                return each;
            }
        }
        return nullptr;
    }

    ThemeController themes;
    ChartFixture fixture;
    ChartPanel panel;
    QSignalSpy moved;
};

} // namespace

class LimitLineTest final : public QObject {
    Q_OBJECT

private slots:
    void draggingTheLineMovesTheLimit();
    void theCursorTellsWhereItCanBeTaken();
    void escapeWhileDraggingPutsItBack();
    void aClickOnTheLineSelectsAsElsewhere();
    void aDragIsOneStepToUndo();
    void zoomingAndItsResetLeaveTheLimit();
    void keysMoveItByTheLeastStep();
    void newSettingsAreNoStepToUndo();
    void aNumberCanBeTyped();
    void theMenuLeadsBackToTheSettings();
    void aRunThatBeginsEndsADrag();
};

void LimitLineTest::draggingTheLineMovesTheLimit()
{
    Stage stage;
    const QPoint from = stage.onLine();
    stage.pressAndMove(from, from + QPoint(-20, 40));
    QVERIFY(stage.limit() < savedMs); // seen at once
    QCOMPARE(stage.moved.count(), 0); // told when it is certain
    QTest::mouseRelease(&stage.canvas(), Qt::LeftButton, {}, from + QPoint(-20, 40));
    QCOMPARE(stage.moved.count(), 1);
    QCOMPARE(stage.moved.first().first().toDouble(), stage.limit());
    QTRY_VERIFY(std::abs(*stage.canvas().figure().limitY() - (from.y() + 40)) <= 2);
    QVERIFY(!stage.fixture.selection.hasSelection());
    // no more digits than the eye can tell apart
    QCOMPARE(stage.limit(), std::round(stage.limit()));
}

void LimitLineTest::theCursorTellsWhereItCanBeTaken()
{
    Stage stage;
    QTest::mouseMove(&stage.canvas(), stage.onLine() + QPoint(0, 30)); // the first move of all only enters
    QTest::mouseMove(&stage.canvas(), stage.onLine());
    QTRY_COMPARE(stage.canvas().cursor().shape(), Qt::SizeVerCursor);
    QTest::mouseMove(&stage.canvas(), stage.onLine() + QPoint(0, 20));
    QTRY_VERIFY(stage.canvas().cursor().shape() != Qt::SizeVerCursor);
}

void LimitLineTest::escapeWhileDraggingPutsItBack()
{
    Stage stage;
    const QPoint from = stage.onLine();
    stage.pressAndMove(from, from + QPoint(0, 40));
    QVERIFY(stage.limit() != savedMs);
    QTest::keyClick(&stage.canvas(), Qt::Key_Escape);
    QCOMPARE(stage.limit(), savedMs);
    QTest::mouseRelease(&stage.canvas(), Qt::LeftButton, {}, from + QPoint(0, 40));
    QCOMPARE(stage.limit(), savedMs);
    QCOMPARE(stage.moved.count(), 0);
}

void LimitLineTest::aClickOnTheLineSelectsAsElsewhere()
{
    Stage stage;
    const double y = stage.canvas().figure().placeOf(1)->at.y();
    stage.panel.setLimit(stage.canvas().figure().msAt(y), savedMs, true); // through the dot
    QTRY_VERIFY(stage.canvas().figure().limitY());
    const QPoint at = stage.canvas().figure().placeOf(1)->at.toPoint();
    QTest::mouseClick(&stage.canvas(), Qt::LeftButton, {}, at);
    QCOMPARE(stage.fixture.selection.currentIndex().row(), 1);
    QCOMPARE(stage.moved.count(), 0);
}

void LimitLineTest::aDragIsOneStepToUndo()
{
    Stage stage;
    const QPoint from = stage.onLine();
    stage.pressAndMove(from, from + QPoint(0, 40));
    QTest::mouseRelease(&stage.canvas(), Qt::LeftButton, {}, from + QPoint(0, 40));
    const double dragged = stage.limit();
    QTest::keyClick(&stage.canvas(), Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(stage.limit(), savedMs);
    QCOMPARE(stage.moved.last().first().toDouble(), savedMs);
    QTest::keyClick(&stage.canvas(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(stage.limit(), dragged);
    QCOMPARE(stage.moved.count(), 3);
}

void LimitLineTest::zoomingAndItsResetLeaveTheLimit()
{
    Stage stage;
    stage.canvas().moveLimit(600);
    QTest::keyClick(&stage.canvas(), Qt::Key_Plus);
    QVERIFY(stage.canvas().isZoomed());
    QCOMPARE(stage.limit(), 600.0);
    QTest::keyClick(&stage.canvas(), Qt::Key_0);
    QVERIFY(!stage.canvas().isZoomed());
    QCOMPARE(stage.limit(), 600.0);
    QCOMPARE(stage.moved.count(), 1);
}

void LimitLineTest::keysMoveItByTheLeastStep()
{
    Stage stage;
    QTest::keyClick(&stage.canvas(), Qt::Key_Up, Qt::AltModifier);
    const double up = stage.limit();
    QVERIFY(up > savedMs && up < 1.2 * savedMs);
    QTRY_VERIFY(*stage.canvas().figure().limitY() < stage.canvas().figure().plot().bottom());
    QTest::keyClick(&stage.canvas(), Qt::Key_Down, Qt::AltModifier);
    QVERIFY(stage.limit() < up);
    QCOMPARE(stage.moved.count(), 2);
}

void LimitLineTest::newSettingsAreNoStepToUndo()
{
    Stage stage;
    QTest::keyClick(&stage.canvas(), Qt::Key_Plus);
    stage.panel.setLimit(500, 500, true);
    QTest::keyClick(&stage.canvas(), Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(!stage.canvas().isZoomed());
    QCOMPARE(stage.limit(), 500.0);
    QCOMPARE(stage.moved.count(), 0);
}

void LimitLineTest::aNumberCanBeTyped()
{
    Stage stage;
    QAction* set = stage.action(QStringLiteral("Set limit…"));
    QVERIFY(set);
    set->trigger();
    auto* dialog = stage.panel.findChild<QInputDialog*>();
    QTRY_VERIFY(dialog && dialog->isVisible());
    auto* field = dialog->findChild<QLineEdit*>();
    field->selectAll();
    QTest::keyClicks(field, QStringLiteral("650"));
    QTest::keyClick(field, Qt::Key_Return);
    QTRY_COMPARE(stage.limit(), 650.0);
    QCOMPARE(stage.moved.count(), 1);
}

void LimitLineTest::theMenuLeadsBackToTheSettings()
{
    Stage stage;
    const QString back = QStringLiteral("Limit of the settings (800 ms)");
    const QString save = QStringLiteral("Save limit to settings");
    QVERIFY(!stage.action(back)->isEnabled());
    QVERIFY(!stage.action(save)->isEnabled());
    stage.canvas().moveLimit(600);
    QVERIFY(stage.action(save)->isEnabled());
    stage.action(back)->trigger();
    QCOMPARE(stage.limit(), savedMs);
    stage.panel.setLimit(600, savedMs, false);
    QVERIFY(!stage.action(save)->isEnabled()); // there is no file to save it in
    QVERIFY(stage.action(back)->isEnabled());
}

void LimitLineTest::aRunThatBeginsEndsADrag()
{
    Stage stage;
    const QPoint from = stage.onLine();
    stage.pressAndMove(from, from + QPoint(0, 40));
    stage.panel.startRun();
    QCOMPARE(stage.limit(), savedMs);
    QTest::mouseRelease(&stage.canvas(), Qt::LeftButton, {}, from + QPoint(0, 40));
    QCOMPARE(stage.limit(), savedMs);
    QCOMPARE(stage.moved.count(), 0);
}

QTEST_MAIN(LimitLineTest)
#include "tst_limitline.moc"
