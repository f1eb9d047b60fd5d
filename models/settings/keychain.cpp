// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "settings/keychain.h"

namespace tokenpace {

namespace {

const auto scheme = QStringLiteral("keychain:");

} // namespace

bool isKeychainReference(const QString& text)
{
    return text.trimmed().startsWith(scheme, Qt::CaseInsensitive);
}

std::optional<KeychainName> keychainName(const QString& text)
{
    if (!isKeychainReference(text)) {
        return std::nullopt;
    }
    const QString rest = text.trimmed().mid(scheme.size());
    const qsizetype slash = rest.indexOf(u'/');
    if (slash <= 0 || slash == rest.size() - 1) {
        return std::nullopt;
    }
    return KeychainName{rest.left(slash), rest.mid(slash + 1)};
}

QString keychainReference(const KeychainName& entry)
{
    return scheme + entry.service + u'/' + entry.name;
}

} // namespace tokenpace
