// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "settings/endpointreader.h"

#include <algorithm>
#include <utility>

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QUrl>

#include "settings/baseurl.h"

namespace tokenpace {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Settings)
};

using Json = nlohmann::ordered_json;

/// The endpoint under work, its table and its problems.
class EndpointReader {
public:
    EndpointReader(SettingsTable table, const Settings& settings)
        : m_table(std::move(table))
        , m_report(m_table.report())
    {
        m_endpoint.request = settings.request;
        m_endpoint.concurrency = settings.concurrency;
    }

    EndpointSettings read()
    {
        m_endpoint.place = placeOf(m_table.anchor());
        m_table.read("name", m_endpoint.name);
        readProtocol();
        readPath();
        readBaseUrl();
        readKey();
        readModels();
        readBody();
        readHeaders();
        readRoute();
        readRequest(m_table.section("request"), m_endpoint.request);
        readConcurrency(m_table.section("concurrency"), m_endpoint.concurrency);
        m_table.know({"request", "concurrency"});
        m_table.warnOfSlips();
        m_endpoint.secrets.removeDuplicates();
        return std::move(m_endpoint);
    }

private:
    QString placeOf(const SettingValue& value) const
    {
        return QStringLiteral("%1:%2:%3: %4")
            .arg(m_report.file())
            .arg(value.place.line)
            .arg(value.place.column)
            .arg(m_report.keyOf(value));
    }

    void problem(const SettingValue& value, const QString& message)
    {
        m_endpoint.problems << m_report.located(value, message);
    }

    /// A reference is noted for the one who reads the keychain; sending it as it stands would be worse than stopping.
    bool isKeychain(const SettingValue& value, const QString& text, const QString& header)
    {
        if (!isKeychainReference(text)) {
            return false;
        }
        if (const auto entry = keychainName(text)) {
            m_endpoint.keychain << KeychainUse{*entry, header, placeOf(value)};
        } else {
            problem(value, Words::tr("write keychain:tokenpace/NAME, where NAME is that of the entry"));
        }
        return true;
    }

    void readProtocol()
    {
        QString word;
        m_table.read(settingKey("protocol"), word);
        m_endpoint.protocol = protocolFromName(word.toStdString());
        m_table.read(settingKey("limitField"), m_endpoint.limitField);
        m_table.read("streamOptions", m_endpoint.streamOptions);
    }

    void readPath()
    {
        if (const auto path = m_table.readExpanded("path", m_endpoint.problems)) {
            m_endpoint.path = path->value.trimmed();
        }
    }

    void readBaseUrl()
    {
        const qsizetype before = m_endpoint.problems.size();
        const auto text = m_table.readExpanded("baseUrl", m_endpoint.problems);
        const auto value = m_table.find("baseUrl");
        if (!text) {
            if (m_endpoint.problems.size() == before) {
                problem(m_table.anchor(),
                        Words::tr("no baseUrl is given: write one, such as \"http://localhost:8000\""));
            }
            return;
        }
        m_endpoint.baseUrl = text->value.trimmed();
        const Protocol protocol = m_endpoint.protocol.value_or(protocolFor(m_endpoint.baseUrl, m_endpoint.path));
        const RequestUrl url = requestUrl(m_endpoint.baseUrl, protocol, m_endpoint.path);
        if (!url.problem.isEmpty()) {
            problem(*value, url.problem);
        }
    }

    void readKey()
    {
        const auto value = m_table.find("apiKey");
        if (value && value->json->is_string()
            && isKeychain(*value, QString::fromStdString(value->json->get<std::string>()), {})) {
            if (!m_endpoint.keychain.isEmpty()) {
                m_endpoint.apiKeySource = keychainReference(m_endpoint.keychain.first().entry);
            }
            return;
        }
        const auto key = m_table.readExpanded("apiKey", m_endpoint.problems);
        if (!key) {
            return;
        }
        m_endpoint.apiKey = key->value;
        for (const QString& name : key->names) {
            m_endpoint.apiKeySource += QStringLiteral("${%1}").arg(name);
        }
    }

