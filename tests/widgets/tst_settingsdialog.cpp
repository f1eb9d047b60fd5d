// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QComboBox>
#include <QFile>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include "controls/formparts.h"
#include "controls/tabrow.h"
#include "settings/settingseditor.h"
#include "settings/settingsfile.h"
#include "settingsdialog/filepreview.h"
#include "settingsdialog/pagelist.h"
#include "settingsdialog/settingsdialog.h"
#include "settingsdialog/settingsform.h"
#include "settingsdialog/settingsnotice.h"
#include "settingsfields.h"
#include "theme/theme.h"

using namespace tokenpace;

namespace {

const QByteArray twoEndpoints =
    "{\n"
    "  // mine\n"
    "  \"editor.fontSize\": 0.10,\n"
    "  \"tokenpace\": {\n"
    "    \"endpoints\": [\n"
    "      {\"name\": \"one\", \"baseUrl\": \"http://one:1\", \"apiKey\": \"${KEY}\"},\n"
    "      {\"name\": \"two\", \"baseUrl\": \"http://two:2\", \"apiKey\": \"sk-literal-0123456789\"}\n"
    "    ]\n"
    "  }\n"
    "}\n";

std::optional<QString> environment(const QString& name)
{
    return name == QStringLiteral("KEY") ? std::optional(QStringLiteral("secret-of-mine")) : std::nullopt;
}

} // namespace

class SettingsDialogTest final : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void whatIsTypedIsShownInTheFileAndSaved();
    void typingIsUndoneAndDoneAgainWithKeys();
    void aBadValueKeepsTheFileFromBeingSaved();
    void theFinalUrlFollowsTheTyping();
    void aKeyIsNeverShown();
    void endpointsAreAddedAndRemoved();
    void everyPageShowsItsFields();
    void aSettingIsFoundByItsName();
    void aFileThatChangesUnderTheFormIsAskedAbout();
    void anUntouchedFormFollowsTheFile();
    void aBrokenFileIsKeptAsACopy();
    void aNewFileIsMade();
    void changesAreNotLostByClosing();

private:
    void put(const QByteArray& bytes) const;
    [[nodiscard]] QByteArray held() const { return loadSettingsFile(m_file).bytes.value_or(QByteArray()); }
    void open();
    [[nodiscard]] QLineEdit* lineOf(const char* path) const;
    void type(const char* path, const QString& text) const;
    void clickWay(const QString& text) const;

    ThemeController m_themes;
    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_file;
    std::unique_ptr<SettingsDialog> m_dialog;
};

void SettingsDialogTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_file = m_folder->filePath(QStringLiteral("settings.json"));
    put(twoEndpoints);
    open();
}

void SettingsDialogTest::cleanup()
{
    m_dialog.reset();
    m_folder.reset();
}

void SettingsDialogTest::put(const QByteArray& bytes) const
{
    QFile file(m_file);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
}

void SettingsDialogTest::open()
{
    m_dialog = std::make_unique<SettingsDialog>(m_file, environment);
    m_dialog->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_dialog.get()));
}

QLineEdit* SettingsDialogTest::lineOf(const char* path) const
{
    return qobject_cast<QLineEdit*>(m_dialog->form()->fieldOf(QString::fromUtf8(path)));
}

void SettingsDialogTest::type(const char* path, const QString& text) const
{
    QLineEdit* line = lineOf(path);
    QVERIFY(line != nullptr);
    line->setFocus();
    line->selectAll();
    QTest::keyClick(line, Qt::Key_Delete);
    QTest::keyClicks(line, text);
}

void SettingsDialogTest::clickWay(const QString& text) const
{
    for (QPushButton* button : m_dialog->notice()->findChildren<QPushButton*>()) {
        if (button->text() == text && !button->isHidden()) {
            button->click();
            return;
        }
    }
    QFAIL(qPrintable(QStringLiteral("no button ") + text));
}

void SettingsDialogTest::whatIsTypedIsShownInTheFileAndSaved()
{
    QVERIFY(!m_dialog->saveButton()->isEnabled());
    type("name", QStringLiteral("uno"));
    QVERIFY(m_dialog->saveButton()->isEnabled());
    QCOMPARE(m_dialog->preview()->markedLines(), 1);
    const QWidget* badge = m_dialog->tabs()->tabBar()->tabButton(1, QTabBar::RightSide);
    QVERIFY(badge != nullptr && badge->isVisible());
    QCOMPARE(m_dialog->pages()->list()->item(1)->text(), QStringLiteral("uno"));
    const QSignalSpy saved(m_dialog.get(), &SettingsDialog::saved);
    QVERIFY(m_dialog->save());
    QCOMPARE(saved.size(), 1);
    // It holds a key: nobody else may read it any longer, and that is said.
    QVERIFY((QFile::permissions(m_file) & (QFile::ReadGroup | QFile::ReadOther)) == 0);
    QVERIFY(m_dialog->notice()->text().contains(QStringLiteral("key")));
    QCOMPARE(held(), QByteArray(twoEndpoints).replace("\"one\"", "\"uno\""));
    QVERIFY(!m_dialog->saveButton()->isEnabled());
    // What is saved can still be undone.
    QVERIFY(m_dialog->undoButton()->isEnabled());
}

