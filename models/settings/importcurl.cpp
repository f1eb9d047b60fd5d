// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include <algorithm>
#include <array>
#include <cmath>

#include <QUrl>

#include "settings/baseurl.h"
#include "settings/importsource.h"
#include "settings/shellwords.h"

namespace tokenpace {

namespace {

using Json = nlohmann::ordered_json;

/// What an option of curl means here.
enum class Meaning {
    Nothing, ///< about curl's own output
    Left, ///< told as not taken
    Url,
    Header,
    Body,
    JsonBody,
    Key,
    User,
    Agent,
    CaFile,
    Proxy,
    Insecure,
    Http2,
    TotalSeconds,
    ConnectSeconds,
    Retries,
};

struct Option {
    const char* name; ///< long
    char letter; ///< or 0
    bool takesValue;
    Meaning meaning;
};

const std::array options{
    Option{"url", 0, true, Meaning::Url},
    Option{"header", 'H', true, Meaning::Header},
    Option{"data", 'd', true, Meaning::Body},
    Option{"data-raw", 0, true, Meaning::Body},
    Option{"data-binary", 0, true, Meaning::Body},
    Option{"data-ascii", 0, true, Meaning::Body},
    Option{"json", 0, true, Meaning::JsonBody},
    Option{"oauth2-bearer", 0, true, Meaning::Key},
    Option{"user", 'u', true, Meaning::User},
    Option{"user-agent", 'A', true, Meaning::Agent},
    Option{"cacert", 0, true, Meaning::CaFile},
    Option{"proxy", 'x', true, Meaning::Proxy},
    Option{"insecure", 'k', false, Meaning::Insecure},
    Option{"http2", 0, false, Meaning::Http2},
    Option{"max-time", 'm', true, Meaning::TotalSeconds},
    Option{"connect-timeout", 0, true, Meaning::ConnectSeconds},
    Option{"retry", 0, true, Meaning::Retries},
    Option{"request", 'X', true, Meaning::Nothing},
    Option{"output", 'o', true, Meaning::Nothing},
    Option{"write-out", 'w', true, Meaning::Nothing},
    Option{"dump-header", 'D', true, Meaning::Nothing},
    Option{"silent", 's', false, Meaning::Nothing},
    Option{"show-error", 'S', false, Meaning::Nothing},
    Option{"no-buffer", 'N', false, Meaning::Nothing},
    Option{"include", 'i', false, Meaning::Nothing},
    Option{"verbose", 'v', false, Meaning::Nothing},
    Option{"fail", 'f', false, Meaning::Nothing},
    Option{"fail-with-body", 0, false, Meaning::Nothing},
    Option{"location", 'L', false, Meaning::Nothing},
    Option{"compressed", 0, false, Meaning::Nothing},
    Option{"progress-bar", '#', false, Meaning::Nothing},
    Option{"globoff", 'g', false, Meaning::Nothing},
    Option{"http1.1", 0, false, Meaning::Nothing},
    Option{"cookie", 'b', true, Meaning::Left},
    Option{"cookie-jar", 'c', true, Meaning::Left},
    Option{"referer", 'e', true, Meaning::Left},
    Option{"cert", 'E', true, Meaning::Left},
    Option{"key", 0, true, Meaning::Left},
    Option{"form", 'F', true, Meaning::Left},
    Option{"form-string", 0, true, Meaning::Left},
    Option{"data-urlencode", 0, true, Meaning::Left},
    Option{"upload-file", 'T', true, Meaning::Left},
    Option{"config", 'K', true, Meaning::Left},
    Option{"get", 'G', false, Meaning::Left},
    Option{"resolve", 0, true, Meaning::Left},
    Option{"connect-to", 0, true, Meaning::Left},
    Option{"unix-socket", 0, true, Meaning::Left},
    Option{"interface", 0, true, Meaning::Left},
    Option{"proxy-user", 'U', true, Meaning::Left},
    Option{"proxy-header", 0, true, Meaning::Left},
    Option{"capath", 0, true, Meaning::Left},
    Option{"retry-delay", 0, true, Meaning::Left},
    Option{"retry-max-time", 0, true, Meaning::Left},
    Option{"limit-rate", 0, true, Meaning::Left},
    Option{"speed-time", 'y', true, Meaning::Left},
    Option{"speed-limit", 'Y', true, Meaning::Left},
};

/// Headers that the client sends by itself.
bool isOwnHeader(const QString& name)
{
    static const QStringList own{
        QStringLiteral("content-type"),     QStringLiteral("content-length"), QStringLiteral("accept"),
        QStringLiteral("accept-encoding"),  QStringLiteral("host"),           QStringLiteral("connection"),
        QStringLiteral("transfer-encoding")};
    return own.contains(name.toLower());
}

class CurlImporter {
public:
    CurlImporter(std::string_view text, const QString& file)
        : m_builder(file, ImportWords::tr("curl command"))
        , m_text(text)
    {
    }

