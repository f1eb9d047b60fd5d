// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <string>

#include <QTest>

#include "settings/jsontext.h"

using namespace tokenpace;

namespace {

std::string slice(const std::string& text, std::size_t begin, std::size_t end)
{
    return text.substr(begin, end - begin);
}

} // namespace

class TestJsonText : public QObject {
    Q_OBJECT

private slots:
    void aByteOrderMarkIsDroppedInSilence();
    void trailingCommasAreToleratedWithOneWarning();
    void commentsAreToleratedOutsideOfTexts();
    void duplicateKeysAreWarnedOfAndTheLastWins();
    void whatIsNoObjectIsRefusedWithItsPlace_data();
    void whatIsNoObjectIsRefusedWithItsPlace();
    void otherEncodingsAreNamed_data();
    void otherEncodingsAreNamed();
    void invalidUtf8IsRefusedWithItsPlace_data();
    void invalidUtf8IsRefusedWithItsPlace();
    void textBeyondAsciiIsKept();
    void largeWholeNumbersStayExact();
    void deepNestingIsLimited();
    void columnsCountCharactersAndAllLineEndsCount();
    void spansCoverKeysAndValuesInTheBytes();
    void aPlaceThatIsMissingFallsBackToItsParent();
    void errorsNameTheKey();
};

void TestJsonText::aByteOrderMarkIsDroppedInSilence()
{
    const JsonText text = parseJsonText("\xEF\xBB\xBF{\"a\":1}");
    QVERIFY(!text.error);
    QVERIFY(text.warnings.empty());
    QCOMPARE(text.root.at("a").get<int>(), 1);
    QCOMPARE(text.placeOf("/a").column, 2);
    QCOMPARE(text.spans.at("/a").keyBegin, std::size_t(4));
}

void TestJsonText::trailingCommasAreToleratedWithOneWarning()
{
    const JsonText text = parseJsonText("{\"a\":[1,2,],\n\"b\":{\"c\":1,},}");
    QVERIFY(!text.error);
    QCOMPARE(text.root.dump(), std::string(R"({"a":[1,2],"b":{"c":1}})"));
    QCOMPARE(text.warnings.size(), std::size_t(1));
    QCOMPARE(text.warnings[0].place, (TextPlace{1, 10}));
    QVERIFY(text.warnings[0].message.find("(3 of them)") != std::string::npos);
    QVERIFY(parseJsonText("{,}").error);
    QVERIFY(parseJsonText("{\"a\":[,]}").error);
    QVERIFY(parseJsonText("{\"a\":1,,}").error);
    QVERIFY(parseJsonText("{\"a\":[1,,2]}").error);
}