void SettingsDialogTest::typingIsUndoneAndDoneAgainWithKeys()
{
    type("name", QStringLiteral("uno"));
    m_dialog->undoButton()->click();
    QTRY_COMPARE(lineOf("name")->text(), QStringLiteral("one"));
    QCOMPARE(m_dialog->editor().text(), twoEndpoints);
    m_dialog->redoButton()->click();
    QCOMPARE(lineOf("name")->text(), QStringLiteral("uno"));
    type("request.maxTokens", QStringLiteral("64"));
    QCOMPARE(m_dialog->editor().undoText(), QStringLiteral("Output limit"));
}

void SettingsDialogTest::aBadValueKeepsTheFileFromBeingSaved()
{
    type("name", QStringLiteral("uno"));
    type("request.topP", QStringLiteral("2"));
    QVERIFY(!m_dialog->saveButton()->isEnabled());
    QVERIFY(lineOf("request.topP")->property("bad").toBool());
    QVERIFY(!m_dialog->save());
    QCOMPARE(held(), twoEndpoints);
    type("request.topP", QStringLiteral("0.5"));
    QVERIFY(!lineOf("request.topP")->property("bad").toBool());
    QVERIFY(m_dialog->saveButton()->isEnabled());
}

void SettingsDialogTest::theFinalUrlFollowsTheTyping()
{
    const auto said = [this](const QString& part) {
        for (const HelpLine* line : m_dialog->form()->findChildren<HelpLine*>()) {
            if (line->text().contains(part)) {
                return true;
            }
        }
        return false;
    };
    QVERIFY(said(QStringLiteral("http://one:1/v1/chat/completions")));
    type("baseUrl", QStringLiteral("https://api.anthropic.com"));
    QVERIFY(said(QStringLiteral("https://api.anthropic.com/v1/messages")));
    QVERIFY(said(QStringLiteral("anthropic-messages, from the URL")));
}

void SettingsDialogTest::aKeyIsNeverShown()
{
    auto* field = qobject_cast<StateField*>(lineOf("apiKey"));
    QVERIFY(field != nullptr);
    QCOMPARE(field->text(), QStringLiteral("${KEY}"));
    QCOMPARE(field->state(), QStringLiteral("set, 14 characters"));
    m_dialog->pages()->chooseEndpoint(1);
    field = qobject_cast<StateField*>(lineOf("apiKey"));
    QCOMPARE(field->echoMode(), QLineEdit::Password);
    QVERIFY(!m_dialog->preview()->toPlainText().contains(QStringLiteral("sk-literal")));
    type("extraHeaders", QStringLiteral("{\"X-Api-Key\": \"header-0123456789\"}"));
    QVERIFY(m_dialog->preview()->toPlainText().contains(QStringLiteral("X-Api-Key")));
    QVERIFY(!m_dialog->preview()->toPlainText().contains(QStringLiteral("header-0123")));
    type("apiKey", QStringLiteral("${NO_SUCH_KEY}"));
    QCOMPARE(field->echoMode(), QLineEdit::Normal);
    QCOMPARE(field->state(), QStringLiteral("not set"));
}

void SettingsDialogTest::endpointsAreAddedAndRemoved()
{
    emit m_dialog->pages()->addRequested();
    QCOMPARE(m_dialog->pages()->endpoint(), 2);
    type("baseUrl", QStringLiteral("http://three"));
    QCOMPARE(m_dialog->editor().endpoints().at(2).host, QStringLiteral("three"));
    emit m_dialog->pages()->moveRequested(-1);
    QCOMPARE(m_dialog->pages()->endpoint(), 1);
    QCOMPARE(lineOf("baseUrl")->text(), QStringLiteral("http://three"));
    emit m_dialog->pages()->duplicateRequested();
    QCOMPARE(m_dialog->pages()->endpoint(), 3);
    for (int left = 3; left >= 0; --left) {
        m_dialog->pages()->chooseEndpoint(0);
        emit m_dialog->pages()->removeRequested();
        QCOMPARE(m_dialog->editor().endpoints().size(), left);
    }
    QCOMPARE(m_dialog->pages()->endpoint(), -1);
    while (m_dialog->editor().canUndo()) {
        m_dialog->undoButton()->click();
    }
    QCOMPARE(m_dialog->editor().text(), twoEndpoints);
}