    ImportPreview read(std::size_t begin)
    {
        ShellWords command = parseShellWords(m_text, begin);
        m_words = std::move(command.words);
        if (command.error) {
            m_builder.fail(*command.error);
            return m_builder.finish();
        }
        while (++m_at < m_words.size()) {
            readArgument(m_words[m_at]);
        }
        if (m_url == nullptr) {
            m_builder.fail({QStringLiteral("curl"), m_words.front().place}, ImportWords::tr("the command has no URL"));
            return m_builder.finish();
        }
        takeUrl();
        takeBody();
        m_builder.add(std::move(m_endpoint));
        return m_builder.finish();
    }

private:
    void readArgument(const ShellWord& word)
    {
        const std::string& text = word.text;
        if (text.starts_with("--") && text.size() > 2) {
            const std::string name = text.substr(2);
            const auto option = std::ranges::find_if(options, [&](const Option& each) {
                return name == each.name;
            });
            if (option == options.end()) {
                m_builder.leave({shownName(text), word.place},
                                ImportWords::tr("this option of curl is not known here"));
            } else {
                apply(*option, word, nullptr);
            }
        } else if (text.starts_with('-') && text.size() > 1) {
            readLetters(word);
        } else {
            setUrl(word);
        }
    }

    /// `-sSN`, `-d@file`, `-H 'a: b'`
    void readLetters(const ShellWord& word)
    {
        for (std::size_t i = 1; i < word.text.size(); ++i) {
            const char letter = word.text[i];
            const auto option = std::ranges::find_if(options, [&](const Option& each) {
                return each.letter == letter;
            });
            if (option == options.end()) {
                m_builder.leave({shownName(word.text.substr(0, 2)), word.place},
                                ImportWords::tr("this option of curl is not known here"));
                return;
            }
            if (!option->takesValue) {
                apply(*option, word, nullptr);
                continue;
            }
            if (i + 1 < word.text.size()) {
                const ShellWord rest{word.text.substr(i + 1), word.place, word.substituted};
                apply(*option, word, &rest);
            } else {
                apply(*option, word, nullptr);
            }
            return;
        }
    }

    /// The name of an option, without what may be glued to it.
    static QString shownName(const std::string& text) { return QString::fromStdString(text.substr(0, text.find('='))); }

    void apply(const Option& option, const ShellWord& word, const ShellWord* value)
    {
        const ImportSource source{QStringLiteral("--") + QString::fromLatin1(option.name), word.place};
        if (option.takesValue && value == nullptr) {
            if (m_at + 1 >= m_words.size()) {
                m_builder.warn(source, ImportWords::tr("its value is missing"));
                return;
            }
            value = &m_words[++m_at];
        }
        if (value != nullptr && value->substituted && option.meaning != Meaning::Nothing) {
            m_builder.warn(source, ImportWords::tr("commands inside a value are not run; it is not taken"));
            return;
        }
        take(option.meaning, source, value);
    }

    void take(Meaning meaning, const ImportSource& source, const ShellWord* value)
    {
        std::vector<ImportedValue>& own = m_endpoint.values;
        switch (meaning) {
        case Meaning::Nothing:
            break;
        case Meaning::Left:
            m_builder.leave(source, ImportWords::tr("there is no setting for it here"));
            break;
        case Meaning::Url:
            setUrl(*value);
            break;
        case Meaning::Header:
            takeHeader(source, value->text);
            break;
        case Meaning::Body:
        case Meaning::JsonBody:
            addBody(source, *value);
            break;
        case Meaning::Key:
            m_builder.take(own, {"apiKey"}, value->text, source);
            break;
        case Meaning::User:
            takeUser(source, value->text);
            break;
        case Meaning::Agent:
            m_builder.take(own, {"extraHeaders", "User-Agent"}, value->text, source);
            break;
        case Meaning::CaFile:
            m_builder.take(own, {"caFile"}, value->text, source);
            break;
        case Meaning::Proxy:
            m_builder.take(own, {"proxy"},
                           value->text.find("://") == std::string::npos ? "http://" + value->text : value->text,
                           source);
            break;
        case Meaning::Insecure:
            m_builder.take(own, {"insecure"}, true, source);
            break;
        case Meaning::Http2:
            m_builder.take(own, {"http2"}, true, source);
            break;
        case Meaning::TotalSeconds:
            takeSeconds({"request", "totalTimeoutMs"}, source, value->text);
            break;
        case Meaning::ConnectSeconds:
            takeSeconds({"request", "connectTimeoutMs"}, source, value->text);
            break;
        case Meaning::Retries:
            m_builder.take(m_builder.shared(), {"concurrency", "maxRetries"},
                           Json::parse(value->text, nullptr, false).is_number() ? Json::parse(value->text)
                                                                                : Json(value->text),
                           source);
            break;
        }
    }