void TestJsonText::commentsAreToleratedOutsideOfTexts()
{
    const JsonText text =
        parseJsonText("// top\n{ // note\n \"a\":1 /* x\n */, \"u\":\"http://x//y /* no */\"}\n// end");
    QVERIFY(!text.error);
    QCOMPARE(text.root.at("a").get<int>(), 1);
    QCOMPARE(text.root.at("u").get<std::string>(), std::string("http://x//y /* no */"));
    QCOMPARE(text.warnings.size(), std::size_t(1));
    QCOMPARE(text.warnings[0].place, (TextPlace{1, 1}));
    QCOMPARE(text.placeOf("/u"), (TextPlace{4, 6}));

    const JsonText strict = parseJsonText(R"({"u":"http://x//y"})");
    QVERIFY(!strict.error);
    QVERIFY(strict.warnings.empty());

    const JsonText open = parseJsonText("{\"a\":1} /* x");
    QVERIFY(open.error);
    QVERIFY(open.error->message.find("column 9") != std::string::npos);
    QVERIFY(parseJsonText("{\"a\":1/2}").error);
}

void TestJsonText::duplicateKeysAreWarnedOfAndTheLastWins()
{
    const JsonText text = parseJsonText("{\"p\":{\"x\":1},\"q\":{\"k\":1,\n\"k\":2},\"p\":{\"y\":2}}");
    QVERIFY(!text.error);
    QCOMPARE(text.root.at("p").dump(), std::string(R"({"y":2})"));
    QCOMPARE(text.root.at("q").at("k").get<int>(), 2);
    QCOMPARE(text.warnings.size(), std::size_t(2));
    QCOMPARE(text.warnings[0].key, std::string("q.k"));
    QCOMPARE(text.warnings[0].place, (TextPlace{2, 1}));
    QCOMPARE(text.warnings[1].key, std::string("p"));
    QVERIFY(!text.spans.contains("/p/x"));
    QVERIFY(text.spans.contains("/p/y"));
    QVERIFY(text.spans.contains("/q/k"));
    // The same key written in two ways is the same key.
    QCOMPARE(parseJsonText(R"({"a":1,"\u0061":2})").warnings.size(), std::size_t(1));
}

void TestJsonText::whatIsNoObjectIsRefusedWithItsPlace_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("line");
    QTest::addColumn<int>("column");
    QTest::addColumn<QByteArray>("part");
    QTest::newRow("empty") << QByteArray("") << 1 << 1 << QByteArray("empty");
    QTest::newRow("space only") << QByteArray("\n  ") << 2 << 3 << QByteArray("empty");
    QTest::newRow("list") << QByteArray("[]") << 1 << 1 << QByteArray("object");
    QTest::newRow("null") << QByteArray("null") << 1 << 1 << QByteArray("object");
    QTest::newRow("toml") << QByteArray("[taotoken]\n") << 1 << 1 << QByteArray("object");
    QTest::newRow("trailing") << QByteArray("{\"a\":1} x") << 1 << 9 << QByteArray("after the end");
    QTest::newRow("truncated") << QByteArray("{\"a\":") << 1 << 6 << QByteArray("line 1, column 1");
    QTest::newRow("cut in a list") << QByteArray("{\"a\":\n [1,") << 2 << 5 << QByteArray("line 2, column 2");
    QTest::newRow("cut in a text") << QByteArray("{\"a\":\"x") << 1 << 8 << QByteArray("text");
    QTest::newRow("missing comma") << QByteArray("{\"a\":1\n\"b\":2}") << 2 << 1 << QByteArray("comma");
    QTest::newRow("missing colon") << QByteArray("{\"a\" 1}") << 1 << 6 << QByteArray("colon");
    QTest::newRow("wrong bracket") << QByteArray("{\"a\":[1}") << 1 << 8 << QByteArray("comma or ]");
    QTest::newRow("single quotes") << QByteArray("{'a':1}") << 1 << 2 << QByteArray("double quotes");
    QTest::newRow("single-quoted value") << QByteArray("{\"a\":'x'}") << 1 << 6 << QByteArray("double quotes");
    QTest::newRow("bare key") << QByteArray("{a:1}") << 1 << 2 << QByteArray("double quotes");
    QTest::newRow("bare value") << QByteArray("{\"a\":yes}") << 1 << 6 << QByteArray("double quotes");
    QTest::newRow("True") << QByteArray("{\"a\":True}") << 1 << 6 << QByteArray("lower case");
    QTest::newRow("None") << QByteArray("{\"a\":None}") << 1 << 6 << QByteArray("null");
    QTest::newRow("NaN") << QByteArray("{\"a\":NaN}") << 1 << 6 << QByteArray("null");
    QTest::newRow("leading zero") << QByteArray("{\"a\":01}") << 1 << 6 << QByteArray("number");
    QTest::newRow("leading dot") << QByteArray("{\"a\":.5}") << 1 << 6 << QByteArray("quotes");
    QTest::newRow("plus") << QByteArray("{\"a\":+5}") << 1 << 6 << QByteArray("value");
    QTest::newRow("decimal comma") << QByteArray("{\"a\":1,5}") << 1 << 8 << QByteArray("key");
    QTest::newRow("too large") << QByteArray("{\"a\":1e999}") << 1 << 6 << QByteArray("too large");
    QTest::newRow("line end in a text") << QByteArray("{\"a\":\"x\ny\"}") << 1 << 8 << QByteArray("closing quote");
    QTest::newRow("tab in a text") << QByteArray("{\"a\":\"x\ty\"}") << 1 << 8 << QByteArray("0x09");
    QTest::newRow("bad escape") << QByteArray(R"({"a":"C:\dir"})") << 1 << 9 << QByteArray("backslash");
    QTest::newRow("lone surrogate") << QByteArray(R"({"a":"\ud83d"})") << 1 << 7 << QByteArray("surrogate");
    QTest::newRow("low surrogate") << QByteArray(R"({"a":"\udc00"})") << 1 << 7 << QByteArray("surrogate");
    QTest::newRow("high high") << QByteArray(R"({"a":"\ud83d\ud83d"})") << 1 << 7 << QByteArray("surrogate");
    QTest::newRow("short unicode") << QByteArray(R"({"a":"\u12"})") << 1 << 7 << QByteArray("four");
    QTest::newRow("zero byte") << QByteArray("{\"a\":\0}", 7) << 1 << 6 << QByteArray("value");
}

