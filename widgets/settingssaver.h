// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArray>
#include <QString>

namespace tokenpace {

/// What the dialog knows of an endpoint; everything else keeps its default.
struct EndpointDraft {
    QString baseUrl;
    QString keyVariable; ///< name without `${}`, or empty for no key
    QString model; ///< or empty
};

/// A settings.json of this one endpoint, nested under `tokenpace`, as indented text with a line end. The key is written
/// as `${NAME}`; a `${` that was typed elsewhere is kept literal.
[[nodiscard]] QByteArray settingsText(const EndpointDraft& draft);

/// Writes a new settings file for its owner's eyes only (mode 0600), with the folders that it needs. Gives back what
/// went wrong, or an empty text; a file (or a link) that is there already is never touched.
[[nodiscard]] QString saveNewSettings(const QString& file, const QByteArray& text);

/// Is there something at this path already, a dangling link included?
[[nodiscard]] bool pathIsTaken(const QString& file);

/// The name in `NAME`, `$NAME` or `${NAME}`; empty when it is none of them (such as a key pasted by mistake).
[[nodiscard]] QString variableName(const QString& typed);

} // namespace tokenpace
