// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QTest>

#include "settings/dotenv.h"
#include "settings/environment.h"
#include "settings/settingstest.h"

using namespace tokenpace;
using namespace tokenpace::test;

namespace {

QByteArray valueOf(const Dotenv& file, const char* name)
{
    const DotenvVariable* variable = file.find(name);
    return variable == nullptr ? QByteArray("(absent)") : QByteArray::fromStdString(variable->value);
}

} // namespace

class TestDotenv : public QObject {
    Q_OBJECT

private slots:
    void aFileAsPeopleWriteItIsRead();
    void linesHaveTheirValue_data();
    void linesHaveTheirValue();
    void whatIsLiteralStaysLiteralInSettings_data();
    void whatIsLiteralStaysLiteralInSettings();
    void placesAreThoseOfTheNames();
    void linesThatAssignNothingAreWarnedOfWithoutTheirText();
    void theLastOfEqualNamesWinsWithAWarning();
    void aQuoteWithoutAnEndIsAnError_data();
    void aQuoteWithoutAnEndIsAnError();
    void otherEncodingsAreErrors();
};

void TestDotenv::aFileAsPeopleWriteItIsRead()
{
    const Dotenv file = parseDotenv("\xEF\xBB\xBF# comment\r\nexport A=one\r\nB=\"two # not comment\"\r\n"
                                    "C=three # comment\r\nD=four#5\r\nE='pa$s'\r\nF =  six  \r\nG=\r\n"
                                    "H=\"line\\nbreak\"\r\nA=again\r\nI=x=y==\r\nbroken line\r\n");
    QVERIFY(!file.error);
    QCOMPARE(valueOf(file, "A"), QByteArray("again"));
    QCOMPARE(valueOf(file, "B"), QByteArray("two # not comment"));
    QCOMPARE(valueOf(file, "C"), QByteArray("three"));
    QCOMPARE(valueOf(file, "D"), QByteArray("four#5"));
    QCOMPARE(valueOf(file, "E"), QByteArray("pa$s"));
    QCOMPARE(valueOf(file, "F"), QByteArray("six"));
    QCOMPARE(valueOf(file, "G"), QByteArray());
    QCOMPARE(valueOf(file, "H"), QByteArray("line\nbreak"));
    QCOMPARE(valueOf(file, "I"), QByteArray("x=y=="));
    QCOMPARE(file.variables.size(), std::size_t{9});
    QCOMPARE(file.warnings.size(), std::size_t{2});
    QCOMPARE(file.warnings[0].place.line, 10);
    QCOMPARE(file.warnings[1].place.line, 12);
}

void TestDotenv::linesHaveTheirValue_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("value");
    QTest::newRow("plain") << QByteArray("X=a") << QByteArray("a");
    QTest::newRow("tabs") << QByteArray("\texport\tX\t=\ta\t") << QByteArray("a");
    QTest::newRow("blanks inside") << QByteArray("X=a b") << QByteArray("a b");
    QTest::newRow("hash at the begin") << QByteArray("X=#a") << QByteArray("#a");
    QTest::newRow("comment alone") << QByteArray("X= # a") << QByteArray();
    QTest::newRow("comment behind a quote") << QByteArray("X=\"a\" # b") << QByteArray("a");
    QTest::newRow("escapes") << QByteArray(R"(X="a\tb\\c\"d\re\$f\q")") << QByteArray("a\tb\\c\"d\re$f\\q");
    QTest::newRow("no escapes in single quotes") << QByteArray(R"(X='a\nb"')") << QByteArray(R"(a\nb")");
    QTest::newRow("no escapes without quotes") << QByteArray(R"(X=a\nb)") << QByteArray(R"(a\nb)");
    QTest::newRow("over lines") << QByteArray("X=\"a\r\nb\"\nY=c") << QByteArray("a\nb");
    QTest::newRow("old line ends") << QByteArray("W=1\rX=a\rY=b") << QByteArray("a");
    QTest::newRow("quote inside") << QByteArray("X=it's") << QByteArray("it's");
    QTest::newRow("no expansion") << QByteArray("X=${HOME}/$HOME") << QByteArray("${HOME}/$HOME");
    QTest::newRow("empty quotes") << QByteArray("X=''") << QByteArray();
    QTest::newRow("other scripts") << QByteArray("X=北京🌍") << QByteArray("北京🌍");
    QTest::newRow("commented out") << QByteArray("#X=a") << QByteArray("(absent)");
    QTest::newRow("a name that begins with export") << QByteArray("exportX=b\nX=a") << QByteArray("a");
    QTest::newRow("export as a name") << QByteArray("export=b\nX=a") << QByteArray("a");
}

