// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <thread>

#include <QStringList>
#include <QTest>

#include "settings/messagefilter.h"
#include "settings/redactor.h"

using namespace tokenpace;

namespace {

QStringList heard;

void hear(QtMsgType /*type*/, const QMessageLogContext& /*context*/, const QString& message)
{
    heard << message;
}

} // namespace

class TestMessageFilter : public QObject {
    Q_OBJECT

private slots:
    void noMessageHoldsASecret();
};

void TestMessageFilter::noMessageHoldsASecret()
{
    const QtMessageHandler before = qInstallMessageHandler(hear);
    installMessageFilter();
    qWarning("first sk-one-0123456789");
    Redactor one;
    one.addSecret(QStringLiteral("sk-one-0123456789"));
    hideInMessages(one);
    Redactor two;
    two.addSecret(QStringLiteral("sk-two-0123456789"));
    hideInMessages(two);
    qWarning("second sk-one-0123456789 and sk-two-0123456789");
    std::thread([] {
        qInfo("third sk-two-0123456789");
    }).join();
    qInstallMessageHandler(before);
    QCOMPARE(heard,
             (QStringList{QStringLiteral("first sk-one-0123456789"), QStringLiteral("second [redacted] and [redacted]"),
                          QStringLiteral("third [redacted]")}));
}

QTEST_GUILESS_MAIN(TestMessageFilter)
#include "tst_messagefilter.moc"
