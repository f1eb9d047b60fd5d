// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QSignalSpy>
#include <QTest>

#include "settings/exporters.h"
#include "settings/keychainreader.h"
#include "settings/redactor.h"
#include "settings/settingstest.h"
#include "support/fakekeychain.h"

using namespace tokenpace;
using namespace tokenpace::test;

class TestKeychain : public QObject {
    Q_OBJECT

private slots:
    void aReferenceNamesServiceAndEntry_data();
    void aReferenceNamesServiceAndEntry();
    void aKeyInTheKeychainIsNotedAndNothingElse();
    void aBadReferenceIsAProblemThatSaysHowToWriteIt();
    void theKeyIsPutIntoItsEndpoint();
    void valuesOfHeadersArePutInTheirPlace();
    void oneEntryIsReadOnce();
    void aMissingEntryIsAProblemWithItsPlace();
    void anEmptyEntryIsAProblem();
    void settingsThatWaitForNothingAreFilledAllTheSame();
    void onlyTheLastFillingAnswers();
    void aCancelledFillingIsSilent();
    void whatCameFromTheKeychainIsRedacted();
    void theHashIsTheSameBeforeAndAfter();
    void noExportHoldsTheKey();
    void withoutASessionBusTheDesktopSaysSo();

private:
    static Settings fill(Keychain& keychain, const Settings& settings)
    {
        KeychainReader reader(keychain);
        Settings result;
        bool done = false;
        connect(&reader, &KeychainReader::filled, &reader, [&](const Settings& filled) {
            result = filled;
            done = true;
        });
        reader.fill(settings);
        return QTest::qWaitFor([&] {
            return done;
        })
            ? result
            : Settings{};
    }
    static Settings withKey(const QByteArray& key = "keychain:tokenpace/main")
    {
        return settingsOf("\"taotoken.provider\":{\"baseUrl\":\"http://h:1\",\"model\":\"m\",\"apiKey\":\"" + key
                          + "\"}");
    }
};

void TestKeychain::aReferenceNamesServiceAndEntry_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("isReference");
    QTest::addColumn<QString>("service");
    QTest::addColumn<QString>("name");
    const auto row = [](const char* text, bool isReference, const char* service, const char* name) {
        QTest::newRow(text) << QString::fromLatin1(text) << isReference << QString::fromLatin1(service)
                            << QString::fromLatin1(name);
    };
    row("keychain:tokenpace/main", true, "tokenpace", "main");
    row(" KeyChain:other/a/b ", true, "other", "a/b");
    row("keychain:tokenpace", true, "", "");
    row("keychain:/main", true, "", "");
    row("keychain:tokenpace/", true, "", "");
    row("keychains:tokenpace/main", false, "", "");
    row("${KEY}", false, "", "");
}

void TestKeychain::aReferenceNamesServiceAndEntry()
{
    QFETCH(const QString, text);
    QFETCH(const bool, isReference);
    QFETCH(const QString, service);
    QFETCH(const QString, name);
    QCOMPARE(isKeychainReference(text), isReference);
    const std::optional<KeychainName> entry = keychainName(text);
    QCOMPARE(entry.has_value(), !service.isEmpty());
    if (entry) {
        QCOMPARE(*entry, (KeychainName{service, name}));
        QCOMPARE(keychainName(keychainReference(*entry)), entry);
    }
}

void TestKeychain::aKeyInTheKeychainIsNotedAndNothingElse()
{
    const EndpointSettings endpoint = withKey().endpoints.value(0);
    QCOMPARE(endpoint.problems, QStringList());
    QCOMPARE(endpoint.apiKey, QString());
    QCOMPARE(endpoint.apiKeySource, QStringLiteral("keychain:tokenpace/main"));
    QCOMPARE(endpoint.keychain.size(), 1);
    QVERIFY(endpoint.keychain.first().place.endsWith(QStringLiteral("taotoken.provider.apiKey")));
    QVERIFY(waitsForKeychain(withKey()));
    QVERIFY(!waitsForKeychain(withKey("sk-literal")));
}