    void takeSeconds(std::vector<std::string> path, const ImportSource& source, const std::string& text)
    {
        bool isNumber = false;
        const double ms = std::round(QString::fromStdString(text).toDouble(&isNumber) * 1000);
        if (!isNumber || !(ms >= 0 && ms < 1e15)) {
            m_builder.warn(source, ImportWords::tr("a number of seconds is expected; it is not taken"));
            return;
        }
        m_builder.take(m_builder.shared(), std::move(path), static_cast<std::int64_t>(ms), source,
                       ImportWords::tr("from seconds"));
    }

    void setUrl(const ShellWord& word)
    {
        const ImportSource source{ImportWords::tr("URL"), word.place};
        if (word.substituted) {
            m_builder.warn(source, ImportWords::tr("commands inside a value are not run; it is not taken"));
        } else if (m_url != nullptr) {
            m_builder.leave(source, ImportWords::tr("one command gives one endpoint: the first URL"));
        } else {
            m_urlWord = word;
            m_url = &m_urlWord;
        }
    }

    void takeHeader(const ImportSource& source, const std::string& text)
    {
        const QString line = QString::fromStdString(text);
        const qsizetype colon = line.indexOf(u':');
        if (colon < 1) {
            m_builder.hide(text);
            m_builder.warn(source, ImportWords::tr("\"Name: value\" is expected; it is not taken"));
            return;
        }
        const QString name = line.left(colon).trimmed();
        const QString value = line.mid(colon + 1).trimmed();
        const QString lower = name.toLower();
        const ImportSource own{source.key + u' ' + name, source.place};
        if (lower == u"authorization" && value.startsWith(u"bearer ", Qt::CaseInsensitive)) {
            m_builder.take(m_endpoint.values, {"apiKey"}, value.mid(7).trimmed().toStdString(), own);
        } else if (lower == u"x-api-key" || lower == u"api-key") {
            m_anthropic = m_anthropic || lower == u"x-api-key";
            m_builder.take(m_endpoint.values, {"apiKey"}, value.toStdString(), own);
        } else if (lower == u"anthropic-version") {
            m_anthropic = true;
            if (value != u"2023-06-01") {
                m_builder.take(m_endpoint.values, {"extraHeaders", name.toStdString()}, value.toStdString(), own);
            }
        } else if (!isOwnHeader(name)) {
            m_builder.take(m_endpoint.values, {"extraHeaders", name.toStdString()}, value.toStdString(), own);
        }
    }

    void takeUser(const ImportSource& source, const std::string& text)
    {
        m_builder.hide(text);
        if (text.find("${") != std::string::npos) {
            m_builder.warn(source, ImportWords::tr("a variable cannot be encoded before it is known; it is not taken"));
            return;
        }
        const std::string basic = "Basic " + QByteArray::fromStdString(text).toBase64().toStdString();
        m_builder.take(m_endpoint.values, {"extraHeaders", "Authorization"}, basic, source);
    }

    void addBody(const ImportSource& source, const ShellWord& word)
    {
        if (word.text.starts_with('@')) {
            m_builder.leave(source, ImportWords::tr("the file that it names is not read"));
            return;
        }
        m_bodySource = m_body.empty() ? source : m_bodySource;
        m_body += (m_body.empty() ? "" : "&") + word.text;
    }

    void takeUrl()
    {
        QString url = QString::fromStdString(m_url->text).trimmed();
        const ImportSource source{ImportWords::tr("URL"), m_url->place};
        // As curl does it.
        if (!url.contains(QStringLiteral("://"))) {
            url.prepend(QStringLiteral("http://"));
        }
        m_endpoint.source = source;
        m_builder.take(m_endpoint.values, {"baseUrl"}, url.toStdString(), source);
        const Protocol known = protocolFor(url);
        m_protocol = m_anthropic ? Protocol::AnthropicMessages : known;
        if (m_protocol != known) {
            m_builder.take(m_endpoint.values, {"protocol"}, "anthropic-messages", source,
                           ImportWords::tr("the headers say so"));
        }
        // Who sends a body gave the whole address: nothing may be added to it.
        const RequestUrl request = requestUrl(url, m_protocol);
        if (!m_body.empty() && request.problem.isEmpty() && request.url.path() != QUrl(url).path()) {
            QString path = QUrl(url).path(QUrl::FullyEncoded);
            path = path.isEmpty() ? QStringLiteral("/") : path;
            m_builder.take(m_endpoint.values, {"path"}, path.toStdString(), source,
                           ImportWords::tr("the address as it is, with nothing added"));
        }
    }