void TestJsonText::whatIsNoObjectIsRefusedWithItsPlace()
{
    QFETCH(QByteArray, text);
    QFETCH(int, line);
    QFETCH(int, column);
    QFETCH(QByteArray, part);
    const JsonText parsed = parseJsonText(text.toStdString());
    QVERIFY(parsed.error);
    QVERIFY2(QByteArray::fromStdString(parsed.error->message).contains(part), parsed.error->message.c_str());
    QCOMPARE(parsed.error->place.line, line);
    QCOMPARE(parsed.error->place.column, column);
    QVERIFY(parsed.root.is_object() && parsed.root.empty());
}

void TestJsonText::otherEncodingsAreNamed_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("LE with mark") << QByteArray("\xFF\xFE{\0}\0", 6) << QByteArray("UTF-16 (little endian)");
    QTest::newRow("BE with mark") << QByteArray("\xFE\xFF\0{\0}", 6) << QByteArray("UTF-16 (big endian)");
    QTest::newRow("LE") << QByteArray("{\0}\0", 4) << QByteArray("UTF-16 (little endian)");
    QTest::newRow("BE") << QByteArray("\0{\0}", 4) << QByteArray("UTF-16 (big endian)");
    QTest::newRow("32 LE") << QByteArray("\xFF\xFE\0\0{\0\0\0", 8) << QByteArray("UTF-32 (little endian)");
    QTest::newRow("32 BE") << QByteArray("\0\0\xFE\xFF\0\0\0{", 8) << QByteArray("UTF-32 (big endian)");
}

void TestJsonText::otherEncodingsAreNamed()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, name);
    const JsonText parsed = parseJsonText(text.toStdString());
    QVERIFY(parsed.error);
    QVERIFY2(QByteArray::fromStdString(parsed.error->message).contains(name), parsed.error->message.c_str());
}

void TestJsonText::invalidUtf8IsRefusedWithItsPlace_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("latin 1") << QByteArray("\xE9");
    QTest::newRow("overlong slash") << QByteArray("\xC0\xAF");
    QTest::newRow("overlong of three") << QByteArray("\xE0\x80\xAF");
    QTest::newRow("surrogate") << QByteArray("\xED\xA0\x80");
    QTest::newRow("beyond Unicode") << QByteArray("\xF4\x90\x80\x80");
    QTest::newRow("cut") << QByteArray("\xE4\xBA");
    QTest::newRow("lone continuation") << QByteArray("\x80");
}

void TestJsonText::invalidUtf8IsRefusedWithItsPlace()
{
    QFETCH(QByteArray, bytes);
    const JsonText parsed = parseJsonText(("{\n \"\xC3\xA9\":\"" + bytes + "\"}").toStdString());
    QVERIFY(parsed.error);
    QCOMPARE(parsed.error->place, (TextPlace{2, 7}));
    QVERIFY(parsed.error->message.find("UTF-8") != std::string::npos);
}

