// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFile>
#include <QFileInfo>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTabBar>
#include <QTest>

#include "appcommands.h"
#include "controls/datatable.h"
#include "controls/tabrow.h"
#include "importdialog.h"
#include "messagestrip.h"
#include "session.h"
#include "settings/settingsfile.h"
#include "settingsdialog/filepreview.h"
#include "settingsdialog/settingsnotice.h"
#include "widgets/windowfixture.h"

using namespace tokenpace;

namespace {

const QByteArray secret = "sk-T-SECRET1234567";
const QByteArray shortSecret = "k9z!";

QString allShown(const ImportDialog& dialog)
{
    QString text = dialog.notice()->text() + dialog.leftOut()->toPlainText() + dialog.file()->toPlainText();
    const QAbstractItemModel* model = dialog.table()->model();
    for (int row = 0; row < model->rowCount(); ++row) {
        for (int column = 0; column < model->columnCount(); ++column) {
            text += model->index(row, column).data().toString() + u'\n';
            text += model->index(row, column).data(Qt::ToolTipRole).toString() + u'\n';
        }
    }
    return text;
}

void drop(QWidget& window, const QMimeData& data)
{
    QDragEnterEvent enter(QPoint(40, 40), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent event(QPointF(40, 40), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &event);
    QVERIFY(event.isAccepted());
}

} // namespace

class TestImportDialog final : public test::WindowFixture {
    Q_OBJECT
private slots:
    void eachSampleIsShownAndImported_data();
    void eachSampleIsShownAndImported();
    void aKeyIsNeverShown();
    void aKeyThatStandsThereAlreadyIsNotShownEither();
    void whatIsOtherInTheFileIsToldAndTheRestStays();
    void aSecondTimeThereIsNothingToImport();
    void emptyAndUnreadableInputSaysWhatToDo_data();
    void emptyAndUnreadableInputSaysWhatToDo();
    void whatCanBeReadIsTakenWithoutTheRest();
    void theFileToImportIsNeverWritten();
    void aBrokenTargetIsLeftAsItIs();
    void aFileThatChangedMeanwhileIsReadAgain();
    void cancelWritesNothing();
    void aCommandIsPastedAndShownWhileTyping();
    void droppedFilesAreImportedAndUsedAtOnce();
    void droppedTextIsImported();
    void whatIsStillMissingAfterwardsIsSaid();
    void nothingIsImportedWhileARunGoesOn();
    void aDroppedLogOrSettingsFileIsOpened();
    void theMenuPastesFromTheClipboard();
    void exportedSettingsHoldNoKey();
    void theFileInUseIsNoPlaceToExportTo();

private:
    [[nodiscard]] QString path(const char* name) const { return folder->filePath(QString::fromLatin1(name)); }
    QString put(const char* name, const QByteArray& text) const;
    [[nodiscard]] QByteArray held(const char* name) const;
    [[nodiscard]] std::unique_ptr<ImportDialog> dialog();
    [[nodiscard]] std::unique_ptr<MainWindow> emptyWindow();
    [[nodiscard]] static ImportDialog* dialogOf(const MainWindow& window) { return window.findChild<ImportDialog*>(); }
    static void click(QPushButton* button) { QTest::mouseClick(button, Qt::LeftButton); }
    QString environmentFile() const
    {
        return put("my.env",
                   "TAOTOKEN_BASE_URL=http://gateway.example/api\nTAOTOKEN_API_KEY=" + secret
                       + "\nTAOTOKEN_MODEL=small\nSHELL=/bin/sh\n");
    }
};

QString TestImportDialog::put(const char* name, const QByteArray& text) const
{
    QFile file(path(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) {
        qFatal("a file of the test can't be written");
    }
    return file.fileName();
}

QByteArray TestImportDialog::held(const char* name) const
{
    return loadSettingsFile(path(name)).bytes.value_or(QByteArray());
}

std::unique_ptr<ImportDialog> TestImportDialog::dialog()
{
    auto made = std::make_unique<ImportDialog>(path("settings.json"), EnvironmentLookup([](const QString&) {
                                                   return std::optional<QString>();
                                               }));
    made->show();
    if (!QTest::qWaitForWindowExposed(made.get())) {
        qFatal("the dialog does not come up");
    }
    return made;
}

std::unique_ptr<MainWindow> TestImportDialog::emptyWindow()
{
    qputenv("XDG_CONFIG_HOME", QFile::encodeName(folder->filePath(QStringLiteral("config"))));
    QDir::setCurrent(folder->path());
    StartUp startUp;
    startUp.logPath = logPath();
    auto window = std::make_unique<MainWindow>(*themes, startUp);
    show(*window);
    return window;
}

void TestImportDialog::eachSampleIsShownAndImported_data()
{
    QTest::addColumn<QString>("file");
    const QDir cases(QStringLiteral(TOKENPACE_TEST_CASES "/settings"));
    for (const QString& name : cases.entryList(QDir::Files)) {
        QTest::newRow(qPrintable(name)) << cases.filePath(name);
    }
}

void TestImportDialog::eachSampleIsShownAndImported()
{
    QFETCH(const QString, file);
    const auto shown = dialog();
    QSignalSpy imported(shown.get(), &ImportDialog::imported);
    shown->takeFiles({file});
    const ImportPreview preview = importFile(file);
    if (!preview.error.isEmpty()) { // our own shapes are opened, not imported
        QVERIFY2(preview.error.contains(QStringLiteral("Tokenpace already")), qPrintable(preview.error));
        QVERIFY(shown->notice()->text().contains(preview.error));
        QVERIFY(!shown->importButton()->isEnabled());
        return;
    }
    QVERIFY2(shown->importButton()->isEnabled(), qPrintable(shown->notice()->text()));
    QCOMPARE(shown->table()->model()->rowCount(), int(shown->plan().rows.size()));
    QVERIFY(shown->table()->model()->rowCount() > 0);
    for (const QString& reason : preview.notTaken) {
        QVERIFY(shown->leftOut()->toPlainText().contains(reason));
    }
    QVERIFY(shown->file()->markedLines() > 0);
    QVERIFY2(!allShown(*shown).contains(QStringLiteral("sk-")), qPrintable(allShown(*shown)));
    const QByteArray planned = shown->plan().text;
    click(shown->importButton());
    QCOMPARE(imported.size(), 1);
    QCOMPARE(imported.first().first().toString(), path("settings.json"));
    QCOMPARE(held("settings.json"), planned);
}

void TestImportDialog::aKeyIsNeverShown()
{
    const auto shown = dialog();
    shown->takeFiles({environmentFile()});
    QVERIFY(shown->plan().text.contains(secret));
    QVERIFY2(!allShown(*shown).contains(QString::fromLatin1(secret)), qPrintable(allShown(*shown)));
    QVERIFY(shown->file()->toPlainText().contains(QStringLiteral("\"***\"")));
    QVERIFY2(shown->notice()->text().contains(QStringLiteral("${NAME}")), "the literal key is not warned of");
    // A header of a few characters, which no redactor by value would find.
    shown->takeText(
        QStringLiteral("curl http://c.example/v1/chat/completions -H 'X-Api-Token: %1' -d '{\"model\": \"m\"}'")
            .arg(QString::fromLatin1(shortSecret)));
    QVERIFY2(shown->plan().text.contains(shortSecret), shown->plan().text.constData());
    QVERIFY2(!allShown(*shown).contains(QString::fromLatin1(shortSecret)), qPrintable(allShown(*shown)));
    click(shown->importButton());
    const QFileInfo written(path("settings.json"));
    QVERIFY(written.exists() && !written.permission(QFile::ReadGroup) && !written.permission(QFile::ReadOther));
}

void TestImportDialog::aKeyThatStandsThereAlreadyIsNotShownEither()
{
    put("settings.json", "{\"tokenpace\": {\"provider\": {\"apiKey\": \"" + shortSecret + "\"}}}\n");
    const auto shown = dialog();
    shown->takeFiles({environmentFile()});
    QVERIFY(!shown->plan().rows.empty());
    const QString text = allShown(*shown) + shown->plan().lines.join(u'\n');
    QVERIFY2(!text.contains(QString::fromLatin1(shortSecret)), qPrintable(text));
}

void TestImportDialog::whatIsOtherInTheFileIsToldAndTheRestStays()
{
    put("settings.json",
        "{\n  // mine\n  \"other.tool\": 0.10,\n  \"tokenpace\": {\"telemetry\": {\"outputPath\": "
        "\"mine.jsonl\"}}\n}\n");
    put("config.toml",
        "[provider]\nbase_url = \"http://g.example\"\n[model]\nname = \"m\"\n[logging]\nlog_path = \"theirs.jsonl\"\n");
    const auto shown = dialog();
    shown->takeFiles({path("config.toml")});
    bool isTold = false;
    const QAbstractItemModel* model = shown->table()->model();
    for (int row = 0; row < model->rowCount(); ++row) {
        if (model->index(row, 0).data().toString().endsWith(QStringLiteral("telemetry.outputPath"))) {
            isTold = model->index(row, 2).data().toString().contains(QStringLiteral("mine.jsonl"))
                && model->index(row, 3).data().toString() == QStringLiteral("config.toml:6");
        }
    }
    QVERIFY2(isTold, qPrintable(allShown(*shown)));
    QVERIFY(!shown->file()->toPlainText().section(u'\n', 2, 2).startsWith(u'▎')); // "other.tool" is as it was
    click(shown->importButton());
    QVERIFY(held("settings.json").startsWith("{\n  // mine\n  \"other.tool\": 0.10,\n"));
}

void TestImportDialog::aSecondTimeThereIsNothingToImport()
{
    const auto first = dialog();
    first->takeFiles({environmentFile()});
    click(first->importButton());
    const auto second = dialog();
    second->takeFiles({path("my.env")});
    QVERIFY(!second->importButton()->isEnabled());
    QVERIFY2(second->notice()->text().contains(QStringLiteral("nothing to import")),
             qPrintable(second->notice()->text()));
}

void TestImportDialog::emptyAndUnreadableInputSaysWhatToDo_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("name");
    QTest::newRow("empty") << QByteArray("") << QStringLiteral("empty.toml");
    QTest::newRow("no settings") << QByteArray("Dear diary,\n") << QStringLiteral("notes.txt");
    QTest::newRow("bytes") << QByteArray("\xff\xfe\x00\x01", 4) << QStringLiteral("bytes.toml");
    QTest::newRow("broken") << QByteArray("[provider\nbase_url = \n") << QStringLiteral("broken.toml");
    QTest::newRow("not there") << QByteArray() << QStringLiteral("none.toml");
    QTest::newRow("a folder") << QByteArray() << QStringLiteral(".");
}

void TestImportDialog::emptyAndUnreadableInputSaysWhatToDo()
{
    QFETCH(const QByteArray, text);
    QFETCH(const QString, name);
    if (!text.isNull()) {
        put(qPrintable(name), text);
    }
    const auto shown = dialog();
    shown->takeFiles({folder->filePath(name)});
    QVERIFY2(shown->notice()->text().contains(name)
                 && shown->notice()->text().contains(QStringLiteral("Choose a file")),
             qPrintable(shown->notice()->text()));
    QVERIFY(!shown->importButton()->isEnabled());
    QCOMPARE(shown->table()->model()->rowCount(), 0);
}

void TestImportDialog::whatCanBeReadIsTakenWithoutTheRest()
{
    const auto shown = dialog();
    shown->takeFiles({put("notes.txt", "Dear diary,\n"), environmentFile()});
    QVERIFY2(shown->notice()->text().contains(QStringLiteral("notes.txt")), qPrintable(shown->notice()->text()));
    QVERIFY(shown->importButton()->isEnabled());
}

void TestImportDialog::theFileToImportIsNeverWritten()
{
    const auto shown = dialog();
    shown->takeFiles({environmentFile()});
    shown->setTarget(path("my.env"));
    QVERIFY2(shown->notice()->text().contains(QStringLiteral("my.env")), qPrintable(shown->notice()->text()));
    QVERIFY(!shown->importButton()->isEnabled());
    shown->setTarget(path("other.json"));
    QVERIFY(shown->importButton()->isEnabled());
}

void TestImportDialog::aBrokenTargetIsLeftAsItIs()
{
    put("settings.json", "{\"tokenpace\": {");
    const auto shown = dialog();
    shown->takeFiles({environmentFile()});
    QVERIFY2(shown->notice()->text().contains(QStringLiteral("settings.json:1:")), qPrintable(shown->notice()->text()));
    QVERIFY(!shown->importButton()->isEnabled());
    QCOMPARE(held("settings.json"), QByteArray("{\"tokenpace\": {"));
}

void TestImportDialog::aFileThatChangedMeanwhileIsReadAgain()
{
    const auto shown = dialog();
    shown->takeFiles({environmentFile()});
    put("settings.json", "{\"mine\": 1}\n");
    click(shown->importButton());
    QVERIFY(shown->isVisible());
    QCOMPARE(held("settings.json"), QByteArray("{\"mine\": 1}\n"));
    QPushButton* again = nullptr;
    for (QPushButton* button : shown->notice()->findChildren<QPushButton*>()) {
        again = button->text() == QStringLiteral("Read it again") ? button : again;
    }
    QVERIFY(again != nullptr);
    click(again);
    click(shown->importButton());
    QVERIFY(!shown->isVisible());
    QVERIFY(held("settings.json").contains("\"mine\": 1") && held("settings.json").contains("gateway.example"));
}

void TestImportDialog::cancelWritesNothing()
{
    const auto shown = dialog();
    QSignalSpy imported(shown.get(), &ImportDialog::imported);
    shown->takeFiles({environmentFile()});
    QTest::keyClick(shown.get(), Qt::Key_Escape);
    QVERIFY(!shown->isVisible());
    QCOMPARE(imported.size(), 0);
    QVERIFY(!QFileInfo::exists(path("settings.json")));
}

void TestImportDialog::aCommandIsPastedAndShownWhileTyping()
{
    const auto shown = dialog();
    shown->askForText();
    QVERIFY(shown->pasteField()->isVisible() && shown->notice()->text().isEmpty());
    QVERIFY(!shown->importButton()->isEnabled());
    QTest::keyClicks(shown->pasteField(), QStringLiteral("cur"));
    QVERIFY2(shown->notice()->text().contains(QStringLiteral("Paste the whole command")),
             qPrintable(shown->notice()->text()));
    QTest::keyClicks(shown->pasteField(),
                     QStringLiteral("l http://c.example/v1/chat/completions -H \"Authorization: Bearer $MY_KEY\""));
    QVERIFY2(shown->importButton()->isEnabled(), qPrintable(shown->notice()->text()));
    QVERIFY(allShown(*shown).contains(QStringLiteral("http://c.example")));
    QVERIFY(shown->plan().text.contains("${MY_KEY}"));
}

void TestImportDialog::droppedFilesAreImportedAndUsedAtOnce()
{
    const auto window = emptyWindow();
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(environmentFile()),
                  QUrl::fromLocalFile(put("flat.json",
                                          "{\"base_url\": \"http://two.example/v1\", \"model\": \"b\", "
                                          "\"api_key_env\": \"TWO_KEY\", \"stream\": true}"))});
    drop(*window, data);
    ImportDialog* shown = dialogOf(*window);
    QVERIFY(shown != nullptr && shown->isVisible());
    const QString target = shown->target();
    QCOMPARE(target, folder->filePath(QStringLiteral("config/tokenpace/settings.json")));
    click(shown->importButton());
    QVERIFY(window->session().settings());
    QCOMPARE(window->session().settings()->file, target);
    QCOMPARE(window->session().settings()->endpoints.size(), 2);
    QVERIFY(!window->showsFirstPage());
    QVERIFY2(window->messages()->text().contains(QStringLiteral("Imported into")),
             qPrintable(window->messages()->text()));
}

