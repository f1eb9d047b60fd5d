// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "theme/desktopscheme.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>
#include <QFileInfo>

namespace tokenpace {

namespace {

// A portal that must be started first may take seconds; nothing waits for it, but a late answer would only flicker.
constexpr int answerTimeoutMs = 1000;

const auto service = QStringLiteral("org.freedesktop.portal.Desktop");
const auto path = QStringLiteral("/org/freedesktop/portal/desktop");
const auto interface = QStringLiteral("org.freedesktop.portal.Settings");
const auto appearance = QStringLiteral("org.freedesktop.appearance");
const auto colorScheme = QStringLiteral("color-scheme");

/// Without an address libdbus would try to launch a bus, which blocks.
bool sessionBusIsThere()
{
    if (qEnvironmentVariableIsSet("DBUS_SESSION_BUS_ADDRESS")) {
        return !qEnvironmentVariableIsEmpty("DBUS_SESSION_BUS_ADDRESS");
    }
    const QString runtime = qEnvironmentVariable("XDG_RUNTIME_DIR");
    return !runtime.isEmpty() && QFileInfo::exists(runtime + QStringLiteral("/bus"));
}

/// The portal's old `Read` wraps the value in a variant twice.
QVariant unwrapped(QVariant value)
{
    while (value.canConvert<QDBusVariant>()) {
        value = value.value<QDBusVariant>().variant();
    }
    return value;
}

} // namespace

DesktopScheme::DesktopScheme(QObject* parent)
    : QObject(parent)
{
}

void DesktopScheme::start()
{
    if (!sessionBusIsThere()) {
        return;
    }
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected()) {
        return;
    }
    bus.connect(service, path, interface, QStringLiteral("SettingChanged"), this,
                SLOT(onSettingChanged(QString, QString, QDBusVariant)));
    QDBusMessage call = QDBusMessage::createMethodCall(service, path, interface, QStringLiteral("Read"));
    call << appearance << colorScheme;
    auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(call, answerTimeoutMs), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, &DesktopScheme::onAnswer);
}

void DesktopScheme::onAnswer(QDBusPendingCallWatcher* watcher)
{
    const QDBusPendingReply<QDBusVariant> reply = *watcher;
    watcher->deleteLater();
    if (reply.isValid()) {
        take(unwrapped(reply.value().variant()).toUInt());
    }
}

void DesktopScheme::onSettingChanged(const QString& group, const QString& key, const QDBusVariant& value)
{
    if (group == appearance && key == colorScheme) {
        take(unwrapped(value.variant()).toUInt());
    }
}

void DesktopScheme::take(uint scheme)
{
    std::optional<bool> dark; // 0 and unknown values: no preference
    if (scheme == 1) {
        dark = true;
    } else if (scheme == 2) {
        dark = false;
    }
    if (dark != m_prefersDark) {
        m_prefersDark = dark;
        emit changed();
    }
}

} // namespace tokenpace
