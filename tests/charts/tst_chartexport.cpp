// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QSvgRenderer>
#include <QXmlStreamReader>
#include <QtTest>

#include "chartfixture.h"
#include "charts/chartexport.h"
#include "theme/theme.h"

using namespace tokenpace;
using test::ChartFixture;

class ChartExportTest final : public QObject {
    Q_OBJECT

private slots:
    void theFooterSaysWhereTheDataComeFrom();
    void theFooterLeavesOutWhatIsNotWanted();
    void aPictureHasTheSizeAskedFor();
    void aSmallPictureShowsAllOfTheChart();
    void aPngSaysItsDensityAndOrigin();
    void csvHasALineARequestOfTheSeriesShown();
    void csvCellsCannotBecomeFormulas();
    void csvLeavesUnknownValuesEmpty();
    void svgIsWellFormedAndSpeaks();
    void svgDrawsFewDotsAsShapesAndManyAsOnePicture();
};

void ChartExportTest::theFooterSaysWhereTheDataComeFrom()
{
    ChartProvenance provenance;
    provenance.date = QDateTime(QDate(2026, 11, 29), QTime(18, 24), Qt::UTC);
    provenance.endpoints = QStringList{QStringLiteral("127.0.0.1:8080"), QStringLiteral("gateway.example")};
    provenance.settingsHash = QStringLiteral("9c41e7a");
    QCOMPARE(provenanceLines(provenance),
             (QStringList{QStringLiteral("29 Nov 2026 18:24 UTC · 127.0.0.1:8080, gateway.example · settings 9c41e7a"),
                          QStringLiteral("View: Tokenpace")}));
    provenance.simulated = true;
    provenance.stampError = QStringLiteral("stamps ±3 µs");
    QCOMPARE(provenanceLines(provenance),
             (QStringList{
                 QStringLiteral(
                     "29 Nov 2026 18:24 UTC · simulated endpoint · 127.0.0.1:8080, gateway.example · settings 9c41e7a"),
                 QStringLiteral("View: Tokenpace · stamps ±3 µs")}));
}

void ChartExportTest::theFooterLeavesOutWhatIsNotWanted()
{
    ChartProvenance provenance;
    provenance.showDate = false;
    provenance.view.clear();
    QCOMPARE(provenanceLines(provenance), QStringList());
    provenance.simulated = true;
    provenance.prompt = QStringLiteral("Say\nhello");
    QCOMPARE(provenanceLines(provenance),
             (QStringList{QStringLiteral("simulated endpoint"), QStringLiteral("Prompt: Say hello")}));
    // Without a footer its room goes to the plot.
    ChartFixture fixture;
    fixture.add("a", 100, 50, 10);
    const QImage with = renderChart({}, fixture.data, {}, lightTheme(), {640, 360}, 1);
    provenance.simulated = false;
    provenance.prompt.clear();
    const QImage without = renderChart({}, fixture.data, provenance, lightTheme(), {640, 360}, 1);
    QCOMPARE(with.pixelColor(20, 360 - 44), lightTheme().line);
    QCOMPARE(without.pixelColor(20, 360 - 44), lightTheme().panel);
}

