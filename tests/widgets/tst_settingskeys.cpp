// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QFile>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>
#include <QToolButton>

#include "controls/formparts.h"
#include "settings/settingseditor.h"
#include "settingsdialog/filepreview.h"
#include "settingsdialog/pagelist.h"
#include "settingsdialog/settingsform.h"
#include "settingsdialog/settingsnotice.h"
#include "widgets/settingsdialogfixture.h"

using namespace tokenpace;
using namespace tokenpace::test;

/// Keys in the settings dialog: where they come from, what is shown of them, where they are moved to.
class SettingsKeysTest final : public SettingsDialogFixture {
    Q_OBJECT

private slots:
    void aVariableOfTheFileBesideTheSettingsCounts();
    void aTypedKeyMovesToTheKeychain();
    void theKeyThatIsMovedIsTheOneThatStandsThere();
    void anEntryOfAnotherKeyIsNotOverwritten();
    void aKeychainThatFailsLeavesTheKeyInTheForm();
    void aReferenceIsShownAsFoundOrNot();
    void aVariableThatIsSetIsOffered();
    void aKeyIsNeverShown();
};

void SettingsKeysTest::aVariableOfTheFileBesideTheSettingsCounts()
{
    type("apiKey", QStringLiteral("${ONLY_THERE}"));
    auto* field = qobject_cast<StateField*>(lineOf("apiKey"));
    QCOMPARE(field->state(), QStringLiteral("not set"));
    QFile file(m_folder->filePath(QStringLiteral(".env")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("ONLY_THERE=sk-of-the-file\n");
    file.close();
    QTRY_COMPARE(field->state(), QStringLiteral("set, 14 characters"));
    QVERIFY(!m_dialog->editor().text().contains("sk-of-the-file"));
}

void SettingsKeysTest::aTypedKeyMovesToTheKeychain()
{
    m_dialog->pages()->chooseEndpoint(1);
    QPushButton* move = buttonOf(m_dialog->form(), QStringLiteral("Move it to the keychain"));
    QVERIFY(move != nullptr);
    move->click();
    QTRY_COMPARE(lineOf("apiKey")->text(), QStringLiteral("keychain:tokenpace/two"));
    QCOMPARE(m_keychain->entries.at(QStringLiteral("tokenpace/two")), QStringLiteral("sk-literal-0123456789"));
    QVERIFY(lineOf("apiKey")->hasFocus()); // the button with the keyboard is gone
    QCOMPARE(lineOf("apiKey")->cursorPosition(), 0);
    QVERIFY(!m_dialog->editor().text().contains("sk-literal"));
    QVERIFY(!m_dialog->editor().holdsKey());
    QCOMPARE(qobject_cast<StateField*>(lineOf("apiKey"))->state(), QStringLiteral("set, 21 characters"));
    QVERIFY(m_dialog->save());
    QVERIFY(held().contains("keychain:tokenpace/two") && !held().contains("sk-literal"));
}

void SettingsKeysTest::theKeyThatIsMovedIsTheOneThatStandsThere()
{
    m_dialog->pages()->chooseEndpoint(1); // with another key, for which the button is there already
    type("apiKey", QStringLiteral("sk-typed-0123456789"));
    QTRY_VERIFY(buttonOf(m_dialog->form(), QStringLiteral("Move it to the keychain")) != nullptr);
    buttonOf(m_dialog->form(), QStringLiteral("Move it to the keychain"))->click();
    QTRY_COMPARE(lineOf("apiKey")->text(), QStringLiteral("keychain:tokenpace/two"));
    QCOMPARE(m_keychain->entries.at(QStringLiteral("tokenpace/two")), QStringLiteral("sk-typed-0123456789"));
}

void SettingsKeysTest::anEntryOfAnotherKeyIsNotOverwritten()
{
    m_keychain->entries[QStringLiteral("tokenpace/two")] = QStringLiteral("of somebody else");
    m_dialog->pages()->chooseEndpoint(1);
    buttonOf(m_dialog->form(), QStringLiteral("Move it to the keychain"))->click();
    QTRY_COMPARE(lineOf("apiKey")->text(), QStringLiteral("keychain:tokenpace/two-2"));
    QCOMPARE(m_keychain->entries.at(QStringLiteral("tokenpace/two")), QStringLiteral("of somebody else"));
}

void SettingsKeysTest::aKeychainThatFailsLeavesTheKeyInTheForm()
{
    m_keychain->problem = QStringLiteral("no keychain service runs in this session");
    m_dialog->pages()->chooseEndpoint(1);
    buttonOf(m_dialog->form(), QStringLiteral("Move it to the keychain"))->click();
    QTRY_VERIFY(m_dialog->notice()->text().contains(m_keychain->problem));
    QVERIFY(!m_dialog->notice()->text().contains(QStringLiteral("sk-literal")));
    QCOMPARE(m_dialog->editor().text(), twoEndpoints);
}

void SettingsKeysTest::aReferenceIsShownAsFoundOrNot()
{
    m_keychain->entries[QStringLiteral("tokenpace/there")] = QStringLiteral("0123456789");
    auto* field = qobject_cast<StateField*>(lineOf("apiKey"));
    type("apiKey", QStringLiteral("keychain:tokenpace/there"));
    QCOMPARE(field->echoMode(), QLineEdit::Normal);
    QTRY_COMPARE(field->state(), QStringLiteral("set, 10 characters"));
    QVERIFY(m_keychain->reads <= 2); // not at each letter
    type("apiKey", QStringLiteral("keychain:tokenpace/gone"));
    QTRY_COMPARE(field->state(), QStringLiteral("not found"));
}

void SettingsKeysTest::aVariableThatIsSetIsOffered()
{
    m_dialog->pages()->chooseEndpoint(1);
    QPushButton* use = buttonOf(m_dialog->form(), QStringLiteral("Use ${OPENAI_API_KEY}"));
    QVERIFY(use != nullptr);
    use->click();
    QCOMPARE(lineOf("apiKey")->text(), QStringLiteral("${OPENAI_API_KEY}"));
    QVERIFY(buttonOf(m_dialog->form(), QStringLiteral("Use ${OPENAI_API_KEY}")) == nullptr);
    m_dialog->undoButton()->click();
    QCOMPARE(m_dialog->editor().text(), twoEndpoints);
}

void SettingsKeysTest::aKeyIsNeverShown()
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

QTEST_MAIN(SettingsKeysTest)
#include "tst_settingskeys.moc"
