// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <memory>

#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "checkpanel.h"
#include "connectdialog.h"
#include "controls/formparts.h"
#include "controls/toolbarparts.h"
#include "settingssaver.h"
#include "support/scriptedserver.h"
#include "theme/theme.h"

using namespace tokenpace;

namespace {

constexpr int longWaitMs = 60000; // a busy machine under a sanitizer
const auto goodUrl = QStringLiteral("http://127.0.0.1:8080/v1");
const auto secret = QStringLiteral("sk-0123456789-abcdefghij-never-to-be-written");

QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QString allWords(const QWidget& widget)
{
    QStringList texts;
    for (const QLabel* label : widget.findChildren<QLabel*>()) {
        texts << label->text();
    }
    return texts.join(QLatin1Char('\n'));
}

/// Lists the models, and streams an answer.
test::Script answer(const test::ReceivedRequest& request, const std::string& models)
{
    if (request.method == "GET") {
        return {test::send(test::wholeReply(200, models)), test::closeConnection()};
    }
    return test::chatScript(3);
}

} // namespace

class TestConnectDialog final : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void init();

    void nothingIsWrongBeforeAnythingIsTyped();
    void theFinalUrlIsShownWhileTyping();
    void aBadUrlSaysWhatIsWrong_data();
    void aBadUrlSaysWhatIsWrong();
    void aSetVariableIsSaidByItsLength();
    void anUnsetVariableForbidsToGoOn();
    void variablesAreUnderstoodInEachSpelling();
    void aKeyInPlaceOfANameIsRefused();
    void aVariableThatIsSetIsProposed();
    void savingWritesANewFileForTheOwnerOnly();
    void theKeyIsNeverWritten();
    void anExistingFileIsNotChanged();
    void aFileThatAppearsLaterIsNotChanged();
    void aLinkToNothingIsNotFollowed();
    void anotherFolderMayBeChosen();
    void aSessionNeedsNoFile();
    void aFolderThatCannotBeWrittenIsSaid();
    void textThatLooksLikeAVariableIsKept();
    void theTestFillsTheModels();
    void theTestTakesTheOnlyModel();
    void aFailingTestSaysWhatToFix();
    void aModelThatIsNotListedIsMarked();
    void theTestCanBeCancelled();
    void editingEndsTheTest();

private:
    std::unique_ptr<ConnectDialog> dialog(const QHash<QString, QString>& variables = {});
    [[nodiscard]] QString userFile() const
    {
        return m_folder->filePath(QStringLiteral("config/tokenpace/settings.json"));
    }
    [[nodiscard]] QString workFile() const { return m_folder->filePath(QStringLiteral("work/settings.json")); }
    std::unique_ptr<ThemeController> m_themes;
    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestConnectDialog::initTestCase()
{
    m_themes = std::make_unique<ThemeController>();
}

void TestConnectDialog::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
    QVERIFY(QDir(m_folder->path()).mkpath(QStringLiteral("work")));
}

std::unique_ptr<ConnectDialog> TestConnectDialog::dialog(const QHash<QString, QString>& variables)
{
    ConnectDialog::Places places;
    places.configFile = userFile();
    places.workingFolder = m_folder->filePath(QStringLiteral("work"));
    places.environment = [variables](const QString& name) {
        return variables.contains(name) ? std::optional(variables[name]) : std::nullopt;
    };
    auto result = std::make_unique<ConnectDialog>(places);
    result->show();
    return result;
}

void TestConnectDialog::nothingIsWrongBeforeAnythingIsTyped()
{
    const auto d = dialog();
    QCOMPARE(d->baseUrlHelp()->kind(), HelpLine::Kind::Help);
    QCOMPARE(d->keyHelp()->kind(), HelpLine::Kind::Help);
    QVERIFY(!d->saveButton()->isEnabled());
    QVERIFY(!d->checkPanel()->button()->isEnabled());
}

void TestConnectDialog::theFinalUrlIsShownWhileTyping()
{
    const auto d = dialog();
    d->baseUrlField()->setText(QStringLiteral("http://127.0.0.1:8080"));
    QVERIFY(d->baseUrlHelp()->text().contains(QStringLiteral("http://127.0.0.1:8080/v1/chat/completions")));
    d->baseUrlField()->setText(QStringLiteral("https://gateway.example/v1/chat/completions"));
    QVERIFY(d->baseUrlHelp()->text().contains(QStringLiteral("https://gateway.example/v1/chat/completions")));
    d->baseUrlField()->setText(QStringLiteral("https://api.anthropic.com"));
    QVERIFY(d->baseUrlHelp()->text().contains(QStringLiteral("https://api.anthropic.com/v1/messages")));
    QVERIFY(d->checkPanel()->button()->isEnabled());
}

