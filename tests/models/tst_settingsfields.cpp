// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include "settingsfields.h"

using namespace tokenpace;

namespace {

const QByteArray oneEndpoint = "{\n"
                               "  \"tokenpace\": {\n"
                               "    \"endpoints\": [\n"
                               "      {\n"
                               "        \"baseUrl\": \"http://one:1\",\n"
                               "        \"models\": [{\"name\": \"a\", \"price\": {\"input\": 2}}, \"b\"],\n"
                               "        \"request\": {\"temperature\": 0.10}\n"
                               "      }\n"
                               "    ],\n"
                               "    \"request\": {\"maxTokens\": 64}\n"
                               "  }\n"
                               "}\n";

std::optional<QString> noEnvironment(const QString& /*name*/)
{
    return std::nullopt;
}

} // namespace

class SettingsFieldsTest final : public QObject {
    Q_OBJECT

private slots:
    void init();
    void aPageHasItsFieldsInGroups();
    void aFieldShowsItsValueAndWhatHoldsWithoutOne();
    void whatIsTypedGoesIntoTheFile_data();
    void whatIsTypedGoesIntoTheFile();
    void aBadValueStaysInItsFieldUntilItIsMended();
    void undoingIsSeenInTheFields();
    void modelsThatAreMoreThanNamesStaySo();
    void anEndpointWithOneModelHasOneField();

private:
    [[nodiscard]] QModelIndex field(const char* path) const;
    [[nodiscard]] QString dataOf(const char* path, int role) const;
    [[nodiscard]] QByteArray changed(const QByteArray& what, const QByteArray& by) const
    {
        return QByteArray(oneEndpoint).replace(what, by);
    }

    std::unique_ptr<SettingsEditor> m_editor;
    std::unique_ptr<SettingsFields> m_fields;
    std::unique_ptr<QAbstractItemModelTester> m_tester;
};

void SettingsFieldsTest::init()
{
    m_tester.reset();
    m_fields.reset();
    m_editor = std::make_unique<SettingsEditor>(noEnvironment);
    m_fields = std::make_unique<SettingsFields>(*m_editor);
    m_tester = std::make_unique<QAbstractItemModelTester>(m_fields.get());
    QVERIFY(m_editor->open(oneEndpoint, QStringLiteral("/f/settings.json")));
    m_fields->show(SettingsFields::Page::Endpoint, 0);
}

QModelIndex SettingsFieldsTest::field(const char* path) const
{
    for (int row = 0; row < m_fields->rowCount(); ++row) {
        if (m_fields->index(row).data(SettingsFields::PathRole).toString() == QString::fromUtf8(path)) {
            return m_fields->index(row);
        }
    }
    return {};
}

QString SettingsFieldsTest::dataOf(const char* path, int role) const
{
    return field(path).data(role).toString();
}

void SettingsFieldsTest::aPageHasItsFieldsInGroups()
{
    QVERIFY(field("baseUrl").isValid());
    QVERIFY(field("request.maxTokens").isValid());
    QVERIFY(!field("limits.ttftMs").isValid());
    QCOMPARE(dataOf("concurrency.maxParallel", SettingsFields::GroupRole), QStringLiteral("Concurrency"));
    QStringList groups;
    for (int row = 0; row < m_fields->rowCount(); ++row) {
        const QString group = m_fields->index(row).data(SettingsFields::GroupRole).toString();
        if (groups.isEmpty() || groups.last() != group) {
            QVERIFY2(!groups.contains(group), qPrintable(group));
            groups << group;
        }
    }
    m_fields->show(SettingsFields::Page::Limits);
    QCOMPARE(m_fields->rowCount(), 4);
    m_fields->show(SettingsFields::Page::Log);
    QVERIFY(field("telemetry.outputPath").isValid());
    m_fields->show(SettingsFields::Page::Endpoint, -1);
    QCOMPARE(m_fields->rowCount(), 0);
}

void SettingsFieldsTest::aFieldShowsItsValueAndWhatHoldsWithoutOne()
{
    QCOMPARE(dataOf("baseUrl", Qt::EditRole), QStringLiteral("http://one:1"));
    QCOMPARE(dataOf("models", Qt::EditRole), QStringLiteral("a, b"));
    QCOMPARE(dataOf("request.maxTokens", Qt::EditRole), QString());
    QCOMPARE(dataOf("request.maxTokens", SettingsFields::PlaceholderRole), QStringLiteral("64"));
    QVERIFY(dataOf("request.maxTokens", SettingsFields::HintRole).contains(QStringLiteral("for all endpoints 64")));
    QCOMPARE(dataOf("request.totalTimeoutMs", SettingsFields::PlaceholderRole), QStringLiteral("120,000"));
    QCOMPARE(dataOf("request.temperature", SettingsFields::PlaceholderRole), QStringLiteral("not sent"));
    QVERIFY(field("request.temperature").data(SettingsFields::IsSetRole).toBool());
    QVERIFY(field("streamOptions").data(Qt::EditRole).toBool());
    QVERIFY(!field("streamOptions").data(SettingsFields::IsSetRole).toBool());
}

