// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "settingssaver.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSaveFile>

#include <nlohmann/json.hpp>

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
    const QString folder = QFileInfo(file).absolutePath();
    if (!QDir().mkpath(folder)) {
        return Words::tr("The folder %1 can't be made.").arg(folder);
    }
    QSaveFile target(file);
    if (!target.open(QIODevice::WriteOnly) || !target.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner)
        || target.write(text) != text.size()) {
        return Words::tr("%1 can't be written: %2").arg(file, target.errorString());
    }
    if (pathIsTaken(file)) { // by somebody else in the meantime
        target.cancelWriting();
        return Words::tr("%1 is there already and is not changed.").arg(file);
    }
    if (!target.commit()) {
        return Words::tr("%1 can't be written: %2").arg(file, target.errorString());
    }
    return {};
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
