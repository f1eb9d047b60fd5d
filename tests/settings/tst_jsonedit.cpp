// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <random>

#include <QTest>

#include "settings/jsonedit.h"

using namespace tokenpace;
using Json = nlohmann::ordered_json;
using Path = std::vector<std::string>;

namespace {

JsonEdit set(Path path, std::string json)
{
    return {std::move(path), std::move(json)};
}

JsonEdit removal(Path path)
{
    return {std::move(path), std::nullopt};
}

/// A text with most of what people and programs write.
const std::string odd = "\xEF\xBB\xBF// mine\r\n"
                        "{\r\n"
                        "\t\"editor.fontSize\": 12, // not ours\r\n"
                        "\t\"big\": 123456789012345678901, \"exact\": 9007199254740993, \"short\": 0.10,\r\n"
                        "\t\"taotoken.request\": {\r\n"
                        "\t\t\"maxTokens\": 1e3, /* many */\r\n"
                        "\t\t\"temperature\": 0.70, // cold\r\n"
                        "\t},\r\n"
                        "\t\"taotoken.provider\": {\"baseUrl\": \"http://a/{v1}\", \"apiKey\": \"${K}\"},\r\n"
                        "\t\"z\": {} // \"}\"\r\n"
                        "} // end }\r\n";

std::string replaced(std::string text, const std::string& what, const std::string& by)
{
    const std::size_t at = text.find(what);
    return at == std::string::npos ? std::string("not there: ") + what : text.replace(at, what.size(), by);
}

} // namespace

class JsonEditTest final : public QObject {
    Q_OBJECT

private slots:
    void onlyWhatIsChangedChanges_data();
    void onlyWhatIsChangedChanges();
    void whatIsNewLooksAsItsSurroundingsDo_data();
    void whatIsNewLooksAsItsSurroundingsDo();
    void whatIsInTheWayIsAnErrorWithItsPlace_data();
    void whatIsInTheWayIsAnErrorWithItsPlace();
    void anySeriesOfChangesGivesTheSameValues();
};

void JsonEditTest::onlyWhatIsChangedChanges_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::vector<JsonEdit>>("edits");
    QTest::addColumn<std::string>("expected");
    const auto row = [](const char* name, const std::string& text, const std::vector<JsonEdit>& edits,
                        const std::string& expected) {
        QTest::newRow(name) << text << edits << expected;
    };
    row("nothing", odd, {}, odd);
    row("an equal number stays as it is spelled", odd, {set({"taotoken", "request", "temperature"}, "0.7")}, odd);
    row("a number", odd, {set({"taotoken", "request", "temperature"}, "0.5")}, replaced(odd, "0.70", "0.5"));
    row("a text", odd, {set({"taotoken", "provider", "baseUrl"}, "\"http://b\"")},
        replaced(odd, "http://a/{v1}", "http://b"));
    row("what is not there is not removed", odd, {removal({"taotoken", "limits", "ttftMs"})}, odd);
    row("the last member with its trailing comma", odd, {removal({"taotoken", "request", "temperature"})},
        replaced(odd, "\"temperature\": 0.70, // cold", "// cold"));
    row("the first member leaves its comment", odd, {removal({"taotoken", "request", "maxTokens"})},
        replaced(odd, "\"maxTokens\": 1e3, /* many */", "/* many */"));
    row("a member of one line", odd, {removal({"taotoken", "provider", "apiKey"})},
        replaced(odd, ", \"apiKey\": \"${K}\"", ""));
    row("the first of one line", odd, {removal({"taotoken", "provider", "baseUrl"})},
        replaced(odd, "\"baseUrl\": \"http://a/{v1}\", ", ""));
    row("the last of all", "{\n  \"a\": 1,\n  \"b\": 2\n}\n", {removal({"b"})}, "{\n  \"a\": 1\n}\n");
    row("the only one", "{\n  \"a\": 1\n}\n", {removal({"a"})}, "{\n}\n");
    row("all spellings go", R"({"p.a": 1, "p": {"a": 2}, "p.a": 3})", {removal({"p", "a"})}, R"({"p": {}})");
    row("the spelling that is read is set", R"({"p.a": 1, "p": {"a": 2}})", {set({"p", "a"}, "5")},
        R"({"p.a": 1, "p": {"a": 5}})");
    row("the last of equal keys is set", R"({"a": 1, "a": 2})", {set({"a"}, "5")}, R"({"a": 1, "a": 5})");
    row("an item of a list", R"({"l": [1, 2.50, 3]})", {removal({"l", "0"})}, R"({"l": [2.50, 3]})");
    row("the last item of a list", R"({"l": [1, 2.50, 3]})", {removal({"l", "2"})}, R"({"l": [1, 2.50]})");
    row("an item is set", R"({"l": [{"x": 1.0}, {"x": 1.0}]})", {set({"l", "1", "x"}, "2")},
        R"({"l": [{"x": 1.0}, {"x": 2}]})");
    row("a type differs though the value does not", R"({"a": 1})", {set({"a"}, "true")}, R"({"a": true})");
}