void TestConnectDialog::aBadUrlSaysWhatIsWrong_data()
{
    QTest::addColumn<QString>("url");
    QTest::newRow("no scheme") << QStringLiteral("gateway.example/v1");
    QTest::newRow("another scheme") << QStringLiteral("ftp://gateway.example/v1");
    QTest::newRow("no host") << QStringLiteral("http:///v1");
}

void TestConnectDialog::aBadUrlSaysWhatIsWrong()
{
    QFETCH(QString, url);
    const auto d = dialog();
    d->modelField()->setEditText(QStringLiteral("m"));
    d->baseUrlField()->setText(url);
    QCOMPARE(d->baseUrlHelp()->kind(), HelpLine::Kind::Error);
    QVERIFY(!d->baseUrlHelp()->text().isEmpty());
    QVERIFY(d->baseUrlHelp()->isVisible());
    QVERIFY(d->baseUrlField()->property("bad").toBool());
    QVERIFY(!d->saveButton()->isEnabled());
    QVERIFY(!d->checkPanel()->button()->isEnabled());

    d->baseUrlField()->setText(goodUrl);
    QCOMPARE(d->baseUrlHelp()->kind(), HelpLine::Kind::Help);
    QVERIFY(!d->baseUrlField()->property("bad").toBool());
    QVERIFY(d->saveButton()->isEnabled());
}

void TestConnectDialog::aSetVariableIsSaidByItsLength()
{
    const auto d = dialog({{QStringLiteral("MY_KEY"), QString(51, QLatin1Char('x'))}});
    d->keyField()->setText(QStringLiteral("${MY_KEY}"));
    QCOMPARE(d->keyField()->state(), QStringLiteral("set, 51 characters"));
    QCOMPARE(d->keyHelp()->kind(), HelpLine::Kind::Help);
}

void TestConnectDialog::anUnsetVariableForbidsToGoOn()
{
    const auto d = dialog({{QStringLiteral("EMPTY_KEY"), QString()}});
    d->baseUrlField()->setText(goodUrl);
    d->modelField()->setEditText(QStringLiteral("m"));
    QVERIFY(d->saveButton()->isEnabled());
    for (const auto& name : {QStringLiteral("MY_KEY"), QStringLiteral("EMPTY_KEY")}) {
        d->keyField()->setText(name);
        QCOMPARE(d->keyField()->state(), QStringLiteral("not set"));
        QCOMPARE(d->keyHelp()->kind(), HelpLine::Kind::Error);
        QVERIFY(d->keyHelp()->text().contains(name));
        QVERIFY(!d->saveButton()->isEnabled());
        QVERIFY(!d->checkPanel()->button()->isEnabled());
    }
    d->keyField()->clear();
    QVERIFY(d->saveButton()->isEnabled());
}

void TestConnectDialog::variablesAreUnderstoodInEachSpelling()
{
    for (const auto& spelling : {QStringLiteral("MY_KEY"), QStringLiteral("$MY_KEY"), QStringLiteral("${MY_KEY}"),
                                 QStringLiteral("  MY_KEY ")}) {
        QCOMPARE(variableName(spelling), QStringLiteral("MY_KEY"));
    }
    for (const auto& wrong : {QStringLiteral("${MY_KEY"), QStringLiteral("MY KEY"), QStringLiteral("1KEY"),
                              QStringLiteral("sk-abc"), QString()}) {
        QVERIFY(variableName(wrong).isEmpty());
    }
}

void TestConnectDialog::aKeyInPlaceOfANameIsRefused()
{
    const auto d = dialog();
    d->baseUrlField()->setText(goodUrl);
    d->modelField()->setEditText(QStringLiteral("m"));
    d->keyField()->setText(secret);
    QCOMPARE(d->keyHelp()->kind(), HelpLine::Kind::Error);
    QVERIFY(!allWords(*d).contains(secret));
    QVERIFY(!d->saveButton()->isEnabled());
    d->accept();
    QVERIFY(!QFile::exists(userFile()));
    QVERIFY(!d->endpoint());
}

