// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "interrupts.h"

#include <array>
#include <csignal>
#include <cstdlib>

#include <fcntl.h>
#include <unistd.h>

#include <QSocketNotifier>

#include "exitcodes.h"

namespace tokenpace {

namespace {

// A signal handler can reach nothing but globals; it only writes one byte into the pipe.
std::array<int, 2> signalPipe{-1, -1};
volatile std::sig_atomic_t signalsSeen = 0;

extern "C" void onInterrupt(int)
{
    signalsSeen = signalsSeen + 1;
    if (signalsSeen > 1) {
        _exit(ExitInterrupted);
    }
    const char byte = 1;
    [[maybe_unused]] const ssize_t written = ::write(signalPipe[1], &byte, 1);
}

} // namespace

Interrupts::Interrupts(QObject* parent)
    : QObject(parent)
{
    if (::pipe2(signalPipe.data(), O_CLOEXEC | O_NONBLOCK) != 0) {
        return;
    }
    m_notifier = new QSocketNotifier(signalPipe[0], QSocketNotifier::Read, this);
    connect(m_notifier, &QSocketNotifier::activated, this, &Interrupts::onSignal);
    std::signal(SIGINT, onInterrupt);
    std::signal(SIGTERM, onInterrupt);
}

Interrupts::~Interrupts()
{
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    for (int& end : signalPipe) {
        if (end >= 0) {
            ::close(end);
        }
        end = -1;
    }
}

void Interrupts::onSignal()
{
    char byte = 0;
    while (::read(signalPipe[0], &byte, 1) == 1) { }
    emit interrupted();
}

} // namespace tokenpace
