// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "settingssaver.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QRegularExpression>

#include <nlohmann/json.hpp>

#include "settings/settingsfile.h"

namespace tokenpace {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(SettingsSaver)
};

/// So that what was typed comes back as it was typed.
std::string literal(QString text)
{
    return text.trimmed().replace(QStringLiteral("${"), QStringLiteral("$${")).toStdString();
}

} // namespace

QByteArray settingsText(const EndpointDraft& draft)
{
    nlohmann::ordered_json provider;
    provider["baseUrl"] = literal(draft.baseUrl);
    if (!draft.keyVariable.isEmpty()) {
        provider["apiKey"] = QStringLiteral("${%1}").arg(draft.keyVariable).toStdString();
    }
    if (!draft.model.trimmed().isEmpty()) {
        provider["model"] = literal(draft.model);
    }
    nlohmann::ordered_json root;
    root["tokenpace"]["provider"] = provider;
    return QByteArray::fromStdString(root.dump(2)) + '\n';
}

bool pathIsTaken(const QString& file)
{
    const QFileInfo info(file);
    return info.exists() || info.isSymLink();
}

QString saveNewSettings(const QString& file, const QByteArray& text)
{
    if (pathIsTaken(file)) {
        return Words::tr("%1 is there already and is not changed.").arg(file);
    }
    return saveSettingsFile(file, text, std::nullopt, false).error;
}

QString variableName(const QString& typed)
{
    static const QRegularExpression pattern(QStringLiteral("^(?:([A-Za-z_][A-Za-z0-9_]*)|\\$([A-Za-z_][A-Za-z0-9_]*)"
                                                           "|\\$\\{([A-Za-z_][A-Za-z0-9_]*)\\})$"));
    const QRegularExpressionMatch match = pattern.match(typed.trimmed());
    if (!match.hasMatch()) {
        return {};
    }
    return match.captured(match.lastCapturedIndex());
}

} // namespace tokenpace