void JsonEditTest::onlyWhatIsChangedChanges()
{
    QFETCH(const std::string, text);
    QFETCH(const std::vector<JsonEdit>, edits);
    QFETCH(const std::string, expected);
    const JsonEdited edited = editJson(text, edits);
    QVERIFY(!edited.error);
    QCOMPARE(QString::fromStdString(edited.text), QString::fromStdString(expected));
}

void JsonEditTest::whatIsNewLooksAsItsSurroundingsDo_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<JsonEdit>("edit");
    QTest::addColumn<std::string>("expected");
    const auto row = [](const char* name, const std::string& text, const JsonEdit& edit, const std::string& expected) {
        QTest::newRow(name) << text << edit << expected;
    };
    row("in an empty file", "", set({"tokenpace", "request", "stream"}, "false"),
        "{\n  \"tokenpace\": {\n    \"request\": {\n      \"stream\": false\n    }\n  }\n}\n");
    row("after a trailing comma and its remark", odd, set({"taotoken", "request", "seed"}, "1"),
        replaced(odd, "// cold\r\n", "// cold\r\n\t\t\"seed\": 1,\r\n"));
    row("in one line", odd, set({"taotoken", "provider", "model"}, "\"m\""),
        replaced(odd, "\"${K}\"}", "\"${K}\", \"model\": \"m\"}"));
    row("flat as its neighbours", odd, set({"taotoken", "limits", "ttftMs"}, "500"),
        replaced(odd, "\"z\": {} // \"}\"\r\n",
                 "\"z\": {}, // \"}\"\r\n\t\"taotoken.limits\": {\r\n\t\t\"ttftMs\": 500\r\n\t}\r\n"));
    row("wholly flat", "{\n    \"p.request.seed\": 1\n}", set({"p", "request", "topP"}, "0.9"),
        "{\n    \"p.request.seed\": 1,\n    \"p.request.topP\": 0.9\n}");
    row("nested beside nested", "{\n    \"p\": {\n        \"a\": 1\n    }\n}", set({"p", "request", "topP"}, "0.9"),
        "{\n    \"p\": {\n        \"a\": 1,\n        \"request\": {\n            \"topP\": 0.9\n        }\n    }\n}");
    row("in an object with a comment only", "{\n  \"p\": { // soon\n  }\n}", set({"p", "a"}, "1"),
        "{\n  \"p\": { // soon\n    \"a\": 1\n  }\n}");
    row("written by a program", R"({"p":{"a":1}})", set({"p", "b"}, R"({"c":[1,2]})"),
        R"({"p":{"a":1, "b": {"c": [1, 2]}}})");
    row("a list of plain values stays in a line", "{\n  \"a\": 1\n}", set({"l"}, R"(["x]",2,{"a":[]}])"),
        "{\n  \"a\": 1,\n  \"l\": [\n    \"x]\",\n    2,\n    {\n      \"a\": []\n    }\n  ]\n}");
    row("an item after the last one", "{\n  \"l\": [\n    {\"a\": 1}\n  ]\n}", set({"l", "1"}, R"({"a":2})"),
        "{\n  \"l\": [\n    {\"a\": 1},\n    {\n      \"a\": 2\n    }\n  ]\n}");
    row("in place of null", R"({"p": null})", set({"p", "a"}, "1"), R"({"p": {"a": 1}})");
}