void TestConnectDialog::aVariableThatIsSetIsProposed()
{
    const auto d = dialog({{QStringLiteral("OPENAI_API_KEY"), secret}});
    QCOMPARE(d->keyField()->text(), QStringLiteral("${OPENAI_API_KEY}"));
    QVERIFY(dialog()->keyField()->text().isEmpty());
}

void TestConnectDialog::savingWritesANewFileForTheOwnerOnly()
{
    const auto d = dialog({{QStringLiteral("MY_KEY"), secret}});
    QSignalSpy chosen(d.get(), &ConnectDialog::endpointChosen);
    d->baseUrlField()->setText(goodUrl);
    d->keyField()->setText(QStringLiteral("MY_KEY"));
    d->modelField()->setEditText(QStringLiteral("qwen-small"));
    QCOMPARE(d->saveButton()->text(), QStringLiteral("Save and open"));
    QTest::mouseClick(d->saveButton(), Qt::LeftButton);
    QCOMPARE(d->result(), int(QDialog::Accepted));
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(d->savedFile(), userFile());
    QCOMPARE(QFileInfo(userFile()).permissions() & ~(QFile::ReadUser | QFile::WriteUser),
             QFile::ReadOwner | QFile::WriteOwner);

    const QJsonObject provider = QJsonDocument::fromJson(contents(userFile()))
                                     .object()[QStringLiteral("tokenpace")]
                                     .toObject()[QStringLiteral("provider")]
                                     .toObject();
    QCOMPARE(provider[QStringLiteral("baseUrl")].toString(), goodUrl);
    QCOMPARE(provider[QStringLiteral("apiKey")].toString(), QStringLiteral("${MY_KEY}"));
    QCOMPARE(provider[QStringLiteral("model")].toString(), QStringLiteral("qwen-small"));

    QVERIFY(d->endpoint());
    QCOMPARE(d->endpoint()->apiKey, secret);
    QCOMPARE(d->endpoint()->models.size(), 1);
    QCOMPARE(d->endpoint()->models.first().name, QStringLiteral("qwen-small"));
    QCOMPARE(d->endpoint()->name, QStringLiteral("127.0.0.1:8080"));
}

void TestConnectDialog::theKeyIsNeverWritten()
{
    const auto d = dialog({{QStringLiteral("MY_KEY"), secret}});
    d->baseUrlField()->setText(goodUrl);
    d->keyField()->setText(QStringLiteral("MY_KEY"));
    d->modelField()->setEditText(QStringLiteral("m"));
    QVERIFY(!allWords(*d).contains(secret));
    d->accept();
    QVERIFY(!contents(userFile()).isEmpty());
    QVERIFY(!contents(userFile()).contains(secret.toUtf8()));
}

void TestConnectDialog::anExistingFileIsNotChanged()
{
    QVERIFY(QDir(m_folder->path()).mkpath(QStringLiteral("config/tokenpace")));
    QFile file(userFile());
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{\"mine\": 1}\n");
    file.close();

    const auto d = dialog();
    d->baseUrlField()->setText(goodUrl);
    d->modelField()->setEditText(QStringLiteral("m"));
    QCOMPARE(d->placeHelp()->kind(), HelpLine::Kind::Error);
    QVERIFY(d->placeHelp()->text().contains(QStringLiteral("settings.json")));
    QVERIFY(d->placeHelp()->text().contains(QStringLiteral("not changed")));
    QVERIFY(!d->saveButton()->isEnabled());
    d->accept();
    QCOMPARE(contents(userFile()), QByteArray("{\"mine\": 1}\n"));

    d->choosePlace(ConnectDialog::Place::WorkingFolder);
    QCOMPARE(d->placeHelp()->kind(), HelpLine::Kind::Help);
    d->accept();
    QCOMPARE(d->savedFile(), workFile());
    QVERIFY(QFile::exists(workFile()));
    QCOMPARE(contents(userFile()), QByteArray("{\"mine\": 1}\n"));
}

void TestConnectDialog::aFileThatAppearsLaterIsNotChanged()
{
    const auto d = dialog();
    d->baseUrlField()->setText(goodUrl);
    d->modelField()->setEditText(QStringLiteral("m"));
    d->choosePlace(ConnectDialog::Place::WorkingFolder);
    QVERIFY(d->saveButton()->isEnabled());
    QFile file(workFile());
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("mine");
    file.close();
    d->accept();
    QCOMPARE(d->placeHelp()->kind(), HelpLine::Kind::Error);
    QVERIFY(!d->endpoint());
    QVERIFY(d->isVisible());
    QCOMPARE(contents(workFile()), QByteArray("mine"));
}

