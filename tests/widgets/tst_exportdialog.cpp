// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>

#include "appcommands.h"
#include "charts/chartcanvas.h"
#include "charts/chartexport.h"
#include "charts/chartfigure.h"
#include "charts/chartpanel.h"
#include "chartspage.h"
#include "controls/formparts.h"
#include "controls/segmentedcontrol.h"
#include "controls/toolbarparts.h"
#include "exportdialog/exportdialog.h"
#include "exportdialog/exportpreview.h"
#include "session.h"
#include "widgets/madeuprun.h"
#include "widgets/windowfixture.h"

using namespace tokenpace;

namespace {

constexpr int longWaitMs = 60000; // a busy machine under a sanitizer
const QString secret = QStringLiteral("sk-test-0123456789abcdef");

QByteArray bytesOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestExportDialog final : public test::WindowFixture {
    Q_OBJECT
private slots:
    void theKeyOpensItOnTheChartLastUsed();
    void everyFormatIsSaved_data();
    void everyFormatIsSaved();
    void allChartsAreAFileEach();
    void thePreviewIsWhatIsSaved();
    void theLiveChartStaysAsItIs();
    void theFooterFollowsItsBoxes();
    void aFailureSaysWhyAndKeepsTheDialog();
    void aFileThatIsThereIsReplacedOnlyKnowingly();
    void choicesAreRemembered();
    void theClipboardHoldsPictureSvgAndCsv();
    void allChartsAreCopiedAtOnce();
    void secretsAreInNoFile();

private:
    [[nodiscard]] std::unique_ptr<MainWindow> filled();
    [[nodiscard]] static ExportContent content(MainWindow& window);
    static void save(ExportDialog& dialog, const QString& path);
};

std::unique_ptr<MainWindow> TestExportDialog::filled()
{
    auto window = picture();
    test::fillPicture(window->session());
    return window;
}

ExportContent TestExportDialog::content(MainWindow& window)
{
    ExportContent content;
    content.data = &window.session().chartData();
    content.charts = {window.page()->ttftPanel()->spec(), window.page()->tpotPanel()->spec()};
    content.provenance = window.page()->ttftPanel()->provenance();
    content.provenance.date = QDateTime(QDate(2026, 11, 29), QTime(18, 24), Qt::UTC);
    content.redactor.addSecret(secret);
    return content;
}

void TestExportDialog::save(ExportDialog& dialog, const QString& path)
{
    dialog.nameField()->selectAll();
    QTest::keyClicks(dialog.nameField(), path);
    QSignalSpy exported(&dialog, &ExportDialog::exported);
    QTest::mouseClick(dialog.exportButton(), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(exported.count(), 1, longWaitMs);
}

void TestExportDialog::theKeyOpensItOnTheChartLastUsed()
{
    const auto window = filled();
    window->page()->tpotPanel()->canvas().setFocus();
    QTest::keyClick(window.get(), Qt::Key_E, Qt::ControlModifier);
    auto* dialog = window->findChild<ExportDialog*>();
    QVERIFY(dialog != nullptr);
    QCOMPARE(dialog->whatBox()->currentText(),
             chartTitle(dialog->choices().chart == 1 ? ChartKind::TpotByModel : ChartKind::TtftByLength));
    QVERIFY(dialog->exportButton()->isEnabled());
}

void TestExportDialog::everyFormatIsSaved_data()
{
    QTest::addColumn<int>("what");
    QTest::addColumn<int>("format");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("start");
    QTest::newRow("png") << 0 << 0 << "a.png" << QByteArray("\x89PNG");
    QTest::newRow("svg") << 0 << 1 << "a.svg" << QByteArray("<?xml");
    QTest::newRow("pdf") << 0 << 2 << "a.pdf" << QByteArray("%PDF");
    QTest::newRow("csv") << 1 << 3 << "a.csv" << QByteArray("endpoint,model,run");
    QTest::newRow("html") << 0 << 4 << "a.html" << QByteArray("<!DOCTYPE html>");
    QTest::newRow("summary csv") << 4 << 0 << "a.csv" << QByteArray("endpoint,model,prompt_tokens_target");
    QTest::newRow("summary markdown") << 4 << 1 << "a.md" << QByteArray("| Model | ");
    QTest::newRow("requests csv") << 5 << 0 << "a.csv" << QByteArray("run,seq,started_at");
}

void TestExportDialog::everyFormatIsSaved()
{
    QFETCH(int, what);
    QFETCH(int, format);
    QFETCH(QString, name);
    QFETCH(QByteArray, start);
    const auto window = filled();
    ExportDialog dialog(content(*window), 0, false);
    dialog.show();
    dialog.whatBox()->setCurrentIndex(what);
    emit dialog.whatBox()->activated(what);
    dialog.formats()->setCurrentIndex(format);
    QVERIFY(dialog.nameField()->text().endsWith(name.mid(1)));
    const QString path = folder->filePath(name);
    save(dialog, path);
    QVERIFY2(bytesOf(path).startsWith(start), bytesOf(path).left(40).constData());
    QVERIFY(dialog.isHidden());
}

void TestExportDialog::allChartsAreAFileEach()
{
    const auto window = filled();
    ExportDialog dialog(content(*window), 0, false);
    dialog.show();
    dialog.whatBox()->setCurrentIndex(2);
    emit dialog.whatBox()->activated(2);
    dialog.formats()->setCurrentIndex(1);
    save(dialog, folder->filePath(QStringLiteral("both.svg")));
    QVERIFY(QFile::exists(folder->filePath(QStringLiteral("both-ttft-by-length.svg"))));
    QVERIFY(QFile::exists(folder->filePath(QStringLiteral("both-tpot-by-model.svg"))));
}

void TestExportDialog::thePreviewIsWhatIsSaved()
{
    const auto window = filled();
    ExportDialog dialog(content(*window), 0, false);
    dialog.show();
    QVERIFY(QTest::qWaitForWindowExposed(&dialog));
    dialog.scales()->setCurrentIndex(0);
    dialog.sizeBox()->setCurrentIndex(0);
    dialog.preview()->setZoom(1);
    const QImage shown = dialog.preview()->picture().convertToFormat(QImage::Format_RGB32);
    const QString path = folder->filePath(QStringLiteral("a.png"));
    save(dialog, path);
    QImage saved = QImage::fromData(bytesOf(path)).convertToFormat(QImage::Format_RGB32);
    QCOMPARE(saved.size(), QSize(820, 480));
    saved.setDevicePixelRatio(1);
    saved.setDotsPerMeterX(shown.dotsPerMeterX());
    saved.setDotsPerMeterY(shown.dotsPerMeterY());
    QVERIFY(saved == shown);
}

void TestExportDialog::theLiveChartStaysAsItIs()
{
    const auto window = filled();
    ChartCanvas& canvas = window->page()->ttftPanel()->canvas();
    QTRY_VERIFY(!canvas.figure().isEmpty());
    const QImage before = canvas.grab().toImage();
    ExportDialog dialog(content(*window), 0, false);
    dialog.show();
    save(dialog, folder->filePath(QStringLiteral("a.png")));
    QCOMPARE(canvas.grab().toImage(), before);
}

void TestExportDialog::theFooterFollowsItsBoxes()
{
    const auto window = filled();
    ExportContent all = content(*window);
    ExportDialog dialog(all, 0, false);
    dialog.show();
    QVERIFY(!all.provenance.endpoints.isEmpty());
    QVERIFY(provenanceLines(dialog.choices().provenance(all))
                .join(QLatin1Char(' '))
                .contains(all.provenance.endpoints.first()));
    QVERIFY(dialog.footerBoxes().at(1)->isChecked());
    dialog.footerBoxes().at(1)->click();
    QVERIFY(!provenanceLines(dialog.choices().provenance(all))
                 .join(QLatin1Char(' '))
                 .contains(all.provenance.endpoints.first()));
    // What is not known can't be asked for.
    QVERIFY(!dialog.footerBoxes().at(4)->isEnabled());
}

void TestExportDialog::aFailureSaysWhyAndKeepsTheDialog()
{
    const auto window = filled();
    ExportDialog dialog(content(*window), 0, false);
    dialog.show();
    dialog.nameField()->selectAll();
    QTest::keyClicks(dialog.nameField(), folder->filePath(QStringLiteral("no/such/a.png")));
    QVERIFY(!dialog.exportButton()->isEnabled());
    QVERIFY(dialog.nameHelp()->text().contains(QStringLiteral("no/such")));
    // A folder stands where the file should go.
    QVERIFY(QDir(folder->path()).mkdir(QStringLiteral("taken.png")));
    dialog.nameField()->selectAll();
    QTest::keyClicks(dialog.nameField(), folder->filePath(QStringLiteral("taken.png")));
    QTest::mouseClick(dialog.exportButton(), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(dialog.nameHelp()->kind(), HelpLine::Kind::Error, longWaitMs);
    QVERIFY(dialog.nameHelp()->text().contains(QStringLiteral("taken.png")));
    QVERIFY(dialog.isVisible());
    QVERIFY(dialog.exportButton()->isEnabled());
}

void TestExportDialog::aFileThatIsThereIsReplacedOnlyKnowingly()
{
    const auto window = filled();
    const QString path = folder->filePath(QStringLiteral("a.png"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("old") == 3);
    file.close();
    ExportDialog dialog(content(*window), 0, false);
    dialog.show();
    dialog.nameField()->selectAll();
    QTest::keyClicks(dialog.nameField(), path);
    QCOMPARE(dialog.nameHelp()->kind(), HelpLine::Kind::Warning);
    QTRY_VERIFY_WITH_TIMEOUT(dialog.nameHelp()->text().contains(QStringLiteral("about")), longWaitMs);
    QCOMPARE(bytesOf(path), QByteArray("old")); // measuring writes nothing
}

void TestExportDialog::choicesAreRemembered()
{
    const auto window = filled();
    {
        ExportDialog dialog(content(*window), 0, false);
        dialog.show();
        dialog.formats()->setCurrentIndex(1);
        dialog.sizeBox()->setCurrentIndex(2);
        dialog.colours()->setCurrentIndex(1);
        dialog.footerBoxes().at(2)->click();
        save(dialog, folder->filePath(QStringLiteral("a.svg")));
    }
    const ExportDialog dialog(content(*window), 1, false);
    QCOMPARE(dialog.choices().format, ExportFormat::Svg);
    QCOMPARE(dialog.choices().preset, ExportPreset::Paper);
    QVERIFY(dialog.choices().dark);
    QVERIFY(!dialog.choices().hash);
    QCOMPARE(dialog.nameField()->text(), QStringLiteral("tpot-by-model.svg"));
}

void TestExportDialog::theClipboardHoldsPictureSvgAndCsv()
{
    const auto window = filled();
    ExportDialog dialog(content(*window), 0, false);
    dialog.show();
    QTest::mouseClick(dialog.copyImageButton(), Qt::LeftButton);
    const QMimeData* copied = QGuiApplication::clipboard()->mimeData();
    QVERIFY(copied->hasImage());
    QVERIFY(copied->data(QStringLiteral("image/svg+xml")).contains("<svg "));
    QVERIFY(copied->data(QStringLiteral("text/csv")).startsWith("endpoint,"));
    QTest::mouseClick(dialog.copyDataButton(), Qt::LeftButton);
    QVERIFY(QGuiApplication::clipboard()->text().startsWith(QStringLiteral("endpoint,")));
}

void TestExportDialog::allChartsAreCopiedAtOnce()
{
    const auto window = filled();
    ExportDialog dialog(content(*window), 0, false);
    dialog.show();
    QTest::mouseClick(dialog.copyImageButton(), Qt::LeftButton);
    const QSize one = QGuiApplication::clipboard()->image().size();
    dialog.whatBox()->setCurrentIndex(2);
    emit dialog.whatBox()->activated(2);
    QCOMPARE(dialog.choices().what, ExportChoices::What::AllCharts);
    QTest::mouseClick(dialog.copyImageButton(), Qt::LeftButton);
    QCOMPARE(QGuiApplication::clipboard()->image().size(), QSize(one.width(), 2 * one.height()));
    QTest::mouseClick(dialog.copyDataButton(), Qt::LeftButton);
    QCOMPARE(QGuiApplication::clipboard()->text().count(QStringLiteral("endpoint,model,")), 2);
    QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("\r\n\r\nendpoint,")));
}

void TestExportDialog::secretsAreInNoFile()
{
    const auto window = filled();
    ExportContent leaky = content(*window);
    leaky.provenance.endpoints << secret + QStringLiteral(".example");
    RunInfo run;
    run.spec.prompt = QStringLiteral("the key is ") + secret;
    run.settingsJson = QStringLiteral(R"({"apiKey": "%1"})").arg(secret).toUtf8();
    leaky.run = run;
    for (const int format : {0, 1, 2, 3, 4}) {
        ExportDialog dialog(leaky, 0, false);
        dialog.show();
        dialog.formats()->setCurrentIndex(format);
        if (!dialog.footerBoxes().at(5)->isChecked()) {
            dialog.footerBoxes().at(5)->click();
        }
        const QString path =
            folder->filePath(QStringLiteral("a%1.").arg(format) + formatEnding(dialog.choices().format));
        save(dialog, path);
        QVERIFY(!bytesOf(path).isEmpty());
        QVERIFY(!bytesOf(path).contains(secret.toUtf8()));
        QVERIFY(!dialog.preview()->text().contains(secret));
    }
    const QImage image = QImage::fromData(bytesOf(folder->filePath(QStringLiteral("a0.png"))));
    QVERIFY(image.text(QStringLiteral("Comment")).contains(QStringLiteral("Prompt: the key is [redacted]")));
}

QTEST_MAIN(TestExportDialog)
#include "tst_exportdialog.moc"