void ChartExportTest::aSmallPictureShowsAllOfTheChart()
{
    ChartFixture fixture;
    test::fill(fixture, {{"a", 38, 0.055, 0, 8.2, 0.13}}, {100, 1000}, 8);
    const QImage small = renderChart({}, fixture.data, {}, lightTheme(), {640, 360}, 0.5);
    const QImage large = renderChart({}, fixture.data, {}, lightTheme(), {640, 360}, 2)
                             .scaled(320, 180, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
    QCOMPARE(small.size(), large.size());
    int different = 0;
    for (int y = 0; y < small.height(); ++y) {
        for (int x = 0; x < small.width(); ++x) {
            different += std::abs(qGray(small.pixel(x, y)) - qGray(large.pixel(x, y))) > 60 ? 1 : 0;
        }
    }
    QVERIFY2(different < 320 * 180 / 50, qPrintable(QString::number(different)));
}

void ChartExportTest::aPngSaysItsDensityAndOrigin()
{
    ChartFixture fixture;
    fixture.add("a", 100, 50, 10);
    ChartProvenance provenance;
    provenance.endpoints = QStringList{QStringLiteral("gateway.example")};
    const QImage image = QImage::fromData(chartPng({}, fixture.data, provenance, lightTheme(), {640, 360}, 2), "PNG");
    QCOMPARE(std::lround(image.dotsPerMeterX() * 0.0254), 192);
    QCOMPARE(image.text(QStringLiteral("Title")), chartTitle(ChartKind::TtftByLength));
    QVERIFY(image.text(QStringLiteral("Comment")).contains(QStringLiteral("gateway.example")));
}

void ChartExportTest::aPictureHasTheSizeAskedFor()
{
    ChartFixture fixture;
    fixture.add("a", 100, 50, 10);
    for (const double scale : {1.0, 2.0, 3.0}) {
        const QByteArray png = chartPng({}, fixture.data, {}, lightTheme(), {640, 360}, scale);
        const QImage image = QImage::fromData(png, "PNG");
        QCOMPARE(image.size(), (QSizeF(640, 360) * scale).toSize());
        QCOMPARE(image.pixelColor(3, 3), lightTheme().panel);
    }
    QCOMPARE(QImage::fromData(chartPng({}, fixture.data, {}, darkTheme())).pixelColor(3, 3), darkTheme().panel);
}

void ChartExportTest::csvHasALineARequestOfTheSeriesShown()
{
    ChartFixture fixture;
    fixture.add("a", 100, 50.25, 10);
    fixture.add("b", 300, 70, 12.5);
    Timeline cached = fixture.timeline("a", 100, 101, 20, 10);
    cached.flags.set(Flag::Cached);
    fixture.add({cached});
    QCOMPARE(chartCsv({}, fixture.data),
             QByteArray("endpoint,model,run,seq,prompt_tokens,prompt_tokens_estimated,ttft_ms,tpot_ms,counted,flags\r\n"
                        "local,a,run,0,100,false,50.25,10,true,\r\n"
                        "local,a,run,2,101,false,20,10,false,cached\r\n"
                        "local,b,run,1,300,false,70,12.5,true,\r\n"));
    fixture.series.setShown(0, false);
    const QByteArray csv = chartCsv({}, fixture.data);
    QCOMPARE(csv.count("\r\n"), 2);
    QVERIFY(!csv.contains("local,a,"));
}

void ChartExportTest::csvCellsCannotBecomeFormulas()
{
    ChartFixture fixture;
    fixture.add("=cmd|' /C calc'!A0", 100, 50, 10);
    fixture.add("say \"hi\", you", 100, 50, 10);
    const QByteArray csv = chartCsv({}, fixture.data);
    QVERIFY(csv.contains("local,'=cmd|' /C calc'!A0,run"));
    QVERIFY(csv.contains("local,\"say \"\"hi\"\", you\",run"));
}

void ChartExportTest::csvLeavesUnknownValuesEmpty()
{
    ChartFixture fixture;
    Timeline one = fixture.timeline("a", 100, 100, 50, 10);
    one.arrivals.resize(1);
    one.channels = "t";
    fixture.add({one});
    QVERIFY(chartCsv({}, fixture.data).contains("local,a,run,0,100,false,50,,true,\r\n"));
}

void ChartExportTest::svgIsWellFormedAndSpeaks()
{
    ChartFixture fixture;
    fixture.add("模型-7b <&>", 100, 50, 10);
    fixture.add("模型-7b <&>", 1000, 500, 12);
    for (const ChartKind kind : {ChartKind::TtftByLength, ChartKind::TpotByModel}) {
        ChartSpec spec;
        spec.kind = kind;
        const QByteArray svg = chartSvg(spec, fixture.data, {}, lightTheme());
        QXmlStreamReader reader(svg);
        QString title;
        int texts = 0;
        int paths = 0;
        while (!reader.atEnd()) {
            if (reader.readNext() == QXmlStreamReader::StartElement) {
                texts += reader.name() == QLatin1String("text") ? 1 : 0;
                paths += reader.name() == QLatin1String("path") ? 1 : 0;
                if (reader.name() == QLatin1String("title")) {
                    title = reader.readElementText();
                }
            }
        }
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
        QCOMPARE(title, chartTitle(kind));
        QCOMPARE(texts, 0);
        QVERIFY(paths > 10);
        QVERIFY(QSvgRenderer(svg).isValid());
    }
}

void ChartExportTest::svgDrawsFewDotsAsShapesAndManyAsOnePicture()
{
    ChartFixture fixture;
    test::fill(fixture, {{"a", 38, 0.055, 0, 8.2, 0.13}}, {100, 1000}, 50);
    const QByteArray few = chartSvg({}, fixture.data, {}, lightTheme());
    ChartSpec withoutDots;
    withoutDots.dots = false;
    QVERIFY(!few.contains("<image"));
    QVERIFY(few.count("<path") >= chartSvg(withoutDots, fixture.data, {}, lightTheme()).count("<path") + 100);
    test::fill(fixture, {{"a", 38, 0.055, 0, 8.2, 0.13}}, {100, 1000}, 2500);
    const QByteArray svg = chartSvg({}, fixture.data, {}, lightTheme());
    QCOMPARE(svg.count("<image"), 1);
    QVERIFY2(svg.size() < 3'000'000, qPrintable(QString::number(svg.size())));
}

QTEST_MAIN(ChartExportTest)
#include "tst_chartexport.moc"
