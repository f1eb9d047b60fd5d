// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "net/client.h"

#include <utility>

#include <QMetaType>

#include "net/networkworker.h"
#include "net/sockets.h"

namespace tokenpace {

void Client::QuitWaitDelete::operator()(QThread* thread) const
{
    thread->quit();
    thread->wait();
    delete thread;
}

Client::Client(ClientMailbox& mailbox, FinishedHandler onFinished, QObject* parent)
    : QObject(parent)
    , m_worker(new NetworkWorker(mailbox, std::move(onFinished)))
    , m_thread(new QThread)
{
    qRegisterMetaType<std::shared_ptr<const Timeline>>();
    growDescriptorTable();
    m_thread->setObjectName(QStringLiteral("network"));
    m_worker->moveToThread(m_thread.get());
    connect(m_thread.get(), &QThread::finished, m_worker, &QObject::deleteLater);
    connect(m_worker, &NetworkWorker::requestEnded, this, &Client::requestEnded);
    m_thread->start();
}

Client::~Client()
{
    // queued behind all that was asked for, so that each request ends as cancelled before the thread does
    QMetaObject::invokeMethod(m_worker, &NetworkWorker::shutDown, Qt::QueuedConnection);
    m_thread->wait();
}

void Client::send(ClientRequest request)
{
    const Stamp asked = steadyNow();
    const auto wall = WallClock::now();
    QMetaObject::invokeMethod(
        m_worker,
        [worker = m_worker, request = std::move(request), asked, wall]() mutable {
            worker->send(std::move(request), asked, wall);
        },
        Qt::QueuedConnection);
}

void Client::cancel(const QString& run, int seq)
{
    QMetaObject::invokeMethod(
        m_worker,
        [worker = m_worker, run, seq] {
            worker->cancel(run, seq);
        },
        Qt::QueuedConnection);
}

void Client::cancelAll()
{
    QMetaObject::invokeMethod(m_worker, &NetworkWorker::cancelAll, Qt::QueuedConnection);
}

void Client::closeIdleConnections()
{
    QMetaObject::invokeMethod(m_worker, &NetworkWorker::closeIdleConnections, Qt::QueuedConnection);
}

void Client::setBusyAfter(std::chrono::milliseconds lateness)
{
    QMetaObject::invokeMethod(
        m_worker,
        [worker = m_worker, lateness] {
            worker->setBusyAfter(lateness);
        },
        Qt::QueuedConnection);
}

} // namespace tokenpace