void TestImportDialog::droppedTextIsImported()
{
    const auto window = emptyWindow();
    QMimeData data;
    data.setText(QStringLiteral("curl http://c.example/v1/chat/completions -H 'Authorization: Bearer %1' "
                                "-d '{\"model\": \"small\"}'")
                     .arg(QString::fromLatin1(secret)));
    drop(*window, data);
    ImportDialog* shown = dialogOf(*window);
    QVERIFY(shown != nullptr && shown->isVisible());
    QVERIFY(!shown->pasteField()->isVisible());
    QVERIFY(!allShown(*shown).contains(QString::fromLatin1(secret)));
    click(shown->importButton());
    QVERIFY(window->session().settings());
    QCOMPARE(window->session().settings()->endpoints.first().models.first().name, QStringLiteral("small"));
}

void TestImportDialog::whatIsStillMissingAfterwardsIsSaid()
{
    const auto window = emptyWindow();
    QMimeData data;
    data.setText(
        QStringLiteral("curl http://c.example/v1/chat/completions -H \"Authorization: Bearer $NO_SUCH_KEY_HERE\" "
                       "-d '{\"model\": \"small\"}'"));
    drop(*window, data);
    ImportDialog* shown = dialogOf(*window);
    QVERIFY(shown != nullptr);
    click(shown->importButton());
    const QString said = window->messages()->text();
    QVERIFY2(said.contains(QStringLiteral("Imported into")) && said.contains(QStringLiteral("NO_SUCH_KEY_HERE")),
             qPrintable(said));
    QCOMPARE(window->messages()->kind(), MessageStrip::Kind::Error);
}