void TestKeychain::aBadReferenceIsAProblemThatSaysHowToWriteIt()
{
    for (const char* member : {R"("apiKey":"keychain:main")", R"("extraHeaders":{"X-A":"keychain:x"})"}) {
        const EndpointSettings endpoint = endpointOf(member);
        QCOMPARE(endpoint.problems.size(), 1);
        QVERIFY(endpoint.problems.first().contains(u"keychain:tokenpace/NAME"));
        QVERIFY(endpoint.keychain.isEmpty());
        QCOMPARE(endpoint.apiKey, QString());
    }
}

void TestKeychain::theKeyIsPutIntoItsEndpoint()
{
    FakeKeychain keychain;
    keychain.entries[QStringLiteral("tokenpace/main")] = QStringLiteral("sk-of-the-keychain");
    const Settings filled = fill(keychain, withKey());
    QCOMPARE(filled.endpoints.size(), 1);
    QCOMPARE(filled.endpoints.first().apiKey, QStringLiteral("sk-of-the-keychain"));
    QCOMPARE(filled.endpoints.first().problems, QStringList());
    QVERIFY(!waitsForKeychain(filled));
}

void TestKeychain::valuesOfHeadersArePutInTheirPlace()
{
    FakeKeychain keychain;
    keychain.entries[QStringLiteral("tokenpace/b")] = QStringLiteral("value-b");
    Settings settings;
    settings.endpoints << endpointOf(R"("extraHeaders":{"A":"1","B":"keychain:tokenpace/b","C":"3"})");
    const Settings filled = fill(keychain, settings);
    const QList<QPair<QString, QString>> expected{{QStringLiteral("A"), QStringLiteral("1")},
                                                  {QStringLiteral("B"), QStringLiteral("value-b")},
                                                  {QStringLiteral("C"), QStringLiteral("3")}};
    QCOMPARE(filled.endpoints.value(0).extraHeaders, expected);
}

void TestKeychain::oneEntryIsReadOnce()
{
    FakeKeychain keychain;
    keychain.entries[QStringLiteral("tokenpace/main")] = QStringLiteral("sk-of-the-keychain");
    Settings settings = withKey();
    settings.endpoints << settings.endpoints.first();
    const Settings filled = fill(keychain, settings);
    QCOMPARE(filled.endpoints.size(), 2);
    QCOMPARE(filled.endpoints.at(1).apiKey, QStringLiteral("sk-of-the-keychain"));
    QCOMPARE(keychain.reads, 1);
}

void TestKeychain::aMissingEntryIsAProblemWithItsPlace()
{
    FakeKeychain keychain;
    const EndpointSettings endpoint = fill(keychain, withKey()).endpoints.value(0);
    QCOMPARE(endpoint.apiKey, QString());
    QCOMPARE(endpoint.problems.size(), 1);
    QVERIFY(endpoint.problems.first().startsWith(settingsPath + QStringLiteral(":1:")));
    QVERIFY(endpoint.problems.first().contains(u"no entry tokenpace/main"));
    QVERIFY(endpoint.problems.first().contains(u"${NAME}"));
}

void TestKeychain::anEmptyEntryIsAProblem()
{
    FakeKeychain keychain;
    keychain.entries[QStringLiteral("tokenpace/main")] = QString();
    QCOMPARE(fill(keychain, withKey()).endpoints.value(0).problems.size(), 1);
}

void TestKeychain::settingsThatWaitForNothingAreFilledAllTheSame()
{
    FakeKeychain keychain;
    QCOMPARE(fill(keychain, withKey("sk-literal")).endpoints.value(0).apiKey, QStringLiteral("sk-literal"));
    QCOMPARE(keychain.reads, 0);
}

