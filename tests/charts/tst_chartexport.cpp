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
    void aPictureHasTheSizeAskedFor();
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
