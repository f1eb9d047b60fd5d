// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "settings/importplan.h"

#include <algorithm>
#include <optional>
#include <string>

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QUrl>

#include "settings/jsonedit.h"
#include "settings/settingsfile.h"
#include "settings/settingstable.h"

namespace tokenpace {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Import)
};

using Json = nlohmann::ordered_json;
using Path = std::vector<std::string>;

Path joined(Path path, const Path& rest)
{
    path.insert(path.end(), rest.begin(), rest.end());
    return path;
}

QString keyText(const Path& path)
{
    QString text;
    for (const std::string& step : path) {
        const bool isNumber = std::ranges::all_of(step, [](char c) {
            return c >= '0' && c <= '9';
        });
        text += isNumber ? QStringLiteral("[%1]").arg(QString::fromStdString(step))
                         : (text.isEmpty() ? QString() : QStringLiteral(".")) + QString::fromStdString(step);
    }
    return text;
}

/// Values that mean something for one endpoint as well as for all.
bool fitsEndpoint(const ImportedValue& value)
{
    return value.path.front() == "request" || value.path.front() == "concurrency";
}

bool holdsSecret(const ImportedValue& value)
{
    const std::string& first = value.path.front();
    if (first == "apiKey" || first == "extraHeaders") {
        return value.shown == u"***";
    }
    if (first == "baseUrl" || first == "proxy") {
        const QUrl url(QString::fromStdString(Json::parse(value.json).get<std::string>()).trimmed());
        return !url.userInfo().isEmpty() || value.shown.contains(u"***");
    }
    return (first == "path" || first == "extraBody") && value.shown.contains(u"***");
}

class Planner {
public:
    Planner(const QByteArray& settings, const QString& file)
        : m_file(file)
        , m_text(settings.toStdString())
    {
        m_plan.text = settings;
    }

    ImportPlan plan(const std::vector<ImportPreview>& previews)
    {
        if (!open()) {
            return std::move(m_plan);
        }
        std::size_t incoming = 0;
        for (const ImportPreview& preview : previews) {
            incoming += preview.endpoints.size();
        }
        const bool alone = incoming == 1 && m_bases.empty();
        for (const ImportPreview& preview : previews) {
            m_plan.notTaken << preview.notTaken;
            m_plan.warnings << preview.warnings;
            take(preview, alone);
        }
        if (m_plan.error.isEmpty()) {
            check();
        }
        if (m_plan.error.isEmpty()) {
            m_plan.text = QByteArray::fromStdString(m_text);
        }
        return std::move(m_plan);
    }

private:
    void fail(const TextProblem& problem)
    {
        const QString key =
            problem.key.empty() ? QString() : QString::fromStdString(problem.key) + QStringLiteral(": ");
        m_plan.error = QStringLiteral("%1:%2:%3: ").arg(m_file).arg(problem.place.line).arg(problem.place.column) + key
            + QString::fromStdString(problem.message);
    }

    /// Takes the file apart; false when it cannot be edited.
    bool open()
    {
        const bool isEmpty = m_text.find_first_not_of(" \t\r\n") == std::string::npos;
        m_document = isEmpty ? JsonText{} : parseJsonText(m_text);
        if (m_document.error) {
            fail(*m_document.error);
            return false;
        }
        bool isOld = false;
        bool isNew = false;
        for (const auto& [name, value] : m_document.root.items()) {
            const std::optional<std::string> prefix = prefixOfKey(name);
            isOld = isOld || prefix == "taotoken";
            isNew = isNew || prefix == "tokenpace";
        }
        m_prefix = isOld && !isNew ? "taotoken" : "tokenpace";
        const SettingsResult result = readSettings(m_document, m_file, {});
        const bool hasEndpoints = result.settings && !result.settings->endpoints.isEmpty();
        const Json* list = at({m_prefix, "endpoints"});
        if (list != nullptr && !list->is_array()) {
            fail({m_document.placeOf(findJson(m_document, {m_prefix, "endpoints"}).value_or("")),
                  m_prefix + ".endpoints", "a list is expected here: nothing can be added"});
            return false;
        }
        const std::size_t items = list == nullptr ? 0 : list->size();
        if (hasEndpoints && static_cast<std::size_t>(result.settings->endpoints.size()) > items) {
            m_bases.push_back({m_prefix, "provider"});
        }
        for (std::size_t i = 0; i < items; ++i) {
            m_bases.push_back({m_prefix, "endpoints", std::to_string(i)});
        }
        return true;
    }

    [[nodiscard]] const Json* at(const Path& path) const
    {
        const std::optional<std::string> pointer = findJson(m_document, path);
        return pointer ? &m_document.root.at(Json::json_pointer(*pointer)) : nullptr;
    }

    bool edit(const Path& path, const std::string& json)
    {
        JsonEdited edited = editJson(m_text, {{path, json}});
        if (edited.error) {
            fail(*edited.error);
            return false;
        }
        m_text = std::move(edited.text);
        m_document = parseJsonText(m_text);
        return true;
    }

    /// Says of one value where it goes; `before` is what stands there.
    void tell(const ImportPreview& preview, const Path& path, const ImportedValue& value, const Json* before)
    {
        const bool isThere = before != nullptr && *before == Json::parse(value.json);
        const ImportRow row{keyText(path),
                            value.shown,
                            before == nullptr ? QString() : QString::fromStdString(before->dump()),
                            preview.located(value.source),
                            value.note,
                            isThere};
        QString line = QStringLiteral("%1 = %2").arg(row.key, row.shown);
        if (isThere) {
            line += Words::tr(" (as it is already)");
        } else if (before != nullptr) {
            line += Words::tr(" (instead of %1)").arg(row.before);
        }
        line += Words::tr(", from %1").arg(row.source);
        if (!row.note.isEmpty()) {
            line += QStringLiteral(" (%1)").arg(row.note);
        }
        m_plan.rows.push_back(row);
        m_plan.lines << line;
    }

