// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QSignalSpy>
#include <QTest>

#include "settings/linediff.h"
#include "settings/settingseditor.h"

using namespace tokenpace;

namespace {

const QByteArray twoEndpoints =
    "{\n"
    "  // mine\n"
    "  \"editor.fontSize\": 0.10,\n"
    "  \"tokenpace\": {\n"
    "    \"endpoints\": [\n"
    "      {\"name\": \"one\", \"baseUrl\": \"http://one:1\", \"apiKey\": \"${KEY}\"}, // first\n"
    "      {\"name\": \"two\", \"baseUrl\": \"http://two:2\", \"extra\": 9007199254740993}\n"
    "    ],\n"
    "    \"request\": {\"maxTokens\": 64}\n"
    "  },\n"
    "}\n";

constexpr SettingsTarget all{};
constexpr SettingsTarget first{0};

std::optional<QString> environment(const QString& name)
{
    return name == QStringLiteral("KEY") ? std::optional(QStringLiteral("secret-of-mine")) : std::nullopt;
}

QByteArray replaced(QByteArray text, const QByteArray& what, const QByteArray& by)
{
    return text.replace(what, by);
}

} // namespace

class SettingsEditorTest final : public QObject {
    Q_OBJECT

private slots:
    void aTextThatIsOnlyOpenedIsNotChanged();
    void aBrokenTextIsRefusedWithItsPlace();
    void valuesAreThoseOfTheirTarget();
    void aChangeLeavesTheRestOfTheText();
    void anEmptyFileGetsOurPrefixAndAFileOfTheOtherKeepsIt();
    void everythingCanBeUndoneAndDoneAgain();
    void typingInOneFieldIsOneStep();
    void discardingCanBeUndone();
    void endpointsAreAddedCopiedMovedAndRemoved();
    void aProviderIsTheFirstEndpoint();
    void aBadValueIsNamed();
    void changedLinesAreMarked();
    void aKeyThatStandsThereIsKnownAndMasked();
    void changesAreMadeAgainOnAFileThatChanged();
    void aFileThatHasNoPlaceForThemIsLeftAlone();
    void longTextsAreCompared();
};

void SettingsEditorTest::aTextThatIsOnlyOpenedIsNotChanged()
{
    SettingsEditor editor(environment);
    QVERIFY(editor.open(twoEndpoints, QStringLiteral("/f/settings.json")));
    QCOMPARE(editor.text(), twoEndpoints);
    QVERIFY(!editor.isChanged());
    QCOMPARE(editor.changedLines(), 0);
    QVERIFY(!editor.canUndo());
    // What is set to what it is already changes nothing either.
    QVERIFY(editor.set(all, settingKey("request.maxTokens"), "64.0"));
    QVERIFY(editor.set(first, settingKey("path"), std::nullopt));
    QVERIFY(!editor.isChanged());
    QVERIFY(!editor.canUndo());
}

void SettingsEditorTest::aBrokenTextIsRefusedWithItsPlace()
{
    SettingsEditor editor(environment);
    QVERIFY(!editor.open("{\n  \"tokenpace\": tru\n}", QStringLiteral("/f/settings.json")));
    QVERIFY2(editor.error().startsWith(QStringLiteral("/f/settings.json:2:")), qPrintable(editor.error()));
}

void SettingsEditorTest::valuesAreThoseOfTheirTarget()
{
    SettingsEditor editor(environment);
    QVERIFY(editor.open(twoEndpoints, QStringLiteral("/f/settings.json")));
    const SettingKey& key = settingKey("request.maxTokens");
    QCOMPARE(editor.state(all, key).value.value().get<int>(), 64);
    QVERIFY(!editor.state(first, key).value);
    QCOMPARE(editor.state(first, key).inherited.value().get<int>(), 64);
    QVERIFY(editor.set(first, key, "32"));
    QCOMPARE(editor.state(first, key).value.value().get<int>(), 32);
    QCOMPARE(editor.state(all, key).value.value().get<int>(), 64);
    QCOMPARE(editor.settings()->endpoints.at(0).request.maxTokens, 32);
    QCOMPARE(editor.settings()->endpoints.at(1).request.maxTokens, 64);
}