void TestDotenv::linesHaveTheirValue()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, value);
    const Dotenv file = parseDotenv(text.toStdString());
    QVERIFY(!file.error);
    QCOMPARE(file.warnings.size(), std::size_t{0});
    QCOMPARE(valueOf(file, "X"), value);
}

void TestDotenv::whatIsLiteralStaysLiteralInSettings_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("expanded");
    QTest::newRow("plain") << QByteArray("X=a-${KEY}") << QStringLiteral("a-abc");
    QTest::newRow("double quotes") << QByteArray("X=\"${KEY}\"") << QStringLiteral("abc");
    QTest::newRow("single quotes") << QByteArray("X='a${KEY}$${KEY}'") << QStringLiteral("a${KEY}$${KEY}");
    QTest::newRow("escaped") << QByteArray("X=\"\\${KEY}${KEY}\\$5\"") << QStringLiteral("${KEY}abc$5");
    QTest::newRow("lone dollars") << QByteArray("X='pa$USER$'") << QStringLiteral("pa$USER$");
}

void TestDotenv::whatIsLiteralStaysLiteralInSettings()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, expanded);
    const Dotenv file = parseDotenv(text.toStdString());
    QVERIFY(file.find("X") != nullptr);
    const Expansion expansion = expandVariables(QString::fromStdString(file.find("X")->setting), keyEnvironment());
    QVERIFY(expansion.usable());
    QCOMPARE(expansion.value, expanded);
}

void TestDotenv::placesAreThoseOfTheNames()
{
    const Dotenv file = parseDotenv("\xEF\xBB\xBF"
                                    "A=1\n  export BC=2\r\n\r\nD=3");
    QCOMPARE(file.find("A")->place, (TextPlace{1, 1}));
    QCOMPARE(file.find("BC")->place, (TextPlace{2, 10}));
    QCOMPARE(file.find("D")->place, (TextPlace{4, 1}));
}

void TestDotenv::linesThatAssignNothingAreWarnedOfWithoutTheirText()
{
    const Dotenv file = parseDotenv("sk-pasted-alone\nA=1\n=sk-no-name\n9A=sk-bad-name\nB sk-no-equals\n"
                                    "C=\"x\" sk-behind\n");
    QCOMPARE(file.variables.size(), std::size_t{2});
    QCOMPARE(file.warnings.size(), std::size_t{5});
    for (const TextProblem& warning : file.warnings) {
        QVERIFY(!QByteArray::fromStdString(warning.key + warning.message).contains("sk-"));
    }
    QCOMPARE(file.warnings.back().place, (TextPlace{6, 7}));
}

void TestDotenv::theLastOfEqualNamesWinsWithAWarning()
{
    const Dotenv file = parseDotenv("A=1\nB=2\nA=3");
    QCOMPARE(file.variables.size(), std::size_t{2});
    QCOMPARE(file.variables.front().value, std::string("3"));
    QCOMPARE(file.warnings.front().key, std::string("A"));
    QCOMPARE(file.warnings.front().place, (TextPlace{3, 1}));
    QVERIFY(QByteArray::fromStdString(file.warnings.front().message).contains("line 1"));
}

void TestDotenv::aQuoteWithoutAnEndIsAnError_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("double") << QByteArray("A=1\nKEY=\"sk-open\nB=2");
    QTest::newRow("single") << QByteArray("A=1\nKEY='sk-open\nB=2");
    QTest::newRow("escaped end") << QByteArray("A=1\nKEY=\"sk-open\\\"");
    QTest::newRow("a backslash at the end") << QByteArray("A=1\nKEY=\"sk-open\\");
}

void TestDotenv::aQuoteWithoutAnEndIsAnError()
{
    QFETCH(QByteArray, text);
    const Dotenv file = parseDotenv(text.toStdString());
    QVERIFY(file.error);
    QCOMPARE(file.error->place, (TextPlace{2, 5}));
    QCOMPARE(file.error->key, std::string("KEY"));
    QVERIFY(!QByteArray::fromStdString(file.error->message).contains("sk-"));
}

void TestDotenv::otherEncodingsAreErrors()
{
    QVERIFY(parseDotenv(std::string_view("\xFF\xFE"
                                         "A\0=\0",
                                         6))
                .error);
    const Dotenv latin = parseDotenv("A=1\nB=caf\xE9");
    QCOMPARE(latin.error->place, (TextPlace{2, 6}));
}

QTEST_GUILESS_MAIN(TestDotenv)
#include "tst_dotenv.moc"
