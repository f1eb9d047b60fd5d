// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "summarymodel.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QSortFilterProxyModel>
#include <QtTest>

#include "numbertext.h"
#include "timelines.h"

using namespace tokenpace;
using tokenpace::testing::Made;
using tokenpace::testing::make;

namespace {

/// The model with testers on it and on a sorting proxy before it has data.
struct Watched {
    SeriesModel series;
    RequestsModel requests{series};
    SummaryModel model{requests, GoodputLimits{500, 50, std::nullopt}};
    QSortFilterProxyModel proxy;
    QAbstractItemModelTester tester{&model};
    QAbstractItemModelTester proxyTester{&proxy};
    QSignalSpy inserted{&model, &QAbstractItemModel::rowsInserted};
    QSignalSpy changed{&model, &QAbstractItemModel::dataChanged};
    QSignalSpy reset{&model, &QAbstractItemModel::modelReset};

    Watched()
    {
        proxy.setSourceModel(&model);
        proxy.setSortRole(SummaryModel::SortRole);
        proxy.sort(SummaryModel::TtftP50);
    }

    /// `n` requests alike but for their TTFT: 101, 102, ... ms.
    void add(int n, Made made = {})
    {
        std::vector<TimelinePtr> all;
        for (int i = 1; i <= n; ++i) {
            made.ttftMs = 100 + i;
            all.push_back(make(made));
            ++made.seq;
        }
        requests.append(all);
    }
    [[nodiscard]] QString text(int row, SummaryModel::Column column) const
    {
        return model.data(model.index(row, column)).toString();
    }
    [[nodiscard]] QString toolTip(int row, SummaryModel::Column column) const
    {
        return model.data(model.index(row, column), Qt::ToolTipRole).toString();
    }
    [[nodiscard]] QVariant sortValue(int row, SummaryModel::Column column) const
    {
        return model.data(model.index(row, column), SummaryModel::SortRole);
    }
};

} // namespace

class TestSummaryModel : public QObject {
    Q_OBJECT
private slots:
    void rowsStandBySeriesThenLength();
    void aBatchChangesOnlyTheRowsItTouched();
    void rowsAreInsertedInRanges();
    void figuresOfARow();
    void percentilesWaitForEnoughRequests_data();
    void percentilesWaitForEnoughRequests();
    void theIntervalIsOpenBelowSix();
    void whatIsNotCountedIsNamed();
    void whatIsLeftOutByHandIsNamedAndMovesTheFigures();
    void warmUpsMakeNoRow();
    void cancelledRequestsAreNamedButNoFailures();
    void lengthsAreNotPooled();
    void withoutAPlannedLengthTheRangeIsShown();
    void chunksAreMarked();
    void limitsChangeGoodputWithoutAReset();
    void requestRowsNameTheMembers();
    void clearingTheRequestsClearsTheSummary();
    void rowsOfBeforeAreThere();
    void aLargeGroupIsComputedInTheBackground();
    void goingWhileComputingIsSafe();
    void headersDefineTheirNumbers();
};

void TestSummaryModel::rowsStandBySeriesThenLength()
{
    Watched watched;
    watched.requests.append({make({.seq = 0, .model = "beta", .target = 1000})});
    watched.requests.append({make({.seq = 1, .model = "alpha", .target = 100})});
    watched.requests.append({make({.seq = 2, .model = "beta", .target = 100})});
    watched.requests.append({make({.seq = 3, .model = "alpha", .target = {}})});
    QCOMPARE(watched.model.rowCount(), 4);
    const QStringList models{watched.text(0, SummaryModel::Model), watched.text(1, SummaryModel::Model),
                             watched.text(2, SummaryModel::Model), watched.text(3, SummaryModel::Model)};
    // In order of appearance, not by name.
    QCOMPARE(models,
             (QStringList{QStringLiteral("beta"), QStringLiteral("beta"), QStringLiteral("alpha"),
                          QStringLiteral("alpha")}));
    QCOMPARE(watched.text(0, SummaryModel::PromptTokens), QStringLiteral("100"));
    QCOMPARE(watched.text(1, SummaryModel::PromptTokens), QStringLiteral("1,000"));
    QCOMPARE(watched.text(3, SummaryModel::PromptTokens), QStringLiteral("100"));
    QCOMPARE(watched.model.data(watched.model.index(2, 0), SummaryModel::SeriesRole).toInt(), 1);
    QCOMPARE(watched.reset.size(), 0);
}

