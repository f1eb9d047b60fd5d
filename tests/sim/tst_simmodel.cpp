// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QtTest>

#include "sim/simmodel.h"
#include "sim/simtext.h"

using namespace tokenpace::sim;

class tst_simmodel : public QObject {
    Q_OBJECT

private slots:
    void aModelsFileSetsTheFieldsItNames();
    void aBadModelsFileIsRefusedWithItsPlace_data();
    void aBadModelsFileIsRefusedWithItsPlace();
    void theHelpNamesEveryKeyThatIsRead();
    void theModelsOfferedStandWellApart();
    void tokensAreWordsMarksAndIdeographs_data();
    void tokensAreWordsMarksAndIdeographs();
    void aWriterIsDeterministicAndCountsAsItSays();
};

void tst_simmodel::aModelsFileSetsTheFieldsItNames()
{
    const SimModelsFile file = parseSimModels(
        R"([{"name":"a","prefillFixedMs":1,"prefillMsPerToken":2.5,"prefillMsPerTokenSquared":3e-6,"decodeFloorMs":4,
             "decodeMsPerSequence":5,"decodeMsPerContextToken":6,"jitterSigma":0,"maxBatch":7,"contextTokens":800,
             "cacheBlockTokens":9,"cacheBlocks":0,"tokensPerChunk":11,"naturalTokens":12},{"name":"b"}])");
    QCOMPARE(file.error, std::string());
    QCOMPARE(file.models.size(), std::size_t{2});
    const SimModel& a = file.models[0];
    QCOMPARE(a.name, std::string("a"));
    QCOMPARE(a.prefillFixedMs, 1.0);
    QCOMPARE(a.prefillMsPerToken, 2.5);
    QCOMPARE(a.prefillMsPerTokenSquared, 3e-6);
    QCOMPARE(a.decodeFloorMs, 4.0);
    QCOMPARE(a.decodeMsPerSequence, 5.0);
    QCOMPARE(a.decodeMsPerContextToken, 6.0);
    QCOMPARE(a.jitterSigma, 0.0);
    QCOMPARE(a.maxBatch, 7);
    QCOMPARE(a.contextTokens, 800);
    QCOMPARE(a.cacheBlockTokens, 9);
    QCOMPARE(a.cacheBlocks, 0);
    QCOMPARE(a.tokensPerChunk, 11);
    QCOMPARE(a.naturalTokens, 12);
    QCOMPARE(file.models[1].maxBatch, SimModel{}.maxBatch);
}

void tst_simmodel::aBadModelsFileIsRefusedWithItsPlace_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QByteArray>("place");
    QTest::newRow("not JSON") << QByteArray("[{\n \"name\": }]") << QByteArray("line 2");
    QTest::newRow("not an array") << QByteArray(R"({"name":"a"})") << QByteArray("array");
    QTest::newRow("empty") << QByteArray("[]") << QByteArray("at least one");
    QTest::newRow("no object") << QByteArray("[1]") << QByteArray("models[0]");
    QTest::newRow("no name") << QByteArray(R"([{"maxBatch":1}])") << QByteArray("models[0].name is missing");
    QTest::newRow("empty name") << QByteArray(R"([{"name":""}])") << QByteArray("models[0].name");
    QTest::newRow("name twice") << QByteArray(R"([{"name":"a"},{"name":"a"}])") << QByteArray("models[1].name");
    QTest::newRow("unknown key") << QByteArray(R"([{"name":"a"},{"name":"b","decodeMs":1}])")
                                 << QByteArray("models[1].decodeMs is not a known key");
    QTest::newRow("text for a number") << QByteArray(R"([{"name":"a","decodeFloorMs":"1"}])")
                                       << QByteArray("models[0].decodeFloorMs must be a number");
    QTest::newRow("fraction of a sequence")
        << QByteArray(R"([{"name":"a","maxBatch":1.5}])") << QByteArray("models[0].maxBatch must be a whole number");
    QTest::newRow("no batch") << QByteArray(R"([{"name":"a","maxBatch":0}])")
                              << QByteArray("models[0].maxBatch must be at least 1");
    QTest::newRow("negative") << QByteArray(R"([{"name":"a","decodeFloorMs":-1}])")
                              << QByteArray("models[0].decodeFloorMs must be at least 0");
    QTest::newRow("too large") << QByteArray(R"([{"name":"a","contextTokens":5000000000}])")
                               << QByteArray("models[0].contextTokens is too large");
}

