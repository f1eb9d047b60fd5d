// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QFile>
#include <QtTest>

#include "charts/chartcanvas.h"
#include "charts/chartpanel.h"
#include "chartspage.h"
#include "messagestrip.h"
#include "session.h"
#include "settings/settingsfinder.h"
#include "widgets/windowfixture.h"

using namespace tokenpace;

class LimitsTest final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void aMovedLimitCountsInTheNumbersAndBothWays();
    void savingChangesThatNumberAlone();
    void aFileThatWasBrokenSinceIsLeftAlone();

private:
    [[nodiscard]] QString write(const QByteArray& text) const;
    [[nodiscard]] QByteArray held(const QString& path) const;
    [[nodiscard]] std::unique_ptr<MainWindow> windowOf(const QString& path);
};

QString LimitsTest::write(const QByteArray& text) const
{
    const QString path = folder->filePath(QStringLiteral("settings.json"));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) {
        return {};
    }
    return path;
}

QByteArray LimitsTest::held(const QString& path) const
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

std::unique_ptr<MainWindow> LimitsTest::windowOf(const QString& path)
{
    StartUp startUp;
    SettingsPlaces places = processPlaces();
    places.explicitFile = path;
    startUp.settings = findSettings(places).settings;
    startUp.logPath = logPath();
    auto window = std::make_unique<MainWindow>(*themes, startUp);
    show(*window);
    return window;
}

void LimitsTest::aMovedLimitCountsInTheNumbersAndBothWays()
{
    const auto window = picture();
    ChartPanel& ttft = *window->page()->ttftPanel();
    ChartPanel& tpot = *window->page()->tpotPanel();
    QCOMPARE(ttft.spec().limitMs, std::optional(800.0));
    ttft.canvas().moveLimit(300);
    QCOMPARE(window->session().limits().ttftMs, 300.0);
    QCOMPARE(window->session().limits().tpotMs, 50.0);
    tpot.canvas().moveLimit(20);
    QCOMPARE(window->session().limits().tpotMs, 20.0);
    QCOMPARE(window->session().settings()->limits.ttftMs, 800.0);
    LimitSettings other;
    other.ttftMs = 1000;
    window->session().setLimits(other);
    QCOMPARE(ttft.spec().limitMs, std::optional(1000.0));
    QCOMPARE(tpot.spec().limitMs, std::optional(50.0));
}

void LimitsTest::savingChangesThatNumberAlone()
{
    const QString path =
        write("{\n  // mine\n  \"tokenpace.provider.baseUrl\": \"http://127.0.0.1:1\",\n"
              "  \"tokenpace.provider.model\": \"m\",\n  \"tokenpace.limits\": {\"ttftMs\": 900.0, \"x\": 0.10},\n"
              "}\n");
    const auto window = windowOf(path);
    ChartPanel& ttft = *window->page()->ttftPanel();
    QTRY_COMPARE(ttft.spec().limitMs, std::optional(900.0));
    ttft.canvas().moveLimit(650);
    emit ttft.limitSaveRequested();
    QVERIFY(held(path).contains("\"ttftMs\": 650, \"x\": 0.10},\n}"));
    QVERIFY(held(path).startsWith("{\n  // mine\n"));
    QCOMPARE(window->session().settings()->limits.ttftMs, 650.0);
    QVERIFY(window->messages()->text().contains(path));
    const QString hash = window->session().settings()->hash;
    SettingsPlaces places = processPlaces();
    places.explicitFile = path;
    QCOMPARE(hash, findSettings(places).settings->hash);
}

void LimitsTest::aFileThatWasBrokenSinceIsLeftAlone()
{
    const QString path =
        write("{\"tokenpace.provider.baseUrl\": \"http://127.0.0.1:1\", \"tokenpace.provider.model\": \"m\"}\n");
    const auto window = windowOf(path);
    QTRY_VERIFY(window->session().settings());
    window->page()->ttftPanel()->canvas().moveLimit(650);
    const QByteArray broken = "{\"tokenpace.provider.baseUrl\": ";
    QCOMPARE(write(broken), path);
    emit window->page()->ttftPanel()->limitSaveRequested();
    QCOMPARE(held(path), broken);
    QCOMPARE(window->messages()->kind(), MessageStrip::Kind::Error);
    QCOMPARE(window->session().limits().ttftMs, 650.0);
}

QTEST_MAIN(LimitsTest)
#include "tst_limits.moc"