void TestSummaryModel::aBatchChangesOnlyTheRowsItTouched()
{
    Watched watched;
    std::vector<TimelinePtr> all;
    for (const std::int64_t target : {100, 300, 1000, 3000, 10000}) {
        all.push_back(make({.target = target}));
    }
    watched.requests.append(all);
    QCOMPARE(watched.inserted.size(), 1);
    QCOMPARE(watched.changed.size(), 0);
    watched.requests.append({make({.target = 1000}), make({.target = 300}), make({.target = 10000})});
    QCOMPARE(watched.inserted.size(), 1);
    QCOMPARE(watched.changed.size(), 2);
    QCOMPARE(watched.changed[0][0].toModelIndex().row(), 1);
    QCOMPARE(watched.changed[0][1].toModelIndex().row(), 2);
    QCOMPARE(watched.changed[1][0].toModelIndex().row(), 4);
    QCOMPARE(watched.changed[1][1].toModelIndex().row(), 4);
    QCOMPARE(watched.text(1, SummaryModel::N), QStringLiteral("2"));
    QCOMPARE(watched.text(0, SummaryModel::N), QStringLiteral("1"));
}

void TestSummaryModel::rowsAreInsertedInRanges()
{
    Watched watched;
    watched.requests.append({make({.target = 300}), make({.target = 3000})});
    watched.inserted.clear();
    watched.requests.append(
        {make({.target = 100}), make({.target = 1000}), make({.target = 2000}), make({.target = 5000})});
    QCOMPARE(watched.inserted.size(), 3);
    QCOMPARE(watched.model.rowCount(), 6);
    double previous = 0;
    for (int row = 0; row < 6; ++row) {
        const double target = watched.sortValue(row, SummaryModel::PromptTokens).toDouble();
        QVERIFY(target > previous);
        previous = target;
    }
}

void TestSummaryModel::figuresOfARow()
{
    Watched watched;
    watched.add(9); // TTFT 101 ... 109, TPOT 10, E2E 201 ... 209
    QCOMPARE(watched.text(0, SummaryModel::N), QStringLiteral("9"));
    QCOMPARE(watched.text(0, SummaryModel::NotCounted), dashText);
    QCOMPARE(watched.text(0, SummaryModel::TtftP50), QStringLiteral("105"));
    QCOMPARE(watched.text(0, SummaryModel::TpotP50), QStringLiteral("10.0"));
    QCOMPARE(watched.text(0, SummaryModel::E2eP50), QStringLiteral("205"));
    QCOMPARE(watched.text(0, SummaryModel::ThroughputP50), QStringLiteral("53.7"));
    QVERIFY(watched.toolTip(0, SummaryModel::TtftP50).contains(QStringLiteral("105.000 ms")));
    QVERIFY(watched.toolTip(0, SummaryModel::TtftP50).contains(QStringLiteral("n = 9")));
    QCOMPARE(watched.sortValue(0, SummaryModel::TtftP50).toDouble(), 105.0);
    // Ranks 2 and 8 of 9 enclose the median with at least 95 %.
    QCOMPARE(watched.text(0, SummaryModel::TtftInterval), QStringLiteral("102 – 108"));
    QCOMPARE(watched.text(0, SummaryModel::Sent), QStringLiteral("9"));
    QCOMPARE(watched.text(0, SummaryModel::Failed), QStringLiteral("0"));
    QCOMPARE(watched.text(0, SummaryModel::TimeoutRate), QStringLiteral("0"));
    QCOMPARE(watched.text(0, SummaryModel::Goodput), QStringLiteral("100"));
}

void TestSummaryModel::percentilesWaitForEnoughRequests_data()
{
    QTest::addColumn<int>("n");
    QTest::addColumn<bool>("p95");
    QTest::addColumn<bool>("p99");
    QTest::newRow("one") << 1 << false << false;
    QTest::newRow("nineteen") << 19 << false << false;
    QTest::newRow("twenty") << 20 << true << false;
    QTest::newRow("ninety-nine") << 99 << true << false;
    QTest::newRow("hundred") << 100 << true << true;
}

