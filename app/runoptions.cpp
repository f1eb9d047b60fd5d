// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "runoptions.h"

#include <QCommandLineParser>

#include "experiment/runspec.h"
#include "measure/timeline.h"

namespace tokenpace {

namespace {

/// Reads typed options; the first thing that is wrong is kept.
class Reader {
public:
    Reader(const QCommandLineParser& parser, QString& error)
        : m_parser(parser)
        , m_error(error)
    {
    }

    [[nodiscard]] QString text(const QString& name) const { return m_parser.value(name); }
    [[nodiscard]] std::optional<QString> textIfSet(const QString& name) const
    {
        return m_parser.isSet(name) ? std::optional(m_parser.value(name)) : std::nullopt;
    }
    QList<int> numbers(const QString& name)
    {
        QList<int> list;
        if (!m_parser.isSet(name)) {
            return list;
        }
        const QStringList parts = m_parser.value(name).split(QLatin1Char(','));
        for (const QString& part : parts) {
            bool ok = false;
            const int value = part.trimmed().toInt(&ok);
            if (!ok || value < 0) {
                fail(QStringLiteral("--%1: \"%2\" is not a number").arg(name, part));
                return {};
            }
            list << value;
        }
        return list;
    }
    std::optional<int> number(const QString& name)
    {
        const QList<int> list = numbers(name);
        if (list.size() > 1) {
            fail(QStringLiteral("--%1: several values need an experiment that is not in this version; give one")
                     .arg(name));
        }
        return list.isEmpty() ? std::nullopt : std::optional(list.first());
    }
    std::optional<QString> oneOf(const QString& name, const QStringList& words)
    {
        const auto value = textIfSet(name);
        if (value && !words.contains(*value)) {
            fail(QStringLiteral("--%1: \"%2\" is none of %3").arg(name, *value, words.join(QStringLiteral(", "))));
        }
        return value;
    }
    void fail(const QString& error)
    {
        if (m_error.isEmpty()) {
            m_error = error;
        }
    }

private:
    const QCommandLineParser& m_parser;
    QString& m_error;
};

void addOptions(QCommandLineParser& parser, bool bench)
{
    const auto add = [&](const char* name, const QString& what, const char* value = nullptr) {
        QCommandLineOption option(QString::fromLatin1(name), what);
        if (value != nullptr) {
            option.setValueName(QString::fromLatin1(value));
        }
        parser.addOption(option);
    };
    add("settings", QStringLiteral("settings.json, config.toml, .env, or another file that import knows."), "FILE");
    add("endpoint",
        QStringLiteral("Endpoint of the settings to measure, or \"simulated\"; may be given several times."), "NAME");
    add("base-url", QStringLiteral("An endpoint of its own, without the settings' key and headers."), "URL");
    add("protocol", QStringLiteral("openai-chat (others are not in this version)."), "P");
    add("api-key-env", QStringLiteral("Environment variable that holds the API key."), "NAME");
    add("model", QStringLiteral("Model to measure; may be given several times."), "MODEL");
    add("experiment", QStringLiteral("length (default) or single."), "NAME");
    add("prompt-tokens", QStringLiteral("Prompt lengths of length; default 100,300,1000,3000,10000."), "N[,N...]");
    add("prompt", QStringLiteral("Prompt of single."), "TEXT");
    add("prompt-file", QStringLiteral("File with the prompt of single."), "FILE");
    add("system", QStringLiteral("System prompt."), "TEXT");
    add("max-tokens", QStringLiteral("Limit of output; default 128 for length."), "N");
    add("temperature", QStringLiteral("Sampling temperature; not sent unless given."), "T");
    add("stream", QStringLiteral("yes (default) or no."), "yes|no");
    add("repeats", QStringLiteral("Requests per model and length; default 7 for length, 1 for single."), "N");
    add("warmup", QStringLiteral("Warm-up requests per model; default 1 for length, 0 for single."), "N");
    add("concurrency", QStringLiteral("Requests in flight; default 1."), "N");
    add("order", QStringLiteral("interleaved (default) or blocked."), "ORDER");
    add("seed", QStringLiteral("Seed of order and prompts; default a fresh one, printed."), "N");
    add("log", QStringLiteral("Append records to FILE; '' writes none."), "FILE");
    add("with-text", QStringLiteral("Keep answers in records."));
    add("manager", QStringLiteral("Network manager: measuring (default) or stock."), "NAME");
    if (bench) {
        add("out", QStringLiteral("Write charts (PNG, SVG), tables (CSV), summary.txt and run.json into DIR."), "DIR");
        add("json", QStringLiteral("Write one JSON document to FILE, or - for standard output."), "FILE|-");
        add("quiet", QStringLiteral("No progress on standard error."));
    } else {
        add("run", QStringLiteral("Start the experiment at once."));
    }
    for (const char* later : {"rounds", "rate", "arrival", "duration", "every", "resume"}) {
        QCommandLineOption option(QString::fromLatin1(later), QString(), QStringLiteral("X"));
        option.setFlags(QCommandLineOption::HiddenFromHelp);
        parser.addOption(option);
    }
    parser.addHelpOption();
}

void readOptions(const QCommandLineParser& parser, ParsedRunOptions& parsed)
{
    Reader reader(parser, parsed.error);
    RunOptions& options = parsed.options;
    for (const char* later : {"rounds", "rate", "arrival", "duration", "every", "resume"}) {
        if (parser.isSet(QString::fromLatin1(later))) {
            reader.fail(
                QStringLiteral("--%1 belongs to an experiment that is not in this version").arg(QLatin1String(later)));
        }
    }
    options.settingsFile = reader.text(QStringLiteral("settings"));
    options.endpoints = parser.values(QStringLiteral("endpoint"));
    options.baseUrl = reader.text(QStringLiteral("base-url"));
    options.protocol = reader.text(QStringLiteral("protocol"));
    if (!options.protocol.isEmpty() && options.protocol != QStringLiteral("auto")
        && !protocolFromName(options.protocol.toStdString())) {
        reader.fail(QStringLiteral("--protocol: \"%1\" is no protocol").arg(options.protocol));
    }
    options.apiKeyEnv = reader.text(QStringLiteral("api-key-env"));
    options.models = parser.values(QStringLiteral("model"));
    options.experiment = reader.textIfSet(QStringLiteral("experiment"));
    if (options.experiment && !experimentFromName(*options.experiment)) {
        reader.fail(QStringLiteral("--experiment: \"%1\" is not in this version, which has length and single")
                        .arg(*options.experiment));
    }
    options.promptTokens = reader.numbers(QStringLiteral("prompt-tokens"));
    options.prompt = reader.textIfSet(QStringLiteral("prompt"));
    options.promptFile = reader.text(QStringLiteral("prompt-file"));
    if (options.prompt && !options.promptFile.isEmpty()) {
        reader.fail(QStringLiteral("--prompt and --prompt-file exclude each other"));
    }
    options.system = reader.text(QStringLiteral("system"));
    options.maxTokens = reader.number(QStringLiteral("max-tokens"));
    if (const auto temperature = reader.textIfSet(QStringLiteral("temperature"))) {
        bool ok = false;
        options.temperature = temperature->toDouble(&ok);
        if (!ok) {
            reader.fail(QStringLiteral("--temperature: \"%1\" is not a number").arg(*temperature));
        }
    }
    if (const auto stream = reader.oneOf(QStringLiteral("stream"), {QStringLiteral("yes"), QStringLiteral("no")})) {
        options.stream = *stream == QStringLiteral("yes");
    }
    options.repeats = reader.number(QStringLiteral("repeats"));
    options.warmup = reader.number(QStringLiteral("warmup"));
    options.concurrency = reader.number(QStringLiteral("concurrency"));
    options.order = reader.oneOf(QStringLiteral("order"), {QStringLiteral("interleaved"), QStringLiteral("blocked")});
    if (const auto seed = reader.textIfSet(QStringLiteral("seed"))) {
        bool ok = false;
        options.seed = seed->toULongLong(&ok);
        if (!ok || *options.seed == 0) {
            reader.fail(QStringLiteral("--seed: \"%1\" is not a number above 0").arg(*seed));
        }
    }
    options.logFile = reader.textIfSet(QStringLiteral("log"));
    options.withText = parser.isSet(QStringLiteral("with-text"));
    options.manager = reader.text(QStringLiteral("manager"));
    if (!options.manager.isEmpty() && !managerNamed(options.manager)) {
        reader.fail(QStringLiteral("--manager: \"%1\" is none of measuring, stock").arg(options.manager));
    }
}

} // namespace

ParsedRunOptions parseRunOptions(const QString& command, const QStringList& arguments)
{
    const bool bench = !command.isEmpty();
    QCommandLineParser parser;
    parser.setSingleDashWordOptionMode(QCommandLineParser::ParseAsLongOptions);
    addOptions(parser, bench);
    if (bench) {
        parser.setApplicationDescription(QStringLiteral(
            "Runs an experiment without a window. Progress goes to standard error; standard output holds only what was "
            "asked for.\nExit: 0 every measured request ended ok; 1 some did not; 2 command or settings are wrong; "
            "3 none ended ok; 130 interrupted."));
    } else {
        parser.setApplicationDescription(
            QStringLiteral("Explores how fast LLM endpoints answer: live TTFT and TPOT charts of streaming models.\n\n"
                           "Commands: tokenpace bench, check, import, export, serve; each has a --help."));
        parser.addPositionalArgument(
            QStringLiteral("FILE|URL"),
            QStringLiteral("A settings file, a token_timing.jsonl, or an endpoint's base URL."),
            QStringLiteral("[FILE|URL]"));
    }
    ParsedRunOptions parsed;
    const QString program = bench ? QStringLiteral("tokenpace ") + command : QStringLiteral("tokenpace");
    if (!parser.parse(QStringList{program} + arguments)) {
        parsed.error = parser.errorText();
        return parsed;
    }
    if (parser.isSet(QStringLiteral("help"))) {
        parsed.help = parser.helpText();
        // Qt names the executable; a person types the command.
        const QString executable = parsed.help.section(QLatin1Char('\n'), 0, 0);
        parsed.help.replace(
            0, executable.size(),
            QStringLiteral("Usage: %1 [options]%2").arg(program, bench ? QString() : QStringLiteral(" [FILE|URL]")));
        return parsed;
    }
    readOptions(parser, parsed);
    if (bench) {
        parsed.options.outFolder = parser.value(QStringLiteral("out"));
        parsed.options.jsonFile = parser.value(QStringLiteral("json"));
        parsed.options.quiet = parser.isSet(QStringLiteral("quiet"));
        if (!parser.positionalArguments().isEmpty() && parsed.error.isEmpty()) {
            parsed.error = QStringLiteral("unexpected argument \"%1\"").arg(parser.positionalArguments().first());
        }
    } else {
        parsed.options.run = parser.isSet(QStringLiteral("run"));
        parsed.options.files = parser.positionalArguments();
    }
    return parsed;
}

} // namespace tokenpace
