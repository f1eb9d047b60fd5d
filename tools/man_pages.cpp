// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Writes the man pages from what the program itself says with --help, so that both come from the same tables of
// options.
//
//   man_pages PROGRAM FOLDER     FOLDER gets tokenpace.1 and a page for each subcommand

#include <cstdio>

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QList>
#include <QProcess>
#include <QRegularExpression>

namespace {

constexpr int waitMs = 60000;

struct Command {
    const char* name; ///< empty: the program itself
    const char* purpose;
};
const QList<Command> commands = {
    {"", "explore how fast LLM endpoints answer"},
    {"bench", "run an experiment without a window"},
    {"check", "look at an endpoint step by step"},
    {"import", "read other tools' settings into settings.json"},
    {"export", "write settings as config.toml or as an environment file"},
    {"serve", "serve the simulated endpoint"},
};

/// One option or argument, with its whole explanation in one line.
struct Entry {
    QString term;
    QString text;
};

/// What --help prints, taken apart.
struct Help {
    QString usage;
    QStringList description; ///< lines
    QList<Entry> options;
    QList<Entry> arguments;
    QStringList rest; ///< lines below the tables, laid out by hand
};

Help parse(const QString& text)
{
    static const QRegularExpression entry(QStringLiteral("^  (\\S.*?)(?:  +(\\S.*))?$"));
    Help help;
    QStringList lines = text.trimmed().split(u'\n');
    help.usage = lines.takeFirst().remove(QStringLiteral("Usage: "));
    QList<Entry>* table = nullptr;
    bool isRest = false;
    bool wasEmpty = false;
    for (const QString& line : std::as_const(lines)) {
        if (isRest) {
            help.rest << line;
        } else if (line == u"Options:") {
            table = &help.options;
        } else if (line == u"Arguments:") {
            table = &help.arguments;
        } else if (table == nullptr) {
            help.description << line;
        } else if (const auto match = entry.match(line); match.hasMatch()) {
            *table << Entry{match.captured(1), match.captured(2)};
        } else if (line.startsWith(u' ') && !table->isEmpty()) {
            table->last().text += u' ' + line.trimmed();
        } else if (!line.isEmpty() && wasEmpty) {
            isRest = true;
            help.rest << line;
        }
        wasEmpty = line.isEmpty();
    }
    return help;
}

/// Text that roff prints as it is; a dot or a quote at a line's beginning would be a request.
QString roff(QString text)
{
    text.replace(u'\\', QStringLiteral("\\e"))
        .replace(u'-', QStringLiteral("\\-"))
        .replace(u'\'', QStringLiteral("\\(aq"))
        .replace(u'`', QStringLiteral("\\(ga"))
        .replace(u'^', QStringLiteral("\\(ha"))
        .replace(u'~', QStringLiteral("\\(ti"));
    return text.startsWith(u'.') ? QStringLiteral("\\&") + text : text;
}

/// `--model <MODEL>` with the option in bold and its value in italics.
QString term(const QString& text)
{
    static const QRegularExpression value(QStringLiteral("^(.*?)(?: <(.*)>)?$"));
    const QRegularExpressionMatch match = value.match(text);
    QString line = QStringLiteral("\\fB%1\\fR").arg(roff(match.captured(1)));
    if (!match.captured(2).isEmpty()) {
        line += QStringLiteral(" \\fI%1\\fR").arg(roff(match.captured(2)));
    }
    return line;
}

QString pageName(const Command& command)
{
    const QString name = QString::fromLatin1(command.name);
    return name.isEmpty() ? QStringLiteral("tokenpace") : QStringLiteral("tokenpace-") + name;
}

QString table(const QString& title, const QList<Entry>& entries)
{
    if (entries.isEmpty()) {
        return {};
    }
    QString page = QStringLiteral(".SH %1\n").arg(title);
    for (const Entry& entry : entries) {
        if (!entry.term.startsWith(u"--help-all")) { // of Qt's own, and the same as --help here
            page += QStringLiteral(".TP\n%1\n%2\n").arg(term(entry.term), roff(entry.text));
        }
    }
    return page;
}

QString manPage(const Command& command, const Help& help)
{
    const QString name = pageName(command);
    QString page = QStringLiteral(".\\\" Made by tools/man_pages from the program's --help.\n");
    page += QStringLiteral(".TH %1 1 \"\" \"Tokenpace %2\" \"User commands\"\n")
                .arg(roff(name.toUpper()), QStringLiteral(TOKENPACE_VERSION));
    page += QStringLiteral(".SH NAME\n%1 \\- %2\n").arg(roff(name), roff(QString::fromLatin1(command.purpose)));
    page += QStringLiteral(".SH SYNOPSIS\n.nf\n\\fB%1\\fR%2\n")
                .arg(roff(help.usage.section(QStringLiteral(" ["), 0, 0)),
                     roff(help.usage.mid(help.usage.section(QStringLiteral(" ["), 0, 0).size())));
    if (*command.name == '\0') {
        for (const Command& each : commands.mid(1)) {
            page += QStringLiteral("\\fBtokenpace %1\\fR ...\n").arg(QLatin1String(each.name));
        }
    }
    page += QStringLiteral(".fi\n.SH DESCRIPTION\n");
    bool isFirst = true;
    for (const QString& line : help.description) {
        // An empty line, and what the exit code means, begin a paragraph.
        const bool begins = line.isEmpty() || line.startsWith(u"Exit:");
        page += begins && !isFirst ? QStringLiteral(".PP\n") : QString();
        page += line.isEmpty() ? QString() : roff(line) + u'\n';
        isFirst = line.isEmpty(); // two in a row would be an empty paragraph
    }
    page.chop(page.endsWith(u".PP\n") ? qsizetype(4) : qsizetype(0));
    page += table(QStringLiteral("ARGUMENTS"), help.arguments) + table(QStringLiteral("OPTIONS"), help.options);
    if (!help.rest.isEmpty()) {
        page += QStringLiteral(".SH NOTES\n.nf\n");
        for (const QString& line : help.rest) {
            page += line.isEmpty() ? QStringLiteral(".sp\n") : roff(line) + u'\n';
        }
        page += QStringLiteral(".fi\n");
    }
    page += QStringLiteral(".SH SEE ALSO\n");
    QStringList others;
    for (const Command& each : commands) {
        if (pageName(each) != name) {
            others << QStringLiteral("\\fB%1\\fR(1)").arg(roff(pageName(each)));
        }
    }
    return page + others.join(QStringLiteral(",\n")) + u'\n';
}

/// What the program says of a command; empty when it doesn't.
QString helpOf(const QString& program, const Command& command)
{
    QStringList arguments{QStringLiteral("--help")};
    if (*command.name != '\0') {
        arguments.prepend(QString::fromLatin1(command.name));
    }
    QProcess process;
    process.start(program, arguments);
    if (!process.waitForFinished(waitMs) || process.exitStatus() != QProcess::NormalExit || process.exitCode() != 0) {
        return {};
    }
    return QString::fromUtf8(process.readAllStandardOutput());
}

} // namespace

int main(int argc, char* argv[])
{
    const QCoreApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.size() != 3) {
        std::fputs("man_pages PROGRAM FOLDER\n", stderr);
        return 2;
    }
    for (const Command& command : commands) {
        const QString help = helpOf(arguments.at(1), command);
        const QString path = QDir(arguments.at(2)).filePath(pageName(command) + QStringLiteral(".1"));
        if (help.isEmpty()) {
            std::fprintf(stderr, "%s %s --help says nothing\n", qPrintable(arguments.at(1)), command.name);
            return 1;
        }
        QFile file(path);
        const QByteArray page = manPage(command, parse(help)).toUtf8();
        if (!file.open(QIODevice::WriteOnly) || file.write(page) != page.size()) {
            std::fprintf(stderr, "%s: %s\n", qPrintable(path), qPrintable(file.errorString()));
            return 1;
        }
    }
    return 0;
}