void TestSummaryModel::percentilesWaitForEnoughRequests()
{
    QFETCH(int, n);
    QFETCH(bool, p95);
    QFETCH(bool, p99);
    Watched watched;
    watched.add(n);
    const auto check = [&](SummaryModel::Column column, bool shown, const QString& reason) {
        QCOMPARE(watched.text(0, column) != dashText, shown);
        QCOMPARE(watched.sortValue(0, column).isValid(), shown);
        QCOMPARE(watched.toolTip(0, column).contains(reason), !shown);
    };
    for (const auto column : {SummaryModel::TtftP95, SummaryModel::TpotP95, SummaryModel::E2eP95}) {
        check(column, p95, QStringLiteral("from 20 requests on; there are %1").arg(n));
    }
    for (const auto column : {SummaryModel::TtftP99, SummaryModel::TpotP99}) {
        check(column, p99, QStringLiteral("from 100 requests on; there are %1").arg(n));
    }
    QVERIFY(watched.text(0, SummaryModel::TtftP90) != dashText);
    QVERIFY(watched.text(0, SummaryModel::TtftP50) != dashText);
}

void TestSummaryModel::theIntervalIsOpenBelowSix()
{
    Watched watched;
    watched.add(5);
    QCOMPARE(watched.text(0, SummaryModel::TtftInterval), QStringLiteral("open"));
    QVERIFY(watched.toolTip(0, SummaryModel::TtftInterval).contains(QStringLiteral("from 6 requests")));
    QVERIFY(!watched.sortValue(0, SummaryModel::TtftInterval).isValid());
    watched.add(1);
    QCOMPARE(watched.text(0, SummaryModel::TtftInterval), QStringLiteral("101 – 105"));
}

void TestSummaryModel::whatIsNotCountedIsNamed()
{
    Watched watched;
    watched.add(7);
    watched.requests.append({make({.flags = {Flag::Cached}}), make({.attempts = 2}),
                             make({.tokens = 0, .usage = false, .status = Status::Timeout}),
                             make({.tokens = 0, .usage = false, .status = Status::Error})});
    QCOMPARE(watched.text(0, SummaryModel::N), QStringLiteral("7"));
    const QString notCounted = watched.text(0, SummaryModel::NotCounted);
    for (const auto& part : {QStringLiteral("1 time-out"), QStringLiteral("1 HTTP error"), QStringLiteral("1 cached"),
                             QStringLiteral("1 retried")}) {
        QVERIFY2(notCounted.split(QStringLiteral(", ")).contains(part), qPrintable(notCounted));
    }
    QCOMPARE(watched.sortValue(0, SummaryModel::NotCounted).toInt(), 4);
    QCOMPARE(watched.text(0, SummaryModel::Sent), QStringLiteral("11"));
    QCOMPARE(watched.text(0, SummaryModel::Failed), QStringLiteral("2"));
    QCOMPARE(watched.text(0, SummaryModel::TtftP50), QStringLiteral("104"));
    QCOMPARE(watched.text(0, SummaryModel::TimeoutRate), QStringLiteral("9.09"));
    QVERIFY(watched.toolTip(0, SummaryModel::NotCounted).contains(QStringLiteral("prefix cache")));
}

void TestSummaryModel::whatIsLeftOutByHandIsNamedAndMovesTheFigures()
{
    Watched watched;
    watched.add(7);
    watched.requests.append({make({.tokens = 0, .usage = false, .status = Status::Timeout})});
    watched.changed.clear();
    watched.reset.clear();
    watched.requests.setExcluded({0, 1, 7}, true); // 101 and 102 ms, and the time-out
    QCOMPARE(watched.changed.size(), 1);
    QCOMPARE(watched.reset.size(), 0);
    QCOMPARE(watched.text(0, SummaryModel::N), QStringLiteral("5"));
    QCOMPARE(watched.text(0, SummaryModel::TtftP50), QStringLiteral("105"));
    QCOMPARE(watched.text(0, SummaryModel::Sent), QStringLiteral("5"));
    QCOMPARE(watched.text(0, SummaryModel::NotCounted), QStringLiteral("3 excluded"));
    watched.requests.setExcluded({0, 1, 7}, false);
    QCOMPARE(watched.text(0, SummaryModel::N), QStringLiteral("7"));
    QCOMPARE(watched.text(0, SummaryModel::Sent), QStringLiteral("8"));
    QCOMPARE(watched.text(0, SummaryModel::TtftP50), QStringLiteral("104"));
}

