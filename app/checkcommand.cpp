// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "checkcommand.h"

#include <algorithm>
#include <cstdio>

#include <QCommandLineParser>
#include <QCoreApplication>
#include <nlohmann/json.hpp>

#include "exitcodes.h"
#include "interrupts.h"
#include "numbertext.h"
#include "runoutput.h"

namespace tokenpace {

namespace {

constexpr qsizetype nameWidth = 20;
constexpr qsizetype timeWidth = 8;

QString markOf(CheckState state)
{
    switch (state) {
    case CheckState::Passed:
        return QStringLiteral("✓");
    case CheckState::Noted:
        return QStringLiteral("!");
    case CheckState::Failed:
        return QStringLiteral("✗");
    case CheckState::NotNeeded:
    case CheckState::Skipped:
        break;
    }
    return QStringLiteral("-");
}

bool wasTried(CheckState state)
{
    return state != CheckState::Skipped && state != CheckState::NotNeeded;
}

std::string utf8(const QString& text)
{
    return text.toStdString();
}

void addOptions(QCommandLineParser& parser)
{
    const auto add = [&](const char* name, const QString& what, const char* value) {
        parser.addOption({QString::fromLatin1(name), what, QString::fromLatin1(value)});
    };
    add("settings", QStringLiteral("Settings file (settings.json)."), "FILE");
    add("endpoint", QStringLiteral("Endpoint of the settings, or \"simulated\"; default the first one."), "NAME");
    add("base-url", QStringLiteral("An endpoint of its own, without the settings' key and headers."), "URL");
    add("api-key-env", QStringLiteral("Environment variable that holds the API key."), "NAME");
    add("model", QStringLiteral("Model to ask; default the settings', else the only one listed."), "MODEL");
    add("protocol", QStringLiteral("auto, openai-chat, openai-responses, anthropic-messages or ollama-chat."), "P");
    add("json", QStringLiteral("Write one JSON document to FILE, or - for standard output."), "FILE|-");
    parser.addHelpOption();
}

QString usageProblem(const QCommandLineParser& parser, const RunOptions& options)
{
    if (!parser.positionalArguments().isEmpty()) {
        return QStringLiteral("unexpected argument \"%1\"").arg(parser.positionalArguments().first());
    }
    if (options.endpoints.size() > 1) {
        return QStringLiteral("--endpoint: check looks at one endpoint at a time");
    }
    if (options.models.size() > 1) {
        return QStringLiteral("--model: check asks one model at a time");
    }
    if (!options.protocol.isEmpty() && options.protocol != QStringLiteral("auto")
        && !protocolFromName(options.protocol.toStdString())) {
        return QStringLiteral("--protocol: \"%1\" is no protocol").arg(options.protocol);
    }
    return {};
}

} // namespace

ParsedCheckOptions parseCheckOptions(const QStringList& arguments)
{
    QCommandLineParser parser;
    parser.setSingleDashWordOptionMode(QCommandLineParser::ParseAsLongOptions);
    parser.setApplicationDescription(QStringLiteral(
        "Looks at an endpoint step by step: URL, proxy, name, TCP, TLS, key, models, then four requests of a few "
        "tokens. Each step that fails says what it means and which setting to change.\n"
        "Exit: 0 good; 1 not; 2 the command or the settings are wrong; 130 interrupted."));
    addOptions(parser);
    ParsedCheckOptions parsed;
    if (!parser.parse(QStringList{QStringLiteral("tokenpace check")} + arguments)) {
        parsed.error = parser.errorText();
        return parsed;
    }
    if (parser.isSet(QStringLiteral("help"))) {
        parsed.help = parser.helpText();
        // Qt names the executable; a person types the command.
        parsed.help.replace(0, parsed.help.indexOf(QLatin1Char('\n')),
                            QStringLiteral("Usage: tokenpace check [options]"));
        return parsed;
    }
    RunOptions& options = parsed.options;
    options.settingsFile = parser.value(QStringLiteral("settings"));
    options.endpoints = parser.values(QStringLiteral("endpoint"));
    options.baseUrl = parser.value(QStringLiteral("base-url"));
    options.apiKeyEnv = parser.value(QStringLiteral("api-key-env"));
    options.models = parser.values(QStringLiteral("model"));
    options.protocol = parser.value(QStringLiteral("protocol"));
    options.jsonFile = parser.value(QStringLiteral("json"));
    parsed.error = usageProblem(parser, options);
    return parsed;
}

CheckCommand::CheckCommand(RunOptions options, QObject* parent)
    : QObject(parent)
    , m_options(std::move(options))
{
}

CheckCommand::~CheckCommand() = default;

void CheckCommand::say(const QString& line) const
{
    // Standard output holds only the document where that is asked for.
    std::FILE* const out = m_options.jsonFile == QStringLiteral("-") ? stderr : stdout;
    const QByteArray bytes = line.toUtf8() + '\n';
    std::fwrite(bytes.constData(), 1, static_cast<std::size_t>(bytes.size()), out);
    std::fflush(out);
}

void CheckCommand::start()
{
    m_setup = setUpEndpoints(m_options, false);
    QString error = m_setup.error;
    if (error.isEmpty() && !m_setup.settings) {
        error = nothingFoundText(m_setup.lookedAt);
    } else if (error.isEmpty() && m_setup.settings->endpoints.isEmpty()) {
        error = QStringLiteral("the settings have no endpoint");
    }
    for (const QString& warning : std::as_const(m_setup.warnings)) {
        std::fprintf(stderr, "tokenpace: warning: %s\n", qUtf8Printable(warning));
    }
    if (!error.isEmpty()) {
        std::fprintf(stderr, "tokenpace: %s\n", qUtf8Printable(error));
        QCoreApplication::exit(ExitUsage);
        return;
    }
    const QList<EndpointSettings>& endpoints = m_setup.settings->endpoints;
    m_endpoint = endpoints.first();
    if (endpoints.size() > 1) {
        QStringList names;
        for (const EndpointSettings& endpoint : endpoints) {
            names << endpoint.name;
        }
        std::fprintf(stderr, "tokenpace: the first of %d endpoints is checked; --endpoint takes another: %s\n",
                     static_cast<int>(endpoints.size()), qUtf8Printable(names.join(QStringLiteral(", "))));
    }
    const QString model = m_endpoint.models.isEmpty() ? QString() : m_endpoint.models.first().name;
    m_check = std::make_unique<EndpointCheck>(m_endpoint, model);
    connect(m_check.get(), &EndpointCheck::stepFinished, this, &CheckCommand::onStep);
    connect(m_check.get(), &EndpointCheck::finished, this, &CheckCommand::onFinished);
    connect(new Interrupts(this), &Interrupts::interrupted, this, &CheckCommand::onInterrupted);
    m_check->start();
}

void CheckCommand::onStep(const CheckStep& step)
{
    const QString time = wasTried(step.state) ? durationText(step.ms) : QString();
    say(QStringLiteral("%1 %2 %3  %4")
            .arg(markOf(step.state), step.name.leftJustified(nameWidth), time.rightJustified(timeWidth), step.message));
    if (!step.fix.isEmpty()) {
        say(QString(2 + nameWidth + 1 + timeWidth + 2, QLatin1Char(' ')) + step.fix);
    }
}

void CheckCommand::onFinished()
{
    const bool ok = m_check->ok();
    const QList<CheckStep>& steps = m_check->steps();
    const auto noted = std::count_if(steps.begin(), steps.end(), [](const CheckStep& step) {
        return step.state == CheckState::Noted;
    });
    if (!ok) {
        say(QStringLiteral("%1 cannot be measured as it is set.").arg(m_endpoint.name));
    } else if (noted > 0) {
        say(QStringLiteral("%1 works; notes: %2.").arg(m_endpoint.name).arg(noted));
    } else {
        say(QStringLiteral("%1 works.").arg(m_endpoint.name));
    }
    // Nobody named a model, and the endpoint has several: the command is what must change.
    const bool undecided = m_check->model().isEmpty() && m_check->models().size() > 1;
    if (undecided) {
        std::fprintf(stderr, "tokenpace: the endpoint has several models; give --model\n");
    }
    finish(ok ? ExitOk : undecided ? ExitUsage : ExitSomeFailed);
}

void CheckCommand::onInterrupted()
{
    if (m_check) {
        finish(ExitInterrupted);
    }
}

void CheckCommand::finish(int exitCode)
{
    const QString error = m_options.jsonFile.isEmpty() ? QString() : writeFile(m_options.jsonFile, document());
    if (!error.isEmpty()) {
        std::fprintf(stderr, "tokenpace: %s\n", qUtf8Printable(error));
        exitCode = std::max<int>(exitCode, ExitSomeFailed);
    }
    m_check->disconnect(this);
    m_check.release()->deleteLater(); // its own signal may be what led here
    QCoreApplication::exit(exitCode);
}

QByteArray CheckCommand::document() const
{
    using Json = nlohmann::ordered_json;
    Json steps = Json::array();
    for (const CheckStep& step : m_check->steps()) {
        steps.push_back({{"name", utf8(step.id)},
                         {"ok", step.ok()},
                         {"ms", step.ms},
                         {"message", utf8(step.message)},
                         {"fix", utf8(step.fix)}});
    }
    Json models = Json::array();
    for (const QString& model : m_check->models()) {
        models.push_back(utf8(model));
    }
    Json document = {{"endpoint", utf8(m_endpoint.name)},
                     {"url", utf8(m_check->url())},
                     {"protocol", std::string(name(m_check->protocol()))},
                     {"ok", m_check->ok()},
                     {"steps", std::move(steps)},
                     {"models", std::move(models)}};
    redactorFor(*m_setup.settings).redact(document);
    constexpr int indent = 2;
    const std::string text = document.dump(indent, ' ', false, Json::error_handler_t::replace);
    return QByteArray::fromStdString(text) + '\n';
}

} // namespace tokenpace
