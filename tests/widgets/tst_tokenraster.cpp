// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QContextMenuEvent>
#include <QItemSelectionModel>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

#include "theme/theme.h"
#include "tickstrip.h"
#include "tokenraster.h"
#include "widgets/madeuprun.h"

using namespace tokenpace;

class TestTokenRaster final : public QObject {
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void ticksLieWhereTheArrivalsAre();
    void manyTicksInOneColumnAreOnePixel();
    void axisStepsAreRound_data();
    void axisStepsAreRound();
    void aLongGapIsAStall();
    void theNewestRowsAreInSight();
    void aClickSelectsTheRow();
    void controlAndShiftExtendTheSelection();
    void arrowKeysMoveTheCurrentRow();
    void rowsOfAHiddenSeriesAreLeftOut();
    void manyRowsWithoutNamesWhenSeveralAreSelected();
    void aThousandBatchesAreFewPaints();
    void theWheelWithControlZoomsTimeAtTheMouse();
    void timeZoomsFromADayToAMillisecond();
    void aDragOnTheAxisPansAndADoubleClickShowsAll();
    void keysZoomAndPan();
    void aZoomStaysWhileTheRunGoesOn();
    void aRightClickAsksForTheMenuOfTheRow();

private:
    ThemeController m_themes;
    std::unique_ptr<Session> m_session;
    std::unique_ptr<TokenRaster> m_raster;
};

void TestTokenRaster::init()
{
    m_session = std::make_unique<Session>();
    m_raster = std::make_unique<TokenRaster>(m_session->requests(), m_session->selection());
    m_raster->resize(1000, 113);
    test::fillPicture(*m_session);
    m_raster->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_raster.get()));
}

void TestTokenRaster::cleanup()
{
    m_raster.reset();
    m_session.reset();
}

void TestTokenRaster::ticksLieWhereTheArrivalsAre()
{
    QImage image(100, 8, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::black);
    QPainter painter(&image);
    const std::vector<Stamp> arrivals{fromMs(10), fromMs(50), fromMs(500)};
    paintTicks(painter, QRectF(0, 0, 100, 8), TimeScale{0, 1}, arrivals, Stamp{}, Qt::white, 1.0);
    painter.end();
    for (int x = 0; x < 100; ++x) {
        const bool lit = qGray(image.pixel(x, 4)) > 128;
        QCOMPARE(lit, x == 10 || x == 50);
    }
}

void TestTokenRaster::manyTicksInOneColumnAreOnePixel()
{
    QImage image(20, 4, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::black);
    QPainter painter(&image);
    std::vector<Stamp> arrivals;
    for (int i = 0; i < 10000; ++i) {
        arrivals.push_back(fromMs(5 + i * 0.00001));
    }
    paintTicks(painter, QRectF(0, 0, 20, 4), TimeScale{0, 1}, arrivals, Stamp{}, QColor(255, 255, 255, 128), 0.9);
    painter.end();
    // However many there are, the colour's own alpha is the most that a pixel gets.
    QVERIFY(qGray(image.pixel(5, 2)) > 100);
    QVERIFY(qGray(image.pixel(5, 2)) < 140);
    QCOMPARE(qGray(image.pixel(8, 2)), 0);
}

void TestTokenRaster::axisStepsAreRound_data()
{
    QTest::addColumn<double>("end");
    QTest::addColumn<double>("pxPerMs");
    QTest::addColumn<QStringList>("labels");
    QTest::newRow("seconds") << 3500.0 << 0.1
                             << QStringList{QStringLiteral("0"), QStringLiteral("1 s"), QStringLiteral("2 s"),
                                            QStringLiteral("3 s")};
    QTest::newRow("milliseconds") << 450.0 << 0.7
                                  << QStringList{QStringLiteral("0"), QStringLiteral("100 ms"),
                                                 QStringLiteral("200 ms"), QStringLiteral("300 ms"),
                                                 QStringLiteral("400 ms")};
    QTest::newRow("halves of a second") << 1600.0 << 0.2
                                        << QStringList{QStringLiteral("0"), QStringLiteral("0.5 s"),
                                                       QStringLiteral("1.0 s"), QStringLiteral("1.5 s")};
    QTest::newRow("nothing") << 0.0 << 1.0 << QStringList();
}

void TestTokenRaster::axisStepsAreRound()
{
    QFETCH(double, end);
    QFETCH(double, pxPerMs);
    QFETCH(QStringList, labels);
    QStringList found;
    for (const TimeTick& tick : timeTicks(0, end, pxPerMs, 64)) {
        found.append(tick.label);
    }
    QCOMPARE(found, labels);
}

void TestTokenRaster::aLongGapIsAStall()
{
    std::vector<Stamp> arrivals;
    for (int i = 0; i < 20; ++i) {
        arrivals.push_back(fromMs(100 + i * 20 + (i >= 10 ? 600 : 0)));
    }
    const std::vector<StallSpan> stalls = stallsOf(arrivals, Stamp{});
    QCOMPARE(stalls.size(), std::size_t(1));
    QCOMPARE(stalls.front().fromMs, 280.0);
    QCOMPARE(stalls.front().toMs, 900.0);
    // Gaps that are all long are this request's pace, no stall.
    std::vector<Stamp> slow;
    for (int i = 0; i < 20; ++i) {
        slow.push_back(fromMs(i * 300));
    }
    QVERIFY(stallsOf(slow, Stamp{}).empty());
}

