// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "settings/redactor.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include <nlohmann/json.hpp>

#include <QUrlQuery>

#include "settings/baseurl.h"

namespace tokenpace {

namespace {

constexpr std::string_view replacement = "[redacted]";

std::string unicodeEscape(char16_t unit, bool upper)
{
    std::array<char, 8> text{};
    std::snprintf(text.data(), text.size(), upper ? "\\u%04X" : "\\u%04x", static_cast<unsigned>(unit));
    return text.data();
}

/// As JSON writers put it; `ascii` escapes all beyond ASCII, `slashes` also `/`.
std::string jsonEscaped(const QString& text, bool ascii, bool slashes, bool upper)
{
    std::string result;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const char16_t c = text.at(i).unicode();
        switch (c) {
        case u'"':
            result += "\\\"";
            break;
        case u'\\':
            result += "\\\\";
            break;
        case u'\b':
            result += "\\b";
            break;
        case u'\f':
            result += "\\f";
            break;
        case u'\n':
            result += "\\n";
            break;
        case u'\r':
            result += "\\r";
            break;
        case u'\t':
            result += "\\t";
            break;
        case u'/':
            result += slashes ? "\\/" : "/";
            break;
        default:
            if (c < 0x20 || (ascii && c > 0x7E)) {
                result += unicodeEscape(c, upper);
            } else if (QChar::isHighSurrogate(c) && i + 1 < text.size()) {
                result += text.mid(i, 2).toStdString();
                ++i;
            } else {
                result += QString(QChar(c)).toStdString();
            }
        }
    }
    return result;
}

} // namespace

void Redactor::addSecret(const QString& secret)
{
    const QString trimmed = secret.trimmed();
    if (trimmed.size() >= minimumLength) {
        addForms(trimmed);
    }
}

void Redactor::addUrlSecrets(const QUrl& url)
{
    const QString user = url.userName(QUrl::FullyDecoded);
    const QString password = url.password(QUrl::FullyDecoded);
    addSecret(user);
    addSecret(password);
    if (!user.isEmpty() || !password.isEmpty()) {
        addNeedle(url.userInfo(QUrl::FullyEncoded).toStdString() + '@');
        addNeedle(url.userInfo(QUrl::PrettyDecoded).toStdString() + '@');
        addNeedle((user + u':' + password + u'@').toStdString());
    }
    // The raw pairs as well: QUrlQuery decodes, and servers echo what was sent.
    const QStringList pairs = url.query(QUrl::FullyEncoded).split(u'&', Qt::SkipEmptyParts);
    for (const QString& pair : pairs) {
        const qsizetype equals = pair.indexOf(u'=');
        const QString name = QUrl::fromPercentEncoding(pair.left(std::max<qsizetype>(equals, 0)).toUtf8());
        if (isHarmlessQueryName(name)) {
            continue;
        }
        const QString value = pair.mid(equals + 1);
        const QString decoded = QUrl::fromPercentEncoding(value.toUtf8());
        addSecret(value);
        addSecret(decoded);
        if (equals > 0 && !value.isEmpty() && isSecretName(name)) {
            addNeedle(pair.toStdString());
            addNeedle((name + u'=' + decoded).toStdString());
        }
    }
}

void Redactor::addForms(const QString& secret)
{
    addNeedle(secret.toStdString());

    const QByteArray percent = QUrl::toPercentEncoding(secret);
    QByteArray percentLower = percent;
    for (qsizetype i = 0; i + 2 < percentLower.size(); ++i) {
        if (percentLower.at(i) == '%') {
            percentLower.replace(i + 1, 2, percentLower.mid(i + 1, 2).toLower());
        }
    }
    addNeedle(percent.toStdString());
    addNeedle(percentLower.toStdString());
    addNeedle(QByteArray(percent).replace("%20", "+").toStdString());
    // What a URL's own writing leaves alone differs by its part.
    addNeedle(QUrl::toPercentEncoding(secret, "!$&'()*+,;=:@/?").toStdString());
    addNeedle(QUrl::toPercentEncoding(secret, "/").toStdString());

    for (const bool ascii : {false, true}) {
        for (const bool slashes : {false, true}) {
            for (const bool upper : {false, true}) {
                const std::string escaped = jsonEscaped(secret, ascii, slashes, upper);
                addNeedle(escaped);
                // JSON inside a JSON text, as gateways wrap the errors of the servers behind them.
                addNeedle(jsonEscaped(QString::fromStdString(escaped), ascii, slashes, upper));
            }
        }
    }
    addNeedle(secret.toHtmlEscaped().toStdString());
}

void Redactor::addNeedle(std::string needle)
{
    if (needle.empty() || std::find(m_needles.begin(), m_needles.end(), needle) != m_needles.end()) {
        return;
    }
    const auto longer = [](const std::string& a, const std::string& b) {
        return a.size() > b.size();
    };
    m_needles.insert(std::upper_bound(m_needles.begin(), m_needles.end(), needle, longer), std::move(needle));
}

std::string Redactor::redacted(std::string_view text) const
{
    // All matches of all secrets first, in the text as it came: replacing one by one would leave the rest of a secret
    // whose beginning was part of another.
    std::vector<std::pair<std::size_t, std::size_t>> matches;
    for (const std::string& needle : m_needles) {
        for (std::size_t at = text.find(needle); at != std::string_view::npos; at = text.find(needle, at + 1)) {
            matches.emplace_back(at, at + needle.size());
        }
    }
    if (matches.empty()) {
        return std::string(text);
    }
    std::sort(matches.begin(), matches.end());
    std::string result;
    std::size_t done = 0;
    for (std::size_t i = 0; i < matches.size();) {
        const std::size_t begin = matches[i].first;
        std::size_t end = matches[i].second;
        for (++i; i < matches.size() && matches[i].first < end; ++i) {
            end = std::max(end, matches[i].second);
        }
        result += text.substr(done, begin - done);
        result += replacement;
        done = end;
    }
    result += text.substr(done);
    return result;
}

QString Redactor::redacted(const QString& text) const
{
    if (m_needles.empty()) {
        return text;
    }
    const std::string bytes = text.toStdString();
    std::string clean = redacted(bytes);
    // Unchanged text goes back as it is: a lone surrogate does not survive UTF-8.
    return clean == bytes ? text : QString::fromStdString(clean);
}

void Redactor::redact(nlohmann::ordered_json& json) const
{
    if (m_needles.empty()) {
        return;
    }
    if (json.is_string()) {
        const auto& text = json.get_ref<const std::string&>();
        if (std::string clean = redacted(text); clean != text) {
            json = std::move(clean);
        }
    } else if (json.is_array()) {
        for (auto& item : json) {
            redact(item);
        }
    } else if (json.is_object()) {
        auto clean = nlohmann::ordered_json::object();
        for (auto& [key, value] : json.items()) {
            const std::string wanted = redacted(key);
            std::string name = wanted;
            for (int number = 2; clean.contains(name); ++number) {
                name = wanted + " (" + std::to_string(number) + ')';
            }
            redact(value);
            clean[name] = std::move(value);
        }
        json = std::move(clean);
    }
}

} // namespace tokenpace
