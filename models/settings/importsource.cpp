// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "settings/importsource.h"

#include <algorithm>
#include <cmath>

#include <QRegularExpression>
#include <QUrl>

#include "settings/baseurl.h"
#include "settings/keyslip.h"
#include "settings/settingsschema.h"

namespace tokenpace {

namespace {

using Json = nlohmann::ordered_json;

const QString mask = QStringLiteral("***");

/// The path of the schema's entry: headers and body have names of a person's own below them.
std::string schemaPath(const std::vector<std::string>& path)
{
    if (path.front() == "extraHeaders" || path.front() == "extraBody") {
        return path.front();
    }
    std::string joined;
    for (const std::string& step : path) {
        joined += (joined.empty() ? "" : ".") + step;
    }
    return joined;
}

bool isVariable(const QString& text)
{
    static const QRegularExpression variable(QStringLiteral("^(Bearer )?\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}$"));
    return variable.match(text).hasMatch();
}

/// `${env:NAME}` is how VS Code writes `${NAME}`.
std::string ownVariables(const std::string& text)
{
    static const QRegularExpression foreign(QStringLiteral("\\$\\{env:([A-Za-z_][A-Za-z0-9_]*)\\}"));
    return text.find("${env:") == std::string::npos
        ? text
        : QString::fromStdString(text).replace(foreign, QStringLiteral("${\\1}")).toStdString();
}

QString shownUrl(const QString& text)
{
    const QUrl url(text.trimmed());
    if (requestUrl(text, Protocol::OpenAiChat).problem.isEmpty()) {
        return displayUrl(url);
    }
    // What cannot be taken apart may hold a password anywhere behind these.
    return text.contains(u'@') || text.contains(u'?') ? mask : text;
}

void maskSecrets(Json& json)
{
    if (json.is_object()) {
        for (auto& [key, value] : json.items()) {
            if (isSecretName(QString::fromStdString(key)) && !value.is_structured()) {
                value = mask.toStdString();
            } else {
                maskSecrets(value);
            }
        }
    } else if (json.is_array()) {
        for (Json& item : json) {
            maskSecrets(item);
        }
    }
}

} // namespace

bool ImportedEndpoint::has(const char* name) const
{
    return std::ranges::any_of(values, [name](const ImportedValue& value) {
        return value.path.front() == name;
    });
}

QString ImportPreview::located(const ImportSource& source, const QString& message) const
{
    QString text = QStringLiteral("%1:%2:%3").arg(file).arg(source.place.line).arg(source.place.column);
    for (const QString& part : {source.key, message}) {
        if (!part.isEmpty()) {
            text += QStringLiteral(": ") + part;
        }
    }
    return text;
}

ImportBuilder::ImportBuilder(const QString& file, const QString& kind)
{
    m_preview.file = file;
    m_preview.kind = kind;
}

Json ImportBuilder::typed(const std::string& path, Json value) const
{
    if (!m_textOnly || !value.is_string() || path == "extraHeaders" || path == "extraBody") {
        return value;
    }
    const SettingType type = settingKey(path).type;
    const QString text = QString::fromStdString(value.get<std::string>()).trimmed().toLower();
    if (type == SettingType::Switch) {
        static const QStringList yes{QStringLiteral("true"), QStringLiteral("1"), QStringLiteral("yes"),
                                     QStringLiteral("on")};
        static const QStringList no{QStringLiteral("false"), QStringLiteral("0"), QStringLiteral("no"),
                                    QStringLiteral("off")};
        return yes.contains(text) ? Json(true) : no.contains(text) ? Json(false) : value;
    }
    if (type == SettingType::Whole || type == SettingType::Number) {
        const Json number = Json::parse(text.toStdString(), nullptr, false);
        return number.is_number() ? number : value;
    }
    return value;
}

bool ImportBuilder::take(std::vector<ImportedValue>& into, std::vector<std::string> path, Json value,
                         const ImportSource& source, const QString& note)
{
    const std::string entry = schemaPath(path);
    const SettingKey& key = settingKey(entry);
    value = typed(entry, std::move(value));
    if (value.is_string()) {
        value = ownVariables(value.get<std::string>());
    }
    const bool secret = key.type == SettingType::Secret || key.type == SettingType::Headers;
    if (secret || isSecretName(QString::fromStdString(path.back()))) {
        hide(value);
    }
    QString problem;
    if (key.type == SettingType::Headers) {
        problem = value.is_string() ? QString() : ImportWords::tr("A text is expected");
    } else if (key.type != SettingType::Object) {
        problem = problemOf(key, value);
    }
    const bool emptyText = value.is_string() && value.get_ref<const std::string&>().empty();
    if (problem.isEmpty() && emptyText && key.type != SettingType::Headers && key.type != SettingType::Object) {
        leave(source, ImportWords::tr("it is empty"));
        return false;
    }
    if (!problem.isEmpty()) {
        warn(source, ImportWords::tr("%1; it is not taken").arg(problem));
        return false;
    }
    const auto same = std::ranges::find(into, path, &ImportedValue::path);
    const QString text = shown(path, value);
    ImportedValue taken{std::move(path), value.dump(-1, ' ', false, Json::error_handler_t::replace), source, text,
                        note};
    if (same != into.end()) {
        warn(source, ImportWords::tr("the same as %1; this one is used").arg(same->source.key));
        *same = std::move(taken);
    } else {
        into.push_back(std::move(taken));
    }
    return true;
}

void ImportBuilder::addTo(const std::string& protocol, const std::vector<ImportedValue>& values)
{
    for (ImportedEndpoint& endpoint : m_preview.endpoints) {
        const bool speaks = std::ranges::any_of(endpoint.values, [&](const ImportedValue& value) {
            return value.path.front() == "protocol" && value.json == Json(protocol).dump();
        });
        if (speaks) {
            endpoint.values.insert(endpoint.values.end(), values.begin(), values.end());
        }
    }
}

void ImportBuilder::leave(const ImportSource& source, const QString& why)
{
    m_preview.notTaken << m_preview.located(source, why);
}

void ImportBuilder::warn(const ImportSource& source, const QString& message)
{
    m_preview.warnings << m_preview.located(source, message);
}

void ImportBuilder::warn(const TextProblem& problem)
{
    warn({QString::fromStdString(problem.key), problem.place}, QString::fromStdString(problem.message));
}

void ImportBuilder::fail(const ImportSource& source, const QString& message)
{
    if (m_preview.error.isEmpty()) {
        m_preview.error = m_preview.located(source, message);
    }
}

void ImportBuilder::fail(const TextProblem& problem)
{
    fail({QString::fromStdString(problem.key), problem.place}, QString::fromStdString(problem.message));
}

void ImportBuilder::hide(const Json& value)
{
    if (value.is_structured()) {
        for (const Json& item : value) {
            hide(item);
        }
        return;
    }
    QString text = QString::fromStdString(value.is_string() ? value.get<std::string>() : value.dump());
    if (isVariable(text)) {
        return;
    }
    m_redactor.addSecret(text);
    for (const QString& scheme : {QStringLiteral("Bearer "), QStringLiteral("Basic ")}) {
        if (text.startsWith(scheme, Qt::CaseInsensitive)) {
            m_redactor.addSecret(text.mid(scheme.size()));
        }
    }
}

QString ImportBuilder::shown(const std::vector<std::string>& path, const Json& value)
{
    const QString text = value.is_string() ? QString::fromStdString(value.get<std::string>()) : QString();
    if (path.front() == "apiKey" || path.front() == "extraHeaders") {
        return isVariable(text) ? text : mask;
    }
    if (path.front() == "baseUrl" || path.front() == "proxy") {
        m_redactor.addUrlSecrets(QUrl(text.trimmed()));
        return shownUrl(text);
    }
    if (path.front() == "path") {
        m_redactor.addUrlSecrets(QUrl(QStringLiteral("http://h") + text));
        return displayUrl(QUrl(QStringLiteral("http://h") + text)).mid(8);
    }
    Json clean = value;
    if (path.front() == "extraBody" && isSecretName(QString::fromStdString(path.back()))) {
        return mask;
    }
    maskSecrets(clean);
    return QString::fromStdString(clean.dump(-1, ' ', false, Json::error_handler_t::replace));
}

ImportPreview ImportBuilder::finish()
{
    const auto clean = [this](QStringList& list) {
        for (QString& text : list) {
            text = m_redactor.redacted(text);
        }
    };
    clean(m_preview.notTaken);
    clean(m_preview.warnings);
    const auto cleanValues = [this](std::vector<ImportedValue>& values) {
        for (ImportedValue& value : values) {
            value.shown = m_redactor.redacted(value.shown);
        }
    };
    cleanValues(m_preview.values);
    for (ImportedEndpoint& endpoint : m_preview.endpoints) {
        cleanValues(endpoint.values);
    }
    if (!m_preview.error.isEmpty()) {
        ImportPreview failed;
        failed.kind = m_preview.kind;
        failed.file = m_preview.file;
        failed.error = m_redactor.redacted(m_preview.error);
        return failed;
    }
    return std::move(m_preview);
}

SourceObject::SourceObject(ImportBuilder& builder, const JsonText& document)
    : SourceObject(builder, document, document.root, {}, {})
{
}

SourceObject::SourceObject(ImportBuilder& builder, const JsonText& document, const Json& json, std::string pointer,
                           ImportSource source)
    : m_builder(&builder)
    , m_document(&document)
    , m_json(&json)
    , m_pointer(std::move(pointer))
    , m_source(std::move(source))
{
}

ImportSource SourceObject::sourceOf(const std::string& name) const
{
    const QString own = QString::fromStdString(name);
    return {m_source.key.isEmpty() ? own : m_source.key + u'.' + own,
            m_document->placeOf(joinPointer(m_pointer, name))};
}

const Json* SourceObject::find(const std::string& name)
{
    m_known.insert(name);
    const auto it = m_json->find(name);
    return it == m_json->end() || it->is_null() ? nullptr : &*it;
}

std::optional<std::string> SourceObject::text(const std::string& name)
{
    const Json* value = find(name);
    if (value == nullptr) {
        return std::nullopt;
    }
    if (!value->is_string()) {
        m_builder->warn(sourceOf(name), ImportWords::tr("A text is expected; it is not taken"));
        return std::nullopt;
    }
    return value->get<std::string>();
}

std::optional<SourceObject> SourceObject::object(const std::string& name)
{
    const Json* value = find(name);
    if (value == nullptr) {
        return std::nullopt;
    }
    if (!value->is_object()) {
        m_builder->warn(sourceOf(name), ImportWords::tr("An object is expected; it is not taken"));
        return std::nullopt;
    }
    return SourceObject(*m_builder, *m_document, *value, joinPointer(m_pointer, name), sourceOf(name));
}

bool SourceObject::take(const std::string& name, std::vector<ImportedValue>& into, std::vector<std::string> path)
{
    const Json* value = find(name);
    return value != nullptr && m_builder->take(into, std::move(path), *value, sourceOf(name));
}

bool SourceObject::takeSeconds(const std::string& name, std::vector<ImportedValue>& into, std::vector<std::string> path)
{
    const Json* value = find(name);
    if (value == nullptr) {
        return false;
    }
    const Json number = value->is_string() ? Json::parse(value->get_ref<const std::string&>(), nullptr, false) : *value;
    const double ms = number.is_number() ? std::round(number.get<double>() * 1000) : std::nan("");
    // Far beyond any limit of the schema, so that the cast is safe; also false for no number.
    if (!(ms >= 0 && ms < 1e15)) {
        m_builder->warn(sourceOf(name), ImportWords::tr("a number of seconds is expected; it is not taken"));
        return false;
    }
    return m_builder->take(into, std::move(path), static_cast<std::int64_t>(ms), sourceOf(name),
                           ImportWords::tr("from seconds"));
}

bool SourceObject::takeVariable(const std::string& name, std::vector<ImportedValue>& into,
                                std::vector<std::string> path)
{
    const std::optional<std::string> variable = text(name);
    if (!variable || variable->empty()) {
        return false;
    }
    static const QRegularExpression valid(QStringLiteral("^[A-Za-z_][A-Za-z0-9_]*$"));
    if (!valid.match(QString::fromStdString(*variable)).hasMatch()) {
        // Not quoted: people put the key itself there.
        m_builder->warn(sourceOf(name),
                        ImportWords::tr("the name of an environment variable is expected; it is not taken"));
        return false;
    }
    return m_builder->take(into, std::move(path), "${" + *variable + '}', sourceOf(name));
}

void SourceObject::takeParameters(std::vector<ImportedValue>& into)
{
    take("stream", into, {"request", "stream"});
    take("max_tokens", into, {"request", "maxTokens"});
    take("temperature", into, {"request", "temperature"});
    take("top_p", into, {"request", "topP"});
    take("seed", into, {"request", "seed"});
}

void SourceObject::leave(const std::string& name, const QString& why)
{
    if (find(name) != nullptr) {
        m_builder->leave(sourceOf(name), why);
    }
}

std::vector<std::string> SourceObject::unknownNames() const
{
    std::vector<std::string> names;
    for (const auto& [name, value] : m_json->items()) {
        if (!m_known.contains(name)) {
            names.push_back(name);
        }
    }
    return names;
}

void SourceObject::leaveRest(const QString& why)
{
    for (const std::string& name : unknownNames()) {
        const auto near = std::ranges::find_if(m_known, [&](const std::string& known) {
            return isSlipOf(name, known) && !m_json->contains(known);
        });
        if (near != m_known.end()) {
            m_builder->warn(sourceOf(name),
                            ImportWords::tr("unknown key; did you mean %1?").arg(QString::fromStdString(*near)));
        } else {
            m_builder->leave(sourceOf(name), why.isEmpty() ? ImportWords::tr("there is no setting for it here") : why);
        }
    }
}

void SourceObject::leaveRestAsOne(const QString& why)
{
    const std::vector<std::string> names = unknownNames();
    if (names.empty()) {
        return;
    }
    const ImportSource first = sourceOf(names.front());
    const auto others = static_cast<int>(names.size()) - 1;
    m_builder->leave(
        first, others == 0 ? why : ImportWords::tr("%1; nor %n other key(s) beside it", nullptr, others).arg(why));
}

void takeModels(ImportBuilder& builder, ImportedEndpoint& endpoint, const std::vector<SourceModel>& models)
{
    Json names = Json::array();
    const ImportSource* first = nullptr;
    for (const auto& [name, source] : models) {
        if (name.empty() || std::ranges::find(names, Json(name)) != names.end()) {
            continue;
        }
        first = first == nullptr ? &source : first;
        names.push_back(name);
    }
    if (names.size() == 1) {
        builder.take(endpoint.values, {"model"}, names.front(), *first);
    } else if (!names.empty()) {
        builder.take(endpoint.values, {"models"}, names, *first);
    }
}

void takeKey(SourceObject& object, ImportedEndpoint& endpoint)
{
    if (!object.take("api_key", endpoint.values, {"apiKey"})) {
        object.takeVariable("api_key_env", endpoint.values, {"apiKey"});
    } else {
        object.leave("api_key_env", ImportWords::tr("the key itself is beside it"));
    }
}

} // namespace tokenpace