void TestSummaryModel::warmUpsMakeNoRow()
{
    Watched watched;
    watched.add(3, {.flags = {Flag::WarmUp}});
    QCOMPARE(watched.model.rowCount(), 0);
    watched.add(1);
    QCOMPARE(watched.text(0, SummaryModel::N), QStringLiteral("1"));
}

void TestSummaryModel::cancelledRequestsAreNamedButNoFailures()
{
    Watched watched;
    watched.requests.append({make({.tokens = 0, .usage = false, .status = Status::Cancelled})});
    QCOMPARE(watched.text(0, SummaryModel::N), QStringLiteral("0"));
    QCOMPARE(watched.text(0, SummaryModel::NotCounted), QStringLiteral("1 cancelled"));
    QCOMPARE(watched.text(0, SummaryModel::Failed), QStringLiteral("0"));
    for (const auto column :
         {SummaryModel::TtftP50, SummaryModel::TtftInterval, SummaryModel::TpotP50, SummaryModel::E2eP50,
          SummaryModel::TimeoutRate, SummaryModel::Goodput, SummaryModel::OutputTps, SummaryModel::ItlP50}) {
        QCOMPARE(watched.text(0, column), dashText);
        QVERIFY(!watched.toolTip(0, column).isEmpty());
    }
}

void TestSummaryModel::lengthsAreNotPooled()
{
    Watched watched;
    watched.requests.append({make({.target = 100, .ttftMs = 100}), make({.target = 1000, .ttftMs = 900})});
    QCOMPARE(watched.model.rowCount(), 2);
    QCOMPARE(watched.text(0, SummaryModel::TtftP50), QStringLiteral("100"));
    QCOMPARE(watched.text(1, SummaryModel::TtftP50), QStringLiteral("900"));
}

void TestSummaryModel::withoutAPlannedLengthTheRangeIsShown()
{
    Watched watched;
    watched.requests.append({make({.target = {}, .promptTokens = 57})});
    QCOMPARE(watched.text(0, SummaryModel::PromptTokens), QStringLiteral("57"));
    watched.requests.append({make({.target = {}, .promptTokens = 3147})});
    QCOMPARE(watched.text(0, SummaryModel::PromptTokens), QStringLiteral("57 – 3,147"));
    watched.requests.append({make({.model = "beta", .target = {}, .promptTokens = {}})});
    QCOMPARE(watched.text(1, SummaryModel::PromptTokens), dashText);
}

void TestSummaryModel::chunksAreMarked()
{
    Watched watched;
    watched.add(3);
    QCOMPARE(watched.text(0, SummaryModel::TpotP50), QStringLiteral("10.0"));
    watched.add(1, {.promptTokens = {}, .usage = false});
    QCOMPARE(watched.text(0, SummaryModel::TpotP50), QStringLiteral("≈10.0"));
    QVERIFY(watched.text(0, SummaryModel::ThroughputP50).startsWith(u'≈'));
    QVERIFY(watched.toolTip(0, SummaryModel::TpotP50).contains(QStringLiteral("1 of 4")));
    QVERIFY(watched.toolTip(0, SummaryModel::PromptTokens).contains(QStringLiteral("1 of 4")));
    QVERIFY(!watched.text(0, SummaryModel::TtftP50).startsWith(u'≈'));
}

void TestSummaryModel::limitsChangeGoodputWithoutAReset()
{
    Watched watched;
    watched.add(4); // TTFT 101 ... 104
    QCOMPARE(watched.text(0, SummaryModel::Goodput), QStringLiteral("100"));
    watched.model.setLimits({102.5, std::nullopt, std::nullopt});
    QCOMPARE(watched.text(0, SummaryModel::Goodput), QStringLiteral("50.0"));
    QCOMPARE(watched.changed.size(), 1);
    QCOMPARE(watched.reset.size(), 0);
}

