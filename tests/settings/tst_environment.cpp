// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <map>

#include <QTest>

#include "settings/environment.h"

using namespace tokenpace;

namespace {

EnvironmentLookup lookup()
{
    return [](const QString& name) -> std::optional<QString> {
        static const std::map<QString, QString> values{
            {QStringLiteral("KEY"), QStringLiteral("abc")},
            {QStringLiteral("EMPTY"), QString()},
            {QStringLiteral("_X1"), QStringLiteral("under")},
            {QStringLiteral("NESTED"), QStringLiteral("${KEY}")},
        };
        const auto it = values.find(name);
        return it == values.end() ? std::nullopt : std::optional(it->second);
    };
}

} // namespace

class TestEnvironment : public QObject {
    Q_OBJECT

private slots:
    void onlyBracesExpand_data();
    void onlyBracesExpand();
    void anUnsetVariableIsNamedAndMakesTheValueUnusable();
    void anEmptyVariableGivesAnEmptyValueAndIsNamed();
    void otherFormsAreRefusedWithoutTheirDefaults_data();
    void otherFormsAreRefusedWithoutTheirDefaults();
    void namesAreListedInOrder();
    void theProcessEnvironmentTellsUnsetFromEmpty();
};

void TestEnvironment::onlyBracesExpand_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("value");
    QTest::addColumn<bool>("fromVariable");
    const auto row = [](const char* text, const char* value, bool fromVariable) {
        QTest::newRow(text) << QString::fromLatin1(text) << QString::fromLatin1(value) << fromVariable;
    };
    row("${KEY}", "abc", true);
    row("x-${KEY}-y", "x-abc-y", true);
    row("${KEY}${_X1}", "abcunder", true);
    row("$KEY", "$KEY", false);
    row("pa$USERword", "pa$USERword", false);
    row("a$5", "a$5", false);
    row("ends in $", "ends in $", false);
    row("$${KEY}", "${KEY}", false);
    row("$$KEY", "$$KEY", false);
    row("$$${KEY}", "$${KEY}", false);
    row("$${KEY}${KEY}", "${KEY}abc", true);
    row("${NESTED}", "${KEY}", true);
    row("{KEY}", "{KEY}", false);
    row("", "", false);
}

void TestEnvironment::onlyBracesExpand()
{
    QFETCH(QString, text);
    const Expansion expansion = expandVariables(text, lookup());
    QVERIFY(expansion.usable());
    QTEST(expansion.value, "value");
    QTEST(expansion.fromVariable, "fromVariable");
}

void TestEnvironment::anUnsetVariableIsNamedAndMakesTheValueUnusable()
{
    const Expansion expansion = expandVariables(QStringLiteral("a${NOPE}b${KEY}${NOPE}${nope2}"), lookup());
    QVERIFY(!expansion.usable());
    QCOMPARE(expansion.unset, (QStringList{QStringLiteral("NOPE"), QStringLiteral("nope2")}));
    QVERIFY(!expandVariables(QStringLiteral("${KEY}"), {}).usable());
}

void TestEnvironment::anEmptyVariableGivesAnEmptyValueAndIsNamed()
{
    const Expansion expansion = expandVariables(QStringLiteral("${EMPTY}"), lookup());
    QVERIFY(expansion.usable());
    QCOMPARE(expansion.value, QString());
    QCOMPARE(expansion.empty, QStringList{QStringLiteral("EMPTY")});
    QVERIFY(expansion.fromVariable);
}

void TestEnvironment::otherFormsAreRefusedWithoutTheirDefaults_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("named");
    const auto row = [](const char* text, const char* named) {
        QTest::newRow(text) << QString::fromLatin1(text) << QString::fromLatin1(named);
    };
    row("${NOPE:-def}", "${NOPE...}");
    row("${KEY:-sk-SECRET}", "${KEY...}");
    row("${KEY-x}", "${KEY...}");
    row("${env:KEY}", "${env...}");
    row("${}", "${}");
    row("${ KEY }", "${...}");
    row("${1}", "${...}");
    row("${KEY", "${KEY");
    row("${KEY and more", "${KEY...");
    row("${", "${");
}

void TestEnvironment::otherFormsAreRefusedWithoutTheirDefaults()
{
    QFETCH(QString, text);
    QFETCH(QString, named);
    const Expansion expansion = expandVariables(text, lookup());
    QVERIFY(!expansion.usable());
    QCOMPARE(expansion.malformed, QStringList{named});
}

void TestEnvironment::namesAreListedInOrder()
{
    const Expansion expansion = expandVariables(QStringLiteral("${_X1}-${KEY}-$${EMPTY}"), lookup());
    QCOMPARE(expansion.names, (QStringList{QStringLiteral("_X1"), QStringLiteral("KEY")}));
}

void TestEnvironment::theProcessEnvironmentTellsUnsetFromEmpty()
{
    qputenv("TOKENPACE_TEST_SET", "v");
    qputenv("TOKENPACE_TEST_EMPTY", "");
    qunsetenv("TOKENPACE_TEST_UNSET");
    const EnvironmentLookup environment = processEnvironment();
    QCOMPARE(environment(QStringLiteral("TOKENPACE_TEST_SET")), std::optional(QStringLiteral("v")));
    QVERIFY(environment(QStringLiteral("TOKENPACE_TEST_EMPTY")).has_value());
    QVERIFY(environment(QStringLiteral("TOKENPACE_TEST_EMPTY"))->isEmpty());
    QVERIFY(!environment(QStringLiteral("TOKENPACE_TEST_UNSET")).has_value());
}

QTEST_GUILESS_MAIN(TestEnvironment)
#include "tst_environment.moc"
