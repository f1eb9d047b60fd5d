// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "settings/environment.h"

#include <algorithm>

#include <QProcessEnvironment>
#include <QStringView>

namespace tokenpace {

namespace {

/// A name as shells take it: letters, digits and underscores of ASCII, no digit first.
bool isVariableName(QStringView name)
{
    const auto isLetter = [](QChar c) {
        return (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z') || c == u'_';
    };
    const auto isPart = [&](QChar c) {
        return isLetter(c) || (c >= u'0' && c <= u'9');
    };
    return !name.isEmpty() && isLetter(name.front()) && std::all_of(name.begin(), name.end(), isPart);
}

/// What to quote of a `${` that is no `${NAME}`: no more than the name, for the rest may be a secret.
QString quoted(QStringView text, bool closed)
{
    qsizetype end = 2;
    while (end < text.size() && isVariableName(text.mid(2, end - 1))) {
        ++end;
    }
    const bool more = end < text.size() - (closed ? 1 : 0);
    QString result = text.left(end).toString();
    result += more ? u"..." : u"";
    result += closed ? u"}" : u"";
    return result;
}

} // namespace

EnvironmentLookup processEnvironment()
{
    return [environment = QProcessEnvironment::systemEnvironment()](const QString& name) -> std::optional<QString> {
        if (!environment.contains(name)) {
            return std::nullopt;
        }
        return environment.value(name);
    };
}

Expansion expandVariables(const QString& text, const EnvironmentLookup& environment)
{
    Expansion result;
    const QStringView view(text);
    qsizetype at = 0;
    while (at < view.size()) {
        const QStringView rest = view.mid(at);
        if (rest.startsWith(u"$${")) {
            result.value += u"${";
            at += 3;
            continue;
        }
        if (!rest.startsWith(u"${")) {
            result.value += view.at(at);
            ++at;
            continue;
        }
        const qsizetype close = rest.indexOf(u'}');
        if (close < 0) {
            result.malformed << quoted(rest, false);
            break;
        }
        const QString name = rest.mid(2, close - 2).toString();
        at += close + 1;
        if (!isVariableName(name)) {
            result.malformed << quoted(rest.left(close + 1), true);
            continue;
        }
        result.fromVariable = true;
        result.names << name;
        const std::optional<QString> value = environment ? environment(name) : std::nullopt;
        if (!value) {
            result.unset << name;
        } else if (value->isEmpty()) {
            result.empty << name;
        } else {
            result.value += *value;
        }
    }
    result.unset.removeDuplicates();
    result.empty.removeDuplicates();
    return result;
}

} // namespace tokenpace
