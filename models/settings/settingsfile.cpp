// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "settings/settingsfile.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLockFile>
#include <QSaveFile>

namespace tokenpace {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(SettingsFile)
};

constexpr QFileDevice::Permissions ownerOnly = QFileDevice::ReadOwner | QFileDevice::WriteOwner;

/// Where the bytes are in the end, also when nothing is there yet.
QString behindLinks(const QString& file)
{
    QString path = QFileInfo(file).absoluteFilePath();
    constexpr int mostLinks = 40;
    for (int i = 0; i < mostLinks; ++i) {
        const QFileInfo info(path);
        if (!info.isSymLink()) {
            break;
        }
        path = info.symLinkTarget();
    }
    return path;
}

SaveResult failed(const QString& error)
{
    return {SaveOutcome::Failed, error, {}};
}

} // namespace

FileText readFileText(QFile& open)
{
    constexpr qint64 largest = 4 * 1024 * 1024;
    // By reading, not by size(): a pipe has none. One byte more tells that there is more.
    FileText result;
    while (result.text.size() <= largest) {
        const QByteArray more = open.read(largest + 1 - result.text.size());
        if (more.isEmpty()) {
            break;
        }
        result.text += more;
    }
    if (open.error() != QFileDevice::NoError) {
        return {{}, Words::tr("cannot be read: %1").arg(open.errorString())};
    }
    if (result.text.size() > largest) {
        return {{}, Words::tr("larger than %1 MiB: this is no settings file").arg(largest / (1024 * 1024))};
    }
    return result;
}

FileText readFileText(const QString& file)
{
    if (QFileInfo(file).isDir()) {
        return {{}, Words::tr("this is a folder, not a settings file")};
    }
    QFile source(file);
    if (!source.open(QIODevice::ReadOnly)) {
        return {{}, Words::tr("cannot be read: %1").arg(source.errorString())};
    }
    return readFileText(source);
}

SettingsFileContent loadSettingsFile(const QString& file)
{
    if (!QFileInfo::exists(file)) {
        return {};
    }
    const FileText content = readFileText(file);
    if (!content.problem.isEmpty()) {
        return {std::nullopt, QStringLiteral("%1: %2").arg(file, content.problem)};
    }
    return {content.text, {}};
}

SaveResult saveSettingsFile(const QString& file, const QByteArray& bytes, const std::optional<QByteArray>& expected,
                            bool holdsKey)
{
    const QString target = behindLinks(file);
    const QString folder = QFileInfo(target).absolutePath();
    if (!QDir().mkpath(folder)) {
        return failed(Words::tr("The folder %1 can't be made").arg(folder));
    }
    // Held from the comparison to the replacement, against another window that saves at this moment.
    QLockFile lock(target + QStringLiteral(".lock"));
    constexpr int longestMs = 2000;
    const auto isTaken = [&lock] {
        return !lock.tryLock(longestMs) && lock.error() == QLockFile::LockFailedError;
    };
    // A saver that was killed as it made its lock left one that names nobody and would hold for half a minute.
    const auto isNobodys = [&lock] {
        qint64 process = 0;
        QString host;
        QString program;
        return !lock.getLockInfo(&process, &host, &program) && lock.removeStaleLockFile();
    };
    if (isTaken() && (!isNobodys() || isTaken())) {
        return failed(Words::tr("%1 is being saved by another program; try again").arg(target));
    }
    const SettingsFileContent now = loadSettingsFile(target);
    if (!now.error.isEmpty()) {
        return failed(now.error);
    }
    if (now.bytes != expected) {
        return {
            SaveOutcome::ChangedOnDisk, Words::tr("%1 was changed by another program since it was read").arg(file), {}};
    }
    SaveResult result;
    const QFileDevice::Permissions mode = now.bytes ? QFile::permissions(target) : ownerOnly;
    constexpr QFileDevice::Permissions others = QFileDevice::ReadGroup | QFileDevice::WriteGroup
        | QFileDevice::ReadOther | QFileDevice::WriteOther | QFileDevice::ExeGroup | QFileDevice::ExeOther;
    const bool closes = holdsKey && (mode & others) != 0;
    if (const QString tree = gitWorkTreeOf(target); holdsKey && !tree.isEmpty()) {
        result.warnings << Words::tr(
                               "The file holds a key and lies in the git work tree %1: a commit would publish it. "
                               "Put the key into an environment variable and write ${NAME}.")
                               .arg(tree);
    }
    if (now.bytes == bytes && !closes) {
        result.outcome = SaveOutcome::Unchanged;
        return result;
    }
    QSaveFile out(target);
    const QString advice = Words::tr("%1 can't be written: %2. Nothing was changed; make room or choose another file.");
    if (!out.open(QIODevice::WriteOnly) || !out.setPermissions(holdsKey ? ownerOnly : mode)
        || out.write(bytes) != bytes.size() || !out.commit()) {
        return failed(advice.arg(target, out.errorString()));
    }
    if (closes) {
        result.warnings << Words::tr("The file holds a key and is now readable by you alone.");
    }
    result.outcome = SaveOutcome::Saved;
    return result;
}

QString keepCopy(const QString& file, QString* error)
{
    constexpr int mostCopies = 1000;
    for (int number = 1; number < mostCopies; ++number) {
        const QString name = QStringLiteral("%1.%2").arg(file).arg(number);
        if (QFileInfo::exists(name) || QFileInfo(name).isSymLink()) {
            continue;
        }
        QFile source(file);
        if (!source.copy(name)) {
            *error = Words::tr("No copy of %1 can be made: %2").arg(file, source.errorString());
            return {};
        }
        QFile::setPermissions(name, ownerOnly);
        return name;
    }
    *error = Words::tr("There are too many copies of %1 already").arg(file);
    return {};
}

QString gitWorkTreeOf(const QString& file)
{
    QDir folder(QFileInfo(behindLinks(file)).absolutePath());
    do {
        if (QFileInfo::exists(folder.filePath(QStringLiteral(".git")))) {
            return folder.absolutePath();
        }
    } while (folder.cdUp());
    return {};
}

} // namespace tokenpace
