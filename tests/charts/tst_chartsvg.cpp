// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QProcess>
#include <QtTest>

#include "chartfixture.h"
#include "charts/chartexport.h"
#include "theme/theme.h"

using namespace tokenpace;
using test::ChartFixture;

namespace {

QImage renderedByRsvg(const QByteArray& svg)
{
    QProcess process;
    process.start(QStringLiteral(RSVG_CONVERT), {QStringLiteral("--format=png")});
    process.write(svg);
    process.closeWriteChannel();
    if (!process.waitForFinished(60000) || process.exitCode() != 0) {
        qWarning() << process.readAllStandardError();
        return {};
    }
    return QImage::fromData(process.readAllStandardOutput(), "PNG");
}

bool isLike(const QColor& a, const QColor& b, int tolerance)
{
    return std::abs(a.red() - b.red()) <= tolerance && std::abs(a.green() - b.green()) <= tolerance
        && std::abs(a.blue() - b.blue()) <= tolerance;
}

} // namespace

class ChartSvgTest final : public QObject {
    Q_OBJECT

private slots:
    void zoomedSeriesDoNotBleedOutOfThePlot();
    void thePictureLooksLikeThePng();
};

void ChartSvgTest::zoomedSeriesDoNotBleedOutOfThePlot()
{
    ChartFixture fixture;
    test::fill(fixture, {{"a", 38, 0.055, 0, 8.2, 0.13}, {"b", 310, 0.42, 0, 36, 0.16}}, {100, 300, 1000, 3000, 8000},
               60);
    for (const ChartKind kind : {ChartKind::TtftByLength, ChartKind::TpotByModel}) {
        ChartSpec spec;
        spec.kind = kind;
        spec.zoomX = AxisRange{500, 2000};
        spec.zoomY = kind == ChartKind::TtftByLength ? AxisRange{90, 500} : AxisRange{8, 36};
        const QImage image = renderedByRsvg(chartSvg(spec, fixture.data, {}, lightTheme(), {690, 400}));
        QCOMPARE(image.size(), QSize(690, 400));
        // Left of the tick labels, right of the names and above the plot there is nothing but ground.
        for (int y = 72; y < 340; ++y) {
            for (const int x : {1, 5, 10, 685, 688}) {
                QVERIFY2(isLike(image.pixelColor(x, y), lightTheme().panel, 2),
                         qPrintable(QStringLiteral("%1, %2").arg(x).arg(y)));
            }
        }
        for (int x = 66; x < 690; ++x) {
            for (const int y : {1, 5, 74, 77}) {
                QVERIFY2(isLike(image.pixelColor(x, y), lightTheme().panel, 2),
                         qPrintable(QStringLiteral("%1, %2").arg(x).arg(y)));
            }
        }
    }
}

void ChartSvgTest::thePictureLooksLikeThePng()
{
    ChartFixture fixture;
    test::fill(fixture, {{"模型 qwen-7b", 38, 0.055, 0, 8.2, 0.13}, {"b", 310, 0.42, 0, 36, 0.16}},
               {100, 300, 1000, 3000, 8000}, 12);
    for (const ChartKind kind : {ChartKind::TtftByLength, ChartKind::TpotByModel}) {
        ChartSpec spec;
        spec.kind = kind;
        ChartProvenance provenance;
        provenance.date = QDateTime(QDate(2026, 11, 29), QTime(18, 24), Qt::UTC);
        const QImage vector = renderedByRsvg(chartSvg(spec, fixture.data, provenance, darkTheme(), {690, 400}));
        const QImage raster = renderChart(spec, fixture.data, provenance, darkTheme(), {690, 400}, 1);
        QCOMPARE(vector.size(), raster.size());
        int different = 0;
        for (int y = 0; y < 400; ++y) {
            for (int x = 0; x < 690; ++x) {
                different += isLike(vector.pixelColor(x, y), raster.pixelColor(x, y), 60) ? 0 : 1;
            }
        }
        // Edges differ in their smoothing; a shifted text or a missing series is far more.
        QVERIFY2(different < 690 * 400 / 100, qPrintable(QString::number(different)));
    }
}

QTEST_MAIN(ChartSvgTest)
#include "tst_chartsvg.moc"
