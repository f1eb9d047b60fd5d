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

QByteArray outputOf(const QString& program, const QStringList& arguments)
{
    QProcess process;
    process.start(program, arguments);
    if (!process.waitForFinished(60000) || process.exitCode() != 0) {
        qWarning() << process.readAllStandardError();
        return {};
    }
    return process.readAllStandardOutput();
}

bool isLike(const QColor& a, const QColor& b, int tolerance)
{
    return std::abs(a.red() - b.red()) <= tolerance && std::abs(a.green() - b.green()) <= tolerance
        && std::abs(a.blue() - b.blue()) <= tolerance;
}

} // namespace

class ChartPdfTest final : public QObject {
    Q_OBJECT

private slots:
    void init();
    void everyChartHasAPageThatLooksLikeThePng();
    void fontsAreEmbedded();

private:
    [[nodiscard]] QString write(const QList<ChartSpec>& specs);
    QTemporaryDir m_folder;
    std::unique_ptr<ChartFixture> m_fixture;
    ChartProvenance m_provenance;
};

void ChartPdfTest::init()
{
    m_fixture = std::make_unique<ChartFixture>();
    test::fill(*m_fixture, {{"模型 qwen-7b", 38, 0.055, 0, 8.2, 0.13}, {"b", 310, 0.42, 0, 36, 0.16}},
               {100, 300, 1000, 3000, 8000}, 12);
    m_provenance.date = QDateTime(QDate(2026, 11, 29), QTime(18, 24), Qt::UTC);
}

QString ChartPdfTest::write(const QList<ChartSpec>& specs)
{
    const QString path = m_folder.filePath(QStringLiteral("charts.pdf"));
    QFile file(path);
    const QByteArray bytes = chartPdf(specs, m_fixture->data, m_provenance, lightTheme(), {688, 400}, 0.75);
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() ? path : QString();
}

void ChartPdfTest::everyChartHasAPageThatLooksLikeThePng()
{
    QList<ChartSpec> specs(2);
    specs[1].kind = ChartKind::TpotByModel;
    for (int page = 0; page < 2; ++page) {
        const QByteArray png =
            outputOf(QStringLiteral(PDFTOPPM),
                     {QStringLiteral("-png"), QStringLiteral("-r"), QStringLiteral("96"), QStringLiteral("-f"),
                      QString::number(page + 1), QStringLiteral("-l"), QString::number(page + 1), write(specs)});
        const QImage paper = QImage::fromData(png, "PNG");
        QCOMPARE(paper.size(), QSize(688, 400));
        const QImage screen = renderChart(specs[page], m_fixture->data, m_provenance, lightTheme(), {688, 400}, 1);
        int different = 0;
        for (int y = 0; y < 400; ++y) {
            for (int x = 0; x < 688; ++x) {
                different += isLike(paper.pixelColor(x, y), screen.pixelColor(x, y), 60) ? 0 : 1;
            }
        }
        // Letters are smoothed otherwise; a missing series or a shifted axis is far more.
        QVERIFY2(different < 688 * 400 * 2 / 100, qPrintable(QString::number(different)));
    }
}

void ChartPdfTest::fontsAreEmbedded()
{
    const QList<QByteArray> lines = outputOf(QStringLiteral(PDFFONTS), {write({ChartSpec()})}).split('\n');
    int fonts = 0;
    const qsizetype column = lines.first().indexOf("emb");
    QVERIFY(column > 0);
    for (const QByteArray& line : lines.mid(2)) {
        if (!line.trimmed().isEmpty()) {
            ++fonts;
            QCOMPARE(line.mid(column, 3), QByteArray("yes"));
        }
    }
    QVERIFY(fonts > 0);
}

QTEST_MAIN(ChartPdfTest)
#include "tst_chartpdf.moc"