void SettingsFieldsTest::whatIsTypedGoesIntoTheFile_data()
{
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<QVariant>("typed");
    QTest::addColumn<QByteArray>("what");
    QTest::addColumn<QByteArray>("by");
    const QByteArray request = "\"request\": {\"temperature\": 0.10}\n";
    QTest::newRow("nothing new") << QByteArray("baseUrl") << QVariant(QStringLiteral("http://one:1")) << QByteArray()
                                 << QByteArray();
    QTest::newRow("a text") << QByteArray("baseUrl") << QVariant(QStringLiteral(" http://two "))
                            << QByteArray("http://one:1") << QByteArray("http://two");
    QTest::newRow("a number keeps its spelling")
        << QByteArray("request.temperature") << QVariant(QStringLiteral("0.50")) << QByteArray("0.10")
        << QByteArray("0.50");
    QTest::newRow("grouped digits") << QByteArray("request.seed") << QVariant(QStringLiteral("10,000"))
                                    << QByteArray("0.10}") << QByteArray("0.10, \"seed\": 10000}");
    QTest::newRow("nothing takes it out") << QByteArray("request.temperature") << QVariant(QString())
                                          << QByteArray("\"temperature\": 0.10") << QByteArray();
    QTest::newRow("a switch") << QByteArray("insecure") << QVariant(true) << request
                              << QByteArray(request.trimmed() + ",\n        \"insecure\": true\n");
    QTest::newRow("an object") << QByteArray("extraBody") << QVariant(QStringLiteral("{\"top_k\": 40}")) << request
                               << QByteArray(request.trimmed()
                                             + ",\n        \"extraBody\": {\n          \"top_k\": 40\n        }\n");
}

void SettingsFieldsTest::whatIsTypedGoesIntoTheFile()
{
    QFETCH(const QByteArray, path);
    QFETCH(const QVariant, typed);
    QFETCH(const QByteArray, what);
    QFETCH(const QByteArray, by);
    QVERIFY(m_fields->setData(field(path.constData()), typed));
    QCOMPARE(m_editor->text(), what.isEmpty() ? oneEndpoint : changed(what, by));
    QCOMPARE(m_fields->badCount(), 0);
}

void SettingsFieldsTest::aBadValueStaysInItsFieldUntilItIsMended()
{
    const QSignalSpy counted(m_fields.get(), &SettingsFields::badCountChanged);
    QVERIFY(m_fields->setData(field("request.topP"), QStringLiteral("2")));
    QCOMPARE(dataOf("request.topP", Qt::EditRole), QStringLiteral("2"));
    QVERIFY(dataOf("request.topP", SettingsFields::ProblemRole).contains(QStringLiteral("0 to 1")));
    QCOMPARE(m_editor->text(), oneEndpoint);
    QCOMPARE(m_fields->badCount(), 1);
    m_fields->show(SettingsFields::Page::Limits);
    QCOMPARE(m_fields->badCount(), 1);
    m_fields->show(SettingsFields::Page::Endpoint, 0);
    QVERIFY(m_fields->setData(field("request.topP"), QStringLiteral("0.9")));
    QVERIFY(dataOf("request.topP", SettingsFields::ProblemRole).isEmpty());
    QCOMPARE(m_fields->badCount(), 0);
    QCOMPARE(counted.size(), 2);
    for (const char* bad : {"one", "1.5", "-1", "0", "99999999"}) {
        QVERIFY(m_fields->setData(field("request.maxTokens"), QString::fromUtf8(bad)));
        QVERIFY2(!dataOf("request.maxTokens", SettingsFields::ProblemRole).isEmpty(), bad);
    }
    QVERIFY(m_fields->setData(field("baseUrl"), QStringLiteral("one two")));
    QVERIFY(!dataOf("baseUrl", SettingsFields::ProblemRole).isEmpty());
}

void SettingsFieldsTest::undoingIsSeenInTheFields()
{
    QVERIFY(m_fields->setData(field("baseUrl"), QStringLiteral("http://two")));
    const QSignalSpy told(m_fields.get(), &SettingsFields::dataChanged);
    m_editor->undo();
    QVERIFY(!told.isEmpty());
    QCOMPARE(dataOf("baseUrl", Qt::EditRole), QStringLiteral("http://one:1"));
}

void SettingsFieldsTest::modelsThatAreMoreThanNamesStaySo()
{
    QVERIFY(m_fields->setData(field("models"), QStringLiteral("c, a")));
    const auto models = m_editor->state({0}, settingKey("models")).value.value();
    QCOMPARE(models.dump(), std::string("[\"c\",{\"name\":\"a\",\"price\":{\"input\":2}}]"));
}

void SettingsFieldsTest::anEndpointWithOneModelHasOneField()
{
    QVERIFY(field("models").isValid());
    QVERIFY(!field("model").isValid());
    QVERIFY(m_editor->open("{\"taotoken.provider\": {\"model\": \"m\"}}", QStringLiteral("/f/settings.json")));
    m_fields->show(SettingsFields::Page::Endpoint, 0);
    QVERIFY(field("model").isValid());
    QVERIFY(!field("models").isValid());
}

QTEST_GUILESS_MAIN(SettingsFieldsTest)
#include "tst_settingsfields.moc"