void SettingsEditorTest::aChangeLeavesTheRestOfTheText()
{
    SettingsEditor editor(environment);
    QVERIFY(editor.open(twoEndpoints, QStringLiteral("/f/settings.json")));
    QVERIFY(editor.set({1}, settingKey("baseUrl"), "\"http://three\""));
    QCOMPARE(editor.text(), replaced(twoEndpoints, "http://two:2", "http://three"));
}

void SettingsEditorTest::anEmptyFileGetsOurPrefixAndAFileOfTheOtherKeepsIt()
{
    SettingsEditor editor(environment);
    QVERIFY(editor.open({}, QStringLiteral("/f/settings.json")));
    QVERIFY(editor.set(all, settingKey("limits.ttftMs"), "500"));
    QVERIFY(editor.text().contains("\"tokenpace\": {"));
    QVERIFY(editor.open("{\"taotoken.provider\": {\"model\": \"m\"}}", QStringLiteral("/f/settings.json")));
    QVERIFY(editor.set(all, settingKey("limits.ttftMs"), "500"));
    QVERIFY(editor.text().contains("\"taotoken.limits\""));
}

void SettingsEditorTest::everythingCanBeUndoneAndDoneAgain()
{
    SettingsEditor editor(environment);
    QVERIFY(editor.open(twoEndpoints, QStringLiteral("/f/settings.json")));
    QList<QByteArray> texts{editor.text()};
    const auto note = [&] {
        texts << editor.text();
    };
    QVERIFY(editor.set(first, settingKey("name"), "\"uno\""));
    note();
    QCOMPARE(editor.addEndpoint(QStringLiteral("http://x")), 2);
    note();
    QCOMPARE(editor.moveEndpoint(2, -1), 1);
    note();
    QCOMPARE(editor.removeEndpoint(0), 0);
    note();
    QCOMPARE(editor.undoText(), QStringLiteral("Remove endpoint"));
    const QSignalSpy changed(&editor, &SettingsEditor::changed);
    for (qsizetype i = texts.size() - 2; i >= 0; --i) {
        editor.undo();
        QCOMPARE(editor.text(), texts.at(i));
    }
    QCOMPARE(changed.size(), texts.size() - 1);
    QVERIFY(!editor.canUndo());
    for (qsizetype i = 1; i < texts.size(); ++i) {
        editor.redo();
        QCOMPARE(editor.text(), texts.at(i));
    }
    QVERIFY(!editor.canRedo());
    editor.undo();
    QVERIFY(editor.set(first, settingKey("name"), "\"other\""));
    QVERIFY(!editor.canRedo());
}

void SettingsEditorTest::typingInOneFieldIsOneStep()
{
    SettingsEditor editor(environment);
    QVERIFY(editor.open(twoEndpoints, QStringLiteral("/f/settings.json")));
    QVERIFY(editor.set(first, settingKey("name"), std::nullopt)); // emptied, and filled again
    for (const char* typed : {"\"u\"", "\"un\"", "\"uno\""}) {
        QVERIFY(editor.set(first, settingKey("name"), typed));
    }
    QCOMPARE(editor.text(), replaced(twoEndpoints, "\"one\"", "\"uno\""));
    QVERIFY(editor.set({1}, settingKey("name"), "\"due\""));
    editor.endStep();
    QVERIFY(editor.set({1}, settingKey("name"), "\"duo\""));
    editor.undo();
    QCOMPARE(editor.state({1}, settingKey("name")).value.value().get<std::string>(), std::string("due"));
    editor.undo();
    QCOMPARE(editor.state(first, settingKey("name")).value.value().get<std::string>(), std::string("uno"));
    editor.undo();
    QCOMPARE(editor.text(), twoEndpoints);
    // Back to what it was is no step at all.
    QVERIFY(editor.set(first, settingKey("name"), "\"on\""));
    QVERIFY(editor.set(first, settingKey("name"), "\"one\""));
    QVERIFY(!editor.canUndo());
}