    void readModels()
    {
        if (const auto model = m_table.find("model")) {
            addModel(*model);
        }
        const auto list = m_table.find("models");
        if (!list) {
            return;
        }
        if (!list->json->is_array()) {
            SettingsTable::warnOfType(m_report, *list, Words::tr("a list of names or objects"));
            return;
        }
        for (std::size_t i = 0; i < list->json->size(); ++i) {
            addModel(m_report.item(*list, i));
        }
    }

    void addModel(const SettingValue& value)
    {
        const Json& json = *value.json;
        ModelSettings model;
        SettingValue nameValue = value;
        if (json.is_object()) {
            SettingsTable table = SettingsTable::ofItem(m_report, value);
            table.read("alias", model.alias);
            readPrice(table, model.price);
            table.know({"name"});
            table.warnOfSlips();
            if (!json.contains("name")) {
                m_report.warn(value, Words::tr("the model has no \"name\"; it is left out"));
                return;
            }
            nameValue = m_report.member(value, "name");
        }
        if (!nameValue.json->is_string()) {
            SettingsTable::warnOfType(m_report, nameValue, Words::tr("a model's name"));
            return;
        }
        const QString typed = QString::fromStdString(nameValue.json->get<std::string>());
        const auto name = SettingsTable::expand(m_report, nameValue, typed, m_endpoint.problems);
        if (!name) {
            return;
        }
        model.name = name->value;
        if (model.name.trimmed().isEmpty()) {
            m_report.warn(nameValue, Words::tr("the model's name is empty; it is left out"));
            return;
        }
        const auto same =
            std::find_if(m_endpoint.models.begin(), m_endpoint.models.end(), [&](const ModelSettings& other) {
                return other.name == model.name;
            });
        if (same == m_endpoint.models.end()) {
            m_endpoint.models << model;
        } else if (same == m_endpoint.models.begin() && !m_modelMerged && m_table.find("model")) {
            // `model` picks the first of `models`; the list knows more of it.
            *same = model;
            m_modelMerged = true;
        } else {
            m_report.warn(nameValue, Words::tr("the model is there twice; the first one is used"));
        }
    }

    void readPrice(SettingsTable& table, ModelPrice& price)
    {
        constexpr double most = 1e9;
        const auto value = table.find("price");
        if (!value) {
            return;
        }
        if (!value->json->is_object()) {
            SettingsTable::warnOfType(m_report, *value, Words::tr("an object"));
            return;
        }
        SettingsTable prices = SettingsTable::ofItem(m_report, *value);
        prices.read("input", price.input, 0, most);
        prices.read("cached", price.cached, 0, most);
        prices.read("output", price.output, 0, most);
        prices.warnOfSlips();
    }

    void readBody()
    {
        Json body = Json::object();
        for (const auto& [name, value] : m_table.members("extraBody")) {
            body[name] = expanded(value);
        }
        if (!body.empty()) {
            m_endpoint.extraBody = QString::fromStdString(body.dump());
        }
    }

    Json expanded(const SettingValue& value)
    {
        if (value.json->is_string()) {
            const QString typed = QString::fromStdString(value.json->get<std::string>());
            const auto text = SettingsTable::expand(m_report, value, typed, m_endpoint.problems);
            if (!text) {
                return nullptr;
            }
            if (text->fromVariable) {
                m_endpoint.secrets << text->value;
            }
            return text->value.toStdString();
        }
        Json result = *value.json;
        if (value.json->is_object()) {
            for (const auto& [name, member] : value.json->items()) {
                result[name] = expanded(m_report.member(value, name));
            }
        } else if (value.json->is_array()) {
            for (std::size_t i = 0; i < value.json->size(); ++i) {
                result[i] = expanded(m_report.item(value, i));
            }
        }
        return result;
    }

    void readHeaders()
    {
        // RFC 9110: what a field name is made of.
        static const QRegularExpression fieldName(QStringLiteral("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$"));
        for (const auto& [key, value] : m_table.members("extraHeaders")) {
            const QString name = QString::fromStdString(key);
            if (!fieldName.match(name).hasMatch()) {
                problem(value, Words::tr("this is not the name of a header"));
                continue;
            }
            if (value.json->is_null()) {
                continue;
            }
            if (!value.json->is_string()) {
                SettingsTable::warnOfType(m_report, value, Words::tr("a text"));
                continue;
            }
            const QString typed = QString::fromStdString(value.json->get<std::string>());
            if (isKeychain(value, typed, name)) {
                putHeader(value, name, {}); // its place among the others
                continue;
            }
            const auto text = SettingsTable::expand(m_report, value, typed, m_endpoint.problems);
            if (!text) {
                continue;
            }
            if (text->fromVariable) {
                m_endpoint.secrets << text->value;
            }
            putHeader(value, name, text->value);
        }
    }

