// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QItemSelectionModel>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>

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
    QTest::newRow("nothing") << 0.0 << 1.0 << QStringList();
}

void TestTokenRaster::axisStepsAreRound()
{
    QFETCH(double, end);
    QFETCH(double, pxPerMs);
    QFETCH(QStringList, labels);
    QStringList found;
    for (const TimeTick& tick : timeTicks(end, pxPerMs, 64)) {
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

QTEST_MAIN(TestTokenRaster)
#include "tst_tokenraster.moc"