void TestSummaryModel::requestRowsNameTheMembers()
{
    Watched watched;
    watched.requests.append(
        {make({.target = 100}), make({.target = 300}), make({.flags = {Flag::WarmUp}}), make({.target = 100})});
    QCOMPARE(watched.model.requestRows(0), (QList<int>{0, 3}));
    QCOMPARE(watched.model.requestRows(1), QList<int>{1});
    QCOMPARE(watched.model.row(1).key.promptTokensTarget, std::optional<std::int64_t>(300));
}

void TestSummaryModel::clearingTheRequestsClearsTheSummary()
{
    Watched watched;
    watched.add(3);
    watched.requests.clear();
    QCOMPARE(watched.model.rowCount(), 0);
    QCOMPARE(watched.proxy.rowCount(), 0);
    watched.add(2);
    QCOMPARE(watched.text(0, SummaryModel::N), QStringLiteral("2"));
}

void TestSummaryModel::rowsOfBeforeAreThere()
{
    Watched watched;
    watched.add(3);
    const SummaryModel late(watched.requests, {});
    QCOMPARE(late.rowCount(), 1);
    QCOMPARE(late.data(late.index(0, SummaryModel::N)).toString(), QStringLiteral("3"));
}

void TestSummaryModel::aLargeGroupIsComputedInTheBackground()
{
    Watched watched;
    constexpr int many = 3'000;
    watched.add(many);
    QCOMPARE(watched.model.rowCount(), 1);
    QTRY_VERIFY(watched.text(0, SummaryModel::TtftP50) != dashText);
    QCOMPARE(watched.text(0, SummaryModel::N), QStringLiteral("3,000"));
    QCOMPARE(watched.text(0, SummaryModel::TtftP50), QStringLiteral("1,600"));
    // What comes while it computes or rests is in a later figure.
    watched.add(10);
    watched.add(10);
    watched.add(10);
    QTRY_COMPARE(watched.text(0, SummaryModel::N), QStringLiteral("3,030"));
    watched.model.setLimits({1.0, std::nullopt, std::nullopt});
    QTRY_COMPARE(watched.text(0, SummaryModel::Goodput), QStringLiteral("0"));
}

void TestSummaryModel::goingWhileComputingIsSafe()
{
    SeriesModel series;
    RequestsModel requests(series);
    auto model = std::make_unique<SummaryModel>(requests, GoodputLimits{});
    std::vector<TimelinePtr> all;
    for (int seq = 0; seq < 3'000; ++seq) {
        all.push_back(make({.seq = seq}));
    }
    requests.append(all);
    QVERIFY(!model->group(0).computed);
    requests.clear();
    QCOMPARE(model->rowCount(), 0);
    requests.append(all);
    model.reset();
    QCoreApplication::processEvents();
    QCOMPARE(requests.rowCount(), 3'000);
}

void TestSummaryModel::headersDefineTheirNumbers()
{
    Watched watched;
    const auto header = [&](int column, int role) {
        return watched.model.headerData(column, Qt::Horizontal, role).toString();
    };
    const QStringList titles{
        QStringLiteral("Model"),        QStringLiteral("Prompt, tokens"), QStringLiteral("n"),
        QStringLiteral("Not counted"),  QStringLiteral("TTFT P50, ms"),   QStringLiteral("95 % interval, ms"),
        QStringLiteral("TTFT P90, ms"), QStringLiteral("TPOT P50, ms"),   QStringLiteral("E2E P50, ms"),
        QStringLiteral("Tokens/s")};
    QCOMPARE(titles.size(), static_cast<qsizetype>(SummaryModel::firstOptionalColumn));
    for (int column = 0; column < SummaryModel::ColumnCount; ++column) {
        if (column < titles.size()) {
            QCOMPARE(header(column, Qt::DisplayRole), titles[column]);
        }
        QVERIFY(!header(column, Qt::DisplayRole).isEmpty());
        QVERIFY(!header(column, Qt::ToolTipRole).isEmpty());
    }
    QVERIFY(header(SummaryModel::TtftP50, Qt::ToolTipRole).contains(QStringLiteral("first output event")));
}

QTEST_GUILESS_MAIN(TestSummaryModel)
#include "tst_summarymodel.moc"