    void putHeader(const SettingValue& value, const QString& name, const QString& text)
    {
        for (auto& header : m_endpoint.extraHeaders) {
            if (header.first.compare(name, Qt::CaseInsensitive) == 0) {
                m_report.warn(value, Words::tr("the header is there twice; the last one is used"));
                header = {name, text};
                return;
            }
        }
        m_endpoint.extraHeaders.append({name, text});
    }

    void readRoute()
    {
        m_table.read("insecure", m_endpoint.insecure);
        m_table.read("http2", m_endpoint.http2);
        if (const auto file = m_table.readExpanded("caFile", m_endpoint.problems)) {
            const QString typed = file->value.trimmed();
            m_endpoint.caFile = typed.isEmpty() ? QString() : absolutePath(m_report, typed);
        }
        const auto proxy = m_table.readExpanded("proxy", m_endpoint.problems);
        if (!proxy) {
            return;
        }
        const QString text = proxy->value.trimmed();
        if (text.isEmpty() || text == u"none" || text == u"system") {
            m_endpoint.proxy = text.isEmpty() ? m_endpoint.proxy : text;
            return;
        }
        const QUrl url(text);
        const bool known = url.scheme() == u"http" || url.scheme() == u"socks5";
        if (!url.isValid() || !known || url.host().isEmpty()) {
            // A problem, not a default: who names a proxy does not want the request to go without it.
            problem(*m_table.find("proxy"),
                    Words::tr("none, system or a URL such as http://proxy:3128 or socks5://proxy:1080 is expected"));
            return;
        }
        m_endpoint.proxy = text;
    }

    SettingsTable m_table;
    SettingsReport& m_report; // not owned; outlives the reader
    EndpointSettings m_endpoint;
    bool m_modelMerged = false; ///< `model` was found again in `models`
};

} // namespace

EndpointSettings readEndpoint(SettingsTable table, const Settings& settings)
{
    return EndpointReader(std::move(table), settings).read();
}

void readRequest(SettingsTable table, RequestSettings& request)
{
    table.read("stream", request.stream);
    table.read(settingKey("request.maxTokens"), request.maxTokens);
    table.read(settingKey("request.temperature"), request.temperature);
    table.resetOnNull("temperature", request.temperature);
    table.read(settingKey("request.topP"), request.topP);
    table.resetOnNull("topP", request.topP);
    table.read("seed", request.seed);
    table.resetOnNull("seed", request.seed);
    table.read(settingKey("request.connectTimeoutMs"), request.connectTimeoutMs);
    table.read(settingKey("request.ttftTimeoutMs"), request.ttftTimeoutMs);
    table.read(settingKey("request.idleTimeoutMs"), request.idleTimeoutMs);
    table.read(settingKey("request.totalTimeoutMs"), request.totalTimeoutMs);
    table.warnOfSlips();
}

void readConcurrency(SettingsTable table, ConcurrencySettings& concurrency)
{
    table.read(settingKey("concurrency.maxParallel"), concurrency.maxParallel);
    table.read(settingKey("concurrency.maxRetries"), concurrency.maxRetries);
    table.warnOfSlips();
}

QString absolutePath(const SettingsReport& report, const QString& path)
{
    const QDir folder = QFileInfo(report.file()).absoluteDir();
    if (path == u"~" || path.startsWith(u"~/")) {
        const QString home =
            report.environment() ? report.environment()(QStringLiteral("HOME")).value_or(QString()) : QString();
        if (!home.isEmpty()) {
            return QDir::cleanPath(home + path.mid(1));
        }
    }
    return QDir::cleanPath(folder.absoluteFilePath(path));
}

} // namespace tokenpace
