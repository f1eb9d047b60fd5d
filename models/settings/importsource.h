// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <QCoreApplication>

#include <nlohmann/json.hpp>

#include "settings/importers.h"
#include "settings/redactor.h"

namespace tokenpace {

struct ImportWords {
    Q_DECLARE_TR_FUNCTIONS(Import)
};

/// Collects what an importer finds: checks values against the settings' schema, and keeps secrets out of what is said.
/// For the importers of this folder; lives for one import.
class ImportBuilder {
public:
    using Json = nlohmann::ordered_json;

    ImportBuilder(const QString& file, const QString& kind);

    /// Texts stand for numbers and truth values too, as in environment files.
    void setTextOnly() { m_textOnly = true; }
    /// Puts `value` at `path` (`apiKey`, `request.maxTokens`, `extraHeaders` and a name below it); what the schema
    /// refuses is told as not taken. Says whether it was taken.
    bool take(std::vector<ImportedValue>& into, std::vector<std::string> path, Json value, const ImportSource& source,
              const QString& note = {});
    /// The values below the prefix, for take().
    [[nodiscard]] std::vector<ImportedValue>& shared() { return m_preview.values; }
    void add(ImportedEndpoint endpoint) { m_preview.endpoints.push_back(std::move(endpoint)); }
    /// Adds values to the endpoints that speak a protocol.
    void addTo(const std::string& protocol, const std::vector<ImportedValue>& values);
    [[nodiscard]] bool hasEndpoints() const { return !m_preview.endpoints.empty(); }

    void leave(const ImportSource& source, const QString& why);
    /// What is wrong rather than foreign: readers of the file hear of it, too.
    void warn(const ImportSource& source, const QString& message);
    void warn(const TextProblem& problem);
    void fail(const ImportSource& source, const QString& message);
    void fail(const TextProblem& problem);
    /// A value that no message may hold.
    void hide(const Json& value);

    [[nodiscard]] ImportPreview finish();

private:
    [[nodiscard]] Json typed(const std::string& path, Json value) const;
    [[nodiscard]] QString shown(const std::vector<std::string>& path, const Json& value);

    ImportPreview m_preview;
    Redactor m_redactor;
    bool m_textOnly = false;
};

/// One object of a source document; remembers what was asked for, so that the rest can be told as not taken.
class SourceObject {
public:
    using Json = nlohmann::ordered_json;

    /// The whole document; it and the builder must outlive this.
    SourceObject(ImportBuilder& builder, const JsonText& document);

    [[nodiscard]] const ImportSource& source() const { return m_source; }
    [[nodiscard]] const Json& json() const { return *m_json; }
    [[nodiscard]] ImportBuilder& builder() const { return *m_builder; }
    [[nodiscard]] ImportSource sourceOf(const std::string& name) const;

    /// The member; none when absent or null. Marks it as known.
    const Json* find(const std::string& name);
    /// The member as a text; another type is told as not taken.
    std::optional<std::string> text(const std::string& name);
    /// The member as an object; another type is told as not taken.
    std::optional<SourceObject> object(const std::string& name);
    /// Takes the member to `path` as it is; says whether it is there and was taken.
    bool take(const std::string& name, std::vector<ImportedValue>& into, std::vector<std::string> path);
    /// A duration in seconds, as ms.
    bool takeSeconds(const std::string& name, std::vector<ImportedValue>& into, std::vector<std::string> path);
    /// The name of a variable, as `${NAME}`.
    bool takeVariable(const std::string& name, std::vector<ImportedValue>& into, std::vector<std::string> path);
    /// `max_tokens`, `temperature`, `top_p`, `seed` and `stream` as `request.*`.
    void takeParameters(std::vector<ImportedValue>& into);
    void leave(const std::string& name, const QString& why);
    /// Tells all members that nobody asked for as not taken; a slip of a known name gets a hint.
    void leaveRest(const QString& why = {});
    /// In one sentence, where a file is mostly about other things.
    void leaveRestAsOne(const QString& why);
    [[nodiscard]] std::vector<std::string> unknownNames() const;

private:
    SourceObject(ImportBuilder& builder, const JsonText& document, const Json& json, std::string pointer,
                 ImportSource source);

    ImportBuilder* m_builder; // not owned
    const JsonText* m_document; // not owned
    const Json* m_json; // in the document
    std::string m_pointer;
    ImportSource m_source;
    std::set<std::string> m_known;
};

/// A model's name and where it stands.
using SourceModel = std::pair<std::string, ImportSource>;
/// One as `model`, several as `models`; each once.
void takeModels(ImportBuilder& builder, ImportedEndpoint& endpoint, const std::vector<SourceModel>& models);
/// `api_key`, or `api_key_env` as `${NAME}`.
void takeKey(SourceObject& object, ImportedEndpoint& endpoint);

/// Variables of one tool that stand together: an environment file, or an `env` object. Adds an endpoint for each
/// family (`TAOTOKEN_*`, `OPENAI_*`, `ANTHROPIC_*`, `OLLAMA_*`) that names one; marks what it knows.
void importVariables(SourceObject& variables, const QString& endpointName = {});

/// The shapes, by the object at the top; each is sure that the document is of its shape.
void importTutorialSections(SourceObject& root);
void importTutorialFlat(SourceObject& root);
void importModelsMap(SourceObject& root);
void importFlatJson(SourceObject& root);
void importClaudeCode(SourceObject& root);
void importCline(SourceObject& root);
void importCodexConfig(SourceObject& root);
void importCodexAuth(SourceObject& root);

/// A key that says that a document holds settings of Cline or of MCP servers.
[[nodiscard]] bool isClineKey(const std::string& key);

[[nodiscard]] ImportPreview importDotenv(std::string_view text, const QString& file);
/// Where a text's first command begins, if it is curl.
[[nodiscard]] std::optional<std::size_t> curlBegin(std::string_view text);
[[nodiscard]] ImportPreview importCurl(std::string_view text, const QString& file);

} // namespace tokenpace