void TestTokenRaster::theNewestRowsAreInSight()
{
    const int last = m_session->requests().rowCount() - 1;
    QVERIFY(!m_raster->rowRect(last).isEmpty());
    QVERIFY(m_raster->rowRect(0).isEmpty());
    QVERIFY(!m_raster->compact());
}

void TestTokenRaster::aClickSelectsTheRow()
{
    const int row = m_session->requests().rowCount() - 3;
    QTest::mouseClick(m_raster.get(), Qt::LeftButton, {}, m_raster->rowRect(row).center());
    QCOMPARE(m_session->selection().currentIndex().row(), row);
    QVERIFY(m_session->selection().isRowSelected(row));
    QCOMPARE(m_session->selection().selectedRows().size(), 1);
}

void TestTokenRaster::controlAndShiftExtendTheSelection()
{
    const int last = m_session->requests().rowCount() - 1;
    const auto at = [this](int row) {
        return m_raster->rowRect(row).center();
    };
    QTest::mouseClick(m_raster.get(), Qt::LeftButton, {}, at(last - 4));
    QTest::mouseClick(m_raster.get(), Qt::LeftButton, Qt::ControlModifier, at(last));
    QCOMPARE(m_session->selection().selectedRows().size(), 2);
    QTest::mouseClick(m_raster.get(), Qt::LeftButton, {}, at(last - 4));
    QTest::mouseClick(m_raster.get(), Qt::LeftButton, Qt::ShiftModifier, at(last - 1));
    QCOMPARE(m_session->selection().selectedRows().size(), 4);
}

void TestTokenRaster::arrowKeysMoveTheCurrentRow()
{
    m_raster->setFocus();
    QTest::keyClick(m_raster.get(), Qt::Key_Home);
    QCOMPARE(m_session->selection().currentIndex().row(), 0);
    QVERIFY(!m_raster->rowRect(0).isEmpty());
    QTest::keyClick(m_raster.get(), Qt::Key_Down);
    QTest::keyClick(m_raster.get(), Qt::Key_Down, Qt::ShiftModifier);
    QCOMPARE(m_session->selection().currentIndex().row(), 2);
    QCOMPARE(m_session->selection().selectedRows().size(), 2);
    QTest::keyClick(m_raster.get(), Qt::Key_End);
    QCOMPARE(m_session->selection().currentIndex().row(), m_session->requests().rowCount() - 1);
}

void TestTokenRaster::rowsOfAHiddenSeriesAreLeftOut()
{
    const std::size_t all = m_raster->order().size();
    m_session->series().setShown(0, false);
    QVERIFY(m_raster->order().size() < all);
    for (const int row : m_raster->order()) {
        QVERIFY(m_session->requests().row(row).series != 0);
    }
    m_session->series().setShown(0, true);
    QCOMPARE(m_raster->order().size(), all);
}

void TestTokenRaster::manyRowsWithoutNamesWhenSeveralAreSelected()
{
    m_raster->setDensity(TokenRaster::Density::Compact);
    QVERIFY(m_raster->compact());
    m_raster->setDensity(TokenRaster::Density::Names);
    QVERIFY(!m_raster->compact());
}

void TestTokenRaster::aThousandBatchesAreFewPaints()
{
    const QString run = QStringLiteral("fast");
    m_session->requests().announce(run, {RequestsModel::Announced{0, 100, 0}});
    const Stamp zero = steadyNow();
    m_session->requests().apply({RequestStarted{run, 0, zero}});
    const int before = m_raster->paintCount();
    QElapsedTimer clock;
    clock.start();
    for (int i = 0; i < 1000; ++i) {
        m_session->requests().apply({OutputsArrived{run, 0, steadyNow(), 10, Channel::Text}});
        QCoreApplication::processEvents();
    }
    const auto most = clock.elapsed() / 30 + 3; // 33 ms between two
    QVERIFY2(m_raster->paintCount() - before <= most, qPrintable(QString::number(m_raster->paintCount() - before)));
    const int row = m_session->requests().rowOf(run, 0);
    QCOMPARE(m_session->requests().row(row).liveArrivals.size(), std::size_t(10000));
    QTRY_VERIFY(m_raster->paintCount() > before);
}

namespace {

void wheel(QWidget& widget, QPointF at, int angle, Qt::KeyboardModifiers modifiers)
{
    QWheelEvent turn(at, widget.mapToGlobal(at), {}, {0, angle}, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&widget, &turn);
}

double spanOf(const TokenRaster& raster)
{
    return raster.timeInSight().toMs - raster.timeInSight().fromMs;
}

} // namespace

