// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <vector>

#include <QByteArray>
#include <QString>
#include <QStringList>

#include "settings/importers.h"
#include "settings/settingsfinder.h"

namespace tokenpace {

/// One value of an import, for people to look at: free of secrets.
struct ImportRow {
    QString key; ///< where it goes, dotted
    QString shown;
    QString before; ///< what stands there in the file; empty: nothing
    QString source; ///< `file:line:column: key`
    QString note; ///< why it is not what stands in the source, or empty
    bool isThere = false; ///< the file has this very value
};

/// What an import would make of a settings.json. A value; free of secrets but for `text`.
struct ImportPlan {
    QByteArray text; ///< the whole file afterwards; every byte that is not concerned is as it was
    std::vector<ImportRow> rows;
    QStringList lines; ///< the rows as text: each value with the key that it goes to, what stood there before, and
                       ///< where it is from
    QStringList notTaken;
    QStringList warnings;
    int changes = 0; ///< 0: all of it is there already
    bool holdsKey = false; ///< a secret as such, rather than a variable's name, is among what is written
    QString error; ///< why nothing can be written, with its place; `text` is as it was then
};

/// Puts imported endpoints into the bytes of a settings file. The first endpoint of a file becomes `P.provider`; where
/// there is one, or several come, they are added to `P.endpoints`, and their request and concurrency values go with
/// them, so that nothing changes for the others. An endpoint that is there already is not added again. A value of the
/// file that is overwritten is named with what it was. `file` is for messages. A pure function.
[[nodiscard]] ImportPlan planImport(const std::vector<ImportPreview>& previews, const QByteArray& settings,
                                    const QString& file);

/// importSettings() of a file; `error` says why when it cannot be read.
[[nodiscard]] ImportPreview importFile(const QString& name);

/// Which of the files to import is the one to write, or an empty text: importing never changes what is imported.
[[nodiscard]] QString fileThatIsTarget(const QStringList& names, const QString& target);

/// The settings.json that an import without --settings goes to: the one that findSettings() finds, else the one of the
/// configuration folder, which need not exist. An empty text with `error` set when the one found is broken.
[[nodiscard]] QString settingsFileToWrite(const SettingsPlaces& places, QString* error);

} // namespace tokenpace
