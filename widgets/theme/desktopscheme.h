// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <optional>

#include <QObject>

class QDBusPendingCallWatcher;
class QDBusVariant;

namespace tokenpace {

/// What the desktop says about dark and light (the portal's setting `org.freedesktop.appearance`, `color-scheme`). Asks
/// without waiting and listens for changes; without a session bus it never has an opinion. GUI thread.
class DesktopScheme final : public QObject {
    Q_OBJECT
public:
    explicit DesktopScheme(QObject* parent = nullptr);

    void start();
    /// Whether the desktop prefers dark; none while unknown or without a preference.
    [[nodiscard]] std::optional<bool> prefersDark() const { return m_prefersDark; }

signals:
    void changed();

private slots:
    void onSettingChanged(const QString& group, const QString& key, const QDBusVariant& value);

private:
    void onAnswer(QDBusPendingCallWatcher* watcher);
    void take(uint scheme);
    std::optional<bool> m_prefersDark;
};

} // namespace tokenpace