void TestTokenRaster::theWheelWithControlZoomsTimeAtTheMouse()
{
    const double all = spanOf(*m_raster);
    const int scrolled = m_raster->rowAt({400, 20});
    wheel(*m_raster, {600, 20}, 240, Qt::ControlModifier);
    QVERIFY(m_raster->isZoomed());
    QVERIFY(spanOf(*m_raster) < all * 0.75);
    QCOMPARE(m_raster->rowAt({400, 20}), scrolled); // rows stay
    wheel(*m_raster, {600, 20}, -240, Qt::ControlModifier);
    QVERIFY(!m_raster->isZoomed());
    QCOMPARE(spanOf(*m_raster), all);
    wheel(*m_raster, {400, 20}, 120, {});
    QVERIFY(!m_raster->isZoomed());
    QVERIFY(m_raster->rowAt({400, 20}) != scrolled); // and the plain wheel scrolls them
}

void TestTokenRaster::timeZoomsFromADayToAMillisecond()
{
    const double left = 300;
    for (int i = 0; i < 200; ++i) {
        m_raster->zoomTime(left, 1.5);
    }
    QVERIFY(std::abs(spanOf(*m_raster) - 1) < 1e-6);
    QVERIFY(m_raster->grab().width() > 0); // with ticks at steps far below a millisecond
    m_raster->zoomTime(left, 1e-12);
    QVERIFY(!m_raster->isZoomed()); // all of it is no zoom
}

void TestTokenRaster::aDragOnTheAxisPansAndADoubleClickShowsAll()
{
    m_raster->zoomTime(600, 4);
    const TokenRaster::TimeSpan before = m_raster->timeInSight();
    const QPoint onAxis(600, m_raster->height() - 4);
    QTest::mousePress(m_raster.get(), Qt::LeftButton, {}, onAxis);
    QMouseEvent move(QEvent::MouseMove, onAxis - QPoint(100, 0), m_raster->mapToGlobal(onAxis - QPoint(100, 0)),
                     Qt::NoButton, Qt::LeftButton, {});
    QCoreApplication::sendEvent(m_raster.get(), &move);
    QTest::mouseRelease(m_raster.get(), Qt::LeftButton, {}, onAxis - QPoint(100, 0));
    QVERIFY(m_raster->timeInSight().fromMs > before.fromMs);
    QVERIFY(std::abs(spanOf(*m_raster) - (before.toMs - before.fromMs)) < 1e-6);
    QVERIFY(!m_session->selection().hasSelection());
    QTest::mouseDClick(m_raster.get(), Qt::LeftButton, {}, onAxis);
    QVERIFY(!m_raster->isZoomed());
}

void TestTokenRaster::keysZoomAndPan()
{
    m_raster->setFocus();
    const double all = spanOf(*m_raster);
    QTest::keyClick(m_raster.get(), Qt::Key_Plus);
    QVERIFY(spanOf(*m_raster) < all);
    const double from = m_raster->timeInSight().fromMs;
    QTest::keyClick(m_raster.get(), Qt::Key_Right);
    QVERIFY(m_raster->timeInSight().fromMs > from);
    QTest::keyClick(m_raster.get(), Qt::Key_Left);
    QVERIFY(std::abs(m_raster->timeInSight().fromMs - from) < 1e-6);
    QTest::keyClick(m_raster.get(), Qt::Key_0);
    QVERIFY(!m_raster->isZoomed());
}

void TestTokenRaster::aZoomStaysWhileTheRunGoesOn()
{
    m_raster->zoomTime(600, 4);
    const TokenRaster::TimeSpan before = m_raster->timeInSight();
    const QString run = QStringLiteral("slow");
    m_session->requests().announce(run, {RequestsModel::Announced{0, 100, 0}});
    const Stamp zero = steadyNow() - fromMs(100'000); // longer than all before
    m_session->requests().apply({RequestStarted{run, 0, zero}});
    QTRY_VERIFY(m_raster->timeEndMs() > before.toMs * 2);
    QCOMPARE(m_raster->timeInSight().fromMs, before.fromMs);
    QCOMPARE(m_raster->timeInSight().toMs, before.toMs);
}

void TestTokenRaster::aRightClickAsksForTheMenuOfTheRow()
{
    QSignalSpy asked(m_raster.get(), &TokenRaster::requestMenuRequested);
    const int row = m_session->requests().rowCount() - 3;
    const QPoint at = m_raster->rowRect(row).center();
    QContextMenuEvent click(QContextMenuEvent::Mouse, at, m_raster->mapToGlobal(at));
    QCoreApplication::sendEvent(m_raster.get(), &click);
    QCOMPARE(asked.count(), 1);
    QCOMPARE(m_session->selection().currentIndex().row(), row);
    // Of several selected ones, all stay.
    QTest::mouseClick(m_raster.get(), Qt::LeftButton, Qt::ControlModifier, m_raster->rowRect(row + 1).center());
    QContextMenuEvent again(QContextMenuEvent::Mouse, at, m_raster->mapToGlobal(at));
    QCoreApplication::sendEvent(m_raster.get(), &again);
    QCOMPARE(m_session->selection().selectedRows().size(), 2);
}

QTEST_MAIN(TestTokenRaster)
#include "tst_tokenraster.moc"