void TestImportDialog::nothingIsImportedWhileARunGoesOn()
{
    const auto window = emptyWindow();
    QCOMPARE(window->session().useSimulated(logPath()), QString());
    window->session().start();
    QVERIFY(window->session().running());
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(environmentFile())});
    drop(*window, data);
    QVERIFY(dialogOf(*window) == nullptr);
    QVERIFY2(window->messages()->text().contains(QStringLiteral("Stop the run first")),
             qPrintable(window->messages()->text()));
    window->session().stop();
    QTRY_VERIFY(!window->session().running());
}

void TestImportDialog::aDroppedLogOrSettingsFileIsOpened()
{
    const auto window = emptyWindow();
    QMimeData log;
    log.setUrls({QUrl::fromLocalFile(put("token_timing.jsonl", ""))});
    drop(*window, log);
    QVERIFY(dialogOf(*window) == nullptr);
    QTRY_VERIFY(window->messages()->text().contains(QStringLiteral("token_timing.jsonl holds no records")));
    QMimeData settings;
    settings.setUrls({QUrl::fromLocalFile(
        put("settings.json", "{\"tokenpace\": {\"provider\": {\"baseUrl\": \"http://a\", \"model\": \"m\"}}}"))});
    drop(*window, settings);
    QVERIFY(dialogOf(*window) == nullptr);
    QVERIFY(window->session().settings());
    QCOMPARE(window->session().settings()->file, path("settings.json"));
}

