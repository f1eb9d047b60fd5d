// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <optional>

#include <QByteArray>
#include <QString>
#include <QStringList>

class QFile;

namespace tokenpace {

/// The bytes of a file of settings, ours or another tool's, or why there are none: without the file's name.
struct FileText {
    QByteArray text;
    QString problem;
};
/// What is larger than 4 MiB is a problem: settings are a few kilobytes, and other files not worth the memory.
[[nodiscard]] FileText readFileText(const QString& file);
[[nodiscard]] FileText readFileText(QFile& open); ///< the rest of an open one, such as standard input

/// What a settings file holds now.
struct SettingsFileContent {
    std::optional<QByteArray> bytes; ///< none: there is no file, or it can't be read
    QString error; ///< why it can't be read; empty when it merely isn't there
};
[[nodiscard]] SettingsFileContent loadSettingsFile(const QString& file);

enum class SaveOutcome {
    Saved,
    Unchanged, ///< the file holds these bytes already; nothing was written
    ChangedOnDisk, ///< somebody else has written it since; nothing was written
    Failed, ///< nothing was written, and the file is as it was
};
struct SaveResult {
    SaveOutcome outcome = SaveOutcome::Failed;
    QString error; ///< what to do about it
    QStringList warnings; ///< saved, yet something is to be said
};

/// Replaces a settings file in one step, through links, and keeps its mode; a new one, and one that holds a key as such
/// (`holdsKey`), is for its owner's eyes only (0600). `expected` is what the file held when it was read (none: there
/// was none); anything else there stops the saving, so that two windows never overwrite each other. Folders are made.
/// On any thread.
[[nodiscard]] SaveResult saveSettingsFile(const QString& file, const QByteArray& bytes,
                                          const std::optional<QByteArray>& expected, bool holdsKey);

/// Copies a file aside, as `settings.json.1` or the next free number, for its owner's eyes only; the copy's name, or an
/// empty text with `error` set.
[[nodiscard]] QString keepCopy(const QString& file, QString* error);

/// The folder of the git work tree that a file lies in, or an empty text.
[[nodiscard]] QString gitWorkTreeOf(const QString& file);

} // namespace tokenpace
