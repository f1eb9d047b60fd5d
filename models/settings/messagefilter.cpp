// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "settings/messagefilter.h"

#include <mutex>
#include <vector>

#include <QtGlobal>

#include "settings/redactor.h"

namespace tokenpace {

namespace {

struct Filter {
    std::mutex mutex; ///< protects `redactors`
    std::vector<Redactor> redactors;
    QtMessageHandler next = nullptr; ///< set once, before there are messages
};

/// Never destroyed: Qt logs until the very end.
Filter& filter()
{
    static Filter* const only = new Filter;
    return *only;
}

void handle(QtMsgType type, const QMessageLogContext& context, const QString& message)
{
    QString text = message;
    {
        const std::scoped_lock lock(filter().mutex);
        for (const Redactor& redactor : filter().redactors) {
            text = redactor.redacted(text);
        }
    }
    filter().next(type, context, text);
}

} // namespace

void installMessageFilter()
{
    filter().next = qInstallMessageHandler(handle);
}

void hideInMessages(const Redactor& redactor)
{
    if (!redactor.empty()) {
        const std::scoped_lock lock(filter().mutex);
        filter().redactors.push_back(redactor);
    }
}

} // namespace tokenpace
