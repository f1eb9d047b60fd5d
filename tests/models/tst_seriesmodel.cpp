// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "seriesmodel.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QSortFilterProxyModel>
#include <QtTest>

using namespace tokenpace;

class TestSeriesModel : public QObject {
    Q_OBJECT
private slots:
    void aSeriesKeepsItsNumber();
    void namesThatTwoEndpointsShareCarryTheEndpoint();
    void oneAliasForTwoModelsKeepsThemApart();
    void aLaterAliasRenames();
    void hidingIsToldOnce();
    void aModelWithoutANameHasALabel();
    void clearForgets();
};

namespace {

const auto local = QStringLiteral("local");
const auto remote = QStringLiteral("remote");
const auto alpha = QStringLiteral("alpha");
const auto beta = QStringLiteral("beta");

/// The model with a tester and a proxy on it before it has data.
struct Watched {
    SeriesModel model;
    QSortFilterProxyModel proxy;
    QAbstractItemModelTester tester{&model};
    QAbstractItemModelTester proxyTester{&proxy};
    Watched()
    {
        proxy.setSourceModel(&model);
        proxy.sort(0);
    }
};

} // namespace

void TestSeriesModel::aSeriesKeepsItsNumber()
{
    Watched watched;
    SeriesModel& model = watched.model;
    QCOMPARE(model.find(local, alpha), -1);
    QCOMPARE(model.seriesFor(local, beta), 0);
    QCOMPARE(model.seriesFor(local, alpha), 1);
    QCOMPARE(model.seriesFor(local, beta), 0);
    QCOMPARE(model.find(local, alpha), 1);
    QCOMPARE(model.count(), 2);
    QCOMPARE(model.at(0).label, beta);
    QCOMPARE(model.data(model.index(1), SeriesModel::EndpointRole).toString(), local);
    QCOMPARE(model.data(model.index(1), SeriesModel::ModelRole).toString(), alpha);
    QCOMPARE(watched.proxy.data(watched.proxy.index(0, 0)).toString(), alpha);
}

void TestSeriesModel::namesThatTwoEndpointsShareCarryTheEndpoint()
{
    Watched watched;
    SeriesModel& model = watched.model;
    model.seriesFor(local, alpha);
    model.seriesFor(local, beta);
    QSignalSpy renamed(&model, &SeriesModel::labelsChanged);
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    model.seriesFor(remote, alpha);
    QCOMPARE(model.at(0).label, QStringLiteral("local/alpha"));
    QCOMPARE(model.at(1).label, beta);
    QCOMPARE(model.at(2).label, QStringLiteral("remote/alpha"));
    QCOMPARE(renamed.size(), 1);
    QVERIFY(changed.size() <= 2);
}

void TestSeriesModel::oneAliasForTwoModelsKeepsThemApart()
{
    Watched watched;
    SeriesModel& model = watched.model;
    const auto fast = QStringLiteral("fast");
    model.seriesFor(local, alpha, fast);
    QCOMPARE(model.at(0).label, fast);
    model.seriesFor(local, beta, fast);
    QCOMPARE(model.at(0).label, QStringLiteral("local/fast (alpha)"));
    QCOMPARE(model.at(1).label, QStringLiteral("local/fast (beta)"));
}

void TestSeriesModel::aLaterAliasRenames()
{
    Watched watched;
    watched.model.seriesFor(local, alpha);
    watched.model.seriesFor(local, alpha, beta);
    QCOMPARE(watched.model.at(0).label, beta);
    watched.model.seriesFor(local, alpha);
    QCOMPARE(watched.model.at(0).label, beta);
}

void TestSeriesModel::hidingIsToldOnce()
{
    Watched watched;
    SeriesModel& model = watched.model;
    model.seriesFor(local, alpha);
    QVERIFY(model.isShown(0));
    QSignalSpy toggled(&model, &SeriesModel::shownChanged);
    model.setShown(0, false);
    model.setShown(0, false);
    model.setShown(7, false);
    QCOMPARE(toggled.size(), 1);
    QCOMPARE(toggled.first().first().toInt(), 0);
    QVERIFY(!model.isShown(0));
    QCOMPARE(model.data(model.index(0), SeriesModel::ShownRole).toBool(), false);
}

void TestSeriesModel::aModelWithoutANameHasALabel()
{
    Watched watched;
    watched.model.seriesFor({}, {});
    QVERIFY(!watched.model.at(0).label.isEmpty());
}

void TestSeriesModel::clearForgets()
{
    Watched watched;
    watched.model.seriesFor(local, alpha);
    watched.model.clear();
    QCOMPARE(watched.model.count(), 0);
    QCOMPARE(watched.model.find(local, alpha), -1);
}

QTEST_GUILESS_MAIN(TestSeriesModel)
#include "tst_seriesmodel.moc"
