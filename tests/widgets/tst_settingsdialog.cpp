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

#include "checkpanel.h"
#include "controls/chipfield.h"
#include "controls/formparts.h"
#include "controls/itemchip.h"
#include "controls/tabrow.h"
#include "experiment/simulatedendpoint.h"
#include "settings/settingseditor.h"
#include "settings/settingsfile.h"
#include "settingsdialog/filepreview.h"
#include "settingsdialog/pagelist.h"
#include "settingsdialog/settingsform.h"
#include "settingsdialog/settingsnotice.h"
#include "settingsfields.h"
#include "widgets/settingsdialogfixture.h"

using namespace tokenpace;
using namespace tokenpace::test;

class SettingsDialogTest final : public SettingsDialogFixture {
    Q_OBJECT

private slots:
    void whatIsTypedIsShownInTheFileAndSaved();
    void typingIsUndoneAndDoneAgainWithKeys();
    void aBadValueKeepsTheFileFromBeingSaved();
    void theFinalUrlFollowsTheTyping();
    void endpointsAreAddedAndRemoved();
    void everyPageShowsItsFields();
    void aSettingIsFoundByItsName();
    void aFileThatChangesUnderTheFormIsAskedAbout();
    void anUntouchedFormFollowsTheFile();
    void aBrokenFileIsKeptAsACopy();
    void aNewFileIsMade();
    void changesAreNotLostByClosing();
    void modelsArePillsThatAreTypedAndTakenOut();
    void theTestMarksModelsAndItsProposalIsOneClick();
    void aChangedEndpointCountsAsUntested();
};

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
    QTest::keyClick(lineOf("models"), Qt::Key_Return);
    QVERIFY(m_dialog->save());
    const SettingsResult read = readSettings(held(), m_file, test::dialogEnvironment);
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

void SettingsDialogTest::modelsArePillsThatAreTypedAndTakenOut()
{
    const QByteArray listed = "{\n  \"tokenpace\": {\"provider\": {\"baseUrl\": \"http://one:1\", \"models\": [\n"
                              "    \"a\", // the large one\n"
                              "    {\"name\": \"b\", \"price\": {\"input\": 0.10}}\n  ]}}\n}\n";
    m_dialog.reset();
    put(listed);
    open();
    auto* field = qobject_cast<ChipField*>(m_dialog->form()->fieldOf(QStringLiteral("models")));
    QVERIFY(field != nullptr);
    QCOMPARE(field->items(), (QStringList{QStringLiteral("a"), QStringLiteral("b")}));
    QTest::keyClicks(field->line(), QStringLiteral("c,"));
    QCOMPARE(field->items().size(), 3);
    QVERIFY(m_dialog->editor().text().contains("\"input\": 0.10"));
    QVERIFY(m_dialog->editor().text().contains("// the large one"));
    QCOMPARE(m_dialog->editor().settings()->endpoints.first().models.size(), 3);
    QTest::mouseClick(field->chips().at(1), Qt::LeftButton);
    QCOMPARE(field->items(), (QStringList{QStringLiteral("a"), QStringLiteral("c")}));
    QVERIFY(m_dialog->editor().text().contains("// the large one"));
    m_dialog->undoButton()->click();
    m_dialog->undoButton()->click();
    QCOMPARE(m_dialog->editor().text(), listed);
    QCOMPARE(field->items(), (QStringList{QStringLiteral("a"), QStringLiteral("b")}));
    // A backspace takes the last one back to be mended.
    QTest::keyClick(field->line(), Qt::Key_Backspace);
    QCOMPARE(field->line()->text(), QStringLiteral("b"));
    QTest::keyClicks(field->line(), QStringLiteral("2"));
    QTest::keyClick(field->line(), Qt::Key_Return);
    QCOMPARE(field->items(), (QStringList{QStringLiteral("a"), QStringLiteral("b2")}));
    QVERIFY(m_dialog->isVisible()); // Enter saved nothing
}

void SettingsDialogTest::theTestMarksModelsAndItsProposalIsOneClick()
{
    const SimulatedEndpoint server(1);
    QVERIFY2(server.error().isEmpty(), qPrintable(server.error()));
    const QString listed = server.settings().endpoints.first().models.first().name;
    m_dialog.reset();
    put("{\"tokenpace\": {\"provider\": {\"baseUrl\": \"" + server.settings().endpoints.first().baseUrl.toUtf8()
        + "\", \"models\": [\"" + listed.toUtf8() + "x\"]}}}\n");
    open();
    emit m_dialog->checkPanel()->testRequested();
    QTRY_VERIFY_WITH_TIMEOUT(!m_dialog->checkPanel()->running(), 20000);
    auto* field = qobject_cast<ChipField*>(m_dialog->form()->fieldOf(QStringLiteral("models")));
    QVERIFY(field->chips().first()->isBad());
    QPushButton* use = buttonOf(m_dialog->checkPanel(), QStringLiteral("Use ") + listed);
    QVERIFY(use != nullptr);
    use->click();
    QCOMPARE(field->items(), QStringList{listed});
    QVERIFY(!field->chips().first()->isBad());
}

void SettingsDialogTest::aChangedEndpointCountsAsUntested()
{
    const SimulatedEndpoint server(1);
    QVERIFY2(server.error().isEmpty(), qPrintable(server.error()));
    m_dialog.reset();
    put("{\"tokenpace\": {\"provider\": {\"baseUrl\": \"" + server.settings().endpoints.first().baseUrl.toUtf8()
        + "\", \"models\": [\"" + server.settings().endpoints.first().models.first().name.toUtf8() + "\"]}}}\n");
    open();
    emit m_dialog->checkPanel()->testRequested();
    QTRY_VERIFY_WITH_TIMEOUT(!m_dialog->checkPanel()->running(), 20000);
    QCOMPARE(m_dialog->pages()->state(0), PageList::State::Good);
    m_dialog->pages()->choosePage(SettingsFields::Page::Limits);
    type("limits.ttftMs", QStringLiteral("500"));
    QCOMPARE(m_dialog->pages()->state(0), PageList::State::Good);
    m_dialog->pages()->chooseEndpoint(0);
    type("baseUrl", QStringLiteral("http://other:1"));
    QCOMPARE(m_dialog->pages()->state(0), PageList::State::Unknown);
}

QTEST_MAIN(SettingsDialogTest)
#include "tst_settingsdialog.moc"
