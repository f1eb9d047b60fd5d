// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QXmlStreamReader>
#include <QtTest>

#include "chartfixture.h"
#include "charts/reportpage.h"

using namespace tokenpace;
using test::ChartFixture;

class ReportTest final : public QObject {
    Q_OBJECT

private slots:
    void aReportHoldsChartsTablesAndSettings();
    void aReportNeedsNoScriptAndNoOtherFile();
    void everyDotOfTenThousandRequestsFitsInTwoMegabytes();
    void darkAndLightAreOnePicture();
    void findingsComeOnlyWhereThereAreAny();
    void markdownKeepsCellsApart();

private:
    [[nodiscard]] static QByteArray page(const ChartFixture& fixture);
};

QByteArray ReportTest::page(const ChartFixture& fixture)
{
    ReportSource source;
    source.charts.resize(2);
    source.charts[1].kind = ChartKind::TpotByModel;
    RunInfo run;
    run.id = QStringLiteral("run-1");
    run.settingsHash = QStringLiteral("9c41e7a");
    run.settingsJson = R"({"endpoints": [{"name": "local"}]})";
    source.run = run;
    source.provenance.endpoints = QStringList{QStringLiteral("gateway.example")};
    return reportPage(source, fixture.data);
}

void ReportTest::aReportHoldsChartsTablesAndSettings()
{
    ChartFixture fixture;
    test::fill(fixture, {{"<qwen>", 38, 0.055, 0, 8.2, 0.13}}, {100, 1000}, 8);
    const QByteArray html = page(fixture);
    QCOMPARE(html.count("<svg "), 2);
    QVERIFY(html.contains("&lt;qwen&gt;"));
    QVERIFY(!html.contains("<qwen>"));
    QCOMPARE(html.count("<th scope=\"row\">"), 2); // a row a length
    QVERIFY(html.contains("gateway.example"));
    QVERIFY(html.contains("run-1"));
    QVERIFY(html.contains("9c41e7a"));
    QVERIFY(html.contains("&quot;local&quot;"));
}

void ReportTest::aReportNeedsNoScriptAndNoOtherFile()
{
    ChartFixture fixture;
    fixture.add("a", 100, 50, 10);
    const QByteArray html = page(fixture);
    for (const char* word : {"<script", "<link", "<img", "src=", "url(", "href="}) {
        QVERIFY2(!html.contains(word), word);
    }
    // The pictures are well-formed by themselves.
    const qsizetype from = html.indexOf("<svg ");
    QXmlStreamReader reader(html.mid(from, html.indexOf("</svg>") + 6 - from));
    while (!reader.atEnd()) {
        reader.readNext();
    }
    QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
}

void ReportTest::everyDotOfTenThousandRequestsFitsInTwoMegabytes()
{
    ChartFixture fixture;
    test::fill(fixture, {{"a", 38, 0.055, 0, 8.2, 0.13}, {"b", 310, 0.42, 0, 36, 0.16}}, {100, 300, 1000, 3000, 8000},
               1000);
    QByteArray html = page(fixture);
    QVERIFY2(html.size() < 2'000'000, qPrintable(QString::number(html.size())));
    QVERIFY2(html.count("h0\"/>") >= 10'000, qPrintable(QString::number(html.count("h0\"/>"))));
    // Of more, some.
    test::fill(fixture, {{"a", 38, 0.055, 0, 8.2, 0.13}}, {100, 1000}, 10'000);
    html = page(fixture);
    QVERIFY2(html.size() < 2'000'000, qPrintable(QString::number(html.size())));
}

void ReportTest::darkAndLightAreOnePicture()
{
    ChartFixture fixture;
    fixture.add("a", 100, 50, 10);
    fixture.add("a", 1000, 90, 12);
    const QByteArray html = page(fixture);
    const qsizetype dark = html.indexOf("@media screen and (prefers-color-scheme:dark)");
    QVERIFY(dark > 0);
    QVERIFY(html.left(dark).contains("#0072b2"));
    QVERIFY(!html.left(dark).contains("#56b4e9"));
    QVERIFY(html.mid(dark).contains("#56b4e9"));
}

void ReportTest::findingsComeOnlyWhereThereAreAny()
{
    Report report;
    QVERIFY(!reportHtml(report).contains("Findings"));
    report.findings.append({QStringLiteral("warning"), QStringLiteral("TTFT <is> high"), {}, {}});
    QVERIFY(reportHtml(report).contains("Findings"));
    QVERIFY(reportHtml(report).contains("TTFT &lt;is&gt; high"));
}

void ReportTest::markdownKeepsCellsApart()
{
    const TextTable table{{QStringLiteral("Model"), QStringLiteral("TTFT, ms")},
                          {{QStringLiteral("a|b"), QStringLiteral("1,234")}}};
    QCOMPARE(markdownTable(table), QByteArray("| Model | TTFT, ms |\n| :-- | --: |\n| a\\|b | 1,234 |\n"));
}

QTEST_MAIN(ReportTest)
#include "tst_report.moc"