void SettingsEditorTest::discardingCanBeUndone()
{
    SettingsEditor editor(environment);
    QVERIFY(editor.open(twoEndpoints, QStringLiteral("/f/settings.json")));
    QVERIFY(editor.set(first, settingKey("name"), "\"uno\""));
    const QByteArray typed = editor.text();
    editor.discard();
    QCOMPARE(editor.text(), twoEndpoints);
    QVERIFY(!editor.isChanged());
    editor.undo();
    QCOMPARE(editor.text(), typed);
}

void SettingsEditorTest::endpointsAreAddedCopiedMovedAndRemoved()
{
    SettingsEditor editor(environment);
    QVERIFY(editor.open(twoEndpoints, QStringLiteral("/f/settings.json")));
    QCOMPARE(editor.duplicateEndpoint(1), 2);
    QCOMPARE(editor.endpoints().at(2).name, QStringLiteral("two (2)"));
    QVERIFY(editor.text().count("9007199254740993") == 2);
    QCOMPARE(editor.moveEndpoint(2, -1), 1);
    QCOMPARE(editor.endpoints().at(1).name, QStringLiteral("two (2)"));
    QCOMPARE(editor.moveEndpoint(0, -1), -1);
    QCOMPARE(editor.removeEndpoint(2), 1);
    QCOMPARE(editor.endpoints().size(), 2);
    QCOMPARE(editor.endpoints().at(0).host, QStringLiteral("one:1"));
    QCOMPARE(editor.removeEndpoint(0), 0);
    QCOMPARE(editor.removeEndpoint(0), -1);
    QVERIFY(editor.text().contains("// first"));
    QCOMPARE(editor.addEndpoint(), 0);
}

void SettingsEditorTest::aProviderIsTheFirstEndpoint()
{
    SettingsEditor editor(environment);
    QVERIFY(editor.open("{\"taotoken.provider\": {\"baseUrl\": \"http://a\", \"model\": \"m\"}}",
                        QStringLiteral("/f/s.json")));
    QCOMPARE(editor.endpoints().size(), 1);
    QCOMPARE(editor.duplicateEndpoint(0), 1);
    QCOMPARE(editor.moveEndpoint(1, -1), 0);
    QCOMPARE(editor.endpoints().at(0).name, QStringLiteral("a (2)"));
    QCOMPARE(editor.removeEndpoint(0), 0);
    QCOMPARE(editor.endpoints().size(), 1);
    QVERIFY(editor.open("{\"taotoken.provider.baseUrl\": \"http://a\", \"taotoken.provider.model\": \"m\"}",
                        QStringLiteral("/f/s.json")));
    QCOMPARE(editor.endpoints().at(0).host, QStringLiteral("a"));
    QCOMPARE(editor.duplicateEndpoint(0), -1);
    QVERIFY(!editor.error().isEmpty());
    QVERIFY(editor.set(first, settingKey("model"), "\"n\""));
    QVERIFY(editor.text().contains("\"taotoken.provider.model\": \"n\""));
    QCOMPARE(editor.removeEndpoint(0), -1);
    QCOMPARE(editor.endpoints().size(), 0);
}

void SettingsEditorTest::aBadValueIsNamed()
{
    SettingsEditor editor(environment);
    QVERIFY(editor.open(twoEndpoints, QStringLiteral("/f/settings.json")));
    QVERIFY(editor.set(first, settingKey("request.topP"), "2"));
    QVERIFY(!editor.state(first, settingKey("request.topP")).problem.isEmpty());
    QVERIFY(editor.problems(first).isEmpty());
    QVERIFY(editor.set(first, settingKey("apiKey"), "\"${NO_SUCH}\""));
    QCOMPARE(editor.problems(first).size(), 1);
    QVERIFY(editor.problems(first).first().contains(QStringLiteral("NO_SUCH")));
}