void TestImportDialog::theMenuPastesFromTheClipboard()
{
    const auto window = emptyWindow();
    QGuiApplication::clipboard()->setText(QStringLiteral("a private letter"));
    window->commands()->pasteSettings()->trigger();
    ImportDialog* shown = dialogOf(*window);
    QVERIFY(shown != nullptr && shown->pasteField()->isVisible());
    QCOMPARE(shown->pasteField()->toPlainText(), QString());
    QTest::keyClick(shown, Qt::Key_Escape);
    QTRY_VERIFY(dialogOf(*window) == nullptr);
    QGuiApplication::clipboard()->setText(QStringLiteral("curl http://c.example/v1/chat/completions"));
    window->commands()->pasteSettings()->trigger();
    shown = dialogOf(*window);
    QVERIFY(shown != nullptr);
    QVERIFY(shown->pasteField()->toPlainText().startsWith(QStringLiteral("curl http")));
    QVERIFY(shown->importButton()->isEnabled());
}

void TestImportDialog::exportedSettingsHoldNoKey()
{
    const auto window = emptyWindow();
    put("settings.json",
        "{\"tokenpace\": {\"provider\": {\"baseUrl\": \"http://a.example\", \"model\": \"m\", \"apiKey\": \"" + secret
            + "\"}}}");
    window->openFile(path("settings.json"));
    QVERIFY(window->session().settings());
    window->exportSettings(path("config.toml"), true);
    QVERIFY2(held("config.toml").contains("base_url = \"http://a.example\""), held("config.toml").constData());
    window->exportSettings(path("out.env"), false);
    QVERIFY2(held("out.env").contains("TAOTOKEN_BASE_URL="), held("out.env").constData());
    QVERIFY(!held("config.toml").contains(secret) && !held("out.env").contains(secret));
}

void TestImportDialog::theFileInUseIsNoPlaceToExportTo()
{
    const auto window = emptyWindow();
    const QByteArray mine = "{\"tokenpace\": {\"provider\": {\"baseUrl\": \"http://a.example\", \"model\": \"m\"}}}";
    put("settings.json", mine);
    window->openFile(path("settings.json"));
    window->exportSettings(path("settings.json"), true);
    QCOMPARE(window->messages()->kind(), MessageStrip::Kind::Error);
    QCOMPARE(held("settings.json"), mine);
}

QTEST_MAIN(TestImportDialog)
#include "tst_importdialog.moc"
