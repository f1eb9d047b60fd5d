// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <QStringList>

#include "settings/importsource.h"

namespace tokenpace {

namespace {

/// `Name: value` a line.
void takeHeaders(SourceObject& variables, std::vector<ImportedValue>& headers)
{
    const char* const name = "ANTHROPIC_CUSTOM_HEADERS";
    const std::optional<std::string> text = variables.text(name);
    if (!text) {
        return;
    }
    const ImportSource source = variables.sourceOf(name);
    const QStringList lines = QString::fromStdString(*text).split(u'\n', Qt::SkipEmptyParts);
    for (const QString& line : lines) {
        const qsizetype colon = line.indexOf(u':');
        if (colon < 1) {
            variables.builder().hide(line.trimmed().toStdString());
            variables.builder().warn(source, ImportWords::tr("\"Name: value\" is expected; a line is not taken"));
            continue;
        }
        variables.builder().take(headers, {"extraHeaders", line.left(colon).trimmed().toStdString()},
                                 line.mid(colon + 1).trimmed().toStdString(), source);
    }
}

} // namespace

void importClaudeCode(SourceObject& root)
{
    ImportBuilder& builder = root.builder();
    if (std::optional<SourceObject> variables = root.object("env")) {
        std::vector<ImportedValue> headers;
        takeHeaders(*variables, headers);
        importVariables(*variables);
        builder.addTo("anthropic-messages", headers);
        variables->leaveRest();
    }
    root.leave("apiKeyHelper", ImportWords::tr("programs that print a key are not run"));
    root.leave("model", ImportWords::tr("it may be one of Claude Code's own short names; set the model's full name"));
    root.leaveRestAsOne(ImportWords::tr("it is about other things than an endpoint"));
}

} // namespace tokenpace
