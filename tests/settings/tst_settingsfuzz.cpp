// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <random>

#include <nlohmann/json.hpp>

#include <QRegularExpression>
#include <QTest>

#include "settings/settingstest.h"

using namespace tokenpace;
using namespace tokenpace::test;

namespace {

/// Reading must give settings or an error, each message with the file's place; never both, never neither.
bool tells(const QByteArray& text, QString& why)
{
    static const QRegularExpression placed(QStringLiteral("^/folder/settings\\.json:([1-9][0-9]*):([1-9][0-9]*): ."));
    const SettingsResult result = read(text);
    const QStringList texts = result.settings ? result.settings->warnings : QStringList{result.error};
    const qsizetype lines = text.count('\n') + text.count('\r') + 1;
    for (const QString& message : texts) {
        if (!result.settings && message.contains(u"no key of Tokenpace")) {
            // Damage to the only key of ours makes it another tool's file, which has no place.
            if (message.startsWith(u"/folder/settings.json: ")) {
                continue;
            }
        }
        const QRegularExpressionMatch match = placed.match(message);
        if (!match.hasMatch() || match.captured(1).toLongLong() > lines) {
            why = message;
            return false;
        }
    }
    if (result.settings) {
        for (const EndpointSettings& endpoint : result.settings->endpoints) {
            for (const QString& problem : endpoint.problems) {
                if (!placed.match(problem).hasMatch()) {
                    why = problem;
                    return false;
                }
            }
        }
        why = QStringLiteral("the document is not JSON");
        return nlohmann::json::accept(settingsJson(*result.settings).toStdString());
    }
    why = QStringLiteral("no settings and no error");
    return !result.error.isEmpty();
}

} // namespace

class TestSettingsFuzz : public QObject {
    Q_OBJECT

private slots:
    void theUndamagedFilesAreRead();
    void everyTruncationIsAnErrorWithItsPlace_data();
    void everyTruncationIsAnErrorWithItsPlace();
    void everyChangedByteIsReadOrToldOf_data();
    void everyChangedByteIsReadOrToldOf();
    void everyMissingByteIsReadOrToldOf_data();
    void everyMissingByteIsReadOrToldOf();
    void heapsOfDamageAreReadOrToldOf_data();
    void heapsOfDamageAreReadOrToldOf();

private:
    static void files()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("tutorial") << caseFile("settings.json");
        QTest::newRow("everything") << caseFile("everything.json");
    }
};

void TestSettingsFuzz::theUndamagedFilesAreRead()
{
    const SettingsResult tutorial = read(caseFile("settings.json"));
    QVERIFY(tutorial.settings);
    const SettingsResult everything = read(caseFile("everything.json"));
    QVERIFY2(everything.settings, qPrintable(everything.error));
    QCOMPARE(everything.settings->endpoints.size(), 1);
    QCOMPARE(everything.settings->endpoints.first().problems, QStringList());
    // The comment, the trailing comma, the seed.
    QCOMPARE(everything.settings->warnings.size(), 3);
}

void TestSettingsFuzz::everyTruncationIsAnErrorWithItsPlace_data()
{
    files();
}

void TestSettingsFuzz::everyTruncationIsAnErrorWithItsPlace()
{
    QFETCH(QByteArray, text);
    const QByteArray trimmed = text.trimmed();
    QVERIFY(!trimmed.isEmpty());
    for (qsizetype length = 0; length < trimmed.size(); ++length) {
        const QByteArray cut = trimmed.left(length);
        QVERIFY2(!read(cut).settings, qPrintable(QStringLiteral("cut at %1").arg(length)));
        QString why;
        QVERIFY2(tells(cut, why), qPrintable(QStringLiteral("cut at %1: %2").arg(length).arg(why)));
    }
}

void TestSettingsFuzz::everyChangedByteIsReadOrToldOf_data()
{
    files();
}

void TestSettingsFuzz::everyChangedByteIsReadOrToldOf()
{
    QFETCH(QByteArray, text);
    const QByteArray bytes("\0\x01\n\r\t \"',:{}[]/\\*$0-.eEu~\x7F\x80\xC3\xED\xFF", 31);
    // Six of them at each place, going round, so that each kind of place meets all.
    qsizetype next = 0;
    for (qsizetype at = 0; at < text.size(); ++at) {
        for (int turn = 0; turn < 6; ++turn) {
            const char byte = bytes.at(next++ % bytes.size());
            QByteArray changed = text;
            changed[at] = byte;
            QString why;
            const int code = static_cast<unsigned char>(byte);
            QVERIFY2(tells(changed, why), qPrintable(QStringLiteral("byte %1 is %2: %3").arg(at).arg(code).arg(why)));
        }
    }
}

void TestSettingsFuzz::everyMissingByteIsReadOrToldOf_data()
{
    files();
}

void TestSettingsFuzz::everyMissingByteIsReadOrToldOf()
{
    QFETCH(QByteArray, text);
    for (qsizetype at = 0; at < text.size(); ++at) {
        QString why;
        QByteArray changed = text;
        QVERIFY2(tells(changed.remove(at, 1), why), qPrintable(QStringLiteral("without %1: %2").arg(at).arg(why)));
    }
}

void TestSettingsFuzz::heapsOfDamageAreReadOrToldOf_data()
{
    files();
}

void TestSettingsFuzz::heapsOfDamageAreReadOrToldOf()
{
    QFETCH(QByteArray, text);
    std::mt19937 random(20240601); // NOLINT: the same damage each time
    const auto below = [&](qsizetype end) {
        return static_cast<qsizetype>(random() % static_cast<unsigned>(end));
    };
    for (int round = 0; round < 300; ++round) {
        QByteArray changed = text;
        for (qsizetype steps = 1 + below(6); steps > 0; --steps) {
            // Pieces of the text itself put elsewhere keep it closer to JSON than noise does.
            const QByteArray piece = text.mid(below(text.size()), 1 + below(40));
            changed.replace(below(changed.size()), below(30), piece);
        }
        QString why;
        QVERIFY2(tells(changed, why), qPrintable(why + u'\n' + QString::fromUtf8(changed)));
    }
}

QTEST_GUILESS_MAIN(TestSettingsFuzz)
#include "tst_settingsfuzz.moc"
