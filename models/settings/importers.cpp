// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "settings/importers.h"

#include <algorithm>
#include <array>

#include <QFileInfo>
#include <QRegularExpression>

#include "settings/importsource.h"
#include "settings/settingstable.h"
#include "settings/tomltext.h"

namespace tokenpace {

namespace {

using Json = nlohmann::ordered_json;

/// How a document's shape is told, and who reads it.
struct Shape {
    QString kind;
    void (*import)(SourceObject& root) = nullptr; ///< null: no shape that is known
};

bool hasText(const Json& root, const char* name)
{
    const auto it = root.find(name);
    return it != root.end() && it->is_string();
}

bool hasObject(const Json& root, const char* name)
{
    const auto it = root.find(name);
    return it != root.end() && it->is_object();
}

Shape tomlShape(const Json& root)
{
    if (hasObject(root, "taotoken")) {
        return {ImportWords::tr("config.toml of one table"), importTutorialFlat};
    }
    if (root.contains("model_providers") || root.contains("model_provider") || hasText(root, "model")) {
        return {ImportWords::tr("Codex config.toml"), importCodexConfig};
    }
    if (hasObject(root, "provider")) {
        return {ImportWords::tr("config.toml of sections"), importTutorialSections};
    }
    return {};
}

bool namesAnEndpoint(const Json& variables)
{
    return std::ranges::any_of(variables.items(), [](const auto& item) {
        constexpr std::array beginnings{"ANTHROPIC_", "TAOTOKEN_", "OPENAI_", "OLLAMA_"};
        return std::ranges::any_of(beginnings, [&](const char* beginning) {
            return item.key().starts_with(beginning);
        });
    });
}

Shape jsonShape(const Json& root, const QString& fileName)
{
    const bool isCline = std::ranges::any_of(root.items(), [](const auto& item) {
        return isClineKey(item.key());
    });
    if (isCline) {
        return {ImportWords::tr("Cline settings"), importCline};
    }
    if (hasObject(root, "env") && namesAnEndpoint(root["env"])) {
        return {ImportWords::tr("Claude Code settings"), importClaudeCode};
    }
    if (root.contains("OPENAI_API_KEY") || root.contains("tokens")) {
        return {ImportWords::tr("Codex auth.json"), importCodexAuth};
    }
    if (root.contains("base_url")) {
        if (root.contains("models")) {
            return {ImportWords::tr("map of models"), importModelsMap};
        }
        const bool isAuth = std::ranges::all_of(root.items(), [](const auto& item) {
            return item.key() == "base_url" || item.key() == "api_key" || item.key() == "model";
        });
        if (isAuth || QFileInfo(fileName).fileName() == u"auth.json") {
            return {ImportWords::tr("Codex auth.json"), importCodexAuth};
        }
        return {ImportWords::tr("flat JSON"), importFlatJson};
    }
    return {};
}

QString expectedText()
{
    return ImportWords::tr(
        "this is no settings file that is known here; known are config.toml, environment files, a map "
        "of models or flat JSON with base_url, settings of Claude Code, Cline and Codex, and a curl "
        "command");
}

ImportPreview importDocument(const JsonText& document, const Shape& shape, const QString& fileName)
{
    ImportBuilder builder(fileName, shape.kind);
    for (const TextProblem& warning : document.warnings) {
        builder.warn(warning);
    }
    if (document.error) {
        builder.fail(*document.error);
        return builder.finish();
    }
    for (const auto& [name, value] : document.root.items()) {
        if (prefixOfKey(name) && shape.import == nullptr) {
            builder.fail({QString::fromStdString(name), document.placeOf(joinPointer({}, name))},
                         ImportWords::tr("this is a settings file of Tokenpace already: give it with --settings"));
        }
    }
    if (shape.import == nullptr) {
        builder.fail({}, expectedText());
        return builder.finish();
    }
    SourceObject root(builder, document);
    shape.import(root);
    if (!builder.hasEndpoints()) {
        builder.fail({}, ImportWords::tr("there is no endpoint in it"));
    }
    return builder.finish();
}

/// Lines of `NAME=value` and no section: what a shell would read.
bool isDotenv(const QByteArray& bytes, const QString& fileName)
{
    static const QRegularExpression section(QStringLiteral("^[ \\t]*\\["), QRegularExpression::MultilineOption);
    static const QRegularExpression variable(QStringLiteral("^[ \\t]*(export[ \\t]+)?[A-Z_][A-Z0-9_]*[ \\t]*="),
                                             QRegularExpression::MultilineOption);
    const QString name = QFileInfo(fileName).fileName();
    if (name.endsWith(u".toml")) {
        return false;
    }
    if (name == u".env" || name.startsWith(u".env.") || name.endsWith(u".env")) {
        return true;
    }
    // A BOM is no part of the first line.
    QString text = QString::fromUtf8(bytes);
    text.replace(u'\r', u'\n');
    return variable.match(text).hasMatch() && !section.match(text).hasMatch();
}

/// Does the text begin as an object, comments in front of it or not?
bool isJson(std::string_view text)
{
    static const QRegularExpression opening(QStringLiteral("^\\x{FEFF}?(\\s|//[^\\r\\n]*|/\\*.*?\\*/)*[\\[{]"),
                                            QRegularExpression::DotMatchesEverythingOption);
    constexpr std::size_t enough = 65536;
    text = text.substr(0, enough);
    const QString begin = QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
    static const QRegularExpression table(
        QStringLiteral("^\\x{FEFF}?\\s*\\[\\[?[ \\t]*[A-Za-z0-9_.\"' -]+[ \\t]*\\]\\]?\\s*(#|\\r|\\n|$)"));
    return opening.match(begin).hasMatch() && !table.match(begin).hasMatch();
}

} // namespace

ImportPreview importSettings(const QByteArray& bytes, const QString& fileName)
{
    const std::string_view text(bytes.constData(), static_cast<std::size_t>(bytes.size()));
    ImportBuilder builder(fileName, {});
    if (const std::optional<TextProblem> problem = encodingProblem(text)) {
        builder.fail(*problem);
        return builder.finish();
    }
    if (text.find_first_not_of(" \t\r\n", textBegin(text)) == std::string_view::npos) {
        builder.fail({}, ImportWords::tr("the file is empty"));
        return builder.finish();
    }
    if (isJson(text)) {
        const JsonText document = parseJsonText(text);
        return importDocument(document, jsonShape(document.root, fileName), fileName);
    }
    if (curlBegin(text)) {
        return importCurl(text, fileName);
    }
    if (isDotenv(bytes, fileName)) {
        return importDotenv(text, fileName);
    }
    const JsonText document = parseTomlText(text);
    if (document.error && !fileName.endsWith(u".toml")) {
        // Neither the content nor the name says that it is meant as TOML.
        const bool looksLikeToml = text.find("\n[") != std::string_view::npos || text.starts_with('[');
        if (!looksLikeToml) {
            builder.fail({}, expectedText());
            return builder.finish();
        }
    }
    return importDocument(document, tomlShape(document.root), fileName);
}

} // namespace tokenpace