    bool put(const ImportPreview& preview, const Path& path, const ImportedValue& value)
    {
        const Json* before = at(path);
        tell(preview, path, value, before);
        if (before != nullptr && *before == Json::parse(value.json)) {
            return true;
        }
        ++m_plan.changes;
        m_plan.holdsKey = m_plan.holdsKey || holdsSecret(value);
        return edit(path, value.json);
    }

    /// Is every value of an endpoint, its name apart, at one of the file's?
    [[nodiscard]] bool isThere(const ImportedEndpoint& endpoint) const
    {
        return endpoint.has("baseUrl") && std::ranges::any_of(m_bases, [&](const Path& base) {
                   return std::ranges::all_of(endpoint.values, [&](const ImportedValue& value) {
                       const Json* existing = at(joined(base, value.path));
                       return value.path.front() == "name"
                           || (existing != nullptr && *existing == Json::parse(value.json));
                   });
               });
    }

    void take(const ImportPreview& preview, bool alone)
    {
        bool isNew = false;
        for (const ImportedEndpoint& endpoint : preview.endpoints) {
            if (!m_plan.error.isEmpty()) {
                return;
            }
            if (isThere(endpoint)) {
                m_plan.notTaken << preview.located(endpoint.source, Words::tr("this endpoint is in the file already"));
                continue;
            }
            isNew = true;
            if (alone) {
                for (const ImportedValue& value : endpoint.values) {
                    if (!put(preview, joined({m_prefix, "provider"}, value.path), value)) {
                        return;
                    }
                }
            } else {
                append(preview, endpoint);
            }
        }
        for (const ImportedValue& value : preview.values) {
            const bool isElsewhere = !alone && fitsEndpoint(value);
            if (isElsewhere && !isNew) {
                m_plan.notTaken << preview.located(value.source, Words::tr("its endpoint is in the file already"));
            } else if (!isElsewhere && !put(preview, joined({m_prefix}, value.path), value)) {
                return;
            }
        }
    }

    /// As a new item of `P.endpoints`, with the values that its file meant for it.
    void append(const ImportPreview& preview, const ImportedEndpoint& endpoint)
    {
        ImportedEndpoint whole = endpoint;
        for (const ImportedValue& value : preview.values) {
            const bool isOwn = std::ranges::find(whole.values, value.path, &ImportedValue::path) != whole.values.end();
            if (fitsEndpoint(value) && !isOwn) {
                whole.values.push_back(value);
            }
        }
        ImportPreview one;
        one.endpoints.push_back(whole);
        const Json object = importedDocument(one).root.at("tokenpace").at("provider");
        const Path list{m_prefix, "endpoints"};
        const Json* existing = at(list);
        const Path path = joined(list, {std::to_string(existing == nullptr ? 0 : existing->size())});
        for (const ImportedValue& value : whole.values) {
            tell(preview, joined(path, value.path), value, nullptr);
            m_plan.holdsKey = m_plan.holdsKey || holdsSecret(value);
            ++m_plan.changes;
        }
        if (existing == nullptr ? edit(list, Json::array({object}).dump()) : edit(path, object.dump())) {
            m_bases.push_back(path);
        }
    }

    /// What would be written must be read as settings.
    void check()
    {
        if (m_plan.changes == 0) {
            return;
        }
        const SettingsResult result = readSettings(m_document, m_file, {});
        if (!result.settings) {
            m_plan.error = result.error;
        }
    }

    QString m_file;
    std::string m_text;
    JsonText m_document; ///< of m_text
    std::string m_prefix;
    std::vector<Path> m_bases; ///< where the file's endpoints stand
    ImportPlan m_plan;
};

} // namespace

ImportPlan planImport(const std::vector<ImportPreview>& previews, const QByteArray& settings, const QString& file)
{
    return Planner(settings, file).plan(previews);
}

ImportPreview importFile(const QString& name)
{
    const FileText file = readFileText(name);
    if (file.problem.isEmpty()) {
        return importSettings(file.text, name);
    }
    ImportPreview failed;
    failed.file = name;
    failed.error = QStringLiteral("%1: %2").arg(name, file.problem);
    return failed;
}

QString fileThatIsTarget(const QStringList& names, const QString& target)
{
    const QString canonical = QFileInfo(target).canonicalFilePath();
    for (const QString& name : names) {
        if (!canonical.isEmpty() && QFileInfo(name).canonicalFilePath() == canonical) {
            return name;
        }
    }
    return {};
}

QString settingsFileToWrite(const SettingsPlaces& places, QString* error)
{
    if (!places.explicitFile.isEmpty()) {
        return QDir::cleanPath(QDir(places.workingFolder).absoluteFilePath(places.explicitFile));
    }
    const SettingsResult found = findSettings(places);
    if (!found.error.isEmpty()) {
        *error = found.error;
        return {};
    }
    if (found.settings && !found.settings->file.isEmpty() && found.settings->foreignShape.isEmpty()) {
        return found.settings->file;
    }
    return places.configHome + QStringLiteral("/tokenpace/settings.json");
}

} // namespace tokenpace