    void takeBody()
    {
        if (m_body.empty()) {
            return;
        }
        const JsonText document = parseJsonText(m_body);
        if (document.error) {
            m_builder.warn(m_bodySource, ImportWords::tr("the body is no JSON object; nothing of it is taken"));
            return;
        }
        std::vector<ImportedValue>& shared = m_builder.shared();
        for (const auto& [name, value] : document.root.items()) {
            const ImportSource source{m_bodySource.key + u' ' + QString::fromStdString(name), m_bodySource.place};
            if (name == "model") {
                m_builder.take(m_endpoint.values, {"model"}, value, source);
            } else if (name == "stream" || name == "temperature" || name == "seed") {
                m_builder.take(shared, {"request", name}, value, source);
            } else if (name == "top_p") {
                m_builder.take(shared, {"request", "topP"}, value, source);
            } else if (name == "max_tokens" || name == "max_completion_tokens" || name == "max_output_tokens") {
                takeLimit(name, value, source);
            } else if (name == "stream_options" && value.is_object()) {
                m_builder.take(m_endpoint.values, {"streamOptions"}, value.value("include_usage", Json(false)), source);
            } else if (name == "options" && value.is_object()) {
                takeOllamaOptions(value, source);
            } else if (name == "messages" || name == "input" || name == "prompt" || name == "system"
                       || name == "instructions") {
                m_builder.leave(source, ImportWords::tr("what is asked is a matter of the experiment"));
            } else {
                m_builder.take(m_endpoint.values, {"extraBody", name}, value, source);
            }
        }
    }

    void takeLimit(const std::string& name, const Json& value, const ImportSource& source)
    {
        const std::string usual = m_protocol == Protocol::OpenAiResponses ? "max_output_tokens" : "max_tokens";
        if (m_builder.take(m_builder.shared(), {"request", "maxTokens"}, value, source) && name != usual) {
            m_builder.take(m_endpoint.values, {"limitField"}, name, source);
        }
    }

    void takeOllamaOptions(const Json& values, const ImportSource& source)
    {
        Json rest = Json::object();
        for (const auto& [name, value] : values.items()) {
            const ImportSource own{source.key + u'.' + QString::fromStdString(name), source.place};
            if (name == "num_predict") {
                m_builder.take(m_builder.shared(), {"request", "maxTokens"}, value, own);
            } else if (name == "temperature" || name == "seed") {
                m_builder.take(m_builder.shared(), {"request", name}, value, own);
            } else if (name == "top_p") {
                m_builder.take(m_builder.shared(), {"request", "topP"}, value, own);
            } else {
                rest[name] = value;
            }
        }
        if (!rest.empty()) {
            m_builder.take(m_endpoint.values, {"extraBody", "options"}, rest, source);
        }
    }

    ImportBuilder m_builder;
    std::string_view m_text;
    std::vector<ShellWord> m_words;
    std::size_t m_at = 0; ///< the word under work; the first is `curl`
    ShellWord m_urlWord;
    const ShellWord* m_url = nullptr; ///< m_urlWord once there is one
    std::string m_body;
    ImportSource m_bodySource;
    Protocol m_protocol = Protocol::OpenAiChat; ///< known after takeUrl()
    bool m_anthropic = false; ///< headers of its protocol were there
    ImportedEndpoint m_endpoint;
};

} // namespace

std::optional<std::size_t> curlBegin(std::string_view text)
{
    for (std::size_t at = textBegin(text); at < text.size();) {
        const std::size_t begin = text.find_first_not_of(" \t\r\n", at);
        if (begin == std::string_view::npos) {
            break;
        }
        std::string_view rest = text.substr(begin);
        if (rest.front() == '#') {
            const std::size_t end = text.find_first_of("\r\n", begin);
            at = end == std::string_view::npos ? text.size() : end;
            continue;
        }
        // A prompt that was copied along.
        std::size_t skipped = 0;
        if (rest.starts_with("$ ") || rest.starts_with("% ") || rest.starts_with("> ")) {
            skipped = 2;
            rest.remove_prefix(2);
        }
        const bool isCurl = rest.starts_with("curl")
            && (rest.size() == 4 || std::string_view(" \t\r\n\\.").find(rest[4]) != std::string_view::npos);
        return isCurl ? std::optional(begin + skipped) : std::nullopt;
    }
    return std::nullopt;
}

ImportPreview importCurl(std::string_view text, const QString& file)
{
    return CurlImporter(text, file).read(curlBegin(text).value_or(textBegin(text)));
}

} // namespace tokenpace