void SettingsEditorTest::changedLinesAreMarked()
{
    SettingsEditor editor(environment);
    QVERIFY(editor.open(twoEndpoints, QStringLiteral("/f/settings.json")));
    QVERIFY(editor.set({1}, settingKey("name"), "\"due\""));
    QVERIFY(editor.set(all, settingKey("limits.tpotMs"), "20"));
    // The line of the name, the comma behind the request, and three lines of the limits.
    QCOMPARE(editor.changedLines(), 5);
    QStringList marked;
    for (const SettingsLine& line : editor.lines()) {
        if (line.isChanged) {
            marked << line.text;
        }
    }
    QCOMPARE(marked.size(), 5);
    QVERIFY(marked.first().contains(QStringLiteral("due")));
    editor.markSaved();
    QCOMPARE(editor.changedLines(), 0);
}

void SettingsEditorTest::aKeyThatStandsThereIsKnownAndMasked()
{
    SettingsEditor editor(environment);
    QVERIFY(editor.open(twoEndpoints, QStringLiteral("/f/settings.json")));
    QVERIFY(!editor.holdsKey());
    for (const QString& typed : {QStringLiteral("k1"), QStringLiteral("sk-0123456789")}) {
        QVERIFY(editor.set({1}, settingKey("apiKey"), "\"" + typed.toStdString() + "\""));
        QVERIFY(editor.holdsKey());
        QString shown;
        for (const SettingsLine& line : editor.lines()) {
            shown += line.text + QLatin1Char('\n');
        }
        QVERIFY2(!shown.contains(typed), qPrintable(shown));
        QVERIFY(shown.contains(QStringLiteral("\"apiKey\": \"***\"")));
        QVERIFY(shown.contains(QStringLiteral("${KEY}")));
    }
}

void SettingsEditorTest::changesAreMadeAgainOnAFileThatChanged()
{
    SettingsEditor editor(environment);
    QVERIFY(editor.open(twoEndpoints, QStringLiteral("/f/settings.json")));
    QVERIFY(editor.set(first, settingKey("name"), "\"uno\""));
    QVERIFY(editor.set(all, settingKey("request.maxTokens"), "65"));
    const QByteArray theirs = replaced(twoEndpoints, "// mine", "// yours, and more");
    QVERIFY(editor.rebase(theirs));
    QCOMPARE(editor.text(), replaced(replaced(theirs, "\"one\"", "\"uno\""), "64", "65"));
    QVERIFY(editor.isChanged());
    editor.undo();
    editor.undo();
    QCOMPARE(editor.text(), theirs);
    QVERIFY(!editor.isChanged());
}

void SettingsEditorTest::aFileThatHasNoPlaceForThemIsLeftAlone()
{
    SettingsEditor editor(environment);
    QVERIFY(editor.open(twoEndpoints, QStringLiteral("/f/settings.json")));
    QVERIFY(editor.set({1}, settingKey("name"), "\"due\""));
    const QByteArray typed = editor.text();
    QVERIFY(!editor.rebase("{\"tokenpace\": {\"endpoints\": []}}"));
    QVERIFY(!editor.error().isEmpty());
    QCOMPARE(editor.text(), typed);
    QVERIFY(!editor.rebase("{"));
    QCOMPARE(editor.text(), typed);
}

void SettingsEditorTest::longTextsAreCompared()
{
    std::string older;
    std::string newer = "first\n";
    for (int i = 0; i < 5000; ++i) {
        older += std::to_string(i) + "\n";
        newer += std::to_string(i) + "\n";
    }
    newer += "last\n";
    const LineDiff diff = diffLines(older, newer);
    QCOMPARE(diff.lines.size(), std::size_t{5002});
    QVERIFY(diff.lines.front().isNew && diff.lines.back().isNew);
    QVERIFY(diff.changes >= 2);
    QCOMPARE(diffLines("a\nb\nc\n", "a\nc\n").changes, 1);
    QCOMPARE(diffLines("", "a\n").changes, 1);
    QCOMPARE(diffLines("a\r\n", "a\n").changes, 0);
}

QTEST_GUILESS_MAIN(SettingsEditorTest)
#include "tst_settingseditor.moc"
