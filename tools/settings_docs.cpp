// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Writes what is made from the table of settings: resources/settings.schema.json, and the table in README.md.
//
//   settings_docs FOLDER     the project's folder

#include <cstdio>

#include <QFile>
#include <QString>

#include "settings/settingsschema.h"

namespace {

bool write(const QString& path, const QByteArray& text)
{
    QFile file(path);
    if (file.open(QIODevice::WriteOnly) && file.write(text) == text.size()) {
        return true;
    }
    std::fprintf(stderr, "%s: %s\n", qPrintable(path), qPrintable(file.errorString()));
    return false;
}

} // namespace

int main(int argc, char* argv[])
{
    if (argc != 2) {
        std::fputs("settings_docs FOLDER\n", stderr);
        return 2;
    }
    const QString folder = QString::fromLocal8Bit(argv[1]);
    const QString readmePath = folder + QStringLiteral("/README.md");
    QFile readme(readmePath);
    if (!readme.open(QIODevice::ReadOnly)) {
        std::fprintf(stderr, "%s: %s\n", qPrintable(readmePath), qPrintable(readme.errorString()));
        return 1;
    }
    QByteArray text = readme.readAll();
    readme.close();
    const qsizetype begin = text.indexOf("| key | default | what |\n");
    const qsizetype end = begin < 0 ? -1 : text.indexOf("\n\n", begin);
    if (end < 0) {
        std::fprintf(stderr, "%s: there is no table of settings in it\n", qPrintable(readmePath));
        return 1;
    }
    text.replace(begin, end + 1 - begin, tokenpace::settingsTableMarkdown());
    const bool written = write(readmePath, text)
        && write(folder + QStringLiteral("/resources/settings.schema.json"), tokenpace::settingsSchemaJson());
    return written ? 0 : 1;
}