void TestJsonText::textBeyondAsciiIsKept()
{
    const JsonText text = parseJsonText(R"({"name":"北京🌍", "e":"\ud83c\udf0D"})");
    QVERIFY(!text.error);
    QVERIFY(text.warnings.empty());
    QCOMPARE(QString::fromStdString(text.root.at("name").get<std::string>()), QStringLiteral(u"北京🌍"));
    QCOMPARE(QString::fromStdString(text.root.at("e").get<std::string>()), QStringLiteral(u"🌍"));
    QCOMPARE(text.placeOf("/e").column, 16);
}

void TestJsonText::largeWholeNumbersStayExact()
{
    const JsonText text = parseJsonText(R"({"big":9007199254740993,"price":0.10,"tiny":1e-999,"zero":-0})");
    QVERIFY(!text.error);
    QCOMPARE(text.root.at("big").get<std::int64_t>(), std::int64_t(9007199254740993));
    QCOMPARE(text.root.at("price").get<double>(), 0.1);
    QCOMPARE(text.root.at("tiny").get<double>(), 0.0);
}

void TestJsonText::deepNestingIsLimited()
{
    const auto nested = [](int depth) {
        return "{\"a\":" + std::string(static_cast<std::size_t>(depth), '[')
            + std::string(static_cast<std::size_t>(depth), ']') + '}';
    };
    QVERIFY(!parseJsonText(nested(100)).error);
    QVERIFY(parseJsonText(nested(100000)).error);
    QVERIFY(parseJsonText("{\"a\":" + std::string(1000000, '[')).error);
}

void TestJsonText::columnsCountCharactersAndAllLineEndsCount()
{
    const JsonText text = parseJsonText("{\r\n\"a\":1,\r\"b\":2,\n\t\"\xC3\xA9\": 3, \"c\":4}");
    QVERIFY(!text.error);
    QCOMPARE(text.placeOf("/a"), (TextPlace{2, 1}));
    QCOMPARE(text.placeOf("/b"), (TextPlace{3, 1}));
    QCOMPARE(text.placeOf("/c"), (TextPlace{4, 10}));
}

void TestJsonText::spansCoverKeysAndValuesInTheBytes()
{
    const std::string source = "{ /* c */ \"a b\" : { \"x/y~z\":[ 10 , \"t\" , ] } , \"n\":-1.5e3 }";
    const JsonText text = parseJsonText(source);
    QVERIFY(!text.error);
    const auto key = [&](const char* pointer) {
        const JsonSpan& span = text.spans.at(pointer);
        return slice(source, span.keyBegin, span.keyEnd);
    };
    const auto value = [&](const char* pointer) {
        const JsonSpan& span = text.spans.at(pointer);
        return slice(source, span.valueBegin, span.valueEnd);
    };
    QCOMPARE(key("/a b"), std::string("\"a b\""));
    QCOMPARE(value("/a b"), std::string("{ \"x/y~z\":[ 10 , \"t\" , ] }"));
    QCOMPARE(value("/a b/x~1y~0z"), std::string("[ 10 , \"t\" , ]"));
    QCOMPARE(value("/a b/x~1y~0z/1"), std::string("\"t\""));
    QCOMPARE(key("/a b/x~1y~0z/1"), std::string());
    QCOMPARE(value("/n"), std::string("-1.5e3"));
}

void TestJsonText::aPlaceThatIsMissingFallsBackToItsParent()
{
    const JsonText text = parseJsonText("{\n \"a\":{\"b\":1}}");
    QCOMPARE(text.placeOf("/a/b"), (TextPlace{2, 7}));
    QCOMPARE(text.placeOf("/a/c/d"), (TextPlace{2, 2}));
    QCOMPARE(text.placeOf("/z"), (TextPlace{1, 1}));
    QCOMPARE(text.placeOf(""), (TextPlace{1, 1}));
}

void TestJsonText::errorsNameTheKey()
{
    const JsonText text = parseJsonText(R"({"taotoken.provider":{"list":[1,{"baseUrl":tru}]}})");
    QVERIFY(text.error);
    QCOMPARE(text.error->key, std::string("taotoken.provider.list[1].baseUrl"));
}

QTEST_GUILESS_MAIN(TestJsonText)
#include "tst_jsontext.moc"
