// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "experiment/checknames.h"

#include <algorithm>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

namespace tokenpace {

namespace {

constexpr qsizetype namesOffered = 3;

/// Length of the longest common start plus that of the longest common end: enough to find a slip of the keyboard.
qsizetype likeness(const QString& a, const QString& b)
{
    qsizetype start = 0;
    while (start < a.size() && start < b.size() && a.at(start) == b.at(start)) {
        ++start;
    }
    qsizetype end = 0;
    while (end < a.size() - start && end < b.size() - start && a.at(a.size() - 1 - end) == b.at(b.size() - 1 - end)) {
        ++end;
    }
    return start + end;
}

/// A model's name without the parts that gateways put before it.
QString bareName(const QString& name)
{
    return name.section(u'/', -1).toLower();
}

} // namespace

QString requestPathEnd(Protocol protocol)
{
    switch (protocol) {
    case Protocol::OpenAiResponses:
        return QStringLiteral("/responses");
    case Protocol::AnthropicMessages:
        return QStringLiteral("/messages");
    case Protocol::OllamaChat:
        return QStringLiteral("/api/chat");
    case Protocol::OpenAiChat:
        break;
    }
    return QStringLiteral("/chat/completions");
}

QString otherVersionPath(const QString& path, const QString& end)
{
    static const QRegularExpression version(QStringLiteral("/v[0-9][^/]*$"));
    const auto v1 = QStringLiteral("/v1");
    if (!path.endsWith(end)) {
        return {};
    }
    const QString before = path.chopped(end.size());
    if (before.endsWith(v1)) {
        return before.chopped(v1.size()) + end;
    }
    return version.match(before).hasMatch() ? QString() : before + v1 + end;
}

QStringList modelNames(const QByteArray& body)
{
    const QJsonObject document = QJsonDocument::fromJson(body).object();
    QStringList names;
    for (const char* list : {"data", "models"}) {
        const QJsonArray entries = document.value(QLatin1String(list)).toArray();
        for (const QJsonValue& entry : entries) {
            const QJsonObject object = entry.toObject();
            const QString id =
                object.value(QLatin1String("id")).toString(object.value(QLatin1String("name")).toString());
            if (!id.isEmpty() && !names.contains(id)) {
                names << id;
            }
        }
        if (!names.isEmpty()) {
            break;
        }
    }
    return names;
}

QStringList nearNames(const QString& name, const QStringList& names)
{
    const auto score = [&](const QString& other) {
        const QString bare = bareName(other);
        return bare == bareName(name) ? name.size() : std::max(likeness(name, other), likeness(bareName(name), bare));
    };
    QStringList near = names;
    near.removeIf([&](const QString& other) {
        return other == name || score(other) * 2 < bareName(name).size();
    });
    std::stable_sort(near.begin(), near.end(), [&](const QString& a, const QString& b) {
        return score(a) > score(b);
    });
    return near.mid(0, namesOffered);
}

} // namespace tokenpace
