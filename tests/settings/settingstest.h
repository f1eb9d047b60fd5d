// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <map>
#include <optional>

#include <QByteArray>
#include <QFile>
#include <QString>

#include "settings/settings.h"

namespace tokenpace::test {

/// An environment of the given variables and no others.
inline EnvironmentLookup table(std::map<QString, QString> values)
{
    return [values = std::move(values)](const QString& name) -> std::optional<QString> {
        const auto it = values.find(name);
        return it == values.end() ? std::nullopt : std::optional(it->second);
    };
}

inline EnvironmentLookup keyEnvironment()
{
    return table({{QStringLiteral("KEY"), QStringLiteral("abc")},
                  {QStringLiteral("EMPTY"), QString()},
                  {QStringLiteral("TAOTOKEN_API_KEY"), QStringLiteral("sk-from-variable")},
                  {QStringLiteral("HOME"), QStringLiteral("/home/someone")}});
}

inline const QString settingsPath = QStringLiteral("/folder/settings.json");

inline SettingsResult read(const QByteArray& text, const EnvironmentLookup& environment = keyEnvironment())
{
    return readSettings(text, settingsPath, environment);
}

/// Settings from the members of an object, which is not there when reading fails.
inline Settings settingsOf(const QByteArray& members)
{
    return read('{' + members + '}').settings.value_or(Settings{});
}

/// The only endpoint, with a base URL and these further members.
inline EndpointSettings endpointOf(const QByteArray& members)
{
    const Settings settings = settingsOf("\"taotoken.provider\":{\"baseUrl\":\"http://h:1\"," + members + '}');
    return settings.endpoints.size() == 1 ? settings.endpoints.first() : EndpointSettings{};
}

inline QByteArray caseFile(const char* name)
{
    QFile file(QStringLiteral(TOKENPACE_TEST_CASES "/settings/%1").arg(QString::fromLatin1(name)));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace tokenpace::test