void TestConnectDialog::aLinkToNothingIsNotFollowed()
{
    QVERIFY(QFile::link(m_folder->filePath(QStringLiteral("elsewhere.json")), workFile()));
    QVERIFY(pathIsTaken(workFile()));
    QVERIFY(!saveNewSettings(workFile(), "{}").isEmpty());
    QVERIFY(!QFile::exists(m_folder->filePath(QStringLiteral("elsewhere.json"))));
}

void TestConnectDialog::anotherFolderMayBeChosen()
{
    const auto d = dialog();
    d->baseUrlField()->setText(goodUrl);
    d->modelField()->setEditText(QStringLiteral("m"));
    d->choosePlace(ConnectDialog::Place::OtherFolder);
    QVERIFY(!d->saveButton()->isEnabled());
    d->setOtherFolder(m_folder->filePath(QStringLiteral("new/folder")));
    QVERIFY(d->saveButton()->isEnabled());
    d->accept();
    QCOMPARE(d->savedFile(), m_folder->filePath(QStringLiteral("new/folder/settings.json")));
    QVERIFY(QFile::exists(d->savedFile()));
}

void TestConnectDialog::aSessionNeedsNoFile()
{
    const auto d = dialog({{QStringLiteral("MY_KEY"), secret}});
    d->baseUrlField()->setText(goodUrl);
    d->keyField()->setText(QStringLiteral("MY_KEY"));
    d->modelField()->setEditText(QStringLiteral("m"));
    d->choosePlace(ConnectDialog::Place::Session);
    QCOMPARE(d->saveButton()->text(), QStringLiteral("Open"));
    d->accept();
    QVERIFY(d->endpoint());
    QCOMPARE(d->endpoint()->apiKey, secret);
    QVERIFY(d->savedFile().isEmpty());
    QVERIFY(!QFile::exists(userFile()));
    QVERIFY(!QFile::exists(workFile()));
}

void TestConnectDialog::aFolderThatCannotBeWrittenIsSaid()
{
    QFile block(m_folder->filePath(QStringLiteral("block")));
    QVERIFY(block.open(QIODevice::WriteOnly));
    block.close();
    const auto d = dialog();
    d->baseUrlField()->setText(goodUrl);
    d->modelField()->setEditText(QStringLiteral("m"));
    d->setOtherFolder(m_folder->filePath(QStringLiteral("block/below")));
    d->accept();
    QCOMPARE(d->placeHelp()->kind(), HelpLine::Kind::Error);
    QVERIFY(d->placeHelp()->text().contains(QStringLiteral("block/below")));
    QVERIFY(d->isVisible());
}

void TestConnectDialog::textThatLooksLikeAVariableIsKept()
{
    const auto d = dialog();
    d->baseUrlField()->setText(goodUrl);
    d->modelField()->setEditText(QStringLiteral("odd-${NAME}"));
    d->choosePlace(ConnectDialog::Place::Session);
    d->accept();
    QVERIFY(d->endpoint());
    QCOMPARE(d->endpoint()->models.first().name, QStringLiteral("odd-${NAME}"));
}

void TestConnectDialog::theTestFillsTheModels()
{
    const test::ScriptedServer server([](const test::ReceivedRequest& request, int) {
        return answer(request, R"({"data":[{"id":"gemma"},{"id":"qwen-small"}]})");
    });
    const auto d = dialog({{QStringLiteral("MY_KEY"), secret}});
    d->baseUrlField()->setText(QString::fromStdString(server.url("/v1")));
    d->keyField()->setText(QStringLiteral("MY_KEY"));
    d->modelField()->setEditText(QStringLiteral("qwen-small"));
    QTest::mouseClick(d->checkPanel()->button(), Qt::LeftButton);
    QVERIFY(d->checkPanel()->running());
    QTRY_VERIFY_WITH_TIMEOUT(!d->checkPanel()->running(), longWaitMs);
    QVERIFY2(d->checkPanel()->summary().startsWith(QStringLiteral("It works")), qPrintable(allWords(*d)));
    QVERIFY(d->checkPanel()->stepCount() >= 2);
    QCOMPARE(d->modelField()->count(), 2);
    QCOMPARE(d->modelField()->currentText(), QStringLiteral("qwen-small"));
    QVERIFY(d->modelHelp()->text().contains(QStringLiteral("2 models")));
    QCOMPARE(server.requests().front().header("Authorization"), "Bearer " + secret.toStdString());
    QVERIFY(!allWords(*d).contains(secret));
}