void TestKeychain::onlyTheLastFillingAnswers()
{
    FakeKeychain keychain;
    keychain.entries = {{QStringLiteral("tokenpace/old"), QStringLiteral("key-old")},
                        {QStringLiteral("tokenpace/new"), QStringLiteral("key-new")}};
    KeychainReader reader(keychain);
    QStringList keys;
    connect(&reader, &KeychainReader::filled, &reader, [&](const Settings& filled) {
        keys << filled.endpoints.first().apiKey;
    });
    keychain.lock();
    reader.fill(withKey("keychain:tokenpace/old"));
    reader.fill(withKey("keychain:tokenpace/new"));
    keychain.unlock();
    QTRY_VERIFY(!reader.filling());
    QCOMPARE(keys, QStringList{QStringLiteral("key-new")});
}

void TestKeychain::aCancelledFillingIsSilent()
{
    FakeKeychain keychain;
    KeychainReader reader(keychain);
    QSignalSpy filled(&reader, &KeychainReader::filled);
    keychain.lock();
    reader.fill(withKey());
    reader.cancel();
    keychain.unlock();
    QVERIFY(!reader.filling());
    QCoreApplication::processEvents();
    QCOMPARE(filled.count(), 0);
}

void TestKeychain::whatCameFromTheKeychainIsRedacted()
{
    FakeKeychain keychain;
    keychain.entries = {{QStringLiteral("tokenpace/main"), QStringLiteral("sk-of-the-keychain")},
                        {QStringLiteral("tokenpace/b"), QStringLiteral("value-of-header")}};
    Settings settings = withKey();
    settings.endpoints << endpointOf(R"("extraHeaders":{"B":"keychain:tokenpace/b"})");
    const Redactor redactor = redactorFor(fill(keychain, settings));
    const QString shown = redactor.redacted(QStringLiteral("it said sk-of-the-keychain and value-of-header"));
    QVERIFY(!shown.contains(u"sk-of") && !shown.contains(u"value-of"));
}

void TestKeychain::theHashIsTheSameBeforeAndAfter()
{
    FakeKeychain keychain;
    keychain.entries[QStringLiteral("tokenpace/main")] = QStringLiteral("sk-of-the-keychain");
    QCOMPARE(fill(keychain, withKey()).hash, withKey().hash);
}

void TestKeychain::noExportHoldsTheKey()
{
    FakeKeychain keychain;
    keychain.entries[QStringLiteral("tokenpace/main")] = QStringLiteral("sk-of-the-keychain");
    const Settings filled = fill(keychain, withKey());
    for (const QByteArray& text : {exportConfigToml(filled, 0), exportDotenv(filled, 0), settingsJson(filled)}) {
        QVERIFY(!text.isEmpty());
        QVERIFY(!text.contains("sk-of-the-keychain"));
        QVERIFY(!text.contains("keychain:")); // no other tool reads it
    }
}

void TestKeychain::withoutASessionBusTheDesktopSaysSo()
{
    const QByteArray bus = qgetenv("DBUS_SESSION_BUS_ADDRESS");
    const QByteArray runtime = qgetenv("XDG_RUNTIME_DIR");
    qunsetenv("DBUS_SESSION_BUS_ADDRESS");
    qunsetenv("XDG_RUNTIME_DIR");
    const std::unique_ptr<Keychain> keychain = desktopKeychain();
    std::optional<Keychain::Answer> answer;
    keychain->read({QStringLiteral("tokenpace"), QStringLiteral("main")}, [&](const Keychain::Answer& given) {
        answer = given;
    });
    std::optional<QString> written;
    keychain->write({QStringLiteral("tokenpace"), QStringLiteral("main")}, QStringLiteral("x"),
                    [&](const QString& text) {
                        written = text;
                    });
    QVERIFY(!answer); // never from within the call
    const bool answered = QTest::qWaitFor([&] {
        return answer && written;
    });
    if (!bus.isNull()) {
        qputenv("DBUS_SESSION_BUS_ADDRESS", bus);
    }
    if (!runtime.isNull()) {
        qputenv("XDG_RUNTIME_DIR", runtime);
    }
    QVERIFY(answered);
    QVERIFY(!answer->value);
    QVERIFY(answer->problem.contains(u"no keychain service runs"));
    QCOMPARE(*written, answer->problem);
}

QTEST_GUILESS_MAIN(TestKeychain)
#include "tst_keychain.moc"
