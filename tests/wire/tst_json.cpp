// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QTest>

#include <nlohmann/json.hpp>

#include "wire/jsonfields.h"

using namespace tokenpace::wire;

class JsonTest final : public QObject {
    Q_OBJECT

private slots:
    void whatIsReadIsWrittenAgain_data();
    void whatIsReadIsWrittenAgain();
    void brokenJsonHasNoRoot_data();
    void brokenJsonHasNoRoot();
    void ofEqualKeysTheLastOneCounts();
    void aMemberThatIsNullIsAbsent();
    void nestingAsDeepAsAnybodyLikesIsRead();
    void aDocumentIsUsedAgain();
    void textsAndKeysMayBeAnyLength();
    void collectedValuesAreAnObject();
};

void JsonTest::whatIsReadIsWrittenAgain_data()
{
    QTest::addColumn<std::string>("json");
    for (const char* json : {"null", "true", "false", "0", "-1", "18446744073709551615", "-9223372036854775808", "1.50",
                             "1E-7", "\"\"", "[]", "{}", "[[],{}]", R"({"b":1,"a":[true,null,{"c":"d"}],"e":{}})",
                             "[\"\\\"\\\\\\n\\u0001\",{\"\\\"\":\"é語😀\"}]"}) {
        QTest::newRow(json) << std::string(json);
    }
}

void JsonTest::whatIsReadIsWrittenAgain()
{
    QFETCH(const std::string, json);
    const JsonDocument document(" " + json + "\n");
    QVERIFY(document.root() != nullptr);
    QCOMPARE(document.root()->compact(), json);
}

void JsonTest::brokenJsonHasNoRoot_data()
{
    QTest::addColumn<std::string>("json");
    for (const char* json :
         {"", "{", "[1,]", R"({"a" 1})", "[1] 2", "nul", "1e999", "\"\\ud800\"", "\"\xFF\"", "NaN"}) {
        QTest::newRow(json) << std::string(json);
    }
}

void JsonTest::brokenJsonHasNoRoot()
{
    QFETCH(const std::string, json);
    JsonDocument document("{}");
    QVERIFY(!document.parse(json));
    QVERIFY(document.root() == nullptr);
    QVERIFY(document.object() == nullptr);
}

void JsonTest::ofEqualKeysTheLastOneCounts()
{
    const JsonDocument document(R"({"a":1,"a":2,"b":{"a":3}})");
    QCOMPARE(countOf(document.object(), "a").value(), 2);
}

void JsonTest::aMemberThatIsNullIsAbsent()
{
    const JsonDocument document(R"({"a":null,"b":"","c":false})");
    QVERIFY(member(*document.object(), "a") == nullptr);
    QVERIFY(member(*document.object(), "b") != nullptr);
    QVERIFY(!isTrue(*document.object(), "c"));
    QVERIFY(member(document.object(), {"b", "c"}) == nullptr);
    QVERIFY(listOf(*document.object(), "b").empty());
}

void JsonTest::nestingAsDeepAsAnybodyLikesIsRead()
{
    constexpr std::size_t depth = 200'000;
    const std::string json = std::string(depth, '[') + std::string(depth, ']');
    const JsonDocument document(json);
    QVERIFY(document.root() != nullptr);
    QCOMPARE(document.root()->compact(), json);
}

void JsonTest::aDocumentIsUsedAgain()
{
    JsonDocument document(R"({"first":"one"})");
    std::string second = R"({"second":"two"})";
    QVERIFY(document.parse(second));
    second.assign(second.size(), 'x'); // the text is not needed any longer
    QCOMPARE(textOf(*document.object(), "second"), std::string_view("two"));
    QVERIFY(member(*document.object(), "first") == nullptr);
}

void JsonTest::textsAndKeysMayBeAnyLength()
{
    // Longer than a small string, and escapes that become fewer bytes.
    nlohmann::json written;
    const std::string longKey(1000, 'k');
    const std::string longText = std::string(100'000, 'x') + "\n\"ü\xE8\xAA\x9E";
    written[longKey] = longText;
    for (const bool ascii : {false, true}) {
        const JsonDocument document(written.dump(-1, ' ', ascii));
        QVERIFY(document.object() != nullptr);
        QCOMPARE(textOf(*document.object(), longKey), std::string_view(longText));
    }
}

void JsonTest::collectedValuesAreAnObject()
{
    JsonObjectText object;
    QCOMPARE(object.text(), std::string());
    object.add("a", "1");
    object.add("b\"", "[2]");
    QCOMPARE(object.text(), std::string("{\"a\":1,\"b\\\"\":[2]}"));
}

QTEST_GUILESS_MAIN(JsonTest)
#include "tst_json.moc"