void TestConnectDialog::theTestTakesTheOnlyModel()
{
    const test::ScriptedServer server([](const test::ReceivedRequest& request, int) {
        return answer(request, R"({"data":[{"id":"gemma"}]})");
    });
    const auto d = dialog();
    d->baseUrlField()->setText(QString::fromStdString(server.url("/v1")));
    QVERIFY(!d->saveButton()->isEnabled());
    d->checkPanel()->button()->click();
    QTRY_VERIFY_WITH_TIMEOUT(!d->checkPanel()->running(), longWaitMs);
    QCOMPARE(d->modelField()->currentText(), QStringLiteral("gemma"));
    QVERIFY(d->saveButton()->isEnabled());
}

void TestConnectDialog::aFailingTestSaysWhatToFix()
{
    const auto d = dialog();
    d->baseUrlField()->setText(QStringLiteral("http://127.0.0.1:%1").arg(test::ScriptedServer::closedPort()));
    d->modelField()->setEditText(QStringLiteral("m"));
    d->checkPanel()->button()->click();
    QTRY_VERIFY_WITH_TIMEOUT(!d->checkPanel()->running(), longWaitMs);
    QVERIFY(d->checkPanel()->summary().startsWith(QStringLiteral("1 of 11 steps passed")));
    QVERIFY(allWords(*d).contains(QStringLiteral("Is the server running at this host and port?")));
    QCOMPARE(d->checkPanel()->button()->text(), QStringLiteral("Test again"));
}

void TestConnectDialog::aModelThatIsNotListedIsMarked()
{
    const test::ScriptedServer server([](const test::ReceivedRequest& request, int) {
        return answer(request, R"({"data":[{"id":"gemma"},{"id":"qwen-small"}]})");
    });
    const auto d = dialog();
    d->baseUrlField()->setText(QString::fromStdString(server.url("/v1")));
    d->modelField()->setEditText(QStringLiteral("qwen-smal"));
    d->checkPanel()->button()->click();
    QTRY_VERIFY_WITH_TIMEOUT(!d->checkPanel()->running(), longWaitMs);
    QCOMPARE(d->modelHelp()->kind(), HelpLine::Kind::Warning);
    QVERIFY(d->modelHelp()->text().contains(QStringLiteral("qwen-smal")));
    d->modelField()->setEditText(QStringLiteral("gemma"));
    QCOMPARE(d->modelHelp()->kind(), HelpLine::Kind::Help);
}

void TestConnectDialog::theTestCanBeCancelled()
{
    const test::ScriptedServer server({{test::stall()}});
    const auto d = dialog();
    d->baseUrlField()->setText(QString::fromStdString(server.url("/v1")));
    d->modelField()->setEditText(QStringLiteral("m"));
    d->checkPanel()->button()->click();
    QTRY_VERIFY_WITH_TIMEOUT(server.requestCount() == 1, longWaitMs);
    QCOMPARE(d->checkPanel()->button()->text(), QStringLiteral("Cancel"));
    d->checkPanel()->button()->click();
    QVERIFY(!d->checkPanel()->running());
    QCOMPARE(d->checkPanel()->summary(), QStringLiteral("Cancelled"));
    QVERIFY(server.waitUntilOver(std::chrono::milliseconds(longWaitMs)));
}

void TestConnectDialog::editingEndsTheTest()
{
    const test::ScriptedServer server({{test::stall()}});
    const auto d = dialog();
    d->baseUrlField()->setText(QString::fromStdString(server.url("/v1")));
    d->modelField()->setEditText(QStringLiteral("m"));
    d->checkPanel()->button()->click();
    QTRY_VERIFY_WITH_TIMEOUT(server.requestCount() == 1, longWaitMs);
    d->baseUrlField()->setText(goodUrl);
    QVERIFY(!d->checkPanel()->running());
}

QTEST_MAIN(TestConnectDialog)
#include "tst_connectdialog.moc"