void tst_simmodel::aBadModelsFileIsRefusedWithItsPlace()
{
    QFETCH(QByteArray, json);
    QFETCH(QByteArray, place);
    const SimModelsFile file =
        parseSimModels(std::string_view(json.constData(), static_cast<std::size_t>(json.size())));
    QVERIFY(file.models.empty());
    QVERIFY2(file.error.find(place.constData()) != std::string::npos, file.error.c_str());
}

void tst_simmodel::theHelpNamesEveryKeyThatIsRead()
{
    const std::string help = simModelsHelp();
    for (const char* key : {"name", "prefillFixedMs", "prefillMsPerToken", "prefillMsPerTokenSquared", "decodeFloorMs",
                            "decodeMsPerSequence", "decodeMsPerContextToken", "jitterSigma", "maxBatch",
                            "contextTokens", "cacheBlockTokens", "cacheBlocks", "tokensPerChunk", "naturalTokens"}) {
        QVERIFY2(help.find("  " + std::string(key) + " ") != std::string::npos, key);
    }
}

void tst_simmodel::theModelsOfferedStandWellApart()
{
    const std::vector<SimModel> models = defaultSimModels();
    QCOMPARE(models.size(), std::size_t{3});
    QCOMPARE(models[0].name, std::string("sim-swift"));
    QCOMPARE(models[1].name, std::string("sim-steady"));
    QCOMPARE(models[2].name, std::string("sim-deep"));
    for (const double tokens : {100.0, 300.0, 1000.0, 3000.0, 10000.0}) {
        std::vector<double> ttft;
        for (const SimModel& model : models) {
            ttft.push_back(model.prefillFixedMs + model.prefillMsPerToken * tokens
                           + model.prefillMsPerTokenSquared * tokens * tokens);
        }
        QVERIFY(ttft[1] > 1.5 * ttft[0]);
        QVERIFY(ttft[2] > 1.5 * ttft[1]);
    }
    QVERIFY(models[0].prefillFixedMs + 64 * models[0].decodeFloorMs < 500);
}

void tst_simmodel::tokensAreWordsMarksAndIdeographs_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("tokens");
    QTest::newRow("nothing") << QString() << 0;
    QTest::newRow("spaces") << QStringLiteral(" \t\r\n\u3000") << 0;
    QTest::newRow("words") << QStringLiteral("one two  three\nfour") << 4;
    QTest::newRow("marks") << QStringLiteral("Well, yes!") << 4;
    QTest::newRow("accents stay in a word") << QStringLiteral("\u00e9t\u00e9 na\u00efve") << 2;
    QTest::newRow("ideographs") << QStringLiteral("\u4f60\u597d\uff0c\u4e16\u754c") << 5;
    QTest::newRow("emoji in a word") << QStringLiteral("a\U0001F600b") << 3;
    QTest::newRow("nonce") << QStringLiteral("0123456789abcdef") << 1;
    QTest::newRow("one letter more") << QStringLiteral("0123456789abcdef0") << 2;
}

void tst_simmodel::tokensAreWordsMarksAndIdeographs()
{
    QFETCH(QString, text);
    QFETCH(int, tokens);
    QCOMPARE(simTokenCount(text.toStdString()), tokens);
}

void tst_simmodel::aWriterIsDeterministicAndCountsAsItSays()
{
    SimWriter first(7);
    SimWriter second(7);
    SimWriter other(8);
    std::string text;
    std::string otherText;
    for (int i = 0; i < 500; ++i) {
        const bool last = i == 499;
        const std::string token = first.next(last);
        QCOMPARE(second.next(last), token);
        text += token;
        otherText += other.next(last);
        QCOMPARE(simTokenCount(text), i + 1);
    }
    QVERIFY(text != otherText);
    QVERIFY(text.front() >= 'A' && text.front() <= 'Z');
    QCOMPARE(text.back(), '.');
    QVERIFY(text.find(" ,") == std::string::npos);
    QVERIFY(text.find_first_of("\"\\\n") == std::string::npos);
}

QTEST_GUILESS_MAIN(tst_simmodel)
#include "tst_simmodel.moc"