void JsonEditTest::whatIsNewLooksAsItsSurroundingsDo()
{
    QFETCH(const std::string, text);
    QFETCH(const JsonEdit, edit);
    QFETCH(const std::string, expected);
    const JsonEdited edited = editJson(text, {edit});
    QVERIFY(!edited.error);
    QCOMPARE(QString::fromStdString(edited.text), QString::fromStdString(expected));
}

void JsonEditTest::whatIsInTheWayIsAnErrorWithItsPlace_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<Path>("path");
    QTest::addColumn<int>("line");
    QTest::newRow("a number") << std::string("{\n\"p\": 1}") << Path{"p", "a"} << 2;
    QTest::newRow("a gap in a list") << std::string("{\n\n\"l\": []}") << Path{"l", "1"} << 3;
    QTest::newRow("broken JSON") << std::string("{\n\"p\": tru}") << Path{"p"} << 2;
}

void JsonEditTest::whatIsInTheWayIsAnErrorWithItsPlace()
{
    QFETCH(const std::string, text);
    QFETCH(const Path, path);
    QFETCH(const int, line);
    const JsonEdited edited = editJson(text, {set({"other"}, "1"), set(path, "1")});
    QVERIFY(edited.error);
    QCOMPARE(edited.error->place.line, line);
    QCOMPARE(edited.text, text);
}

// Against nlohmann's own object: whatever is set and removed in any order, the values are the same, and the rest of an
// odd text is still there.
void JsonEditTest::anySeriesOfChangesGivesTheSameValues()
{
    std::mt19937 random(1); // NOLINT: the same series each time
    const auto below = [&random](int most) {
        return static_cast<int>(random() % static_cast<unsigned>(most));
    };
    const std::vector<std::string> keys{"a", "b", "c"};
    const std::vector<std::string> values{"1", "0.50", "\"te]xt\"", "[1,{\"x\":2}]", "{}", "{\"a\":{}}", "true"};
    for (int series = 0; series < 300; ++series) {
        std::string text = series % 3 == 0 ? odd : series % 3 == 1 ? "{\"keep\":0.10}" : "{ // c\n  \"keep\": 1,\n}";
        Json mirror = parseJsonText(text).root;
        for (int change = 0; change < 12; ++change) {
            Path path{"top", keys[static_cast<std::size_t>(below(3))]};
            std::string pointer = "/top/" + path.back();
            if (below(2) == 0) {
                path.push_back(keys[static_cast<std::size_t>(below(3))]);
                pointer += "/" + path.back();
            }
            const bool sets = below(3) > 0;
            const std::string value = values[static_cast<std::size_t>(below(static_cast<int>(values.size())))];
            const JsonEdited edited = editJson(text, {sets ? set(path, value) : removal(path)});
            if (edited.error) {
                continue; // a plain value is in the way
            }
            text = edited.text;
            const Json::json_pointer place(pointer);
            if (sets) {
                mirror[place] = Json::parse(value);
            } else if (mirror.contains(place)) {
                mirror[place.parent_pointer()].erase(place.back());
            }
            const JsonText read = parseJsonText(text);
            QVERIFY2(!read.error, text.c_str());
            QVERIFY2(Json::diff(read.root, mirror).empty(), (text + "\n" + mirror.dump()).c_str());
        }
        QVERIFY(series % 3 != 0 || text.find("123456789012345678901") != std::string::npos);
        QVERIFY(series % 3 != 0 || text.ends_with("} // end }\r\n"));
    }
}

QTEST_GUILESS_MAIN(JsonEditTest)
#include "tst_jsonedit.moc"