void SettingsDialogTest::everyPageShowsItsFields()
{
    m_dialog->pages()->choosePage(SettingsFields::Page::Limits);
    type("limits.ttftMs", QStringLiteral("500"));
    m_dialog->pages()->choosePage(SettingsFields::Page::Log);
    QVERIFY(lineOf("telemetry.outputPath") != nullptr);
    m_dialog->pages()->choosePage(SettingsFields::Page::Experiments);
    type("experiment.promptTokens", QStringLiteral("100, 200"));
    m_dialog->pages()->choosePage(SettingsFields::Page::Request);
    type("request.maxTokens", QStringLiteral("77"));
    const Settings& settings = m_dialog->editor().settings().value();
    QCOMPARE(settings.limits.ttftMs, 500.0);
    QCOMPARE(settings.experiment.promptTokens, (QList<int>{100, 200}));
    QCOMPARE(settings.endpoints.first().request.maxTokens, 77);
}

void SettingsDialogTest::aSettingIsFoundByItsName()
{
    QTest::keyClicks(m_dialog->searchField(), QStringLiteral("log file"));
    QVERIFY(lineOf("telemetry.outputPath") != nullptr);
    m_dialog->searchField()->clear();
    QTest::keyClicks(m_dialog->searchField(), QStringLiteral("temperature"));
    QVERIFY(lineOf("request.temperature") != nullptr);
}

void SettingsDialogTest::aFileThatChangesUnderTheFormIsAskedAbout()
{
    type("name", QStringLiteral("uno"));
    const QByteArray theirs = QByteArray(twoEndpoints).replace("// mine", "// theirs");
    put(theirs);
    QTRY_VERIFY(!m_dialog->notice()->text().isEmpty());
    QVERIFY(!m_dialog->save());
    QCOMPARE(held(), theirs);
    clickWay(QStringLiteral("Make my changes there"));
    QVERIFY(m_dialog->save());
    QCOMPARE(held(), QByteArray(theirs).replace("\"one\"", "\"uno\""));
    m_dialog->notice()->dismiss();
    type("name", QStringLiteral("eins"));
    put(twoEndpoints);
    QTRY_VERIFY(!m_dialog->notice()->text().isEmpty());
    clickWay(QStringLiteral("Reload, without my changes"));
    QCOMPARE(m_dialog->editor().text(), twoEndpoints);
    type("name", QStringLiteral("due"));
    put(theirs);
    QTRY_VERIFY(!m_dialog->notice()->text().isEmpty());
    clickWay(QStringLiteral("Overwrite with mine"));
    QCOMPARE(held(), QByteArray(twoEndpoints).replace("\"one\"", "\"due\""));
}

void SettingsDialogTest::anUntouchedFormFollowsTheFile()
{
    put(QByteArray(twoEndpoints).replace("\"one\"", "\"uno\""));
    QTRY_COMPARE(lineOf("name")->text(), QStringLiteral("uno"));
    QVERIFY(m_dialog->notice()->text().isEmpty());
}

void SettingsDialogTest::aBrokenFileIsKeptAsACopy()
{
    m_dialog.reset();
    put("{\n  broken");
    open();
    QVERIFY(m_dialog->notice()->text().contains(m_file + QStringLiteral(":2:")));
    QVERIFY(!m_dialog->saveButton()->isEnabled());
    clickWay(QStringLiteral("Keep a copy and begin anew"));
    QCOMPARE(loadSettingsFile(m_file + QStringLiteral(".1")).bytes.value(), QByteArray("{\n  broken"));
    emit m_dialog->pages()->addRequested();
    type("baseUrl", QStringLiteral("http://new"));
    QVERIFY(m_dialog->save());
    QVERIFY(held().contains("http://new"));
}

void SettingsDialogTest::aNewFileIsMade()
{
    m_dialog.reset();
    m_file = m_folder->filePath(QStringLiteral("new/settings.json"));
    open();
    emit m_dialog->pages()->addRequested();
    type("baseUrl", QStringLiteral("http://new"));
    type("models", QStringLiteral("m"));
    QVERIFY(m_dialog->save());
    const SettingsResult read = readSettings(held(), m_file, environment);
    QVERIFY(read.settings && read.settings->warnings.isEmpty());
    QCOMPARE(read.settings->endpoints.first().models.first().name, QStringLiteral("m"));
}

void SettingsDialogTest::changesAreNotLostByClosing()
{
    type("name", QStringLiteral("uno"));
    m_dialog->reject();
    QVERIFY(m_dialog->isVisible());
    QVERIFY(m_dialog->isEnabled());
    QCOMPARE(held(), twoEndpoints);
}

QTEST_MAIN(SettingsDialogTest)
#include "tst_settingsdialog.moc"
